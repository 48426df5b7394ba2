import { beforeEach, expect, test } from "vitest";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { isApiToken } from "../../../tools/crypto/api-token.ts";
import { call, makeToken, register, type Registered } from "../../support/members.ts";
import { codeAt } from "../../support/totp.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();
let ann: Registered;
beforeEach(async () => void (ann = await register(service)));

const TOKENS = "/api/users/me/tokens";

const create = (json: unknown) => call(service, TOKENS, { json, headers: { cookie: ann.cookie } });
const list = async () =>
  (await call(service, TOKENS, { headers: { cookie: ann.cookie } })).body.tokens as { id: string }[];
const use = (token: string) => call(service, "/api/tools", { headers: { authorization: `Bearer ${token}` } });
const timeAfter = (seconds: number) => new Date((service.clock.now + seconds) * 1000).toISOString();

test("shows a token once, keeps its hash, and lists what is known of it", async () => {
  const { status, body } = await create({ name: "backup job" });
  expect(status).toBe(201);
  const token = String(body.token);
  expect(token).toMatch(/^service_token_[0-9A-Za-z]{38}$/);
  expect(isApiToken(token)).toBe(true);
  const known = {
    id: body.id,
    name: "backup job",
    prefix: token.slice(0, 20),
    created: timeAfter(0),
    expiry: timeAfter(31_536_000),
  };
  expect(body).toEqual({ ...known, token });
  expect(await list()).toEqual([{ ...known, lastUsed: null }]);
  const row = await service.db.query.selectFrom("token").selectAll().executeTakeFirstOrThrow();
  expect(new Uint8Array(row.hash)).toEqual(digestText(token));
  expect(JSON.stringify(row)).not.toContain(token.slice(20));
});

test.each([" ", "\u200b", "a\u202eb", "a\u2028b", "a\0b"])(
  "has no name that cannot be seen: %j",
  async (name) => {
    const { status, body } = await create({ name });
    expect([status, body.code, body.parameter]).toEqual([400, "invalid_parameter", "name"]);
  },
);

test("says of the token that is sent what it is and whose, over REST and RPC", async () => {
  const { token, id } = await makeToken(service, ann);
  const expected = {
    id,
    prefix: token.slice(0, 20),
    expiry: timeAfter(31_536_000),
    scope: ["limits", "own secrets", "own requests"],
    account: { id: ann.id, name: ann.name },
  };
  const headers = { authorization: `Bearer ${token}` };
  const { status, body } = await call(service, "/api/users/me/token", { headers });
  expect([status, body]).toMatchObject([200, expected]);
  expect(await service.client({ token }).tokens.current.query()).toEqual(body);

  const bySession = await call(service, "/api/users/me/token", { headers: { cookie: ann.cookie } });
  expect([bySession.status, bySession.body.code]).toEqual([404, "not_found"]);
  const byNobody = await call(service, "/api/users/me/token", {});
  expect([byNobody.status, byNobody.body.code]).toEqual([401, "login_required"]);
});

test("notes when a token was last used", async () => {
  const { token } = await makeToken(service, ann);
  service.clock.now += 90;
  await use(token);
  const { now } = service.clock;
  const lastUsed = new Date((now - (now % 60)) * 1000).toISOString();
  expect(await list()).toMatchObject([{ lastUsed }]);
});

test.each([
  ["the shortest life", 3600, 201],
  ["one second less", 3599, 400],
  ["the longest life", 31_536_000, 201],
  ["one second more", 31_536_001, 400],
  ["no end", null, 201],
  ["a number in words", "soon", 400],
  ["half a second", 3600.5, 400],
])("takes %s of a token for what it is", async (_, expires, status) => {
  const answer = await create({ name: "x", expires });
  expect(answer.status).toBe(status);
  if (status === 201) {
    expect(answer.body.expiry).toBe(expires === null ? null : timeAfter(Number(expires)));
  } else {
    expect(answer.body).toMatchObject({ parameter: "expires", minimum: 3600, maximum: 31_536_000 });
    expect(answer.body.error).toContain("or null");
  }
});

