import { expect, onTestFinished, test, vi } from "vitest";
import { deleteMember } from "../../../db/accounts/delete-member.ts";
import { findMember } from "../../../db/accounts/members.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { ORIGIN } from "../../support/harness.ts";
import { call, makeToken, register } from "../../support/members.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer();

const CHANGED = "another password";

const me = (cookie: string) => call(service, "/api/users/me", { headers: { cookie } });
const login = (json: unknown, ip = freshIp()) => call(service, "/api/account/login", { json, ip });

test("registers a member, shows the recovery code once, and logs in", async () => {
  const json = { name: "ann.b-c_1", password: "correct horse" };
  const made = await call(service, "/api/account/register", { json });
  const created = new Date(service.clock.now * 1000).toISOString();
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    id: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
    name: "ann.b-c_1",
    created,
    recoveryCode: expect.stringMatching(/^[A-Z2-7]{26}$/),
  });
  expect(made.headers.get("set-cookie")).toMatch(
    /^service_user_session=[0-9A-Za-z]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  );
  const known = {
    id: made.body.id,
    name: "ann.b-c_1",
    created,
    hasRecoveryCode: true,
    hasPassword: true,
    hasTotp: false,
    needsSecondFactor: false,
    hasIdentity: false,
    isAdmin: false,
    ...{ mustChoosePassword: false, recovered: null, enrolFrom: null, wrongCodes: 0, hooks: 0 },
  };
  expect((await me(made.cookie ?? "")).body).toEqual(known);
});

