import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTRPCClient } from "@trpc/client";
import { bodyPieces } from "../../client/file-body.ts";
import { createClient, frameLink, notHushkitOf, type AppRouter } from "../../client/index.ts";
import { explainAnswer, explainError, versionOf } from "../../client/answers/not-hushkit.ts";
import { ByteStream } from "../../wire/byte-pieces.ts";
import { streamedFrameParts } from "../../wire/frame.ts";
import { FRAME_TYPE } from "../../wire/rpc.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();

const URL_ASKED = "https://hush.example/base/trpc/secrets.create?batch=1";
const PAGE = { "content-type": "text/html; charset=utf-8" };

/** An answer from the address that was asked for, or from `url`. */
function came(status: number, headers: Record<string, string> = {}, url = URL_ASKED) {
  return { status, url, headers: new Headers(headers) };
}

test.each([
  [
    "a proxy without a server",
    came(502, { ...PAGE, server: "nginx/1.22.1" }),
    "gateway",
    "502 (Server: nginx/1.22.1)",
  ],
  ["a proxy that waits no longer", came(504), "gateway", "answered 504"],
  ["a proxy's limit of bodies", came(413, PAGE), "too_large", "client_max_body_size"],
  ["a proxy's limit of calls", came(429, PAGE), "busy", "answered 429"],
  ["a login of the proxy", came(401, { "www-authenticate": "Basic" }), "login", "single sign-on"],
  ["a firewall", came(403, { ...PAGE, server: "cloudflare" }), "login", "(Server: cloudflare)"],
  ["a captive portal", came(200, PAGE), "portal", "log in first"],
  ["a captive portal that says so", came(511, PAGE), "portal", "answered 511"],
  [
    "a redirect to a login",
    came(302, { location: "https://sso.example/login?next=%2Fbase#x" }),
    "login",
    "302, which leads to https://sso.example/login.",
  ],
  [
    "a login that was followed to",
    came(200, PAGE, "https://sso.example/login?s=1"),
    "login",
    "200 from https://sso.example/login.",
  ],
  [
    "another address",
    came(301, { location: "https://new.example/trpc/secrets.create?batch=1" }),
    "moved",
    "use https://new.example in place of https://hush.example/base.",
  ],
  [
    "another address that was followed to with GET",
    came(405, {}, "https://new.example/base/trpc/secrets.create?batch=1"),
    "moved",
    "use https://new.example/base in place",
  ],
  [
    "an address without TLS",
    came(308, { location: "http://hush.example/base/trpc/secrets.create" }),
    "moved",
    "without TLS",
  ],
  ["a circle", came(302, { location: "/base/trpc/secrets.create" }), "loop", "in a circle"],
  [
    "another service",
    came(404, { "content-type": "application/json" }),
    "other",
    "404 with application/json",
  ],
] as const)("knows %s", async (_, answer, kind, words) => {
  const wrong = await explainAnswer(answer, { url: URL_ASKED, method: "POST" });
  expect(wrong).toMatchObject({ name: "NotHushkit", kind });
  expect(wrong.message).toMatch(/^https:\/\/hush\.example\/base answered \d{3}/);
  expect(wrong.message).toContain(words);
});

test("knows it too where the sentences cannot be loaded, as behind a login of the network", async () => {
  onTestFinished(() => void vi.doUnmock("../../client/answers/advice.ts"));
  vi.doMock("../../client/answers/advice.ts", () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  const wrong = await explainAnswer(came(511, PAGE), { url: URL_ASKED });
  expect([wrong.kind, wrong.message]).toEqual([
    "portal",
    "https://hush.example/base answered 511. That is no Hushkit.",
  ]);
});

test("repeats no query of an address, and no more than a line of what others call themselves", async () => {
  const headers = {
    server: "s".repeat(5000),
    location: `https://user:word@sso.example/${"p".repeat(5000)}?token=t`,
  };
  const { message } = await explainAnswer(came(302, headers), { url: URL_ASKED });
  expect(message).not.toMatch(/word@|token/);
  expect(message.length).toBeLessThan(700);
});

test.each([
  ["ECONNREFUSED", "unreachable", "nothing listens"],
  ["ENOTFOUND", "unreachable", "no host of this name"],
  ["UND_ERR_SOCKET", "unreachable", "the connection was cut"],
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "certificate",
    "The certificate of https://hush.example/base is self-signed",
  ],
  ["CERT_HAS_EXPIRED", "tls", "has expired"],
  ["EPROTO", "tls", "speaks no TLS"],
  ["anything else", "unreachable", "https://hush.example/base cannot be reached. Check"],
])("says of %s why nothing answers", async (code, kind, words) => {
  const cause = Object.assign(new Error("failed"), { code });
  const wrong = await explainError(new TypeError("fetch failed", { cause }), { url: URL_ASKED });
  expect([wrong.kind, wrong.message]).toEqual([kind, expect.stringContaining(words)]);
});