test("one that never expires takes a proof later than ten minutes after a login, others take none", async () => {
  service.clock.now += 601;
  expect((await create({ name: "a year" })).status).toBe(201);
  const endless = { name: "for ever", expires: null };
  expect((await create(endless)).body).toMatchObject({ code: "missing_parameter", parameter: "password" });
  expect((await create({ ...endless, password: "another one" })).body).toMatchObject({
    code: "password_wrong",
  });
  const made = await create({ ...endless, password: ann.password });
  expect(made).toMatchObject({ status: 201, body: { name: "for ever", expiry: null } });
  ann = { ...ann, cookie: made.cookie ?? "" };
  expect((await create(endless)).status).toBe(201);
  expect(await list()).toHaveLength(3);
});

test("one that never expires takes the code too, where the account has an app", async () => {
  const { body } = await call(service, "/api/users/me/totp", { json: {}, headers: { cookie: ann.cookie } });
  const code = () => codeAt(String(body.secret), service.clock.now);
  const headers = { cookie: ann.cookie };
  const confirmed = await call(service, "/api/users/me/totp/confirm", { json: { code: code() }, headers });
  ann = { ...ann, cookie: confirmed.cookie ?? "" };
  service.clock.now += 601;
  const endless = { name: "for ever", expires: null, password: ann.password };
  expect((await create(endless)).body).toMatchObject({ code: "second_factor_required", parameter: "code" });
  expect((await create({ ...endless, code: code() })).status).toBe(201);
});

test("reads a life from a form, also an endless one", async () => {
  for (const [expires, expiry] of [
    ["7200", timeAfter(7200)],
    ["null", null],
    ["", timeAfter(31_536_000)],
  ] as const) {
    const body = new URLSearchParams({ name: "form", expires });
    const headers = { cookie: ann.cookie };
    const response = await service.request(TOKENS, { method: "POST", body, headers });
    expect(await response.json()).toMatchObject({ name: "form", expiry });
  }
});

test.each(["", "x".repeat(65), "two\nlines", "nul\0", 7, undefined])(
  "refuses the name %j for a token",
  async (name) => {
    expect(await create({ name })).toMatchObject({ status: 400, body: { parameter: "name" } });
  },
);

test("ends a token with its life, and for the next call when it is revoked", async () => {
  const short = await makeToken(service, { cookie: ann.cookie, expires: 3600 });
  const endless = await makeToken(service, { cookie: ann.cookie, expires: null });
  service.clock.now += 3599;
  expect((await use(short.token)).status).toBe(200);
  service.clock.now += 1;
  const expired = await use(short.token);
  expect((await use(endless.token)).status).toBe(200);
  const revoke = () =>
    call(service, `${TOKENS}/${endless.id}`, { method: "DELETE", headers: { cookie: ann.cookie } });
  expect(await revoke()).toMatchObject({ status: 200, body: { id: endless.id, revoked: true } });
  const revoked = await use(endless.token);
  expect(revoked.status).toBe(401);
  expect({ ...revoked.body, requestId: "" }).toEqual({ ...expired.body, requestId: "" });
  expect(await revoke()).toMatchObject({ status: 404, body: { code: "not_found" } });
});

test("lets a member have twenty tokens, also when many are made at once", async () => {
  const all = await Promise.all(Array.from({ length: 25 }, (_, i) => create({ name: `t${i}` })));
  expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
  const refused = all.find(({ status }) => status !== 201);
  expect(refused).toMatchObject({
    status: 409,
    body: { code: "too_many_tokens", limit: "tokens", value: 20 },
  });
  const [first] = await list();
  await call(service, `${TOKENS}/${first?.id}`, { method: "DELETE", headers: { cookie: ann.cookie } });
  expect((await create({ name: "room again" })).status).toBe(201);
});

test("counts all tokens and sessions of a member together, and nobody else with them", async () => {
  const bob = await register(service);
  const [one, two] = [await makeToken(service, ann), await makeToken(service, ann)];
  const other = await makeToken(service, bob);
  const left = async (headers: Record<string, string>) =>
    (await call(service, "/api/tools/password", { headers })).headers.get("ratelimit");
  expect(await left({ authorization: `Bearer ${one.token}` })).toBe('"tools";r=599;t=900');
  expect(await left({ authorization: `Bearer ${two.token}` })).toBe('"tools";r=598;t=900');
  expect(await left({ cookie: ann.cookie })).toBe('"tools";r=597;t=900');
  expect(await left({ authorization: `Bearer ${other.token}` })).toBe('"tools";r=599;t=900');
});
