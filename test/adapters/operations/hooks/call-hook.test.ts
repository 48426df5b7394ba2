import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { onTestFinished, expect, test } from "vitest";
import { callHook, type HookNetwork } from "../../../../adapters/operations/hooks/call-hook.ts";
import { hookCallOf } from "../../../../adapters/operations/hooks/hook-forms.ts";
import { makeAuthority } from "../../../cli/support/certificates.ts";
import { testWith } from "../../../machine/skips.ts";

async function startTls() {
  const authority = makeAuthority();
  const { cert, key } = authority.issue({ names: "DNS:hook.test" });
  const ca = readFileSync(authority.path, "utf8");
  const seen: string[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.host}`);
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const call = (host: string, network: Partial<HookNetwork>) =>
    callHook(
      { url: new URL(`https://${host}:${port}/in?key=1`), headers: {}, body: "{}" },
      { ranges: ["127.0.0.1"], ca, lookup: async () => ["127.0.0.1"], ...network },
    ).catch((error: Error) => error.message);
  return { seen, call, port };
}

testWith("openssl")(
  "calls the address that was looked up, under the name and the certificate of its host",
  async () => {
    const { seen, call, port } = await startTls();
    expect(await call("hook.test", {})).toEqual({ status: 204, retryAfter: null });
    expect(seen).toEqual([`POST /in?key=1 hook.test:${port}`]);
    expect(await call("other.test", {})).toBe("hook_unreachable");
  },
);

testWith("openssl")(
  "calls no private address that the operator has not named, whatever a name leads to by then",
  async () => {
    const { seen, call } = await startTls();
    for (const address of [
      "127.0.0.1",
      "10.1.2.3",
      "169.254.169.254",
      "::1",
      "::ffff:127.0.0.1",
      "::127.0.0.1",
      "fd00::1",
      "0.0.0.0",
    ])
      expect([address, await call("hook.test", { ranges: [], lookup: async () => [address] })]).toEqual([
        address,
        "hook_address",
      ]);
    expect(await call("127.0.0.1", { ranges: [] })).toBe("hook_address");
    expect(await call("hook.test", { lookup: async () => [] })).toBe("hook_unreachable");
    // Of several the fit one.
    expect(await call("hook.test", { lookup: async () => ["10.0.0.1", "127.0.0.1"] })).toMatchObject({
      status: 204,
    });
    expect(seen).toHaveLength(1);
  },
);

test("calls without TLS only what the operator has named by its address", async () => {
  const plain = { url: new URL("http://hook.test/"), headers: {}, body: "{}" };
  const network = { ranges: ["127.0.0.0/8"], lookup: async () => ["93.184.215.14"] };
  await expect(callHook(plain, network)).rejects.toThrow("hook_address");
});

const EVENT = {
  type: "secret.locked",
  timestamp: "2027-01-15T08:00:00.000Z",
  data: { id: "mC9AJhLie1PsMHNx", kind: "text", account: "hdi8pnEp7zqOimUE" },
};
const TEXT = "Your secret mC9AJhLie1PsMHNx was deleted after ten wrong passphrases, and nobody has read it.";

test.each([
  ["slack", "https://hooks.slack.com/services/T/B/x", { text: TEXT }],
  ["matrix", "https://hookshot.example/webhook/x", { text: TEXT }],
  [
    "ntfy",
    "https://ntfy.sh/topic",
    { topic: "topic", title: "Hushkit", message: TEXT, tags: ["warning"], priority: 4 },
  ],
] as const)("says it in the words of %s", (form, url, body) => {
  const call = hookCallOf(form, { url, secret: null }, { event: EVENT, id: "a", time: 0 });
  expect(JSON.parse(call.body)).toEqual(body);
  expect(call.url.href).toBe(form === "ntfy" ? "https://ntfy.sh/" : url);
  expect(call.headers["content-type"]).toBe("application/json");
});

test("says it to Teams as an Adaptive Card, and to ntfy below a path with what is in the query", () => {
  const told = { event: EVENT, id: "a", time: 0 };
  const card = JSON.parse(hookCallOf("teams", { url: "https://x.test/", secret: null }, told).body);
  expect(card).toMatchObject({
    type: "message",
    attachments: [
      { contentType: "application/vnd.microsoft.card.adaptive", content: { body: [{ text: TEXT }] } },
    ],
  });
  const below = { url: "https://example.test/ntfy/topic?auth=abc", secret: null };
  expect(hookCallOf("ntfy", below, told).url.href).toBe("https://example.test/ntfy?auth=abc");
});
