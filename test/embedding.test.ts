// process
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import express from "express";
import { Hono } from "hono";
import { toNodeHandler } from "srvx/node";
import { expect, onTestFinished, test, vi } from "vitest";
import "./support/cheap-passwords.ts";
import type { WebhookEvent } from "../adapters/operations/outbox/deliver.ts";
import { createServer, type ServerOptions } from "../server/index.ts";
import { makeTempFolder } from "./support/temp-folder.ts";

const PUBLIC_URL = "http://around.test/hush";
/** The sessions of the program around, by the value of its cookie. */
const SESSIONS: Readonly<Record<string, { id: string; name: string; isAdmin?: boolean }>> = {
  "sid=ann": { id: "user-1", name: "Ann@acme.example" },
  "sid=bob": { id: "user-2", name: "bob" },
  "sid=cleo": { id: "user-3", name: "cleo", isAdmin: true },
};

async function open(options: Partial<ServerOptions> = {}) {
  const lines: string[] = [];
  const hushkit = await createServer({
    ...{ publicUrl: PUBLIC_URL, databaseUrl: join(makeTempFolder(), "hush.db"), workers: 1 },
    log: (line) => void lines.push(line),
    authenticate: (request) => SESSIONS[request.headers.get("cookie") ?? ""],
    ...options,
  });
  onTestFinished(() => hushkit.close());
  return { ...hushkit, lines };
}

type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

function post(json: object, headers: Record<string, string> = {}) {
  return {
    method: "POST",
    body: JSON.stringify(json),
    headers: { "content-type": "application/json", ...headers },
  };
}

async function tryAsUser(fetch: Fetch) {
  const me = await fetch("/api/users/me", { headers: { cookie: "sid=ann" } });
  expect(await me.json()).toMatchObject({ name: "ann", hasPassword: false });
  const made = await fetch("/api/secrets", post({ content: "of a member" }, { cookie: "sid=ann" }));
  expect(made.status).toBe(201);
  const own = await (await fetch("/api/users/me/secrets", { headers: { cookie: "sid=ann" } })).json();
  expect((own as { secrets: object[] }).secrets).toHaveLength(1);
  const others = await (await fetch("/api/users/me/secrets", { headers: { cookie: "sid=bob" } })).json();
  expect((others as { secrets: object[] }).secrets).toEqual([]);
  expect((await fetch("/api/users/me", { headers: { cookie: "sid=nobody" } })).status).toBe(401);
}

test("knows the users of a Hono app by its sessions", async () => {
  const hushkit = await open();
  const app = new Hono().get("/", (context) => context.text("around"));
  app.all("/hush/*", (context) => hushkit.fetch(context.req.raw, { address: "192.0.2.1" }));
  expect(await (await app.request("http://around.test/")).text()).toBe("around");
  await tryAsUser(async (path, init) => app.request(`http://around.test/hush${path}`, init));
});

test("lets an administrator of the program around disable a member, from the next call on", async () => {
  const { fetch } = await open();
  const ask = (path: string, cookie: string, init: RequestInit = {}) =>
    fetch(new Request(`${PUBLIC_URL}/api${path}`, { ...init, headers: { cookie } }));
  const { id } = (await (await ask("/users/me", "sid=ann")).json()) as { id: string };
  expect((await ask(`/admin/members/${id}/disable`, "sid=bob", { method: "POST" })).status).toBe(403);
  expect((await ask(`/admin/members/${id}/disable`, "sid=cleo", { method: "POST" })).status).toBe(200);
  const refused = await ask("/users/me", "sid=ann");
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: "account_disabled" }]);
  expect((await ask(`/admin/members/${id}/enable`, "sid=cleo", { method: "POST" })).status).toBe(200);
  expect((await ask("/users/me", "sid=ann")).status).toBe(200);
});

