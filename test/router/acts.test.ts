import { describe, expect, test } from "vitest";
import { createPasswords } from "../../adapters/workers/passwords.ts";
import { procedures } from "../../adapters/service/endpoints.ts";
import type { Meta } from "../../router/meta.ts";
import { ADDRESS, accountCalls, BROWSER, PASSWORD, type Asked } from "../support/account-calls.ts";
import { takeActs } from "../support/acts.ts";
import { freshIp } from "../support/fresh-ip.ts";
import { HOOK_SETTINGS } from "../support/hook-receiver.ts";
import { call, register, type Registered } from "../support/members.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer({ isAudited: true, publicUrl: BROWSER.origin, settings: HOOK_SETTINGS });

const {
  calls: PROCEDURES,
  send,
  post,
  own,
  logIn,
  registerAdmin,
  withApp,
  withPasskey,
} = accountCalls(service);

/** Procedures that change something of an account, by whom they are for; and what administrators only read. */
function changing(): string[] {
  const all = Object.entries(procedures).map(([path, { _def }]) => {
    // The builder types meta on the way in; the erased procedure gives it back as unknown.
    const { access } = (_def.meta ?? {}) as Meta;
    return { path, isChange: _def.type === "mutation", access };
  });
  const ownersToo = ["secrets.create", "secrets.createFile", "requests.create"];
  // It changes nothing here; what it begins at a provider is in the tests of that.
  const elsewhere = ["account.beginIdentity"];
  return all
    .filter(({ path, isChange, access }) => {
      if (access === "admin") return true;
      if (elsewhere.includes(path)) return false;
      return isChange && (access !== undefined || path.startsWith("account.") || ownersToo.includes(path));
    })
    .map(({ path }) => path);
}

test("every procedure that changes an account is here, and every one for administrators", () => {
  expect(Object.keys(PROCEDURES).sort()).toEqual(changing().sort());
});

test.each(Object.keys(PROCEDURES))("%s is written down, with who did it and from where", async (path) => {
  const prepared = await PROCEDURES[path]!();
  await takeActs(service);
  const { status, body } = (await prepared.run()) as { status: number; body: { id: string } };
  expect(status).toBeLessThan(300);
  const acts = await takeActs(service);
  const expected = prepared.acts(body);
  expect(acts.map(({ event }) => event).sort()).toEqual(expected.map(({ event }) => event).sort());
  for (const act of expected)
    expect(acts).toContainEqual({
      ...{ account: null, subject: expect.toSatisfy(() => true), token: null, login: null },
      ...{ address: ADDRESS, ...act },
    });
});

describe("what was refused", () => {
  const refused = async (tried: () => Promise<{ status: number }>) => {
    await takeActs(service);
    expect((await tried()).status).toBeGreaterThanOrEqual(400);
    return takeActs(service);
  };
  const failed = { event: "account.login_failed", subject: null, token: null, address: ADDRESS };

  test("names the account where there is one, and the kind of login", async () => {
    const member = await register(service);
    const known = await refused(() => logIn({ name: member.name, password: "another one" }));
    expect(known).toEqual([{ ...failed, account: member.id, login: "password" }]);
    const unknown = await refused(() => logIn({ name: "nobody-here", password: "another one" }));
    expect(unknown).toEqual([{ ...failed, account: null, login: "password" }]);
    const json = { name: member.name, recoveryCode: "A".repeat(24), password: "another one" };
    const recovery = await refused(() => post("/api/account/recover", json));
    const event = "account.recovery_failed";
    expect(recovery).toEqual([{ ...failed, event, account: member.id, login: "recovery" }]);
  });

  test("is a recovery without the code of the app, by the right recovery code", async () => {
    const { member, code } = await withApp();
    await post("/api/users/me/totp/confirm", { code: code() }, own(member));
    const { id: account, name, recoveryCode } = member;
    const json = { name, recoveryCode, password: "another one", code: "abcdef" };
    const acts = await refused(() => post("/api/account/recover", json));
    expect(acts).toEqual([{ ...failed, event: "account.recovery_failed", account, login: "recovery" }]);
  });

  test("is a password of an administrator's after its day", async () => {
    const admin = await registerAdmin();
    const name = "too-late";
    const { body } = await post("/api/admin/members", { name }, own(admin));
    service.clock.now += 86_401;
    const { password, recoveryCode } = body;
    const late = await refused(() => logIn({ name, password }));
    expect(late).toEqual([{ ...failed, account: body.id, login: "password" }]);
    const json = { name, recoveryCode, password: "another one" };
    const recovery = await refused(() => post("/api/account/recover", json));
    const event = "account.recovery_failed";
    expect(recovery).toEqual([{ ...failed, event, account: body.id, login: "recovery" }]);
  });

  test("is a passkey of somebody", async () => {
    const { member, authenticator, add } = await withPasskey();
    await add();
    const options = (await post("/api/account/passkey/options", {})).body as unknown as Asked;
    const response = authenticator.get(options, { ...BROWSER, isVerified: false });
    const acts = await refused(() => post("/api/account/passkey", { response }));
    expect(acts).toEqual([{ ...failed, account: member.id, login: "passkey" }]);
  });

  test("is each for itself, in a batch of calls", async () => {
    const [ann, bob] = [await register(service), await register(service)];
    await takeActs(service);
    const of = ({ name }: Registered) => ({ name, password: "another one" });
    await send("/trpc/account.login,account.login?batch=1", { json: { 0: of(ann), 1: of(bob) } });
    const accounts = (await takeActs(service)).map(({ account }) => account);
    expect(accounts.sort()).toEqual([ann.id, bob.id].sort());
  });
});

