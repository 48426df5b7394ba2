import { expect, test } from "vitest";
import { procedures, serviceMetaOf } from "../../adapters/service/endpoints.ts";
import { accountCalls, BROWSER, PASSWORD } from "../support/account-calls.ts";
import { freshIp } from "../support/fresh-ip.ts";
import { HOOK_SETTINGS } from "../support/hook-receiver.ts";
import type { Harness, Sent } from "../support/harness.ts";
import { call, register } from "../support/members.ts";
import { jsonPost, shareSecret } from "../support/requests.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer({ isAudited: true, publicUrl: BROWSER.origin, settings: HOOK_SETTINGS });

const TICKET = "T".repeat(32);
const GATE = "g".repeat(43);
const ANSWER = `r1.${"A".repeat(400)}`;

type Wire = [path: string, init: Sent];

/** What was last sent, and the answer to it. While there is a key, that goes with each call. */
const wire: { key?: string; sent?: Wire; answer?: Response } = {};
const recording: Harness = new Proxy(service, {
  get: (target, name: keyof Harness) => (name === "request" ? record : target[name]),
});

async function record(path: string, init: Sent = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (wire.key !== undefined) headers.set("idempotency-key", wire.key);
  wire.sent = [path, { ...init, headers, ip: init.ip ?? freshIp() }];
  const { status, headers: answered, body } = await service.request(...wire.sent);
  const bytes = await new Response(body).arrayBuffer();
  wire.answer = new Response(bytes, { status, headers: answered });
  return wire.answer.clone();
}

const { calls: ofAccounts } = accountCalls(recording);

async function ask(): Promise<{ id: string; collectToken: string }> {
  const { body } = await call(service, "/api/requests", { json: { gate: GATE }, ip: freshIp() });
  return body as { id: string; collectToken: string };
}

async function askAndAnswer() {
  const { id, collectToken } = await ask();
  await service.request(`/api/requests/${id}/answer`, jsonPost({ gate: GATE, content: ANSWER }));
  return { id, collectToken };
}

/** What is not an account's: prepares what it needs, and gives the call. */
const OF_LINKS: Readonly<Record<string, () => Promise<Wire>>> = {
  "secrets.reveal": async () => {
    const { id, key } = await shareSecret(service);
    return [`/api/secrets/${id}/reveal`, jsonPost({ key, ticket: TICKET })];
  },
  "secrets.openFile": async () => {
    const shared = await service.request("/api/secrets/file", { method: "POST", body: "a file" });
    const { id, key } = (await shared.json()) as { id: string; key: string };
    return [`/api/secrets/${id}/file`, jsonPost({ key, ticket: TICKET })];
  },
  "secrets.received": async () => {
    const { id, key } = await shareSecret(service);
    await service.request(`/api/secrets/${id}/reveal`, jsonPost({ key, ticket: TICKET }));
    return [`/api/secrets/${id}/received`, jsonPost({ key, ticket: TICKET })];
  },
  "secrets.status": async () => {
    const { id, key } = await shareSecret(service);
    return [`/api/secrets/${id}/status`, jsonPost({ key })];
  },
  "secrets.revoke": async () => {
    const { id, revokeToken } = await shareSecret(service);
    return [`/api/secrets/${id}/revoke`, jsonPost({ revokeToken })];
  },
  "requests.status": async () => [`/api/requests/${(await ask()).id}/status`, jsonPost({ gate: GATE })],
  "requests.answer": async () => [
    `/api/requests/${(await ask()).id}/answer`,
    jsonPost({ gate: GATE, content: ANSWER }),
  ],
  "requests.collect": async () => {
    const { id, collectToken } = await askAndAnswer();
    return [`/api/requests/${id}/collect`, jsonPost({ collectToken, ticket: TICKET })];
  },
  "requests.received": async () => {
    const { id, collectToken } = await askAndAnswer();
    await service.request(`/api/requests/${id}/collect`, jsonPost({ collectToken, ticket: TICKET }));
    return [`/api/requests/${id}/received`, jsonPost({ collectToken, ticket: TICKET })];
  },
  "requests.close": async () => {
    const { id, collectToken } = await askAndAnswer();
    return [`/api/requests/${id}/close`, jsonPost({ collectToken })];
  },
  "requests.cancel": async () => {
    const { id, collectToken } = await askAndAnswer();
    return [`/api/requests/${id}/cancel`, jsonPost({ collectToken })];
  },
};