test("looks through errors that wrap each other, and no circle of them for ever", async () => {
  const circle = new Error("first");
  circle.cause = new Error("second", { cause: circle });
  expect(notHushkitOf(circle)).toBeUndefined();
  const wrong = await explainError(Object.assign(new TypeError("failed"), { cause: circle }), {
    url: URL_ASKED,
  });
  expect(notHushkitOf(new Error("outer", { cause: new Error("inner", { cause: wrong }) }))).toBe(wrong);
});

test("says to a page of another origin that its server may refuse it", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const sentence = "https://hush.example/base cannot be reached. Check the address and the network.";
  const tell = async (href: string) => {
    vi.stubGlobal("location", new URL(href));
    return (await explainError(new TypeError("Failed to fetch"), { url: URL_ASKED })).message;
  };
  expect(await tell("https://hush.example/docs")).toBe(sentence);
  expect(await tell("https://app.example/start")).toBe(
    `${sentence} If both are right, the server may not allow pages of https://app.example to call it (CORS).`,
  );
});

test("takes for a Hushkit what says its version and limits, and no other service", () => {
  expect(versionOf({ version: "1.2.3", limits: {} })).toBe("1.2.3");
  expect(
    [{ version: "1.2.3" }, { version: "<b>", limits: {} }, { ok: true }, null, "1.2.3"].map(versionOf),
  ).toEqual(Array(5).fill(undefined));
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listening on a port
}

/** What a call of the client meets there, as JSON and as a frame. */
async function failures(url: string, fetch?: typeof globalThis.fetch) {
  const client = createClient(url, { fetch });
  const calls = [
    client.secrets.create.mutate({ content: "hush" }),
    client.tools.fileHash.mutate({ file: new Uint8Array(10) }),
    client.tools.fileHash.mutate({ file: new Blob([new Uint8Array(2_000_000)]) }),
  ];
  return Promise.all(calls.map((call) => call.then(() => undefined, notHushkitOf)));
}

test.each([
  [502, PAGE, "<h1>502</h1>", "gateway"],
  [200, PAGE, "<h1>Welcome</h1>", "portal"],
  [200, { "content-type": "application/json" }, '{"ok":true}', "other"],
  [
    404,
    { "content-type": "application/json" },
    '{"error":{"message":"","code":-32004,"data":{"code":"NOT_FOUND"}}}',
    "other",
  ],
  [301, { location: "https://hush.invalid/trpc/tools.fileHash" }, "", "moved"],
  [303, { location: "/login" }, "", "login"],
])("the client names it: %s %j", async (status, headers, body, kind) => {
  const url = await listen((request, response) => {
    request.resume();
    const { location } = headers as { location?: string };
    const own = location?.includes("/trpc/") ? { location: `https://hush.invalid${request.url}` } : headers;
    response.writeHead(status, own).end(body);
  });
  for (const wrong of await failures(url)) {
    expect(wrong?.kind).toBe(kind);
    expect(wrong?.message).toContain(`${url} answered ${status}`);
  }
});

test.each(["/api", "/trpc", "/api/trpc"])("says that the address of the pages has no %s", async (path) => {
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname, search } = new URL(String(input));
    return service.request(pathname + search, { ...init });
  };
  for (const wrong of await failures(`http://hush.test${path}`, fetch)) {
    expect(wrong?.kind).toBe("other");
    expect(wrong?.message.split(/ answered 404[^.]*/)).toEqual([
      `http://hush.test${path}`,
      ". The address of a Hushkit is the one of its pages, without /api or /trpc: try http://hush.test.",
    ]);
  }
});

test("says that a connection was cut in the middle of an answer, and that the call may have been done", async () => {
  const url = await listen((request, response) => {
    request.resume();
    const type = request.url?.includes("secrets.create") ? "application/json" : FRAME_TYPE;
    response.writeHead(200, { "content-type": type, "content-length": 1000 }).write("[{");
    setTimeout(() => response.destroy(), 20);
  });
  for (const wrong of await failures(url))
    expect(wrong).toMatchObject({
      kind: "unreachable",
      isPassing: true,
      message: `The connection to ${url} was cut in the middle of an answer. The server may have done what the call asks for.`,
    });
});

test("says so of a file whose download was cut", async () => {
  const pieces = async function* () {
    yield new Uint8Array(5);
    throw new TypeError("terminated");
  };
  const answer = { result: { data: { offset: 0, size: 9, data: new ByteStream(pieces(), 9) } } };
  const body = new ByteStream(bodyPieces(streamedFrameParts(answer), () => {})).stream();
  const fetch = async () => new Response(body, { headers: { "content-type": FRAME_TYPE } });
  // Its own client goes on with a file for ten minutes.
  const link = frameLink<AppRouter>({ url: "http://hush.test/trpc", fetch });
  const { secrets } = createTRPCClient<AppRouter>({ links: [link] });
  const { data } = await secrets.openFile.mutate({ id: "i", key: "k" });
  await expect(data.bytes()).rejects.toMatchObject({ name: "NotHushkit", isPassing: true });
});

