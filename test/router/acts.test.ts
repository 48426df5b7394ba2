import { describe, expect, test } from "vitest";
import { setRole } from "../../db/accounts/administered.ts";
import { tieIdentity } from "../../db/accounts/identities.ts";
import { createPasswords } from "../../adapters/workers/passwords.ts";
import { procedures } from "../../adapters/service/endpoints.ts";
import type { Meta } from "../../router/meta.ts";
import { takeActs } from "../support/acts.ts";
import { Authenticator } from "../support/authenticator.ts";
import { freshIp } from "../support/fresh-ip.ts";
import { call, makeToken, register, type Call, type Registered } from "../support/members.ts";
import { codeAt } from "../support/totp.ts";
import { withServer } from "../support/with-server.ts";

const BROWSER = { origin: "https://hush.example", rpId: "hush.example", isVerified: true };
const IP = "192.0.2.77";
const ADDRESS = "192.0.2.0";
const PASSWORD = "correct horse";
const GATE = "g".repeat(43);

const service = withServer({ isAudited: true, publicUrl: BROWSER.origin });

type Asked = Parameters<Authenticator["create"]>[0];

const send = (path: string, sent: Call = {}) => call(service, path, { ip: IP, ...sent });
const post = (path: string, json: object, headers: Record<string, string> = {}) =>
  send(path, { json, headers });
const drop = (path: string, json: object, { cookie }: Registered) =>
  send(path, { method: "DELETE", json, headers: { cookie } });
const own = ({ cookie }: Registered) => ({ cookie });
const logIn = (json: object) => post("/api/account/login", json);

async function registerAdmin(): Promise<Registered> {
  const admin = await register(service);
  await setRole(service.db, { id: admin.id, role: "admin" });
  return admin;
}

async function withApp() {
  const member = await register(service);
  const { body } = await post("/api/users/me/totp", {}, own(member));
  const secret = String(body.secret);
  return { member, code: () => codeAt(secret, service.clock.now) };
}

async function withPasskey() {
  const [member, authenticator] = [await register(service), new Authenticator()];
  const options = (await post("/api/users/me/passkeys/options", {}, own(member))).body as unknown as Asked;
  const json = { name: "Laptop", response: authenticator.create(options, BROWSER) };
  return { member, authenticator, add: () => post("/api/users/me/passkeys", json, own(member)) };
}

type Acts = readonly Partial<Awaited<ReturnType<typeof takeActs>>[number]>[];

/** What a call of each procedure writes down: `run` prepares what it needs, and gives the call and its acts. */
const PROCEDURES: Readonly<
  Record<string, () => Promise<{ run: () => Promise<unknown>; acts: (answer: { id: string }) => Acts }>>