/** What writes, by what it says of a call that is sent again. Tools change nothing. */
const WRITING = Object.entries(procedures).flatMap(([path, procedure]) => {
  const { http, tool } = serviceMetaOf(procedure);
  return procedure._def.type === "mutation" && !tool ? [{ path, retry: http?.retry }] : [];
});
/** It begins at a provider, and writes nothing here. */
const ELSEWHERE = ["account.beginIdentity"];

/** Sends a call of the procedure, and then the same once more; the two answers, and what the second has changed. */
async function sendTwice(path: string) {
  const prepared = await ofAccounts[path]?.();
  const [to, init] = (await OF_LINKS[path]?.()) ?? [""];
  wire.key = crypto.randomUUID();
  await (prepared ? prepared.run() : record(to, init));
  delete wire.key;
  const { sent, answer } = wire;
  if (!sent || !answer) throw new Error("Nothing was sent");
  const before = await countRows();
  const repeated = await service.request(...sent);
  return { first: await shown(answer), second: await shown(repeated), before, after: await countRows() };
}

/** What is stored, without counters, the times of last uses and what is kept for repeats. */
async function countRows(): Promise<Record<string, number>> {
  const { query } = service.db;
  const tables = ["secret", "secret_content", "secret_file", "request", "request_answer", "member"] as const;
  const ofMembers = ["session", "token", "passkey", "identity", "outbox", "idempotency_key"] as const;
  const counts = [...tables, ...ofMembers].map(async (table) => {
    return [table, (await query.selectFrom(table).selectAll().execute()).length] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** What a caller sees of an answer, without what is of each answer. */
async function shown(response: Response) {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  const { ended: _, requestId: __, ...body }: Record<string, unknown> = isJson ? JSON.parse(text) : { text };
  return { status: response.status, cookies: response.headers.getSetCookie(), body };
}

test("every procedure that writes says what a repeat does, and is sent twice here", () => {
  expect(WRITING.filter(({ retry }) => retry === undefined)).toEqual([]);
  const here = [...Object.keys(ofAccounts), ...Object.keys(OF_LINKS), ...ELSEWHERE];
  expect(WRITING.map(({ path }) => path).filter((path) => !here.includes(path))).toEqual([]);
});

test.each(WRITING.filter(({ path }) => !ELSEWHERE.includes(path)))(
  "$path, sent again after a lost answer, makes no second thing and is not refused",
  async ({ path, retry }) => {
    const { first, second, before, after } = await sendTwice(path);
    expect(first.status).toBeLessThan(300);
    if (retry === "ended") expect(second).toMatchObject({ status: 401, body: { code: "login_required" } });
    else if (retry === "replaces") expect(second.status).toBe(first.status);
    else expect(second).toEqual(first);
    expect(after).toEqual(before);
  },
);

const REGISTER = "/api/account/register";
const keyed = (key: string) => ({ "idempotency-key": key });

test("a registration whose answer was lost is given again, with its recovery code and its one session", async () => {
  const [key, ip, json] = [crypto.randomUUID(), freshIp(), { name: "lost-answer", password: PASSWORD }];
  const post = (more: Partial<typeof json> = {}, headers: Record<string, string> = keyed(key)) =>
    call(service, REGISTER, { json: { ...json, ...more }, headers, ip });
  const first = await post();
  const again = await post();
  expect([first.status, again.status]).toEqual([201, 201]);
  expect([again.body, again.cookie]).toEqual([first.body, first.cookie]);
  const own = { headers: { cookie: again.cookie ?? "" } };
  const { body } = await call(service, "/api/users/me/sessions", own);
  expect(body.sessions).toHaveLength(1);
  expect(await post({ password: "another horse" })).toMatchObject({
    ...{ status: 422, body: { code: "idempotency_mismatch" } },
  });
  expect(await post({}, {})).toMatchObject({ status: 409, body: { code: "name_taken" } });
  // A repeat gives what was given then: a session that has ended since stays so.
  await call(service, "/api/account/logout", { json: {}, ...own });
  const late = await post();
  expect(late.body).toEqual(first.body);
  expect(late.cookie).toBeUndefined();
  const recovery = { name: json.name, recoveryCode: late.body.recoveryCode, password: "another horse" };
  expect((await call(service, "/api/account/recover", { json: recovery, ip })).status).toBe(200);
});

test("a login is told again while its session lasts, and not after the logout", async () => {
  const { name } = await register(service);
  const [headers, ip] = [keyed(crypto.randomUUID()), freshIp()];
  const logIn = () =>
    call(service, "/api/account/login", { json: { name, password: PASSWORD }, headers, ip });
  const first = await logIn();
  expect(await logIn()).toMatchObject({ status: 200, body: first.body, cookie: first.cookie });
  await call(service, "/api/account/logout", { json: {}, headers: { cookie: first.cookie ?? "" } });
  expect(await logIn()).toMatchObject({ status: 401, body: { code: "login_required" }, cookie: undefined });
  // It is no failed login.
  const tried = await call(service, "/api/account/login", { json: { name, password: PASSWORD }, ip });
  expect(tried.status).toBe(200);
});

test("a proof that is told again leaves the cookie that a later one has set", async () => {
  const { cookie = "", name, password } = await register(service);
  const change = async (by: string, from: string, to: string, headers: Record<string, string> = {}) => {
    const json = { password: from, newPassword: to };
    const path = "/api/users/me/password";
    return call(service, path, { json, headers: { cookie: by, ...headers } });
  };
  const headers = keyed(crypto.randomUUID());
  const first = await change(cookie, password, `first of ${name}`, headers);
  const second = await change(first.cookie ?? "", `first of ${name}`, `second of ${name}`);
  expect([first.status, second.status]).toEqual([200, 200]);
  const again = await change(second.cookie ?? "", password, `first of ${name}`, headers);
  expect(again).toMatchObject({ status: 200, body: first.body, cookie: undefined });
});

test("of registrations with one key at the same time, one makes the account", async () => {
  const [headers, ip, json] = [
    keyed(crypto.randomUUID()),
    freshIp(),
    { name: "at-once", password: PASSWORD },
  ];
  const all = await Promise.all(
    Array.from({ length: 4 }, () => call(service, REGISTER, { json, headers, ip })),
  );
  const ids = all.filter(({ status }) => status === 201).map(({ body }) => body.id);
  expect(new Set(ids).size).toBe(1);
  for (const { status, body } of all.filter((answer) => answer.status !== 201))
    expect([status, body.code]).toEqual([409, "idempotency_in_progress"]);
});

test("a registration that was refused leaves its key, and the session that the browser had", async () => {
  const member = await register(service);
  const [headers, ip] = [keyed(crypto.randomUUID()), freshIp()];
  const post = (name: string) =>
    call(service, REGISTER, {
      json: { name, password: PASSWORD },
      headers: { ...headers, cookie: member.cookie },
      ip,
    });
  expect((await post(member.name)).status).toBe(409);
  const own = { headers: { cookie: member.cookie } };
  expect((await call(service, "/api/users/me", own)).status).toBe(200);
  const made = await post("second-try");
  expect(made.status).toBe(201);
  // The session that came with the first call is over by now, and the repeat is still the same caller's.
  expect(await post("second-try")).toMatchObject({ status: 201, body: made.body });
  expect((await call(service, "/api/users/me", own)).status).toBe(401);
});

test("keeps neither key, password, recovery code nor session in clear", async () => {
  const [key, json] = [crypto.randomUUID(), { name: "kept-sealed", password: PASSWORD }];
  const { body, cookie = "" } = await call(service, REGISTER, { json, headers: keyed(key), ip: freshIp() });
  const rows = await service.db.query.selectFrom("idempotency_key").selectAll().execute();
  const stored = rows.flatMap((row) =>
    Object.values(row).map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value),
    ),
  );
  for (const secret of [key, PASSWORD, json.name, body.recoveryCode, cookie.split("=")[1]])
    expect(stored.join()).not.toContain(secret);
});

test("the end of the own session is told again as that", async () => {
  const { cookie } = await register(service);
  const headers = { cookie, ...keyed(crypto.randomUUID()) };
  const { body } = await call(service, "/api/users/me/sessions", { headers });
  const [{ id } = { id: "" }] = body.sessions as { id: string }[];
  const end = () => call(service, `/api/users/me/sessions/${id}`, { method: "DELETE", headers });
  expect((await end()).status).toBe(200);
  expect(await end()).toMatchObject({ status: 401, body: { code: "login_required" } });
});
