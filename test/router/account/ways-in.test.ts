import { describe, expect, test } from "vitest";
import { endWaysIn } from "../../../db/accounts/act-on-member.ts";
import { setRole } from "../../../db/accounts/administered.ts";
import { insertHook, listHooks } from "../../../db/accounts/hooks.ts";
import { tieIdentity } from "../../../db/accounts/identities.ts";
import { COMMON_PASSWORDS, isCommon } from "../../../router/accounts/account-rules.ts";
import { Authenticator } from "../../support/authenticator.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import type { Harness } from "../../support/harness.ts";
import { call, makeToken, register, type Registered } from "../../support/members.ts";
import { codeAt } from "../../support/totp.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer({ publicUrl: "https://hush.example" });
const BROWSER = { origin: "https://hush.example", rpId: "hush.example", isVerified: true };
const DAY = 86_400;
const CHANGED = "another password";

interface Step {
  readonly path: string;
  readonly method?: string;
  readonly json?: object;
}

function as(cookie: string, { path, method, json = {} }: Step, on: Harness = service) {
  return call(on, path, { json, headers: { cookie }, ip: freshIp(), ...(method && { method }) });
}

async function me(cookie: string, on: Harness = service) {
  return (await call(on, "/api/users/me", { headers: { cookie } })).body;
}

function logIn(
  { name }: { name: string },
  given: { password: string; code?: string },
  on: Harness = service,
) {
  return call(on, "/api/account/login", { json: { name, ...given }, ip: freshIp() });
}

/** A member with an authenticator app, and the code of any moment. */
async function withApp(on: Harness = service) {
  const member = await register(on);
  const { body } = await as(member.cookie, { path: "/api/users/me/totp" }, on);
  const code = () => codeAt(String(body.secret), on.clock.now);
  const step = { path: "/api/users/me/totp/confirm", json: { code: code() } };
  const { cookie = "" } = await as(member.cookie, step, on);
  on.clock.now += 60;
  return { ...member, cookie, code };
}

async function addPasskey({ cookie }: { cookie: string }, on: Harness = service) {
  const authenticator = new Authenticator();
  const options = await as(cookie, { path: "/api/users/me/passkeys/options" }, on);
  const response = authenticator.create(
    options.body as unknown as Parameters<Authenticator["create"]>[0],
    BROWSER,
  );
  const made = await as(cookie, { path: "/api/users/me/passkeys", json: { name: "Key", response } }, on);
  return { authenticator, made };
}

/** A hook that somebody in the account has added; where it leads does not matter here. */
async function addHook({ id: member }: { id: string }) {
  const told = { form: "ntfy", host: "ntfy.example", events: ["secret.revealed"] } as const;
  const row = { id: `hook-${member}`, member, ...told, sealed: new Uint8Array(8), ceiling: 3 };
  expect(await insertHook(service.db, { ...row, createdAt: service.clock.now })).toBe(true);
}

function recover(
  { name, recoveryCode }: Pick<Registered, "name" | "recoveryCode">,
  given: object = {},
  on: Harness = service,
) {
  const json = { name, recoveryCode, password: CHANGED, ...given };
  return call(on, "/api/account/recover", { json, ip: freshIp() });
}