> = {
  "account.register": async () => ({
    run: () => post("/api/account/register", { name: "made-here", password: PASSWORD }),
    acts: ({ id: account }) => [
      { event: "account.created", account },
      { event: "account.login", account, login: "password" },
    ],
  }),
  "account.login": async () => {
    const { id: account, name } = await register(service);
    return {
      run: () => logIn({ name, password: PASSWORD }),
      acts: () => [{ event: "account.login", account, login: "password" }],
    };
  },
  "account.recover": async () => {
    const { id: account, name, recoveryCode } = await register(service);
    return {
      run: () => post("/api/account/recover", { name, recoveryCode, password: "another horse" }),
      acts: () => [
        { event: "account.recovered", account },
        { event: "session.ended", account },
        { event: "account.login", account, login: "recovery" },
      ],
    };
  },
  "account.logout": async () => {
    const member = await register(service);
    return {
      run: () => post("/api/account/logout", {}, own(member)),
      acts: () => [{ event: "account.logout", account: member.id }],
    };
  },
  "account.passkeyLogin": async () => {
    const { member, authenticator, add } = await withPasskey();
    await add();
    authenticator.counter = 1;
    const options = (await post("/api/account/passkey/options", {})).body as unknown as Asked;
    return {
      run: () => post("/api/account/passkey", { response: authenticator.get(options, BROWSER) }),
      acts: () => [{ event: "account.login", account: member.id, login: "passkey" }],
    };
  },
  "account.delete": async () => {
    const member = await register(service);
    return {
      run: () => drop("/api/users/me", { password: PASSWORD, secrets: "keep" }, member),
      acts: () => [
        { event: "account.deleted", account: member.id },
        { event: "account.logout", account: member.id },
      ],
    };
  },
  "account.changePassword": async () => {
    const member = await register(service);
    return {
      run: () =>
        post("/api/users/me/password", { password: PASSWORD, newPassword: "another horse" }, own(member)),
      acts: () => [{ event: "account.password_changed", account: member.id }],
    };
  },
  "account.endSession": async () => {
    const member = await register(service);
    await logIn({ name: member.name, password: PASSWORD });
    const { body } = await send("/api/users/me/sessions", { headers: own(member) });
    const sessions = body.sessions as { id: string; isCurrent: boolean }[];
    const subject = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? "";
    return {
      run: () => send(`/api/users/me/sessions/${subject}`, { method: "DELETE", headers: own(member) }),
      acts: () => [{ event: "session.ended", account: member.id, subject }],
    };
  },
  "account.endOtherSessions": async () => {
    const member = await register(service);
    await logIn({ name: member.name, password: PASSWORD });
    return {
      run: () => send("/api/users/me/sessions", { method: "DELETE", headers: own(member) }),
      acts: () => [{ event: "session.ended", account: member.id }],
    };
  },
  "account.beginTotp": async () => {
    const member = await register(service);
    // Nothing is asked for at a login before a code was confirmed.
    return { run: () => post("/api/users/me/totp", {}, own(member)), acts: () => [] };
  },
  "account.confirmTotp": async () => {
    const { member, code } = await withApp();
    return {
      run: () => post("/api/users/me/totp/confirm", { code: code() }, own(member)),
      acts: () => [{ event: "account.totp_added", account: member.id }],
    };
  },
  "account.endTotp": async () => {
    const { member, code } = await withApp();
    const { cookie = "" } = await post("/api/users/me/totp/confirm", { code: code() }, own(member));
    return {
      run: () => drop("/api/users/me/totp", { password: PASSWORD }, { ...member, cookie }),
      acts: () => [{ event: "account.totp_removed", account: member.id }],
    };
  },
  "account.beginPasskey": async () => {
    const member = await register(service);
    return { run: () => post("/api/users/me/passkeys/options", {}, own(member)), acts: () => [] };
  },
  "account.addPasskey": async () => {
    const { member, authenticator, add } = await withPasskey();
    return {
      run: add,
      acts: () => [{ event: "account.passkey_added", account: member.id, subject: authenticator.id }],
    };
  },
  "account.deletePasskey": async () => {
    const { member, authenticator, add } = await withPasskey();
    const { cookie = "" } = await add();
    return {
      run: () => drop(`/api/users/me/passkeys/${authenticator.id}`, {}, { ...member, cookie }),
      acts: () => [{ event: "account.passkey_removed", account: member.id, subject: authenticator.id }],
    };
  },
  "account.deleteIdentity": async () => {
    const member = await register(service);
    const identity = { issuer: "https://acme.example", subject: member.id, name: "ann" };
    await tieIdentity(service.db, { ...identity, member: member.id, now: service.clock.now });
    const listed = await service.request("/api/users/me/identities", { headers: own(member) });
    const [{ id } = { id: "" }] = (await listed.json()) as { id: string }[];
    return {
      run: () => drop(`/api/users/me/identities/${id}`, {}, member),
      acts: () => [{ event: "account.identity_removed", account: member.id }],
    };
  },
  "account.beginPasskeyLogin": async () => ({
    run: () => post("/api/account/passkey/options", {}),
    acts: () => [],
  }),
  "tokens.create": async () => {
    const member = await register(service);
    return {
      run: () => post("/api/users/me/tokens", { name: "ci" }, own(member)),
      acts: ({ id: subject }) => [{ event: "token.created", account: member.id, subject }],
    };
  },
  "tokens.revoke": async () => {
    const member = await register(service);
    const { id: subject } = await makeToken(service, member);
    return {
      run: () => send(`/api/users/me/tokens/${subject}`, { method: "DELETE", headers: own(member) }),
      acts: () => [{ event: "token.revoked", account: member.id, subject }],
    };
  },
  "secrets.create": async () => {
    const { id: account, ...member } = await register(service);
    const { token } = await makeToken(service, member);
    return {
      run: () => post("/api/secrets", { content: "a" }, { authorization: `Bearer ${token}` }),
      acts: ({ id: subject }) => [{ event: "secret.created", account, subject, token: token.slice(0, 20) }],
    };
  },
  "secrets.createFile": async () => {
    const { id: account, cookie } = await register(service);
    const headers = { cookie, "content-type": "application/octet-stream" };
    return {
      run: async () => {
        const response = await service.request("/api/secrets/file", {
          method: "POST",
          body: "a",
          headers,
          ip: IP,
        });
        return { status: response.status, body: await response.json() };
      },
      acts: ({ id: subject }) => [{ event: "secret.created", account, subject }],
    };
  },
  "secrets.revokeOwn": async () => {
    const member = await register(service);
    const { body } = await post("/api/secrets", { content: "a" }, own(member));
    return {
      run: () => send(`/api/secrets/${String(body.id)}`, { method: "DELETE", headers: own(member) }),
      acts: () => [{ event: "secret.revoked", account: member.id, subject: String(body.id) }],
    };
  },
  "requests.create": async () => {
    const member = await register(service);
    return {
      run: () => post("/api/requests", { gate: GATE }, own(member)),
      acts: ({ id: subject }) => [{ event: "request.created", account: member.id, subject }],
    };
  },
  "requests.cancelOwn": async () => {
    const member = await register(service);
    const { body } = await post("/api/requests", { gate: GATE }, own(member));
    return {
      run: () => send(`/api/requests/${String(body.id)}`, { method: "DELETE", headers: own(member) }),
      acts: () => [{ event: "request.cancelled", account: member.id, subject: String(body.id) }],
    };
  },
  "admin.members": async () => {
    const admin = await registerAdmin();
    return {
      run: () => send("/api/admin/members", { headers: own(admin) }),
      acts: () => [{ event: "admin.members_listed", account: admin.id }],
    };
  },
  "admin.counters": async () => {
    const admin = await registerAdmin();
    return {
      run: () => send("/api/admin/counters", { headers: own(admin) }),
      acts: () => [{ event: "admin.counters_read", account: admin.id }],
    };
  },
  "admin.addMember": async () => {
    const admin = await registerAdmin();
    return {
      run: () => post("/api/admin/members", { name: "added-here" }, own(admin)),
      acts: ({ id: subject }) => [{ event: "admin.account_added", account: admin.id, subject }],
    };
  },
  "admin.resetMember": async () => {
    const [{ id: account, ...admin }, { member, add }] = [await registerAdmin(), await withPasskey()];
    await add();
    const path = `/api/admin/members/${member.id}/reset`;
    return {
      run: () => post(path, {}, { cookie: admin.cookie }),
      acts: () => [
        { event: "admin.account_reset", account, subject: member.id },
        { event: "session.ended", account },
        { event: "account.passkey_removed", account },
      ],
    };
  },
  "admin.disableMember": async () => {
    const [admin, member] = [await registerAdmin(), await register(service)];
    return {
      run: () => post(`/api/admin/members/${member.id}/disable`, {}, own(admin)),
      acts: () => [
        { event: "admin.account_disabled", account: admin.id, subject: member.id },
        { event: "session.ended", account: admin.id },
      ],
    };
  },
  "admin.enableMember": async () => {
    const [admin, member] = [await registerAdmin(), await register(service)];
    await post(`/api/admin/members/${member.id}/disable`, {}, own(admin));
    return {
      run: () => post(`/api/admin/members/${member.id}/enable`, {}, own(admin)),
      acts: () => [{ event: "admin.account_enabled", account: admin.id, subject: member.id }],
    };
  },
  "admin.deleteMember": async () => {
    const [admin, member] = [await registerAdmin(), await register(service)];
    return {
      run: () => drop(`/api/admin/members/${member.id}`, { secrets: "keep" }, admin),
      acts: () => [
        { event: "admin.account_deleted", account: admin.id, subject: member.id },
        { event: "session.ended", account: admin.id },
      ],
    };
  },
};

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