test("a login with the recovery code in the place of a code says so", async () => {
  const { member, code } = await withApp();
  await post("/api/users/me/totp/confirm", { code: code() }, own(member));
  await takeActs(service);
  await logIn({ name: member.name, password: PASSWORD, code: member.recoveryCode });
  expect(await takeActs(service)).toMatchObject([
    { event: "account.recovery_code_changed", account: member.id },
    { event: "account.login", account: member.id, login: "recovery" },
  ]);
});

test("a password in the place of an administrator's is a change, of the recovery code too, and no recovery", async () => {
  const admin = await registerAdmin();
  const { body: given } = await post("/api/admin/members", { name: "given-one" }, own(admin));
  const { cookie = "" } = await logIn({ name: "given-one", password: given.password });
  await takeActs(service);
  const json = { password: given.password, newPassword: "another horse" };
  expect((await post("/api/users/me/password", json, { cookie })).status).toBe(200);
  expect(await takeActs(service)).toMatchObject([
    { event: "account.password_changed", account: given.id },
    { event: "account.recovery_code_changed", account: given.id },
  ]);
});

test("the end of a secret names its owner, and nothing of whoever opened it", async () => {
  const [owner, reader] = [await register(service), await register(service)];
  const { body } = await post("/api/secrets", { content: "a" }, own(owner));
  await takeActs(service);
  await post(`/api/secrets/${String(body.id)}/reveal`, { key: body.key }, own(reader));
  const line = { event: "secret.revealed", account: owner.id, subject: body.id };
  expect(await takeActs(service)).toEqual([{ ...line, token: null, address: null, login: null }]);
});

test("what nobody has made is no act, and a new hash of the same password is none either", async () => {
  const member = await register(service);
  const outdated = createPasswords({ lane: { run: (_, job) => job() }, cost: { ln: 5, r: 8, p: 1 } });
  const password = await outdated.hash(PASSWORD, { caller: "test" });
  await service.db.query.updateTable("member").set({ password }).where("id", "=", member.id).execute();
  await takeActs(service);
  await post("/api/secrets", { content: "a" });
  await logIn({ name: member.name, password: PASSWORD });
  const login = { event: "account.login", account: member.id };
  expect(await takeActs(service)).toMatchObject([login]);
  const row = service.db.query.selectFrom("member").select("password").where("id", "=", member.id);
  expect((await row.executeTakeFirst())?.password).toContain("ln=4");
  service.clock.now += 31 * 86_400;
  await service.sweep();
  const swept = await takeActs(service);
  expect(swept.filter(({ event }) => !event.startsWith("secret.") && !event.startsWith("request."))).toEqual(
    [],
  );
});

test("calls that come together are each told with who made it", async () => {
  const members = await Promise.all(Array.from({ length: 12 }, () => register(service)));
  await takeActs(service);
  const made = await Promise.all(
    members.map(({ cookie }, at) => {
      const ip = freshIp();
      return call(service, "/api/users/me/tokens", {
        json: { name: `t${at}` },
        headers: { cookie },
        ip,
      }).then(({ body }) => ({ subject: String(body.id), ip }));
    }),
  );
  const acts = await takeActs(service);
  for (const [at, { subject, ip }] of made.entries())
    expect(acts.find((act) => act.subject === subject)).toMatchObject({
      account: members[at]?.id,
      address: ip.replace(/\d+$/, "0"),
    });
});