describe("what changes how an account opens asks for a proof of the last ten minutes", () => {
  const STEPS: readonly (readonly [string, Step])[] = [
    ["an authenticator app", { path: "/api/users/me/totp" }],
    ["the end of one", { path: "/api/users/me/totp", method: "DELETE" }],
    ["a passkey", { path: "/api/users/me/passkeys/options" }],
    ["the end of one", { path: "/api/users/me/passkeys/x", method: "DELETE" }],
    ["the end of an identity", { path: "/api/users/me/identities/x", method: "DELETE" }],
    ["a password", { path: "/api/users/me/password", json: { newPassword: CHANGED } }],
    ["the end of the account", { path: "/api/users/me", method: "DELETE", json: { secrets: "keep" } }],
  ];

  test.each(STEPS)("%s", async (_, step) => {
    const { cookie } = await register(service);
    service.clock.now += 601;
    expect((await as(cookie, step)).body).toMatchObject({ code: "missing_parameter", parameter: "password" });
    const wrong = { ...step, json: { ...step.json, password: "wrong password" } };
    expect((await as(cookie, wrong)).body).toMatchObject({ code: "password_wrong" });
  });

  test("and a call that lacks it is no try at it", async () => {
    const { cookie, password } = await register(service);
    service.clock.now += 601;
    const step = { path: "/api/users/me/passkeys/options" };
    for (let i = 0; i < 6; i++) expect((await as(cookie, step)).status).toBe(400);
    expect((await as(cookie, { ...step, json: { password } })).status).toBe(200);
  });

  test.each(STEPS)("%s: also the code, where the account has an app", async (_, step) => {
    const { cookie, password, code } = await withApp();
    service.clock.now += 601;
    const given = { ...step, json: { ...step.json, password } };
    expect((await as(cookie, given)).body).toMatchObject({
      code: "second_factor_required",
      parameter: "code",
    });
    const wrong = { ...step, json: { ...given.json, code: "abcdef" } };
    expect((await as(cookie, wrong)).body).toMatchObject({ code: "second_factor_wrong" });
    const right = { ...step, json: { ...given.json, code: code() } };
    expect([200, 404, 409]).toContain((await as(cookie, right)).status);
  });

  test("and not a password alone, where the account has an app: it counts for its own call", async () => {
    const { cookie, password } = await withApp();
    service.clock.now += 480;
    const change = { path: "/api/users/me/password", json: { password, newPassword: CHANGED } };
    const changed = await as(cookie, change);
    expect(changed.status).toBe(200);
    service.clock.now += 61;
    const options = { path: "/api/users/me/passkeys/options" };
    expect((await as(changed.cookie ?? "", options)).body).toMatchObject({ parameter: "password" });
  });

  test("and not the code that an older login is made a strong one with", async () => {
    const member = await register(service);
    const older = (await logIn(member, { password: member.password })).cookie ?? "";
    const { body } = await as(member.cookie, { path: "/api/users/me/totp" });
    const confirm = () => ({
      path: "/api/users/me/totp/confirm",
      json: { code: codeAt(String(body.secret), service.clock.now) },
    });
    expect((await as(member.cookie, confirm())).status).toBe(200);
    service.clock.now += 601;
    const { status, cookie = "" } = await as(older, confirm());
    expect(status).toBe(200);
    for (const path of ["/api/users/me/passkeys/options", "/api/users/me/identities"])
      expect((await as(cookie, { path })).body).toMatchObject({ parameter: "password" });
    const token = { path: "/api/users/me/tokens", json: { name: "ci", expires: null } };
    expect((await as(cookie, token)).body).toMatchObject({ parameter: "password" });
  });

  test("and not a new passkey: it says nothing of who has made it", async () => {
    const member = await register(service);
    service.clock.now += 540;
    const { cookie = "" } = (await addPasskey(member)).made;
    service.clock.now += 61;
    const step = { path: "/api/users/me/passkeys/options" };
    expect((await as(cookie, step)).body).toMatchObject({ parameter: "password" });
  });

  test("and a passkey where the instance wants two factors and there is no app", async () => {
    const settings = { REQUIRE_SECOND_FACTOR: "members" };
    const strict = await startForTest({ settings, publicUrl: "https://hush.example" });
    const member = await register(strict);
    const { cookie = "" } = (await addPasskey(member, strict)).made;
    strict.clock.now += 601;
    const step = { path: "/api/users/me/totp", json: { password: member.password } };
    expect((await as(cookie, step, strict)).body).toMatchObject({ code: "login_required" });
  });
});

