import { expect, test } from "vitest";
import type { Harness, Sent } from "../support/harness.ts";
import { skipPauses } from "../support/skip-pauses.ts";
import { withServer } from "../support/with-server.ts";
import { openShell } from "./support/terminal.ts";

const service = withServer();
const LINK = `http://hushkit.test/s/${"0".repeat(16)}#${"0".repeat(22)}.${"0".repeat(43)}`;

/** A network in which something else answers. */
function behind(answer: (path: string) => Response): Harness {
  return { ...service, request: async (path: string) => answer(path) };
}

const html = (status: number) =>
  new Response("<h1>no</h1>", { status, headers: { "content-type": "text/html", server: "wall/1" } });

test.each([
  ["a proxy's error", () => html(502), 6, "answered 502 (Server: wall/1)"],
  ["a proxy's limit", () => html(413), 5, "answered 413 (Server: wall/1)"],
  ["a captive portal", () => html(200), 6, "with a web page"],
  ["another service", () => Response.json({ ok: true }), 6, "another service"],
  [
    "a login",
    () => new Response(null, { status: 302, headers: { location: "https://sso.test/login" } }),
    6,
    "302, which leads to https://sso.test/login",
  ],
  [
    "another address",
    (path: string) => new Response(null, { status: 301, headers: { location: `https://new.test${path}` } }),
    6,
    "use https://new.test in place of http://hushkit.test",
  ],
] as const)("send and open name %s", async (_, answer, code, words) => {
  skipPauses();
  const shell = openShell(behind(answer));
  shell.put("a.bin", new Uint8Array(100));
  const calls = [
    shell.run(["send"], { stdin: "hush" }),
    shell.run(["send", "a.bin"]),
    shell.run(["open", LINK]),
  ];
  for (const ended of await Promise.all(calls))
    expect(ended).toMatchObject({ code, out: "", err: expect.stringContaining(words) });
});

test.each([200, 500])("send says that an answer with %i was cut", async (status) => {
  skipPauses();
  const breaking = () =>
    new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });
  const headers = { "content-type": "application/json", "request-id": crypto.randomUUID() };
  const shell = openShell(behind(() => new Response(breaking(), { status, headers })));
  shell.put("a.bin", new Uint8Array(100));
  for (const ended of [await shell.run(["send"], { stdin: "hush" }), await shell.run(["send", "a.bin"])])
    expect(ended).toMatchObject({
      code: 6,
      out: "",
      err: expect.stringContaining("in the middle of an answer"),
    });
});

test.each(['{"ok":true}', "null", '{"url'])(
  "send prints no link of an answer that has none: %s",
  async (answer) => {
    const headers = { "content-type": "application/json", "request-id": crypto.randomUUID() };
    const shell = openShell(behind(() => new Response(answer, { headers })));
    shell.put("a.bin", new Uint8Array(100));
    expect(await shell.run(["send", "a.bin"])).toMatchObject({
      code: 6,
      out: "",
      err: expect.stringContaining("another service"),
    });
  },
);

test("sends no call with a token, and no password, on to another server", async () => {
  const asked: string[] = [];
  const shell = openShell(
    behind((path) => {
      asked.push(path);
      return new Response(null, { status: 307, headers: { location: `https://new.test${path}` } });
    }),
  );
  shell.put("a.bin", new Uint8Array(100));
  const env = { HUSHKIT_TOKEN: "hk_any" };
  const runs = [
    shell.run(["send"], { stdin: "hush", env }),
    shell.run(["send", "a.bin"], { env }),
    shell.run(["list"], { env }),
    shell.run(["token", "create", "ci", "--name", "ann"], { env: { HUSHKIT_PASSWORD: "hunter2" } }),
  ];
  for (const ended of await Promise.all(runs))
    expect(ended).toMatchObject({
      code: 6,
      out: "",
      err: expect.stringContaining("use https://new.test in place of http://hushkit.test (HUSHKIT_URL"),
    });
  expect(asked).toHaveLength(runs.length);
});

test("sends a file anew to where the server is, sealed once more", async () => {
  let hops = 0;
  const request = async (path: string, init: Sent = {}) => {
    if (!path.startsWith("/api/secrets/file") || hops++ > 0) return service.request(path, init);
    // Some of it has left by then.
    await (init.body as ReadableStream).getReader().read();
    return new Response(null, { status: 308, headers: { location: `http://hushkit.test${path}` } });
  };
  const shell = openShell({ ...service, request });
  shell.put("a.bin", new Uint8Array(300_000).fill(7));
  const sent = await shell.run(["send", "a.bin"]);
  expect(sent).toMatchObject({ code: 0, err: "" });
  const opened = await openShell(service).run(["open", sent.out.trim(), "-o", "-"]);
  expect(opened.bytes.equals(Buffer.alloc(300_000, 7))).toBe(true);
});