test("says why an upload of a page fails whose progress is watched", async () => {
  class Unreachable extends EventTarget {
    readonly upload = new EventTarget();
    open() {}
    setRequestHeader() {}
    abort() {}
    send() {
      this.dispatchEvent(new Event("error"));
    }
  }
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("XMLHttpRequest", Unreachable);
  const context = { onUploadProgress: () => {} };
  const call = createClient("http://hush.test").tools.fileHash.mutate(
    { file: new Uint8Array(9) },
    { context },
  );
  expect(await call.then(() => undefined, notHushkitOf)).toMatchObject({
    kind: "unreachable",
    isPassing: true,
  });
});

test("takes any error of the platform's fetch for a network's, as workerd has them", async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("fetch", () => Promise.reject(new Error("Network connection lost.")));
  for (const wrong of await failures("http://hush.test", undefined))
    expect(wrong).toMatchObject({ kind: "unreachable", isPassing: true });
  const own = () => Promise.reject(new RangeError("not today"));
  expect(await failures("http://hush.test", own)).toEqual([undefined, undefined, undefined]);
});

/** Two servers, of which the old one sends everything on to the new one. */
function moving(status = 307) {
  const seen: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { href, origin, pathname, search } = new URL(String(input));
    seen.push(origin);
    if (origin === "http://old.test")
      return new Response(null, { status, headers: { location: href.replace("old", "new") } });
    return service.request(pathname + search, { ...init, headers: new Headers(init?.headers) });
  };
  return { fetch, seen };
}

test("follows 307 and 308 with the body", async () => {
  const { fetch, seen } = moving();
  const client = createClient("http://old.test", { fetch });
  expect((await client.secrets.create.mutate({ content: "hush" })).id).toHaveLength(16);
  expect((await client.tools.fileHash.mutate({ file: new Uint8Array(2_000_000) })).size).toBe(2_000_000);
  expect(new Set(seen)).toEqual(new Set(["http://old.test", "http://new.test"]));
});

test.each([
  { token: "hk_t" },
  { headers: { cookie: "service_user_session=s" } },
  { headers: { "sec-fetch-site": "none" } },
])("sends no call of an account on to another server, and names that: %j", async (own) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const { fetch, seen } = moving(status);
    const client = createClient("http://old.test", { fetch, ...own });
    const calls = [
      client.secrets.create.mutate({ content: "hush" }),
      client.tools.fileHash.mutate({ file: new Uint8Array(2_000_000) }),
      client.secrets.list.query({}),
    ];
    for (const wrong of await Promise.all(calls.map((call) => call.then(() => undefined, notHushkitOf)))) {
      expect(wrong?.kind).toBe("moved");
      expect(wrong?.message).toContain("use http://new.test in place of http://old.test");
      expect(wrong?.message).toContain("is sent on to no other server");
    }
    expect(new Set(seen)).toEqual(new Set(["http://old.test"]));
  }
});

test("names where a redirect leads that is no address of the web, and does not follow it", async () => {
  const to: [string, string][] = [
    ["file:///etc/hosts", "file:///etc/hosts"],
    ["ftp://ann:word@old.test:2121/a?b=c", "ftp://old.test:2121/a"],
  ];
  for (const [location, address] of to) {
    const answer = () => Promise.resolve(new Response(null, { status: 307, headers: { location } }));
    const call = createClient("http://old.test", { fetch: answer }).secrets.create.mutate({ content: "x" });
    expect((await call.then(() => undefined, notHushkitOf))?.facts).toEqual({ status: 307, address });
  }
});

test("follows a redirect within its server with the token", async () => {
  const tokens: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input));
    tokens.push(new Headers(init?.headers).get("authorization"));
    const [, rest] = pathname.split("/old");
    if (rest !== undefined) return new Response(null, { status: 308, headers: { location: rest + search } });
    return service.request(pathname + search, { ...init, headers: new Headers(init?.headers) });
  };
  const headers = { authorization: "Bearer wrong" };
  const call = createClient("http://hush.test/old", { fetch, headers }).secrets.list.query({});
  await expect(call).rejects.toMatchObject({ data: { code: "invalid_token" } });
  expect(tokens).toEqual(["Bearer wrong", "Bearer wrong"]);
});

test("names the version of a Hushkit that does not know a call", async () => {
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { pathname, search } = new URL(String(input));
    return service.request(pathname.replace("secrets.create", "secrets.make") + search, { ...init });
  };
  const call = createClient("http://hush.test", { fetch }).secrets.create.mutate({ content: "x" });
  const wrong = await call.then(() => undefined, notHushkitOf);
  expect(wrong).toMatchObject({
    kind: "version",
    message: expect.stringMatching(/^http:\/\/hush\.test is Hushkit \d/),
  });
});