describe("the recovery code replaces one factor", () => {
  test("and not the second in one chain: an account with an app needs its code", async () => {
    const member = await withApp();
    const refused = await recover(member);
    expect(refused).toMatchObject({
      ...{ status: 401, cookie: undefined, body: { code: "second_factor_required", parameter: "code" } },
    });
    expect((await recover(member, { code: member.recoveryCode })).body).toMatchObject({
      code: "second_factor_wrong",
    });
    const done = await recover(member, { code: member.code() });
    expect([done.status, (await me(done.cookie ?? "")).hasTotp]).toEqual([200, true]);
    // What took its place stands for no code for a day.
    const next = { password: CHANGED, code: String(done.body.recoveryCode) };
    expect((await logIn(member, next)).body).toMatchObject({ code: "second_factor_wrong" });
    service.clock.now += DAY + 1;
    expect((await logIn(member, next)).status).toBe(200);
  });

  test("and who knows nothing of an app is not told of one without the code", async () => {
    const member = await withApp();
    expect((await recover({ ...member, recoveryCode: "A".repeat(24) })).body).toMatchObject({
      code: "invalid_credentials",
    });
  });

  test("and ends what else opens the account, and says how much", async () => {
    const member = await register(service);
    const { token } = await makeToken(service, { cookie: member.cookie });
    const { authenticator } = await addPasskey(member);
    const identity = { issuer: "https://acme.example", subject: member.id, name: "ann" };
    await tieIdentity(service.db, { ...identity, member: member.id, now: service.clock.now });
    await addHook(member);
    const done = await recover(member);
    expect(await listHooks(service.db, member.id)).toEqual([]);
    expect(done.body.ended).toEqual({ sessions: 1, tokens: 1, passkeys: 1, identities: 1, hooks: 1 });
    expect((await call(service, "/api/users/me", { headers: { cookie: member.cookie } })).status).toBe(401);
    const headers = { authorization: `Bearer ${token}` };
    expect((await call(service, "/api/users/me/secrets", { headers })).status).toBe(401);
    const asked = await call(service, "/api/account/passkey/options", { json: {} });
    const response = authenticator.get(asked.body as unknown as { challenge: string }, BROWSER);
    expect((await call(service, "/api/account/passkey", { json: { response } })).status).toBe(422);
  });

  test("and keeps what is asked for", async () => {
    const member = await register(service);
    const { token } = await makeToken(service, { cookie: member.cookie });
    await addHook(member);
    const done = await recover(member, { keep: ["tokens", "sessions", "hooks"] });
    expect(await listHooks(service.db, member.id)).toHaveLength(1);
    expect(done.body.ended).toEqual({ sessions: 0, tokens: 0, passkeys: 0, identities: 0, hooks: 0 });
    const headers = { authorization: `Bearer ${token}` };
    expect((await call(service, "/api/users/me/secrets", { headers })).status).toBe(200);
  });

  test("and where it has ended passkeys, another second factor waits for a day, which the owner sees", async () => {
    const member = await register(service);
    await addPasskey(member);
    const begun = await as(member.cookie, { path: "/api/users/me/totp" });
    const { cookie = "" } = await recover(member);
    const code = codeAt(String(begun.body.secret), service.clock.now);
    const confirm = { path: "/api/users/me/totp/confirm", json: { code } };
    expect((await as(cookie, confirm)).body).toMatchObject({ status: 403, code: "recovery_wait" });
    expect(await me(cookie)).toMatchObject({ recovered: expect.any(String), enrolFrom: expect.any(String) });
    const { made } = await addPasskey({ cookie });
    expect(made.status).not.toBe(201);
    const begin = { path: "/api/users/me/totp", json: { password: CHANGED } };
    expect((await as(cookie, begin)).body).toMatchObject({
      status: 403,
      code: "recovery_wait",
      retryAfter: DAY,
    });
    service.clock.now += DAY;
    expect((await as(cookie, begin)).status).toBe(200);
    expect(await me(cookie)).toMatchObject({ recovered: expect.any(String), enrolFrom: null });
  });
});

