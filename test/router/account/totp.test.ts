import { describe, expect, test } from "vitest";
import { sealFor } from "../../../router/instance-key.ts";
import { takeActs } from "../../support/acts.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import type { Harness } from "../../support/harness.ts";
import { call, makeToken, register, type Registered } from "../../support/members.ts";
import { codeAt } from "../../support/totp.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer();

async function withApp(on: Harness = service): Promise<Registered & { secret: string }> {
  const member = await register(on);
  const headers = { cookie: member.cookie };
  const { body } = await call(on, "/api/users/me/totp", { json: {}, headers });
  const secret = String(body.secret);
  const confirmed = await call(on, "/api/users/me/totp/confirm", {
    json: { code: codeAt(secret, on.clock.now) },
    headers,
  });
  expect(confirmed.status).toBe(200);
  on.clock.now += 30;
  return { ...member, cookie: confirmed.cookie ?? "", secret };
}

function logIn(on: Harness, { name, password }: Registered, code?: string, ip = freshIp()) {
  return call(on, "/api/account/login", {
    json: { name, password, ...(code !== undefined && { code }) },
    ip,
  });
}

// RFC 6238, appendix B, whose codes have eight digits, of which these are the last six.
test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
])("takes the code of the RFC at %i seconds", async (seconds, code) => {
  const on = await startForTest();
  const member = await register(on);
  const seed = new TextEncoder().encode("12345678901234567890");
  const values = {
    totp_key: await sealFor(seed, on.services.keys.seeds, member.id),
    totp_since: 1,
  };
  await on.db.query.updateTable("member").set(values).where("id", "=", member.id).execute();
  on.clock.now = seconds;
  expect((await logIn(on, member, code)).status).toBe(200);
});

test("gives a key to type and to scan, and asks for codes once one was confirmed", async () => {
  const member = await register(service);
  const headers = { cookie: member.cookie };
  const { status, body } = await call(service, "/api/users/me/totp", { json: {}, headers });
  expect([status, body.secret]).toEqual([200, expect.stringMatching(/^[A-Z2-7]{32}$/)]);
  const uri = new URL(String(body.uri));
  expect(uri.href).toMatch(/^otpauth:\/\/totp\/Hushkit:/);
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: body.secret,
    issuer: "Hushkit",
    digits: "6",
    period: "30",
  });
  expect((await logIn(service, member)).status).toBe(200);
  const code = codeAt(String(body.secret), service.clock.now);
  const confirm = (json: object) =>
    call(service, "/api/users/me/totp/confirm", { json, headers: { cookie: member.cookie } });
  expect((await confirm({ code: code === "000000" ? "000001" : "000000" })).body).toMatchObject({
    status: 422,
    code: "second_factor_wrong",
  });
  const confirmed = await confirm({ code });
  expect(confirmed.body).toEqual({ confirmed: true });
  headers.cookie = confirmed.cookie ?? "";
  expect((await call(service, "/api/users/me", { headers })).body).toMatchObject({ hasTotp: true });
  expect((await call(service, "/api/users/me/totp", { json: {}, headers })).body).toMatchObject({
    status: 409,
    code: "second_factor_exists",
  });
});

test("a login without the code is told that one is needed, and only where the password is right", async () => {
  const member = await withApp();
  const answer = await logIn(service, member);
  expect(answer).toMatchObject({
    status: 401,
    body: { code: "second_factor_required", parameter: "code" },
    cookie: undefined,
  });
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  const wrong = await logIn(
    service,
    { ...member, password: "another one" },
    codeAt(member.secret, service.clock.now),
  );
  expect(wrong.body).toMatchObject({ code: "invalid_credentials" });
});

test("asking for the code is no failed login, and a wrong one is", async () => {
  const on = await startForTest({ isAudited: true });
  const member = await withApp(on);
  await logIn(on, member);
  await logIn(on, member, "abcdef");
  await logIn(on, member, codeAt(member.secret, on.clock.now));
  const acts = await takeActs(on);
  expect(acts.map(({ event, account, login }) => [event, account, login])).toEqual([
    ["account.created", member.id, null],
    ["account.login", member.id, "password"],
    ["account.totp_added", member.id, null],
    ["account.login_failed", member.id, "totp"],
    ["account.login", member.id, "totp"],
  ]);
});

