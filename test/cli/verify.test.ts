// slow
import { beforeAll, expect, test } from "vitest";
import { buildPages } from "../web/support/served.ts";
import { startForTest } from "../support/with-server.ts";
import type { HarnessOptions } from "../support/harness.ts";
import { openShell } from "./support/terminal.ts";

beforeAll(buildPages);

/** A shell whose server changes some of its answers on their way. */
async function shellBefore(change: (path: string, text: string) => string, options: HarnessOptions = {}) {
  const service = await startForTest(options);
  const request: typeof service.request = async (path, init) => {
    const response = await service.request(path, init);
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString("latin1");
    const changed = change(path, text);
    return changed === text ? new Response(bytes, response) : new Response(Buffer.from(changed, "latin1"));
  };
  return openShell({ ...service, request });
}

const verify = async (change: (path: string, text: string) => string) =>
  (await shellBefore(change)).run(["verify", "http://hushkit.test"]);

test("finds the pages of its own release the same", async () => {
  const { code, out, err } = await verify((_, text) => text);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^http:\/\/hushkit\.test: all \d+ files are those of Hushkit \d+\.\d+\.\d+\.\n$/);
});

test("names the file of which one byte differs, and ends with 1", async () => {
  const { code, out } = await verify((path, text) => (path === "/offline.js" ? `${text} ` : text));
  expect(code).toBe(1);
  expect(out).toMatch(/1 of \d+ files are not those of Hushkit .*:\n {2}\/offline\.js\n$/);
});

test.each([
  ["before the page ends", (text: string) => text.replace("</body>", "<script>steal()</script></body>")],
  [
    "behind the words without script",
    (text: string) => text.replace("</noscript>", "</noscript><script src=x></script>"),
  ],
  ["to what runs first", (text: string) => text.replace("<script>", "<script>steal();")],
  ["to what is drawn", (text: string) => text.replace('<main id="content"', '$&><a href="//x">x</a')],
])("sees what was added %s", async (_, change) => {
  const { code, out } = await verify((path, text) => (path === "/open" ? change(text) : text));
  expect([code, out.split("\n")[1]]).toEqual([1, "  /open"]);
});

test("knows what settings of an instance change on its pages", async () => {
  const shell = await shellBefore((_, text) => text, {
    settings: { INSTANCE_NAME: "A & <B>", INSTANCE_NOTICE: '{{url}} "mind"', ANONYMOUS: "tools" },
  });
  const { code, out } = await shell.run(["verify", "http://hushkit.test"]);
  expect([code, out]).toEqual([0, expect.stringContaining("all ")]);
});

test("may ask a server by another name than its own, and says which that is", async () => {
  const settings = { PUBLIC_URL: "https://share.example" };
  const shell = await shellBefore((_, text) => text, { settings });
  const { code, out } = await shell.run(["verify", "http://hushkit.test"]);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/all .* They call it https:\/\/share\.example\.\n$/),
  ]);
  // Scripts would come from another path, which is not compared.
  const moved = await verify((_, text) =>
    text.replaceAll(/(og:image" content="[^"]+?)(?=\/preview)/g, "$1/x"),
  );
  expect(moved.code).toBe(1);
});

test("ends with 6 where no server answers", async () => {
  const { code } = await openShell().run(["verify", "http://127.0.0.1:9"]);
  expect(code).toBe(6);
});

test("says that nothing answers, by the exit code of the network", async () => {
  const away = await openShell().run(["verify", "http://hushkit.test"]);
  expect(away).toMatchObject({ code: 6, out: "", err: expect.stringContaining("cannot be reached") });
});

/** What verify makes of a server before which something answers some paths. */
async function verifyBehind(answer: (path: string) => Response | undefined) {
  const service = await startForTest();
  const request: typeof service.request = async (path, init) => answer(path) ?? service.request(path, init);
  return openShell({ ...service, request }).run(["verify", "http://hushkit.test"]);
}

const html = (status: number) =>
  new Response("<h1>no</h1>", { status, headers: { "content-type": "text/html" } });

test.each([
  ["an outage", () => html(502), "answered 502"],
  [
    "an outage that begins on the way",
    (path: string) => (path === "/offline.js" ? html(504) : undefined),
    "answered 504",
  ],
  [
    "a firewall before one file",
    (path: string) => (path === "/offline.js" ? html(403) : undefined),
    "answered 403",
  ],
  ["a network that wants a login", () => html(200), "with a web page"],
  [
    "such a network, on the way",
    (path: string) => (path === "/offline.js" ? html(200) : undefined),
    "with a web page",
  ],
  ["another service", () => Response.json({ message: "no route" }, { status: 404 }), "another service"],
])("tells %s from changed pages, and ends with 6", async (_, answer, words) => {
  const { code, out, err } = await verifyBehind(answer);
  expect([code, out, err]).toEqual([6, "", expect.stringContaining(words)]);
  expect(err).toContain("Nothing is known of its pages.");
});

test("ends with 1 where a file is missing, and names the version that the server gives", async () => {
  const { code, out } = await verifyBehind((path) => {
    if (path === "/offline.js") return html(404);
    return path === "/api/instance" ? Response.json({ version: "9.9.9", limits: {} }) : undefined;
  });
  expect([code, out]).toEqual([1, expect.stringContaining("\n  /offline.js\n")]);
  expect(out).toContain(
    "it is Hushkit 9.9.9; compare with that one: npx hushkit@9.9.9 verify http://hushkit.test",
  );
});