test("wrong codes are bounded by account and day, whatever the address, and the owner sees how many", async () => {
  const member = await withApp();
  const wrong = () => logIn(member, { password: member.password, code: "abcdef" });
  for (let tried = 0; tried < 50; tried++) {
    expect((await wrong()).body.code).toBe("second_factor_wrong");
    service.clock.now += 60;
  }
  expect((await wrong()).body).toMatchObject({ code: "rate_limited", limit: "wrongCodes", value: 50 });
  expect(await me(member.cookie)).toMatchObject({ wrongCodes: 50 });
  const right = () => logIn(member, { password: member.password, code: member.code() });
  expect((await right()).status).toBe(429);
  service.clock.now += DAY;
  expect((await right()).status).toBe(200);
});

test("wrong codes of an app that an administrator has ended keep nobody from setting up another", async () => {
  const member = await withApp();
  for (let tried = 0; tried < 51; tried++) {
    await logIn(member, { password: member.password, code: "abcdef" });
    service.clock.now += 60;
  }
  expect((await logIn(member, { password: member.password, code: member.code() })).status).toBe(429);
  await service.db.write((trx) => endWaysIn(trx, member.id, []));
  const { cookie = "" } = await logIn(member, { password: member.password });
  const begun = await as(cookie, { path: "/api/users/me/totp" });
  const code = () => codeAt(String(begun.body.secret), service.clock.now);
  const confirm = { path: "/api/users/me/totp/confirm", json: { code: code() } };
  const confirmed = await as(cookie, confirm);
  expect(confirmed.status).toBe(200);
  expect(await me(confirmed.cookie ?? "")).toMatchObject({ hasTotp: true, wrongCodes: 0 });
  service.clock.now += 60;
  expect((await logIn(member, { password: member.password, code: code() })).status).toBe(200);
});

describe("a new password", () => {
  test.each([
    ["the name of the account", "long-name-1"],
    ["the same in other letters", "LONG-Name-1"],
    ["one that many people choose", "qwertyuiop"],
    ["such a one in other letters", "QwertyUiop"],
  ])("is not %s", async (_, password) => {
    const json = { name: "long-name-1", password };
    const answer = await call(service, "/api/account/register", { json, ip: freshIp() });
    expect(answer.body).toMatchObject({ status: 400, code: "invalid_parameter", parameter: "password" });
    expect(JSON.stringify(answer.body)).not.toContain(password);
  });

  test("is not the name of the instance", async () => {
    const named = await startForTest({ settings: { INSTANCE_NAME: "ACME secrets" } });
    const json = { name: "anybody", password: "acme SECRETS" };
    expect((await call(named, "/api/account/register", { json })).body).toMatchObject({
      parameter: "password",
    });
  });

  test("is as little a bad one where it is changed or recovered", async () => {
    const member = await register(service);
    const change = { password: member.password, newPassword: "1234567890" };
    expect((await as(member.cookie, { path: "/api/users/me/password", json: change })).body).toMatchObject({
      ...{ code: "invalid_parameter", parameter: "newPassword" },
    });
    expect((await recover(member, { password: "1234567890" })).body).toMatchObject({ parameter: "password" });
    expect((await recover(member)).status).toBe(200);
  });

  test("is held to the list of the library", async () => {
    const { dictionary } = await import("@zxcvbn-ts/language-common");
    const common = (dictionary as Record<string, readonly string[]>)["passwords-common"] ?? [];
    const long = common.filter((password) => [...password.normalize("NFC")].length >= 10);
    expect(long.length).toBeGreaterThan(1000);
    expect(long.filter((password) => !isCommon(password))).toEqual([]);
    expect(isCommon("correct horse")).toBe(false);
  });

  test("is none of the 3,000 most common that are long enough", async () => {
    const short = [...COMMON_PASSWORDS].filter((password) => [...password].length < 10);
    expect([COMMON_PASSWORDS.size > 3000, short]).toEqual([true, []]);
    for (const password of ["Jennifer11", "password1234567"]) {
      const json = { name: `common-${crypto.randomUUID().slice(0, 8)}`, password };
      const refused = await call(service, "/api/account/register", { json, ip: freshIp() });
      expect(refused).toMatchObject({ status: 400, body: { parameter: "password" } });
    }
  });
});