describe("a code", () => {
  test.each([
    ["now", 0, 200],
    ["half a minute ago", -30, 200],
    ["in half a minute, by a phone that is ahead", 30, 200],
    ["a minute ago", -60, 422],
    ["in a minute", 60, 422],
  ])("of %s", async (_, seconds, status) => {
    const member = await withApp();
    service.clock.now += 600;
    expect((await logIn(service, member, codeAt(member.secret, service.clock.now + seconds))).status).toBe(
      status,
    );
  });

  test("is good once, also for two who send it at the same moment", async () => {
    const member = await withApp();
    const code = codeAt(member.secret, service.clock.now);
    const both = await Promise.all([logIn(service, member, code), logIn(service, member, code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    service.clock.now += 30;
    expect((await logIn(service, member, codeAt(member.secret, service.clock.now - 30))).status).toBe(422);
    expect((await logIn(service, member, codeAt(member.secret, service.clock.now))).status).toBe(200);
  });

  test("of a phone that is ahead is good once too, and so is none of before", async () => {
    const member = await withApp();
    const ahead = codeAt(member.secret, service.clock.now + 30);
    const both = await Promise.all([logIn(service, member, ahead), logIn(service, member, ahead)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    for (const later of [0, 30, 60]) {
      service.clock.now += later && 30;
      expect((await logIn(service, member, ahead)).status).toBe(422);
      expect((await logIn(service, member, codeAt(member.secret, service.clock.now))).status).toBe(
        later === 60 ? 200 : 422,
      );
    }
  });

  test("may be typed in groups, and is nothing else", async () => {
    const member = await withApp();
    for (const code of ["", "12345", "1234567", "abcdef", "１２３４５６"]) {
      expect((await logIn(service, member, code)).status).toBe(422);
    }
    const code = codeAt(member.secret, service.clock.now);
    expect((await logIn(service, member, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
  });

  test("cannot be guessed: tries count as those of passwords", async () => {
    const member = await withApp();
    const ip = freshIp();
    const codes = [];
    for (let i = 0; i < 6; i++) codes.push((await logIn(service, member, "abcdef", ip)).body.code);
    expect(codes).toEqual([...Array(5).fill("second_factor_wrong"), "rate_limited"]);
    expect(service.lines.join()).toContain("login_failed");
  });
});

test("the recovery code stands for a code, once, and another one takes its place", async () => {
  const member = await withApp();
  const { status, body } = await logIn(service, member, member.recoveryCode);
  expect([status, body.recoveryCode]).toEqual([200, expect.stringMatching(/^[A-Z2-7]{26}$/)]);
  expect((await logIn(service, member, member.recoveryCode)).status).toBe(422);
  expect((await logIn(service, member, String(body.recoveryCode).toLowerCase())).status).toBe(200);
});

test.each(["code", "password"] as const)("ends with the %s, and not without either", async (by) => {
  const member = await withApp();
  const headers = { cookie: member.cookie };
  const end = (json: object) => call(service, "/api/users/me/totp", { method: "DELETE", json, headers });
  expect((await end({})).body).toMatchObject({ status: 400, code: "missing_parameter" });
  expect((await end({ password: "another one" })).body).toMatchObject({ code: "password_wrong" });
  const code = codeAt(member.secret, service.clock.now);
  const ended = await end(by === "code" ? { code } : { password: member.password });
  expect(ended.body).toEqual({ ended: true });
  headers.cookie = ended.cookie ?? "";
  expect((await end({ password: member.password })).status).toBe(404);
  expect((await logIn(service, member)).status).toBe(200);
});

test("a key that nobody has confirmed is replaced by the next", async () => {
  const member = await register(service);
  const begin = () => call(service, "/api/users/me/totp", { json: {}, headers: { cookie: member.cookie } });
  const [first, second] = [await begin(), await begin()];
  const json = { code: codeAt(String(first.body.secret), service.clock.now) };
  const headers = { cookie: member.cookie };
  expect((await call(service, "/api/users/me/totp/confirm", { json, headers })).status).toBe(422);
  const right = { code: codeAt(String(second.body.secret), service.clock.now) };
  expect((await call(service, "/api/users/me/totp/confirm", { json: right, headers })).status).toBe(200);
});

test("a session with both factors has nothing to confirm, and uses up no code of the day", async () => {
  const member = await withApp();
  const headers = { cookie: member.cookie };
  for (const json of [{ code: "abcdef" }, { code: codeAt(member.secret, service.clock.now) }])
    expect((await call(service, "/api/users/me/totp/confirm", { json, headers })).body).toMatchObject({
      ...{ status: 409, code: "second_factor_exists" },
    });
  expect((await call(service, "/api/users/me", { headers })).body).toMatchObject({ wrongCodes: 0 });
  expect((await logIn(service, member, codeAt(member.secret, service.clock.now))).status).toBe(200);
});

test("an API token never reaches the second factor, and needs none", async () => {
  const member = await register(service);
  const { token } = await makeToken(service, { cookie: member.cookie });
  const headers = { authorization: `Bearer ${token}` };
  expect((await call(service, "/api/users/me/totp", { json: {}, headers })).body).toMatchObject({
    code: "session_required",
  });
});

describe("REQUIRE_SECOND_FACTOR=members", () => {
  test("a member who has none can only set one up", async () => {
    const strict = await startForTest({ settings: { REQUIRE_SECOND_FACTOR: "members" } });
    const member = await register(strict);
    const headers = { cookie: member.cookie };
    const refused = { status: 401, body: { code: "second_factor_required" } };
    expect(await call(strict, "/api/users/me/secrets", { headers })).toMatchObject(refused);
    expect(await call(strict, "/api/users/me/tokens", { json: { name: "a" }, headers })).toMatchObject(
      refused,
    );
    expect(await call(strict, "/api/secrets", { json: { content: "a" }, headers })).toMatchObject(refused);
    expect((await call(strict, "/api/users/me", { headers })).body).toMatchObject({
      needsSecondFactor: true,
    });
    const { body } = await call(strict, "/api/users/me/totp", { json: {}, headers });
    const json = { code: codeAt(String(body.secret), strict.clock.now) };
    const confirmed = await call(strict, "/api/users/me/totp/confirm", { json, headers });
    expect(confirmed.status).toBe(200);
    headers.cookie = confirmed.cookie ?? "";
    expect((await call(strict, "/api/users/me/tokens", { json: { name: "a" }, headers })).status).toBe(201);
    // Whoever has no account is asked for nothing.
    expect((await call(strict, "/api/secrets", { json: { content: "a" } })).status).toBe(201);
  });

  test("a login with a code may do everything", async () => {
    const strict = await startForTest({ settings: { REQUIRE_SECOND_FACTOR: "members" } });
    const member = await withApp(strict);
    const { cookie = "" } = await logIn(strict, member, codeAt(member.secret, strict.clock.now));
    expect((await call(strict, "/api/users/me/secrets", { headers: { cookie } })).status).toBe(200);
  });

  test("a login with one factor is made a strong one by a code of the app that the account has", async () => {
    const strict = await startForTest({ settings: { REQUIRE_SECOND_FACTOR: "members" } });
    const member = await register(strict);
    const { cookie = "" } = await logIn(strict, member);
    const { body } = await call(strict, "/api/users/me/totp", {
      ...{ json: {}, headers: { cookie: member.cookie } },
    });
    const confirm = (by: string) =>
      call(strict, "/api/users/me/totp/confirm", {
        json: { code: codeAt(String(body.secret), strict.clock.now) },
        headers: { cookie: by },
      });
    expect((await confirm(member.cookie)).status).toBe(200);
    strict.clock.now += 30;
    const secrets = (by: string) => call(strict, "/api/users/me/secrets", { headers: { cookie: by } });
    expect((await secrets(cookie)).body).toMatchObject({ code: "second_factor_required" });
    const confirmed = await confirm(cookie);
    expect([confirmed.status, (await secrets(confirmed.cookie ?? "")).status]).toEqual([200, 200]);
  });
});