test("knows the users of an Express app by its sessions", async () => {
  const hushkit = await open();
  const app = express();
  app.use(
    "/hush",
    toNodeHandler((request) => hushkit.fetch(request)),
  );
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hush`;
  await tryAsUser((path, init) => fetch(url + path, init));
});

async function call({ fetch: answer }: Awaited<ReturnType<typeof open>>, path: string, init?: RequestInit) {
  const response = await answer(new Request(PUBLIC_URL + path, init), { address: "192.0.2.1" });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test("a page of another site is nobody, and a token goes on being its member's", async () => {
  const hushkit = await open();
  const cookie = "sid=ann";
  const foreign = { cookie, "sec-fetch-site": "cross-site" };
  expect((await call(hushkit, "/api/tools", { headers: foreign })).body).toMatchObject({
    caller: { tier: "anonymous" },
  });
  // Whose login is the program's has always proved who they are.
  const ci = post({ name: "ci", expires: null }, { cookie });
  const { body } = await call(hushkit, "/api/users/me/tokens", ci);
  const bearer = { authorization: `Bearer ${String(body.token)}` };
  expect((await call(hushkit, "/api/tools", { headers: bearer })).body).toMatchObject({
    caller: { tier: "member" },
  });
});

test("has no logins of its own: no path, no procedure, no entry in the document", async () => {
  const hushkit = await open();
  const isOff = { status: 404, body: { code: "not_found" } };
  const headers = { cookie: "sid=cleo" };
  const { id } = (await call(hushkit, "/api/users/me", { headers: { cookie: "sid=ann" } })).body;
  for (const [method, path] of [
    ...["register", "login", "recover", "logout", "passkey", "passkey/options"].map((each) => [
      "POST",
      `/api/account/${each}`,
    ]),
    ...["totp", "totp/confirm", "passkeys", "passkeys/options", "identities", "password"].map((each) => [
      "POST",
      `/api/users/me/${each}`,
    ]),
    ...["sessions", "passkeys", "identities"].map((each) => ["GET", `/api/users/me/${each}`]),
    ["DELETE", "/api/users/me/sessions"],
    ["POST", `/api/admin/members/${String(id)}/reset`],
  ] as const)
    expect([path, await call(hushkit, path ?? "", { method: method ?? "", headers })]).toMatchObject([
      path,
      isOff,
    ]);
  const json = { name: "somebody", password: "correct horse" };
  for (const [procedure, input] of [
    ["account.register", json],
    ["account.login", json],
    ["account.logout", {}],
    ["account.beginTotp", {}],
    ["account.changePassword", { password: "x", newPassword: "correct horse" }],
    ["admin.resetMember", { id }],
  ] as const) {
    const { status, body } = await call(hushkit, `/trpc/${procedure}`, post(input, headers));
    expect([procedure, status, body]).toMatchObject([
      procedure,
      404,
      { error: { data: { code: "not_found" } } },
    ]);
  }
  const { body } = await call(hushkit, "/api/openapi.json");
  const paths = Object.keys(body.paths ?? {});
  expect(paths).toContain("/api/users/me/tokens");
  expect(paths.filter((path) => /login|register|totp|passkey|session|identit|reset/.test(path))).toEqual([]);
  expect((await call(hushkit, "/api/instance")).body).toMatchObject({ login: [] });
});

test("what one user does counts for nobody else", async () => {
  const hushkit = await open({ limits: { secretsPerMinute: 1, memberSecretsPerMinute: 2 } });
  const share = async (cookie: string) =>
    (await call(hushkit, "/api/secrets", post({ content: "x" }, { cookie }))).status;
  expect([await share("sid=ann"), await share("sid=ann")]).toEqual([201, 201]);
  expect([await share("sid=ann"), await share("sid=bob")]).toEqual([429, 201]);
});

test("who is not told in time who calls says so, and goes on", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const hushkit = await open({
    authenticate: () => (asked++ === 0 ? new Promise(() => {}) : SESSIONS["sid=ann"]),
  });
  const hanging = call(hushkit, "/api/users/me");
  await vi.waitUntil(() => asked === 1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await hanging).toMatchObject({ status: 503, body: { code: "overloaded", retryAfter: 5 } });
  expect((await call(hushkit, "/api/users/me")).status).toBe(200);
});

test("a user who deletes the account is a new member afterwards", async () => {
  const hushkit = await open();
  const headers = { cookie: "sid=bob" };
  const { body: first } = await call(hushkit, "/api/users/me", { headers });
  const gone = await call(hushkit, "/api/users/me", {
    ...post({ secrets: "keep" }, headers),
    method: "DELETE",
  });
  expect(gone.body).toEqual({ deleted: true });
  const { body: second } = await call(hushkit, "/api/users/me", { headers });
  expect([second.name, second.id === first.id]).toEqual(["bob", false]);
});

/** Sets the clock forward by so many seconds at each call, until the test ends. */
function skipTime(): (seconds: number) => void {
  const real = Date.now;
  let skipped = 0;
  const spy = vi.spyOn(Date, "now").mockImplementation(() => real() + skipped);
  onTestFinished(() => spy.mockRestore());
  return (seconds) => void (skipped += 1000 * seconds);
}

test("tells what happens, again where the listener fails", async () => {
  const events: WebhookEvent[] = [];
  let failures = 1;
  const hushkit = await open({
    onEvent: (event) => {
      if (event.type === "secret.created" && failures-- > 0) throw new Error("not now");
      events.push(event);
    },
  });
  const share = (content: string) => call(hushkit, "/api/secrets", post({ content }, { cookie: "sid=ann" }));
  const { body } = await share("a");
  const skip = skipTime();
  // It is tried again after seconds, and what is written has it looked for.
  const told = async () => {
    skip(10);
    await share("b");
    return events.map(({ data }) => data.id);
  };
  await expect.poll(told).toContain(body.id);
  const account = expect.any(String);
  expect(events).toContainEqual({
    type: "account.created",
    timestamp: expect.any(String),
    data: { id: account, kind: "account", account },
  });
  expect(events).toContainEqual({
    type: "secret.created",
    timestamp: expect.any(String),
    data: { id: body.id, kind: "text", account },
  });
  expect(hushkit.lines.join()).toContain('"requestId":"webhook"');
});

test("says whether it works, and refuses new calls while it drains", async () => {
  const hushkit = await open({
    limits: { secretCharacters: 100, lifetimes: ["7d", "1h"] },
    passphrase: "required",
  });
  expect((await call(hushkit, "/api/instance")).body).toMatchObject({
    ...{ passphrase: "required", limits: { secretLength: 100, secretExpiresAllowed: [604_800, 3600] } },
  });
  // On a busy machine the first worker takes longer to start than a part may be silent.
  await expect.poll(() => hushkit.failing()).toEqual([]);
  hushkit.drain();
  expect(await call(hushkit, "/api/tools")).toMatchObject({ status: 503, body: { code: "draining" } });
});

test.each([
  [{}, "The option publicUrl must be set."],
  [{ publicUrl: "hush" }, "PUBLIC_URL must be an http:// or https:// URL"],
  [
    { publicUrl: PUBLIC_URL, port: 1, colour: "red" },
    "There is no option colour; the options are limits, log,",
  ],
  [
    { publicUrl: PUBLIC_URL, limits: { fileSize: "1PB" } },
    'FILE_SIZE is "1PB" but must be a size from 1KiB to 500MiB',
  ],
])("refuses %j in a sentence", async (options, sentence) => {
  await expect(createServer(options as ServerOptions)).rejects.toThrow(sentence);
});

test("what authenticate throws is a fault, and nobody's login", async () => {
  const hushkit = await open({
    authenticate: () => {
      throw new Error("canary");
    },
  });
  const answer = await call(hushkit, "/api/users/me", { headers: { cookie: "sid=ann" } });
  expect(answer).toMatchObject({ status: 500, body: { code: "internal" } });
  expect(JSON.stringify([answer, hushkit.lines])).not.toContain("canary");
});