describe("a password that an administrator has set", () => {
  async function administrator() {
    const member = await register(service);
    await setRole(service.db, member.id, "admin");
    return member;
  }

  async function added() {
    const { cookie } = await administrator();
    const name = `added-${crypto.randomUUID().slice(0, 8)}`;
    const { body } = await as(cookie, { path: "/api/admin/members", json: { name } });
    const { password, recoveryCode, id } = body as Record<"password" | "recoveryCode" | "id", string>;
    return { name, password, recoveryCode, id, by: cookie };
  }

  test("opens nothing but the change of it", async () => {
    const member = await added();
    const { body, cookie = "" } = await logIn(member, { password: member.password });
    expect(body).toMatchObject({ mustChoosePassword: true });
    expect(await me(cookie)).toMatchObject({ mustChoosePassword: true });
    const refused = { status: 403, body: { code: "password_change_required" } };
    const lists = ["secrets", "sessions", "passkeys", "identities"].map((name) => `/api/users/me/${name}`);
    for (const path of lists)
      expect(await call(service, path, { headers: { cookie } })).toMatchObject(refused);
    for (const step of [
      { path: "/api/users/me/tokens", json: { name: "ci" } },
      { path: "/api/secrets", json: { content: "x" } },
      // Ways in that would outlast the change.
      { path: "/api/users/me/totp" },
      { path: "/api/users/me/totp/confirm", json: { code: "123456" } },
      { path: "/api/users/me/passkeys/options" },
      { path: "/api/users/me/passkeys", json: { name: "Key", response: {} } },
      { path: "/api/users/me/identities" },
    ])
      expect(await as(cookie, step)).toMatchObject(refused);
    const change = (newPassword: string, by = cookie) =>
      as(by, { path: "/api/users/me/password", json: { password: member.password, newPassword } });
    const same = await change(member.password);
    expect(same.body).toMatchObject({ parameter: "newPassword" });
    const changed = await change(CHANGED, same.cookie);
    // What was under way before it is not let into the account.
    const former = { cookie: same.cookie ?? "" };
    expect(await call(service, "/api/users/me/secrets", { headers: former })).toMatchObject(refused);
    const headers = { cookie: changed.cookie ?? "" };
    expect((await call(service, "/api/users/me/secrets", { headers })).status).toBe(200);
    service.clock.now += 2 * DAY;
    expect((await logIn(member, { password: CHANGED })).body).not.toHaveProperty("mustChoosePassword");
  });

  test.each(["added", "reset"])(
    "is not all: %s, the member gets a recovery code of their own",
    async (how) => {
      const member = await added();
      let [password, recoveryCode] = [member.password, member.recoveryCode];
      if (how === "reset") {
        const step = { path: `/api/admin/members/${member.id}/reset` };
        ({ password, recoveryCode } = (await as(member.by, step)).body as typeof member);
      }
      const { cookie = "" } = await logIn(member, { password });
      const change = (given: object, by = cookie) => as(by, { path: "/api/users/me/password", json: given });
      const chosen = await change({ password, newPassword: CHANGED });
      expect(chosen.body).toEqual({ changed: true, recoveryCode: expect.stringMatching(/^[A-Z2-7]{26}$/) });
      const known = { ...member, password, cookie, recoveryCode };
      expect((await recover(known)).body).toMatchObject({ code: "invalid_credentials" });
      const own = await recover({ ...known, recoveryCode: String(chosen.body.recoveryCode) });
      expect(own.status).toBe(200);
      // Whose password is their own keeps the code.
      const again = { password: CHANGED, newPassword: "a third password" };
      expect((await change(again, own.cookie)).body).toEqual({ changed: true });
      expect((await recover({ ...known, recoveryCode: String(own.body.recoveryCode) })).status).toBe(200);
    },
  );

  test("stands with its recovery code for no app that was kept", async () => {
    const { cookie } = await administrator();
    const member = await withApp();
    const reset = await as(cookie, {
      ...{
        path: `/api/admin/members/${member.id}/reset`,
        json: { keep: ["totp"], password: member.password },
      },
    });
    const { password, recoveryCode } = reset.body as Record<"password" | "recoveryCode", string>;
    const byCode = await logIn(member, { password, code: recoveryCode });
    expect([byCode.status, byCode.body.code]).toEqual([422, "second_factor_wrong"]);
    service.clock.now += 60;
    const byApp = await logIn(member, { password, code: member.code() });
    expect(byApp.body).toMatchObject({ mustChoosePassword: true });
    const json = { password, newPassword: CHANGED };
    const chosen = await as(byApp.cookie ?? "", { path: "/api/users/me/password", json });
    const own = await logIn(member, { password: CHANGED, code: String(chosen.body.recoveryCode) });
    expect(own.status).toBe(200);
  });

  test("is good for a day", async () => {
    const member = await added();
    const { cookie = "" } = await logIn(member, { password: member.password });
    service.clock.now += DAY;
    expect((await logIn(member, { password: member.password })).body).toMatchObject({
      status: 403,
      code: "password_expired",
    });
    expect((await logIn(member, { password: "wrong password" })).body).toMatchObject({
      code: "invalid_credentials",
    });
    expect((await recover(member)).body).toMatchObject({ status: 403, code: "password_expired" });
    const change = { password: member.password, newPassword: CHANGED };
    expect((await as(cookie, { path: "/api/users/me/password", json: change })).body).toMatchObject({
      code: "password_expired",
    });
    expect((await recover({ ...member, recoveryCode: "A".repeat(26) })).body).toMatchObject({
      code: "invalid_credentials",
    });
  });

  test("comes with the end of every way in, but those that are kept", async () => {
    const { cookie } = await administrator();
    for (const keep of [[], ["tokens", "totp", "hooks"]] as const) {
      const member = await withApp();
      await addHook(member);
      const { token } = await makeToken(service, { cookie: member.cookie });
      await addPasskey(member);
      const identity = { issuer: "https://acme.example", subject: member.id, name: "ann" };
      await tieIdentity(service.db, { ...identity, member: member.id, now: service.clock.now });
      const { body } = await as(cookie, {
        ...{ path: `/api/admin/members/${member.id}/reset`, json: { keep, password: member.password } },
      });
      const all = { sessions: 1, tokens: 1, passkeys: 1, totp: 1, identities: 1, hooks: 1 };
      expect(body.ended).toEqual({ ...all, ...(keep.length > 0 && { tokens: 0, totp: 0, hooks: 0 }) });
      expect(await listHooks(service.db, member.id)).toHaveLength(keep.length > 0 ? 1 : 0);
      expect(body.kept).toEqual(keep);
      const headers = { authorization: `Bearer ${token}` };
      expect((await call(service, "/api/users/me/secrets", { headers })).status).toBe(
        keep.length > 0 ? 200 : 401,
      );
    }
  });
});

test("a passkey that says it is somebody else's opens nothing", async () => {
  const { authenticator } = await addPasskey(await register(service));
  const asked = await call(service, "/api/account/passkey/options", { json: {} });
  const options = asked.body as unknown as { challenge: string };
  authenticator.userHandle = Buffer.from("somebody else").toString("base64url");
  const json = { response: authenticator.get(options, BROWSER) };
  expect((await call(service, "/api/account/passkey", { json })).body).toMatchObject({
    code: "passkey_wrong",
  });
});
