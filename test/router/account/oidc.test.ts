// process
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { takeActs } from "../../support/acts.ts";
import { Authenticator } from "../../support/authenticator.ts";
import { disableMember } from "../../../db/accounts/administered.ts";
import { tieIdentity as tieInDatabase } from "../../../db/accounts/identities.ts";
import { insertPasskey, listPasskeys } from "../../../db/accounts/passkeys.ts";
import { isStillValid } from "../../../router/policy/identify.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { ORIGIN, type Harness } from "../../support/harness.ts";
import { call, makeToken, register } from "../../support/members.ts";
import { CLIENT, startProvider, type TestProvider } from "../../support/oidc/start.ts";
import { callHooks, until, waiting } from "../../adapters/operations/support/deliver.ts";
import { startReceiver } from "../../adapters/operations/support/receiver.ts";
import { codeAt } from "../../support/totp.ts";
import { startForTest } from "../../support/with-server.ts";

const CALLBACK = "/api/account/oidc/callback";
let provider: TestProvider;
beforeAll(async () => {
  provider = await startProvider(`${ORIGIN}${CALLBACK}`);
});
afterAll(() => provider.stop());

function serve(settings: Record<string, string> = {}, options: object = {}): Promise<Harness> {
  const name = { OIDC_NAME: "ACME" };
  return startForTest({
    settings: { OIDC_ISSUER: provider.issuer, ...CLIENT, ...name, ...settings },
    ...options,
  });
}