test("marks the cookie Secure where the public URL is https", async () => {
  const secure = await startForTest({ publicUrl: "https://hushkit.test" });
  const json = { name: "ann", password: "correct horse" };
  const { headers } = await call(secure, "/api/account/register", { json });
  expect(headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
});

test("takes forms as well as JSON", async () => {
  const { name, password } = await register(service);
  const body = new URLSearchParams({ name, password });
  const response = await service.request("/api/account/login", { method: "POST", body });
  expect([response.status, await response.json()]).toMatchObject([200, { name }]);
});

test.each(["ab", "a".repeat(33), "Ann", "-ann", ".ann", "ann lee", "änn", "ann\n", "", 7])(
  "refuses the name %j",
  async (name) => {
    const answer = await call(service, "/api/account/register", {
      json: { name, password: "correct horse" },
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_parameter", parameter: "name" } });
  },
);

test.each([
  ["nine characters", "123456789", 400],
  ["ten characters", "2345678901", 201],
  ["256 characters", "x".repeat(256), 201],
  ["257 characters", "x".repeat(257), 400],
  ["ten signs of two units", "🔑".repeat(10), 201],
  ["five signs of two units", "🔑".repeat(5), 400],
  ["nine letters, one in two parts", `cafe\u0301 fort`, 400],
  ["half a sign", `${"x".repeat(10)}\ud83d`, 400],
])("counts a password of %s", async (what, password, status) => {
  const name = what.toLowerCase().replaceAll(/[^a-z0-9]/g, "-");
  const answer = await call(service, "/api/account/register", { json: { name, password } });
  expect(answer.status).toBe(status);
  expect(JSON.stringify(answer.body)).not.toContain(password);
});

test("refuses a name that is taken, and leaves its owner alone", async () => {
  const { name, password } = await register(service);
  const again = await call(service, "/api/account/register", { json: { name, password: CHANGED } });
  expect(again).toMatchObject({
    status: 409,
    body: { code: "name_taken", parameter: "name", in: "body" },
    cookie: undefined,
  });
  expect((await login({ name, password })).status).toBe(200);
});

test("gives one of many who want the same name at once the account", async () => {
  const json = { name: "wanted", password: "correct horse" };
  const all = await Promise.all(
    Array.from({ length: 10 }, () => call(service, "/api/account/register", { json })),
  );
  expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
});

test("makes no accounts where registration is closed", async () => {
  const closed = await startForTest({ registration: "closed" });
  const json = { name: "ann", password: "correct horse" };
  const answer = await call(closed, "/api/account/register", { json });
  expect(answer).toMatchObject({ status: 403, body: { code: "registration_closed" }, cookie: undefined });
  expect(await findMember(closed.db, { name: "ann" })).toBeUndefined();
});

test("lets five accounts an hour be made from an address, not counting what was not well-formed", async () => {
  const ip = freshIp();
  const make = (name: string, password = "correct horse") =>
    call(service, "/api/account/register", { json: { name, password }, ip });
  for (let i = 0; i < 3; i++) expect((await make("short", "x")).status).toBe(400);
  for (let i = 0; i < 5; i++) expect((await make(`five-${i}`)).status).toBe(201);
  expect(await make("five-5")).toMatchObject({
    status: 429,
    body: { limit: "registrations", value: 5, window: 3600, retryAfter: 3600 },
  });
  service.clock.now += 3600;
  expect((await make("five-5")).status).toBe(201);
});

test("answers a wrong password and an unknown name alike, at the cost of one hash each", async () => {
  const { name, password } = await register(service);
  onTestFinished(() => void vi.restoreAllMocks());
  const check = vi.spyOn(service.services.passwords, "check");
  const hash = vi.spyOn(service.services.passwords, "hash");
  const tries = [
    { name, password: CHANGED },
    { name: "nobody", password },
    { name: "No Name", password },
    { name: "nul\0", password },
    { name, password: "" },
    { name: "nobody", password: "" },
  ];
  const answers = [];
  for (const json of tries) answers.push(await login(json));
  for (const { status, body, cookie, headers } of answers) {
    expect([status, cookie]).toEqual([401, undefined]);
    expect({ ...body, requestId: "" }).toEqual({ ...answers[0]?.body, requestId: "" });
    expect(headers.get("content-length")).toBe(answers[0]?.headers.get("content-length"));
  }
  expect([check.mock.calls.length, hash.mock.calls.length]).toEqual([tries.length, 0]);
});

test("gives a new session at every login and ends the one that the browser had", async () => {
  const { name, password, cookie } = await register(service);
  const planted = `service_user_session=${"x".repeat(43)}`;
  const headers = { cookie };
  const again = await call(service, "/api/account/login", { json: { name, password }, headers });
  expect(again.status).toBe(200);
  expect(again.cookie).not.toBe(cookie);
  expect((await me(cookie)).status).toBe(401);
  const fixed = await call(service, "/api/account/login", {
    json: { name, password },
    headers: { cookie: planted },
  });
  expect(fixed.status).toBe(200);
  expect(fixed.cookie).not.toBe(planted);
  expect((await me(again.cookie ?? "")).status).toBe(200);
});

test("lets an address try a name five times a minute, and twenty times in all", async () => {
  const { name, password } = await register(service);
  const near = freshIp();
  for (let i = 0; i < 5; i++) expect((await login({ name, password: CHANGED }, near)).status).toBe(401);
  expect(await login({ name, password }, near)).toMatchObject({
    status: 429,
    body: { limit: "loginsOfName", value: 5, window: 60, retryAfter: 60 },
  });
  const ip = freshIp();
  for (let i = 0; i < 20; i++) {
    expect((await login({ name: `guess-${i}`, password: CHANGED }, ip)).status).toBe(401);
  }
  const over = await login({ name: "guess-20", password: CHANGED }, ip);
  expect(over).toMatchObject({ status: 429, body: { limit: "logins", value: 20 } });
  service.clock.now += 60;
  expect((await login({ name, password }, ip)).status).toBe(200);
});

test("hashes nothing for a try that is over the limit", async () => {
  const { name } = await register(service);
  onTestFinished(() => void vi.restoreAllMocks());
  const check = vi.spyOn(service.services.passwords, "check");
  const ip = freshIp();
  await Promise.all(Array.from({ length: 30 }, () => login({ name, password: CHANGED }, ip)));
  expect(check).toHaveBeenCalledTimes(5);
});

test("hashes a password anew at login when the cost has changed", async () => {
  const { name, password, id } = await register(service);
  const dearer = await startForTest({ passwordCost: { ln: 5, r: 8, p: 1 } });
  const passwords = service.services.passwords;
  Object.assign(service.services, { passwords: dearer.services.passwords });
  expect((await login({ name, password })).status).toBe(200);
  expect((await findMember(service.db, { id }))?.password).toMatch(/^\$scrypt\$ln=5,r=8,p=1\$/);
  expect((await login({ name, password })).status).toBe(200);
  Object.assign(service.services, { passwords });
});

test("logs out, and says whether there was a session", async () => {
  const { cookie } = await register(service);
  const logout = (headers: Record<string, string>) =>
    call(service, "/api/account/logout", { method: "POST", headers });
  expect(await logout({ cookie })).toMatchObject({ status: 200, body: { ended: true }, cookie: "" });
  expect((await me(cookie)).status).toBe(401);
  expect(await logout({ cookie })).toMatchObject({ status: 200, body: { ended: false }, cookie: "" });
  expect(await logout({})).toMatchObject({ status: 200, body: { ended: false } });
});

test("recovers with the code, once, ends all sessions and shows the next code", async () => {
  const { name, password, recoveryCode, cookie } = await register(service);
  const recover = (code: string, of = name) =>
    call(service, "/api/account/recover", { json: { name: of, recoveryCode: code, password: CHANGED } });
  const wrong = await recover("A".repeat(24));
  expect(wrong).toMatchObject({ status: 401, body: { code: "invalid_credentials" }, cookie: undefined });
  const unknown = await recover(recoveryCode, "nobody");
  expect({ ...unknown.body, requestId: "" }).toEqual({ ...wrong.body, requestId: "" });
  const typed = recoveryCode.toLowerCase().replaceAll(/(.{4})(?=.)/g, "$1-");
  const right = await recover(` ${typed} `);
  expect(right).toMatchObject({ status: 200, body: { name } });
  expect((await me(cookie)).status).toBe(401);
  expect((await me(right.cookie ?? "")).status).toBe(200);
  expect((await recover(recoveryCode)).status).toBe(401);
  service.clock.now += 60;
  expect((await login({ name, password })).status).toBe(401);
  expect((await login({ name, password: CHANGED })).status).toBe(200);
  expect((await recover(String(right.body.recoveryCode))).status).toBe(200);
});

test("recovers with a code of before, of 24 letters and digits", async () => {
  const { name, id } = await register(service);
  const recoveryCode = "K7QWM3ZDPX4C6TFH2RVB6JNY";
  await service.db.query
    .updateTable("member")
    .set({ recovery_hash: digestText(recoveryCode) })
    .where("id", "=", id)
    .execute();
  const json = { name, recoveryCode: "k7qw-m3zd-px4c-6tfh-2rvb-6jny", password: CHANGED };
  const { status, body } = await call(service, "/api/account/recover", { json });
  expect([status, body.recoveryCode]).toEqual([200, expect.stringMatching(/^[A-Z2-7]{26}$/)]);
});

test("lets one of two who use a recovery code at once in", async () => {
  const { name, recoveryCode } = await register(service);
  const json = { name, recoveryCode, password: CHANGED };
  const both = await Promise.all(
    Array.from({ length: 2 }, () => call(service, "/api/account/recover", { json })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test("changes the password for who knows the old one, and ends all other sessions", async () => {
  const { name, password, cookie } = await register(service);
  const other = await login({ name, password });
  const { token } = await makeToken(service, { cookie });
  const change = (json: unknown) => call(service, "/api/users/me/password", { json, headers: { cookie } });
  expect(await change({ password: CHANGED, newPassword: CHANGED })).toMatchObject({
    status: 422,
    body: { code: "password_wrong", parameter: "password" },
  });
  expect(await change({ password, newPassword: "short" })).toMatchObject({
    status: 400,
    body: { parameter: "newPassword", minimum: 10, maximum: 256 },
  });
  expect(await change({ password, newPassword: CHANGED })).toMatchObject({
    status: 200,
    body: { changed: true },
  });
  expect((await me(cookie)).status).toBe(200);
  expect((await me(other.cookie ?? "")).status).toBe(401);
  expect((await service.client({ token }).secrets.list.query()).secrets).toEqual([]);
  service.clock.now += 60;
  expect((await login({ name, password })).status).toBe(401);
  expect((await login({ name, password: CHANGED })).status).toBe(200);
});

test.each([false, true])(
  "keeps API tokens after a new password, unless revokeTokens is %s",
  async (revokeTokens) => {
    const { password, cookie } = await register(service);
    const { token } = await makeToken(service, { cookie });
    const change = { password, newPassword: CHANGED, ...(revokeTokens ? { revokeTokens } : {}) };
    await call(service, "/api/users/me/password", { json: change, headers: { cookie } });
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await call(service, "/api/users/me/secrets", { headers });
    expect(status).toBe(revokeTokens ? 401 : 200);
  },
);

test("revokes no token for a wrong password or code", async () => {
  const { name, password, cookie } = await register(service);
  const { token } = await makeToken(service, { cookie });
  const change = { password: CHANGED, newPassword: CHANGED, revokeTokens: true };
  await call(service, "/api/users/me/password", { json: change, headers: { cookie } });
  const recovery = { name, recoveryCode: "A".repeat(24), password, revokeTokens: true };
  await call(service, "/api/account/recover", { json: recovery });
  expect((await service.client({ token }).secrets.list.query()).secrets).toEqual([]);
});

test("lets a stolen session try five passwords a minute", async () => {
  const { password, cookie } = await register(service);
  const remove = (given: string) =>
    call(service, "/api/users/me", {
      method: "DELETE",
      json: { password: given, secrets: "keep" },
      headers: { cookie },
    });
  for (let i = 0; i < 5; i++) expect((await remove(CHANGED)).status).toBe(422);
  expect((await remove(password)).status).toBe(429);
});

test.each(["keep", "revoke"] as const)(
  "deletes an account and chooses to %s its secrets",
  async (secrets) => {
    const { name, password, cookie } = await register(service);
    const { token } = await makeToken(service, { cookie });
    const secret = await service.client({ token }).secrets.create.mutate({ content: "x" });
    const remove = (json: unknown) =>
      call(service, "/api/users/me", { method: "DELETE", json, headers: { cookie } });
    expect(await remove({ password })).toMatchObject({ status: 400, body: { parameter: "secrets" } });
    expect(await remove({ password, secrets })).toMatchObject({
      status: 200,
      body: { deleted: true },
      cookie: "",
    });
    expect((await me(cookie)).status).toBe(401);
    const used = await call(service, "/api/tools", { headers: { authorization: `Bearer ${token}` } });
    expect(used).toMatchObject({ status: 401, body: { code: "invalid_token" } });
    expect((await login({ name, password })).status).toBe(401);
    const read = await call(service, `/api/secrets/${secret.id}/reveal`, { json: { key: secret.key } });
    expect(read.status).toBe(secrets === "keep" ? 200 : 410);
  },
);

test("never lets a password or code into an answer or the log", async () => {
  const { name, password, recoveryCode } = await register(service, "canary-password");
  const texts = [
    await login({ name, password, extra: password }),
    await login({ name, password: [password] }),
    await call(service, `/api/account/login?password=${password}`, { json: { name } }),
    await call(service, "/api/account/recover", { json: { name, recoveryCode, password: 1 } }),
  ].map(({ body }) => JSON.stringify(body));
  for (const text of [...texts, ...service.lines]) {
    expect(text).not.toContain("canary");
    expect(text).not.toContain(recoveryCode);
  }
});

test("lets pages of another site neither log in nor out, nor anybody in with a bad token", async () => {
  const { name, password, cookie } = await register(service);
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  for (const path of ["login", "register", "recover", "logout"]) {
    const answer = await call(service, `/api/account/${path}`, {
      json: { name, password },
      headers: { cookie, ...foreign },
    });
    expect(answer).toMatchObject({ status: 403, body: { code: "cross_site" }, cookie: undefined });
  }
  expect((await me(cookie)).status).toBe(200);
  const headers = { authorization: "Bearer bad", origin: ORIGIN };
  const bad = await call(service, "/api/account/login", { json: { name, password }, headers });
  expect(bad).toMatchObject({ status: 401, body: { code: "invalid_token" } });
});

test("answers 401 when the account is deleted while its request arrives", async () => {
  const { id, cookie, password } = await register(service);
  const asked = Promise.withResolvers<void>();
  const deleted = Promise.withResolvers<void>();
  const pull = async (controller: ReadableStreamDefaultController) => {
    asked.resolve();
    await deleted.promise;
    controller.enqueue(new TextEncoder().encode(JSON.stringify({ password, newPassword: CHANGED })));
    controller.close();
  };
  const waiting = service.request("/api/users/me/password", {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: new ReadableStream({ pull }, { highWaterMark: 0 }),
  });
  // The session is looked up before the body is read.
  await asked.promise;
  await deleteMember(service.db, { id, now: service.clock.now, secrets: "keep" });
  deleted.resolve();
  const response = await waiting;
  expect([response.status, await response.json()]).toMatchObject([401, { code: "account_deleted" }]);
});