interface Visit {
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

/** Goes to the provider; the cookie that has to come back, and the way there. */
async function begin(service: Harness, { path = "/api/account/oidc", headers = {} }: Visit = {}) {
  const answer = await service.request(path, { headers, ip: freshIp() });
  const cookie = (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  return { status: answer.status, cookie, to: answer.headers.get("location") ?? "", answer };
}

async function comeBack(
  service: Harness,
  { search, cookie, accept }: { search: string; cookie: string; accept?: string },
) {
  const headers = { cookie, "sec-fetch-site": "cross-site", ...(accept && { accept }) };
  const answer = await service.request(CALLBACK + search, { headers, ip: freshIp() });
  const session = answer.headers.getSetCookie().find((each) => each.startsWith("service_user_session="));
  return {
    answer,
    status: answer.status,
    to: answer.headers.get("location"),
    session: session?.split(";")[0] ?? "",
  };
}

/** The whole way, as a browser goes it. */
async function logIn(service: Harness, visit: Visit = {}) {
  const { cookie, to } = await begin(service, visit);
  const { search } = await provider.follow(to);
  return comeBack(service, { search, cookie });
}

/** Ties who is logged in at the provider to a member, as far as the page that asks; its answer. */
async function beginTie(service: Harness, { cookie: session }: { cookie: string }) {
  const headers = { cookie: session, "sec-fetch-site": "same-origin" };
  const begun = await call(service, "/api/users/me/identities", { json: {}, headers, ip: freshIp() });
  const { search } = await provider.follow(String(begun.body.url));
  const { answer, ...rest } = await comeBack(service, { search, cookie: `${begun.cookie}; ${session}` });
  const pending = (answer.headers.getSetCookie().at(-1) ?? "").split(";")[0] ?? "";
  const html = await answer.text();
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? "";
  return { ...rest, begun, html, pending, action };
}

/** Says yes. */
async function sayYes(
  service: Harness,
  { action, cookie, site = "same-origin" }: { action: string; cookie: string; site?: string },
) {
  const headers = { cookie, "sec-fetch-site": site };
  const answer = await service.request(action, { method: "POST", headers, ip: freshIp() });
  return { status: answer.status, to: answer.headers.get("location"), answer };
}

async function tieIdentity(service: Harness, member: { cookie: string }) {
  const { action, pending } = await beginTie(service, member);
  return sayYes(service, { action, cookie: `${pending}; ${member.cookie}` });
}

async function whoIs(service: Harness, cookie: string) {
  return (await call(service, "/api/users/me", { headers: { cookie } })).body;
}

test("a member of the organization logs in without a password, and is the same one the next time", async () => {
  const service = await serve();
  await provider.logIn({ sub: "u-1", preferred_username: "Ann.Lee", email: "ann@acme.example" });
  const first = await logIn(service, { path: "/api/account/oidc?next=/ask" });
  expect([first.status, first.to]).toEqual([302, "/ask"]);
  const ann = await whoIs(service, first.session);
  expect(ann).toMatchObject({
    name: "ann.lee",
    hasPassword: false,
    hasIdentity: true,
    hasRecoveryCode: false,
  });
  const second = await logIn(service);
  expect(second.to).toBe("/account");
  expect(await whoIs(service, second.session)).toMatchObject({ id: ann.id });
  expect((await call(service, "/api/instance")).body).toMatchObject({
    login: ["password", "oidc"],
    oidc: { name: "ACME" },
  });
});

test("two windows that log in for the first time at once are one member", async () => {
  const service = await serve();
  await provider.logIn({ sub: "u-20", preferred_username: "twice" });
  const visits = await Promise.all([logIn(service), logIn(service), logIn(service)]);
  const members = await Promise.all(visits.map(({ session }) => whoIs(service, session)));
  expect(new Set(members.map(({ id }) => id)).size).toBe(1);
});

test("is told with the account that was made, that logged in, or that was tied", async () => {
  const service = await serve({}, { isAudited: true });
  await provider.logIn({ sub: "u-18" });
  const { id } = await whoIs(service, (await logIn(service)).session);
  await logIn(service);
  const member = await register(service);
  await provider.logIn({ sub: "u-19" });
  await tieIdentity(service, member);
  const acts = await takeActs(service);
  expect(acts.map(({ event, account, login }) => [event, account, login])).toEqual([
    ["account.created", id, null],
    ["account.identity_added", id, null],
    ["account.login", id, "provider"],
    ["account.login", id, "provider"],
    ["account.created", member.id, null],
    ["account.login", member.id, "password"],
    ["account.identity_added", member.id, null],
  ]);
  expect(acts.every(({ address }) => address !== null)).toBe(true);
});

test("asks for a code with PKCE, state and nonce, and sets a cookie that no script reads", async () => {
  const { answer, to } = await begin(await serve());
  const query = new URL(to).searchParams;
  expect(Object.fromEntries(query)).toMatchObject({
    ...{ response_type: "code", client_id: "hushkit", redirect_uri: ORIGIN + CALLBACK },
    ...{ code_challenge_method: "S256", scope: "openid profile email" },
  });
  for (const name of ["state", "nonce", "code_challenge"]) expect(query.get(name)).toMatch(/^[\w-]{43}$/);
  const [cookie = ""] = answer.headers.getSetCookie();
  expect(cookie).toMatch(
    /^service_oidc_[\w-]{16}=[\w-]+; Path=\/api\/account\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/,
  );
  expect(cookie).not.toContain(query.get("state"));
});

test.each([
  ["with a number where the name is taken", { preferred_username: "taken" }, "taken-2"],
  ["after the mail address", { email: "Zoë.K+work@acme.example" }, "zoe.kwork"],
  ["after nothing that can be a name", { preferred_username: "李" }, "member"],
  ["after what is no text", { preferred_username: 7, email: ["a@b.example"] }, "member"],
  ["of at most 32 characters", { preferred_username: "x".repeat(80) }, "x".repeat(32)],
])("an account is named %s", async (_, claims, name) => {
  const service = await serve();
  await call(service, "/api/account/register", { json: { name: "taken", password: "correct horse" } });
  await provider.logIn({ sub: `named ${name}`, ...claims });
  const { session } = await logIn(service);
  expect(await whoIs(service, session)).toMatchObject({ name });
});

test("OIDC_ADMIN makes an administrator of whose claims say so, as long as they do", async () => {
  const service = await serve({ OIDC_ADMIN: "groups=admins" }, { isAudited: true });
  const isAdmin = async () => (await whoIs(service, (await logIn(service)).session)).isAdmin;
  await provider.logIn({ sub: "u-40", groups: ["admins"] });
  expect([await isAdmin(), await isAdmin()]).toEqual([true, true]);
  await provider.logIn({ sub: "u-40", groups: ["all"] });
  expect(await isAdmin()).toBe(false);
  const changes = (await takeActs(service)).filter(({ event }) => event === "account.role_changed");
  expect(changes).toHaveLength(2);
});

test("whom an administrator has disabled cannot come back by the provider", async () => {
  const service = await serve({}, { isAudited: true });
  await provider.logIn({ sub: "u-41" });
  const { id } = await whoIs(service, (await logIn(service)).session);
  await disableMember(service.db, { id: String(id), now: service.clock.now });
  const { answer, session } = await logIn(service);
  expect([answer.status, session]).toEqual([403, ""]);
  expect(await answer.json()).toMatchObject({ code: "account_disabled" });
  const refused = { event: "account.login_failed", account: id, login: "provider" };
  expect(await takeActs(service)).toContainEqual(expect.objectContaining(refused));
});

describe("OIDC_REQUIRE", () => {
  const settings = { OIDC_REQUIRE: "groups=staff,email_verified=true" };

  test.each([
    ["a list that contains it", { groups: ["all", "staff"] }],
    ["a text", { groups: "staff" }],
    ["another claim", { groups: ["guests"], email_verified: true }],
  ])("lets in with %s", async (_, claims) => {
    await provider.logIn({ sub: "u-2", ...claims });
    expect((await logIn(await serve(settings))).session).not.toBe("");
  });

  test.each([
    ["none of the claims", {}],
    ["another group", { groups: ["staff-guests"] }],
    ["an object", { groups: { staff: true } }],
    ["lists in lists", { groups: [["staff"]] }],
  ])("refuses with %s, and names the rule", async (_, claims) => {
    const service = await serve(settings);
    await provider.logIn({ sub: "u-3", ...claims });
    const { answer, session } = await logIn(service);
    expect([answer.status, session]).toEqual([403, ""]);
    const body = (await answer.json()) as { error: string };
    expect(body).toMatchObject({ code: "oidc_refused" });
    expect(body.error).toContain("it needs groups=staff or email_verified=true");
    expect(await service.db.query.selectFrom("member").selectAll().execute()).toEqual([]);
    expect(service.lines.join()).toContain("oidc_refused");
    expect(service.lines.join()).not.toContain("u-3");
  });

  const INSIDE = {
    OIDC_REQUIRE: 'realm_access.roles=staff,resource_access.my.client.roles=it,memberOf="cn=staff,ou=x"',
  };

  test.each([
    ["a list inside of another claim", { realm_access: { roles: ["staff"] } }],
    ["names with points inside of another claim", { resource_access: { "my.client": { roles: "it" } } }],
    ["a claim whose own name has points", { "realm_access.roles": ["staff"] }],
    ["a name of LDAP", { memberOf: ["cn=all,ou=x", "cn=staff,ou=x"] }],
  ])("lets in with %s", async (_, claims) => {
    await provider.logIn({ sub: "u-5", ...claims });
    expect((await logIn(await serve(INSIDE))).session).not.toBe("");
  });

  test.each([
    ["the object itself", { realm_access: { staff: true }, roles: ["staff"] }],
    ["a list in which there are objects", { realm_access: [{ roles: ["staff"] }] }],
    ["a part of a name", { memberOf: "cn=staff" }],
  ])("refuses with %s", async (_, claims) => {
    await provider.logIn({ sub: "u-6", ...claims });
    expect((await logIn(await serve(INSIDE))).session).toBe("");
  });

  test("refuses a member whose claims no longer hold at the next login, and writes down whom", async () => {
    const service = await serve(settings, { isAudited: true });
    await provider.logIn({ sub: "u-4", groups: ["staff"] });
    const { status, session } = await logIn(service);
    expect(status).toBe(302);
    const { id: account } = await whoIs(service, session);
    await takeActs(service);
    await provider.logIn({ sub: "u-4", groups: [] });
    expect((await logIn(service)).status).toBe(403);
    expect(await takeActs(service)).toMatchObject([
      { event: "session.ended", account, login: null },
      { event: "account.login_failed", account, login: "provider" },
    ]);
  });
});

describe("what comes back and was not sent away so", () => {
  async function attack(change: (url: URL, cookie: string) => { search: string; cookie: string }) {
    const service = await serve();
    await provider.logIn({ sub: "u-5" });
    const { cookie, to } = await begin(service);
    const url = await provider.follow(to);
    return comeBack(service, change(url, cookie));
  }
  const changed = (url: URL, name: string, value: string | undefined) => {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    return url.search;
  };

  test.each([
    [
      "another state",
      (url: URL, cookie: string) => ({ search: changed(url, "state", "x".repeat(43)), cookie }),
    ],
    ["no state", (url: URL, cookie: string) => ({ search: changed(url, "state", undefined), cookie })],
    [
      "another code",
      (url: URL, cookie: string) => ({ search: changed(url, "code", "x".repeat(43)), cookie }),
    ],
    [
      "another issuer",
      (url: URL, cookie: string) => ({ search: changed(url, "iss", "https://evil.example"), cookie }),
    ],
    // RFC 9207: who says that it names itself in what comes back has to do so.
    ["no issuer", (url: URL, cookie: string) => ({ search: changed(url, "iss", undefined), cookie })],
    ["two states", (url: URL, cookie: string) => ({ search: `${url.search}&state=x`, cookie })],
    ["two codes", (url: URL, cookie: string) => ({ search: `${url.search}&code=x`, cookie })],
    ["no cookie", (url: URL) => ({ search: url.search, cookie: "" })],
    [
      "a cookie that was changed",
      (url: URL, cookie: string) => ({ search: url.search, cookie: cookie.slice(0, -4) + "AAAA" }),
    ],
    ["two cookies", (url: URL, cookie: string) => ({ search: url.search, cookie: `${cookie}; ${cookie}` })],
    ["an error of the provider", (_: URL, cookie: string) => ({ search: "?error=access_denied", cookie })],
    ["nothing", (_: URL, cookie: string) => ({ search: "", cookie })],
  ])("is refused with %s", async (_, change) => {
    const { answer, session } = await attack(change);
    expect([answer.status, session]).toEqual([400, ""]);
    expect(await answer.json()).toMatchObject({ code: "oidc_failed" });
  });

  test("is refused in another browser's flow: state, nonce and code belong together", async () => {
    const service = await serve();
    await provider.logIn({ sub: "u-6" });
    const [mine, other] = [await begin(service), await begin(service)];
    const { search } = await provider.follow(other.to);
    expect((await comeBack(service, { search, cookie: mine.cookie })).status).toBe(400);
  });

  test("is refused a second time", async () => {
    const service = await serve();
    await provider.logIn({ sub: "u-7" });
    const { cookie, to } = await begin(service);
    const { search } = await provider.follow(to);
    expect((await comeBack(service, { search, cookie })).status).toBe(302);
    expect((await comeBack(service, { search, cookie })).status).toBe(400);
  });

  test("is refused after ten minutes", async () => {
    const service = await serve();
    await provider.logIn({ sub: "u-8" });
    const { cookie, to } = await begin(service);
    const { search } = await provider.follow(to);
    service.clock.now += 600;
    expect((await comeBack(service, { search, cookie })).status).toBe(400);
  });

  test("is told to a person in their language, with the way back", async () => {
    const service = await serve();
    const headers = { accept: "text/html", "accept-language": "de" };
    const answer = await service.request(`${CALLBACK}?code=a`, { headers });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toContain("Sie sind nicht angemeldet");
    expect(html).toContain('href="/account"');
  });
});

test.each(["//evil.example", "/\\evil.example", "https://evil.example", "/a?b=c", "javascript:alert(1)", ""])(
  "leads to a page of this instance alone, not to %j",
  async (next) => {
    const service = await serve();
    await provider.logIn({ sub: "u-9" });
    const { to } = await logIn(service, { path: `/api/account/oidc?next=${encodeURIComponent(next)}` });
    expect(to).toBe("/account");
  },
);

describe("an account that was made by hand", () => {
  test("is tied by its owner, who sees whose account it is, and then entered both ways", async () => {
    const service = await serve();
    const member = await register(service);
    await provider.logIn({ sub: "u-10", preferred_username: "some<b>ody" });
    const { html, action, pending } = await beginTie(service, member);
    expect(html).toContain("some&#60;b&#62;ody");
    expect(html).toContain(member.name);
    expect(await whoIs(service, member.cookie)).toMatchObject({ hasIdentity: false });
    const yes = await sayYes(service, { action, cookie: `${pending}; ${member.cookie}` });
    expect([yes.status, yes.to]).toEqual([302, "/account"]);
    const { session } = await logIn(service);
    expect(await whoIs(service, session)).toMatchObject({
      ...{ id: member.id, hasPassword: true, hasIdentity: true },
    });
  });

  test("is not tied from another site, by a token, without a session, or after it has ended", async () => {
    const service = await serve();
    const member = await register(service);
    const { token } = await makeToken(service, { cookie: member.cookie });
    const begin = (headers: Record<string, string>) =>
      call(service, "/api/users/me/identities", { json: {}, headers });
    expect((await begin({ cookie: member.cookie, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await begin({ authorization: `Bearer ${token}` })).body).toMatchObject({
      code: "session_required",
    });
    expect((await begin({})).status).toBe(401);
    await provider.logIn({ sub: "u-11" });
    const { action, pending } = await beginTie(service, member);
    const cookie = `${pending}; ${member.cookie}`;
    expect((await sayYes(service, { action, cookie, site: "cross-site" })).status).toBe(403);
    const other = await register(service);
    expect((await sayYes(service, { action, cookie: `${pending}; ${other.cookie}` })).status).toBe(401);
    expect((await sayYes(service, { action, cookie: member.cookie })).status).toBe(400);
    await call(service, "/api/account/logout", { json: {}, headers: { cookie: member.cookie } });
    expect((await begin({ cookie: member.cookie })).status).toBe(401);
  });

  test("is not tied in a session that another one has taken the place of", async () => {
    const service = await serve();
    const member = await register(service);
    await provider.logIn({ sub: "u-21" });
    const headers = { cookie: member.cookie };
    const begun = await call(service, "/api/users/me/identities", { json: {}, headers });
    const { search } = await provider.follow(String(begun.body.url));
    const other = await register(service);
    const back = await comeBack(service, { search, cookie: `${begun.cookie}; ${other.cookie}` });
    expect(back.status).toBe(401);
  });

  test("takes a yes once", async () => {
    const service = await serve();
    const member = await register(service);
    await provider.logIn({ sub: "u-22" });
    const { action, pending } = await beginTie(service, member);
    const yes = () => sayYes(service, { action, cookie: `${pending}; ${member.cookie}` });
    expect([(await yes()).status, (await yes()).status]).toEqual([302, 400]);
  });

  test("asks for the password later than ten minutes after the login", async () => {
    const service = await serve();
    const member = await register(service);
    service.clock.now += 601;
    const headers = { cookie: member.cookie };
    const begin = (json: object) => call(service, "/api/users/me/identities", { json, headers });
    expect((await begin({})).body).toMatchObject({ code: "missing_parameter", parameter: "password" });
    expect((await begin({ password: "another one" })).body).toMatchObject({ code: "password_wrong" });
    const begun = await begin({ password: member.password });
    expect(begun.status).toBe(200);
    // A proof is a proof for whatever comes next.
    headers.cookie = begun.cookie ?? "";
    expect((await begin({})).status).toBe(200);
  });

  test("is tied after the proof that it begins with, and after another one that comes between", async () => {
    const service = await serve();
    const member = await register(service);
    await provider.logIn({ sub: "u-24" });
    service.clock.now += 601;
    const send = (path: string, cookie: string, json: object) =>
      call(service, path, { json, headers: { cookie }, ip: freshIp() });
    const { password } = member;
    const begun = await send("/api/users/me/identities", member.cookie, { password });
    const [session = "", flow = ""] = begun.headers.getSetCookie().map((set) => set.split(";")[0] ?? "");
    expect([session, flow]).toEqual([
      expect.stringContaining("service_user_session="),
      expect.stringContaining("service_oidc_"),
    ]);
    const { search } = await provider.follow(String(begun.body.url));
    const change = { password, newPassword: "another password" };
    const { cookie = "" } = await send("/api/users/me/password", session, change);
    service.clock.now += 60;
    const back = await comeBack(service, { search, cookie: `${flow}; ${cookie}` });
    const pending = (back.answer.headers.getSetCookie().at(-1) ?? "").split(";")[0] ?? "";
    const action = /action="([^"]+)"/.exec(await back.answer.text())?.[1] ?? "";
    expect((await sayYes(service, { action, cookie: `${pending}; ${cookie}` })).status).toBe(302);
    expect(await whoIs(service, cookie)).toMatchObject({ hasIdentity: true });
  });

  test("is tied by the yes of a session that has proved itself meanwhile", async () => {
    const service = await serve();
    const member = await register(service);
    await provider.logIn({ sub: "u-25" });
    const { action, pending } = await beginTie(service, member);
    const json = { password: member.password, newPassword: "another password" };
    const headers = { cookie: member.cookie };
    const { cookie = "" } = await call(service, "/api/users/me/password", { json, headers, ip: freshIp() });
    service.clock.now += 60;
    expect((await sayYes(service, { action, cookie: `${pending}; ${cookie}` })).status).toBe(302);
    expect(await whoIs(service, cookie)).toMatchObject({ hasIdentity: true });
  });

  test("needs both factors where this instance wants two: a password alone ties nothing", async () => {
    const service = await serve({ REQUIRE_SECOND_FACTOR: "members" });
    const member = await register(service);
    const headers = { cookie: member.cookie };
    const { body } = await call(service, "/api/users/me/totp", { json: {}, headers });
    const secret = String(body.secret);
    const code = () => ({ code: codeAt(secret, service.clock.now) });
    const confirmed = await call(service, "/api/users/me/totp/confirm", { json: code(), headers });
    headers.cookie = confirmed.cookie ?? "";
    service.clock.now += 1200;
    const begin = (json: object) => call(service, "/api/users/me/identities", { json, headers });
    expect((await begin({ password: member.password })).body).toMatchObject({
      ...{ code: "second_factor_required", parameter: "code" },
    });
    expect((await begin({ ...code(), password: member.password })).status).toBe(200);
  });

  test("cannot take the identity of another member", async () => {
    const service = await serve();
    await provider.logIn({ sub: "u-12" });
    await logIn(service);
    const { answer } = await tieIdentity(service, await register(service));
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      409,
      "identity_taken",
    ]);
  });

  test("lists and deletes what opens it, and keeps the last", async () => {
    const service = await serve();
    const member = await register(service);
    await provider.logIn({ sub: "u-23", email: "ann@acme.example" });
    await tieIdentity(service, member);
    const list = async (cookie: string) => {
      const answer = await service.request("/api/users/me/identities", { headers: { cookie } });
      return (await answer.json()) as { id: string; provider: string; name: string }[];
    };
    const [identity] = await list(member.cookie);
    expect(identity).toMatchObject({
      ...{ provider: "ACME", name: "ann@acme.example" },
      ...{ created: expect.any(String), lastUsed: expect.any(String) },
    });
    const remove = (id: string, cookie: string) =>
      call(service, `/api/users/me/identities/${id}`, { method: "DELETE", json: {}, headers: { cookie } });
    expect((await remove("unknown", member.cookie)).status).toBe(404);
    expect((await remove(identity!.id, member.cookie)).body).toEqual({ id: identity!.id, deleted: true });
    expect(await list(member.cookie)).toEqual([]);
    const { session } = await logIn(service);
    const [only] = await list(session);
    expect((await remove(only!.id, session)).body).toMatchObject({ status: 409, code: "last_way_in" });
  });

  test.each(["on", "off"])("with a passkey, keeps the last of both; passwords are %s", async (PASSWORDS) => {
    const service = await serve({ PASSWORDS });
    await provider.logIn({ sub: `u-passkey-${PASSWORDS}` });
    const { session: cookie } = await logIn(service);
    const { id: member } = (await whoIs(service, cookie)) as { id: string };
    const ids = ["Key", "Other"].map((name) => `${name}-${PASSWORDS}`);
    const passkey = { member, name: "Key", publicKey: new Uint8Array(1), counter: 0, transports: [] };
    for (const id of ids)
      await insertPasskey(service.db, { ...passkey, id, createdAt: service.clock.now, ceiling: 9 });
    const [identity] = (await call(service, "/api/users/me/identities", { headers: { cookie } }))
      .body as unknown as { id: string }[];
    const remove = (path: string) =>
      call(service, `/api/users/me/${path}`, { method: "DELETE", json: {}, headers: { cookie } });
    expect((await remove(`identities/${identity!.id}`)).status).toBe(200);
    // One of a provider that no longer is the server's opens nothing.
    const former = { issuer: "https://former.example", subject: `ann-${PASSWORDS}`, name: "ann" };
    await tieInDatabase(service.db, { ...former, member, now: service.clock.now });
    const answers = await Promise.all(ids.map((id) => remove(`passkeys/${id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: "last_way_in" });
    expect(await listPasskeys(service.db, member)).toHaveLength(1);
  });
});

describe("two windows of one browser", () => {
  test("log in each by its own flow, and a refused one leaves the other alone", async () => {
    const service = await serve();
    await provider.logIn({ sub: "u-24" });
    const [one, two] = [await begin(service), await begin(service)];
    const cookie = `${one.cookie}; ${two.cookie}`;
    const forged = await comeBack(service, { search: "?code=a&state=b", cookie });
    expect([forged.status, forged.answer.headers.getSetCookie()]).toEqual([400, []]);
    for (const { to } of [two, one]) {
      const { search } = await provider.follow(to);
      expect((await comeBack(service, { search, cookie })).status).toBe(302);
    }
  });
});

test("a login ends the session that the browser had", async () => {
  const service = await serve();
  const member = await register(service);
  await provider.logIn({ sub: "u-25" });
  const { cookie, to } = await begin(service, { headers: { cookie: member.cookie } });
  const { search } = await provider.follow(to);
  expect((await comeBack(service, { search, cookie: `${cookie}; ${member.cookie}` })).status).toBe(302);
  expect((await call(service, "/api/users/me", { headers: { cookie: member.cookie } })).status).toBe(401);
});

test("a login that a page of another site begins is refused", async () => {
  const service = await serve();
  for (const site of ["cross-site", "same-site"]) {
    const { status, answer } = await begin(service, { headers: { "sec-fetch-site": site } });
    expect([status, answer.headers.getSetCookie()]).toEqual([403, []]);
  }
  for (const site of ["same-origin", "none"])
    expect((await begin(service, { headers: { "sec-fetch-site": site } })).status).toBe(302);
});

test("a fresh login is asked for", async () => {
  const service = await serve();
  await provider.logIn({ sub: "u-26" });
  const { to, cookie } = await begin(service, { path: "/api/account/oidc?fresh" });
  expect(Object.fromEntries(new URL(to).searchParams)).toMatchObject({ prompt: "login", max_age: "0" });
  const { search } = await provider.follow(to);
  expect((await comeBack(service, { search, cookie })).status).toBe(302);
});

describe("with PASSWORDS=off and rules", () => {
  const settings = { PASSWORDS: "off", OIDC_REQUIRE: "groups=staff", OIDC_ADMIN: "groups=admins" };
  const claims = { sub: "u-30", groups: ["staff", "admins"] };

  async function staff(others: Record<string, string> = {}) {
    const service = await serve({ ...settings, ...others });
    await provider.logIn(claims);
    const { session } = await logIn(service);
    const { token } = await makeToken(service, { cookie: session });
    const opens = async () => [
      (await call(service, "/api/users/me", { headers: { cookie: session } })).status,
      (await call(service, "/api/users/me/secrets", { headers: { authorization: `Bearer ${token}` } }))
        .status,
    ];
    return { service, session, opens };
  }

  test("whom the provider refuses loses session, token and role, until it confirms them again", async () => {
    const { service, session, opens } = await staff();
    expect([await opens(), (await whoIs(service, session)).isAdmin]).toEqual([[200, 200], true]);
    await provider.logIn({ ...claims, groups: ["guests"] });
    expect((await logIn(service)).status).toBe(403);
    expect(await opens()).toEqual([401, 401]);
    const { role } = await service.db.query.selectFrom("member").select("role").executeTakeFirstOrThrow();
    expect(role).toBeNull();
    await provider.logIn(claims);
    expect((await logIn(service)).status).toBe(302);
    expect(await opens()).toEqual([401, 200]);
  });

  test("a passkey of whom the provider refuses opens nothing, which the audit log tells", async () => {
    const service = await serve(settings, { isAudited: true });
    await provider.logIn({ ...claims, sub: "u-31" });
    const { session: cookie } = await logIn(service);
    const id = (await whoIs(service, cookie)).id;
    const browser = { origin: ORIGIN, rpId: new URL(ORIGIN).hostname, isVerified: true };
    const [key, headers] = [new Authenticator(), { cookie }];
    const send = (path: string, json: object) => call(service, path, { json, headers, ip: freshIp() });
    const asked = (await send("/api/users/me/passkeys/options", {})).body;
    const response = key.create(asked as unknown as Parameters<typeof key.create>[0], browser);
    expect((await send("/api/users/me/passkeys", { name: "Key", response })).status).toBe(201);
    await provider.logIn({ sub: "u-31", groups: ["guests"] });
    expect((await logIn(service)).status).toBe(403);
    await takeActs(service);
    const options = await call(service, "/api/account/passkey/options", { json: {} });
    const signed = key.get(options.body as unknown as { challenge: string }, browser);
    const refused = await call(service, "/api/account/passkey", { json: { response: signed } });
    expect(refused.body).toMatchObject({ status: 403, code: "oidc_refused" });
    expect(await takeActs(service)).toMatchObject([
      { event: "account.login_failed", account: id, login: "passkey" },
    ]);
  });

  test("what the provider has not confirmed for OIDC_MAX_AGE opens nothing", async () => {
    const { service, opens } = await staff();
    service.clock.now += 604_799;
    // The session has been idle for too long by then, which is another rule.
    expect((await opens())[1]).toBe(200);
    service.clock.now += 1;
    expect(await opens()).toEqual([401, 401]);
    await logIn(service);
    expect((await opens())[1]).toBe(200);
  });

  test("hooks of whom the provider has refused are told nothing, until it confirms them again", async () => {
    const receiver = await startReceiver();
    const hosts = { NOTIFY_HOSTS: new URL(receiver.url).host };
    const { service, session: cookie } = await staff(hosts);
    const { faults } = await callHooks(service, hosts);
    const json = { url: receiver.url, events: ["secret.revoked"] };
    expect((await call(service, "/api/users/me/hooks", { json, headers: { cookie } })).status).toBe(201);
    const told = async () => {
      const headers = { cookie, "sec-fetch-site": "same-origin" };
      const { body } = await call(service, "/api/secrets", { json: { content: "canary" }, headers });
      const { id, revokeToken } = body as { id: string; revokeToken: string };
      return { id, revoke: () => call(service, `/api/secrets/${id}/revoke`, { json: { revokeToken } }) };
    };
    const [first, second] = [await told(), await told()];
    await provider.logIn({ ...claims, groups: ["guests"] });
    await logIn(service);
    await first.revoke();
    await until(async () => (await waiting(service)) === 0, service);
    await provider.logIn(claims);
    await logIn(service);
    await second.revoke();
    await until(async () => receiver.received.length > 1 && (await waiting(service)) === 0, service);
    expect(receiver.received.map(({ data }) => data.id).slice(1)).toEqual([second.id]);
    expect(faults).toEqual([]);
  });

  test("a stream that was open when the provider refused its member ends", async () => {
    const { service, session } = await staff();
    const { id: memberId, name: memberName } = (await whoIs(service, session)) as Record<
      "id" | "name",
      string
    >;
    const { id } = await service.db.query.selectFrom("token").select("id").executeTakeFirstOrThrow();
    const caller = { tier: "member", via: "token", memberId, memberName, credentialId: id } as const;
    expect(await isStillValid(caller, service.services)).toBe(true);
    await provider.logIn({ ...claims, groups: ["guests"] });
    await logIn(service);
    expect(await isStillValid(caller, service.services)).toBe(false);
  });
});

test.each([
  ["off", 200],
  ["on", 403],
])(
  "with PASSWORDS=%s, a login by the provider beside an administrator's password: %i",
  async (PASSWORDS, status) => {
    const service = await serve({ PASSWORDS });
    await provider.logIn({ sub: `u-reset-${PASSWORDS}` });
    const { session: cookie } = await logIn(service);
    const password_until = service.clock.now + 86_400;
    await service.db.query.updateTable("member").set({ password: "$other$", password_until }).execute();
    expect(await whoIs(service, cookie)).toMatchObject({ mustChoosePassword: status === 403 });
    expect((await call(service, "/api/users/me/secrets", { headers: { cookie } })).status).toBe(status);
  },
);

test("a member without a password sets one, or deletes the account, soon after a login", async () => {
  const service = await serve();
  await provider.logIn({ sub: "u-13", preferred_username: "late" });
  const { session: cookie } = await logIn(service);
  const json = { newPassword: "correct horse" };
  service.clock.now += 601;
  const late = await call(service, "/api/users/me/password", { json, headers: { cookie } });
  expect([late.status, late.body.code]).toEqual([401, "login_required"]);
  const { session: fresh } = await logIn(service);
  const made = await call(service, "/api/users/me/password", { json, headers: { cookie: fresh } });
  expect([made.status, made.body]).toEqual([
    200,
    { changed: true, recoveryCode: expect.stringMatching(/^[A-Z2-7]{26}$/) },
  ]);
  const login = await call(service, "/api/account/login", {
    json: { name: "late", password: "correct horse" },
  });
  expect(login.status).toBe(200);
});

test("nobody logs in with the empty password of an account without one", async () => {
  const service = await serve();
  await provider.logIn({ sub: "u-14", preferred_username: "empty" });
  await logIn(service);
  for (const password of ["", " ", "empty"]) {
    const answer = await call(service, "/api/account/login", { json: { name: "empty", password } });
    expect(answer.status).toBe(401);
  }
});

test("logging out says where to log out of the provider too", async () => {
  const service = await serve();
  await provider.logIn({ sub: "u-15" });
  const { session: cookie } = await logIn(service);
  const { body } = await call(service, "/api/account/logout", { json: {}, headers: { cookie } });
  expect(body.ended).toBe(true);
  expect(String(body.providerLogout)).toContain(`${provider.issuer}/session/end?`);
  const member = await register(service);
  const plain = await call(service, "/api/account/logout", { json: {}, headers: { cookie: member.cookie } });
  expect(plain.body).toEqual({ ended: true, providerLogout: null });
});

test("PASSWORDS=off leaves the organization's login alone", async () => {
  const service = await serve({ PASSWORDS: "off" });
  const json = { name: "somebody", password: "correct horse" };
  for (const path of ["/api/account/login", "/api/account/register"]) {
    expect((await call(service, path, { json })).body).toMatchObject({ status: 403, code: "passwords_off" });
  }
  expect((await call(service, "/api/instance")).body).toMatchObject({ login: ["oidc"] });
  await provider.logIn({ sub: "u-16" });
  expect((await logIn(service)).status).toBe(302);
});

test("a provider that is not there is 503, and found once it is", async () => {
  const gone = await startProvider(`${ORIGIN}${CALLBACK}`);
  await gone.stop();
  const service = await serve({ OIDC_ISSUER: gone.issuer });
  const { status, answer } = await begin(service);
  expect([status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
  expect(service.lines.join()).toContain('"requestId":"oidc"');
  const back = await startProvider(`${ORIGIN}${CALLBACK}`, Number(new URL(gone.issuer).port));
  try {
    expect((await begin(service)).status).toBe(302);
  } finally {
    await back.stop();
  }
});

test("asks a provider for its endpoints once, when somebody first logs in", async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    const places = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
    const endpoints = { ...places, jwks_uri: `${issuer}/jwks` };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ issuer, ...endpoints }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const service = await serve({ OIDC_ISSUER: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  expect(asked).toBe(0);
  const begun = await Promise.all([begin(service), begin(service), begin(service)]);
  await begin(service);
  expect([begun.map(({ status }) => status), asked]).toEqual([[302, 302, 302], 1]);
});

test("logs in below a base path", async () => {
  const base = "http://hushkit.test/hush";
  const other = await startProvider(`${base}${CALLBACK}`);
  try {
    const service = await startForTest({
      publicUrl: base,
      settings: { OIDC_ISSUER: other.issuer, ...CLIENT },
    });
    await other.logIn({ sub: "u-17" });
    const { cookie, to, answer } = await begin(service, { path: "/hush/api/account/oidc?next=/ask" });
    expect(answer.headers.getSetCookie()[0]).toContain("Path=/hush/api/account/oidc;");
    const url = await other.follow(to);
    expect(url.pathname).toBe(`/hush${CALLBACK}`);
    const back = await service.request(url.pathname + url.search, { headers: { cookie } });
    expect([back.status, back.headers.get("location")]).toEqual([302, "/hush/ask"]);
  } finally {
    await other.stop();
  }
});

test("logins are limited by address, and HEAD begins none", async () => {
  const service = await serve();
  const ip = freshIp();
  for (let i = 0; i < 20; i++) expect((await service.request("/api/account/oidc", { ip })).status).toBe(302);
  expect((await service.request("/api/account/oidc", { ip })).status).toBe(429);
  const head = await service.request("/api/account/oidc", { method: "HEAD" });
  expect([head.status, head.headers.get("location")]).toEqual([200, null]);
});

test("without an issuer there is no such login", async () => {
  const plain = await startForTest();
  expect((await plain.request("/api/account/oidc")).status).toBe(404);
  expect((await call(plain, "/api/instance")).body).toMatchObject({ login: ["password"], oidc: null });
});
