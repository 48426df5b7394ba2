import { expect, test } from "vitest";
import { freshIp } from "../../support/fresh-ip.ts";
import { takeActs } from "../../support/acts.ts";
import { disableMember, enableMember, setRole } from "../../../db/accounts/administered.ts";
import { findMember } from "../../../db/accounts/members.ts";
import { addMember, call, makeToken, register, type Registered } from "../../support/members.ts";
import { shareSecret } from "../../support/requests.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer({ isAudited: true });

/** One who is an administrator, and headers of a session that began just now. */
async function registerAdmin(): Promise<Registered> {
  const admin = await register(service);
  await setRole(service.db, admin.id, "admin");
  return admin;
}

interface Sent {
  readonly method?: string;
  readonly json?: object;
}

async function ask(admin: Pick<Registered, "cookie">, path: string, { json, method }: Sent = {}) {
  service.clock.now += 1;
  return call(service, `/api/admin${path}`, {
    ...(method ? { method } : {}),
    ...(json ? { json } : {}),
    headers: { cookie: admin.cookie },
  });
}

const post = (json: object = {}) => ({ json, method: "POST" });

test("is for administrators alone, and at once no longer for one who was", async () => {
  const admin = await registerAdmin();
  expect(await ask(admin, "/members")).toMatchObject({ status: 200 });
  expect((await call(service, "/api/users/me", { headers: { cookie: admin.cookie } })).body).toMatchObject({
    isAdmin: true,
  });
  const { token } = await makeToken(service, { cookie: admin.cookie });
  const byToken = await call(service, "/api/admin/members", {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([byToken.status, byToken.body.code]).toEqual([403, "session_required"]);
  await setRole(service.db, admin.id, null);
  const after = await ask(admin, "/members");
  expect([after.status, after.body.code]).toEqual([403, "admin_required"]);
  expect(service.lines.join()).toContain("admin_refused");
});

test("of two who disable each other at the same time one is left, and the other is told", async () => {
  for (let round = 0; round < 4; round++) {
    const [one, two] = [await registerAdmin(), await registerAdmin()];
    const answers = await Promise.all([
      ask(one, `/members/${two.id}/disable`, post()),
      ask(two, `/members/${one.id}/disable`, post()),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const refused = answers.find(({ status }) => status === 401);
    expect(refused?.body).toMatchObject({ code: "login_required" });
    const seen = await Promise.all([one, two].map((admin) => ask(admin, "/members")));
    expect(seen.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  }
});

test("the last administrator stays, also of two who delete their accounts at the same time", async () => {
  const on = await startForTest();
  const [one, two] = [await register(on), await register(on)];
  for (const { id } of [one, two]) await setRole(on.db, id, "admin");
  const leave = ({ cookie, password }: Registered) =>
    call(on, "/api/users/me", { method: "DELETE", json: { password, secrets: "keep" }, headers: { cookie } });
  const answers = await Promise.all([leave(one), leave(two)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const [last, gone] = answers[0]?.status === 409 ? [one, two] : [two, one];
  expect(await findMember(on.db, gone)).toBeUndefined();
  const disabled = await register(on);
  await setRole(on.db, disabled.id, "admin");
  await disableMember(on.db, { id: disabled.id, now: on.clock.now });
  expect((await leave(last)).body).toMatchObject({ code: "own_account" });
  await enableMember(on.db, { id: disabled.id });
  expect((await leave(last)).status).toBe(200);
});

test("adds a member who can log in with what is shown once", async () => {
  const admin = await registerAdmin();
  const { status, body } = await ask(admin, "/members", post({ name: "new-one" }));
  expect(status).toBe(201);
  expect(body).toMatchObject({ name: "new-one", password: expect.stringMatching(/^\w{22}$/) });
  const { name, password } = body;
  expect((await call(service, "/api/account/login", { json: { name, password } })).status).toBe(200);
  expect(await ask(admin, "/members", post({ name: "new-one" }))).toMatchObject({
    status: 409,
    body: { code: "name_taken" },
  });
});

const OTHERWISE = {
  ...{ OIDC_ISSUER: "http://127.0.0.1:9", OIDC_CLIENT_ID: "x", OIDC_CLIENT_SECRET: "x" },
  ...{ PASSWORDS: "off" },
};

test.each([
  ["where registration is closed", { registration: "closed" }, 201, undefined],
  ["but not where nobody can log in with a password", { settings: OTHERWISE }, 403, "passwords_off"],
] as const)("adds members also %s", async (_, options, status, code) => {
  const other = await startForTest(options);
  const { id, cookie } = await addMember(other);
  await setRole(other.db, id, "admin");
  const answer = await call(other, "/api/admin/members", { json: { name: "somebody" }, headers: { cookie } });
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test("resets a member, who then has nothing of before but the name", async () => {
  const [admin, ann] = [await registerAdmin(), await register(service)];
  const { status, body } = await ask(admin, `/members/${ann.id}/reset`, post());
  expect([status, body.name]).toEqual([200, ann.name]);
  const me = await call(service, "/api/users/me", { headers: { cookie: ann.cookie } });
  expect(me.status).toBe(401);
  const login = (password: unknown) =>
    call(service, "/api/account/login", {
      json: { name: ann.name, password },
      ip: freshIp(),
    });
  expect((await login(ann.password)).status).toBe(401);
  expect((await login(body.password)).status).toBe(200);
  const json = { name: ann.name, recoveryCode: ann.recoveryCode, password: "yet another one" };
  expect((await call(service, "/api/account/recover", { json })).status).toBe(401);
});

test("disables a member for every way in, and leaves what was handed over", async () => {
  const [admin, ann] = [await registerAdmin(), await register(service)];
  const { token } = await makeToken(service, { cookie: ann.cookie });
  const secret = await shareSecret(service, { content: "of ann", headers: { cookie: ann.cookie } });
  const disabled = await ask(admin, `/members/${ann.id}/disable`, post());
  expect(disabled).toMatchObject({ status: 200, body: { id: ann.id } });
  expect((await call(service, "/api/users/me", { headers: { cookie: ann.cookie } })).status).toBe(401);
  const bearer = { authorization: `Bearer ${token}` };
  expect(await call(service, "/api/tools", { headers: bearer })).toMatchObject({
    status: 401,
    body: { code: "invalid_token" },
  });
  const login = () =>
    call(service, "/api/account/login", { json: { name: ann.name, password: ann.password } });
  expect(await login()).toMatchObject({ status: 403, body: { code: "account_disabled" } });
  const wrong = { name: ann.name, password: "not the right one" };
  expect(await call(service, "/api/account/login", { json: wrong })).toMatchObject({
    status: 401,
    body: { code: "invalid_credentials" },
  });
  const recovery = { name: ann.name, recoveryCode: ann.recoveryCode, password: "yet another one" };
  const recover = () => call(service, "/api/account/recover", { json: recovery });
  expect(await recover()).toMatchObject({ status: 403, body: { code: "account_disabled" } });
  const { id, key } = secret;
  expect(await call(service, `/api/secrets/${id}/reveal`, { json: { key } })).toMatchObject({
    status: 200,
    body: { content: "of ann" },
  });
  const listed = await ask(admin, `/members?name=${ann.name}&disabled=true`);
  expect(listed.body.members).toMatchObject([{ id: ann.id, disabled: disabled.body.disabled }]);

  expect(await ask(admin, `/members/${ann.id}/enable`, post())).toMatchObject({ status: 200 });
  expect((await call(service, "/api/tools", { headers: bearer })).status).toBe(200);
  expect((await login()).status).toBe(200);
  // The code was not used up by the try.
  expect((await recover()).status).toBe(200);
});

test.each([
  ["keep", 200],
  ["revoke", 410],
] as const)("deletes a member, with unread secrets as it is told: %s", async (secrets, status) => {
  const [admin, ann] = [await registerAdmin(), await register(service)];
  const { id, key } = await shareSecret(service, { content: "x", headers: { cookie: ann.cookie } });
  const path = `/members/${ann.id}`;
  expect(await ask(admin, path, { method: "DELETE", json: { secrets } })).toMatchObject({ status: 200 });
  expect((await call(service, `/api/secrets/${id}/reveal`, { json: { key } })).status).toBe(status);
  expect(await ask(admin, path, { method: "DELETE", json: { secrets } })).toMatchObject({
    status: 404,
    body: { code: "not_found" },
  });
});

const CHANGES = [
  ["reset", "POST", "/reset", {}],
  ["disable", "POST", "/disable", {}],
  ["enable", "POST", "/enable", {}],
  ["delete", "DELETE", "", { secrets: "keep" }],
] as const;

test.each(CHANGES)("does not %s the administrator's own account", async (_, method, path, json) => {
  const admin = await registerAdmin();
  const answer = await ask(admin, `/members/${admin.id}${path}`, { method, json });
  expect([answer.status, answer.body.code]).toEqual([409, "own_account"]);
});

test.each(CHANGES)("asks for the password to %s later than ten minutes after a login", async (...change) => {
  const [, method, path, json] = change;
  const [admin, ann] = [await registerAdmin(), await register(service)];
  const at = `/members/${ann.id}${path}`;
  service.clock.now += 601;
  expect(await ask(admin, at, { method, json })).toMatchObject({
    status: 400,
    body: { code: "missing_parameter", parameter: "password" },
  });
  expect(await ask(admin, at, { method, json: { ...json, password: "not mine at all" } })).toMatchObject({
    status: 422,
    body: { code: "password_wrong" },
  });
  expect((await ask(admin, at, { method, json: { ...json, password: admin.password } })).status).toBe(200);
});

test("lists members a page at a time, by parts of names in any case", async () => {
  const admin = await registerAdmin();
  const made = [await register(service), await register(service), await register(service)];
  const seen: unknown[] = [];
  for (let next: unknown = ""; next !== null;) {
    const cursor = next === "" ? "" : `&cursor=${String(next)}`;
    const { body } = await ask(admin, `/members?limit=2&name=MEMBER-${cursor}`);
    seen.push(...(body.members as { name: string }[]).map(({ name }) => name));
    next = body.next;
  }
  for (const { name } of made) expect(seen.filter((each) => each === name)).toEqual([name]);
  for (const query of ["limit=0", "limit=101", "cursor=A%00", "disabled=maybe", `name=${"x".repeat(300)}`]) {
    expect(await ask(admin, `/members?${query}`)).toMatchObject({ status: 400 });
  }
});

test("counts what there is, and never tells what is in it", async () => {
  const admin = await registerAdmin();
  const { body: before } = await ask(admin, "/counters");
  await shareSecret(service, { content: "not to be told" });
  await service.request("/api/tools/file-hash", { method: "POST", body: "x" });
  const { body: after } = await ask(admin, "/counters");
  expect(after).toMatchObject({
    secrets: Number(before.secrets) + 1,
    tools: [{ tool: "file-hash", succeeded: 1, failed: 0 }],
    stored: { maximum: expect.any(Number) },
  });
  expect(JSON.stringify(after)).not.toContain("not to be told");
});

test("writes down who did it, from where, and to whom", async () => {
  const [admin, ann] = [await registerAdmin(), await register(service)];
  await takeActs(service);
  const path = `/members/${ann.id}`;
  await ask(admin, `${path}/disable`, post());
  await ask(admin, `${path}/enable`, post());
  await ask(admin, `${path}/reset`, post());
  await ask(admin, path, { method: "DELETE", json: { secrets: "keep" } });
  const { body } = await ask(admin, "/members", post({ name: "written-down" }));
  const acts = (await takeActs(service)).filter(({ event }) => event.startsWith("admin."));
  const told = ["account_disabled", "account_enabled", "account_reset", "account_deleted", "account_added"];
  expect(acts.map(({ event, account, subject }) => ({ event, account, subject }))).toEqual(
    told.map((event) => ({
      event: `admin.${event}`,
      account: admin.id,
      subject: event === "account_added" ? body.id : ann.id,
    })),
  );
  expect(acts.every(({ address }) => address?.endsWith(".0"))).toBe(true);
});

test("answers the same over RPC, and no page of another site", async () => {
  const admin = await registerAdmin();
  const typed = await call(service, "/trpc/admin.members", { headers: { cookie: admin.cookie } });
  const { data } = typed.body.result as { data: { json: unknown } };
  expect(JSON.stringify(data)).toContain(admin.name);
  const headers = { cookie: admin.cookie, origin: "https://evil.example" };
  expect(await call(service, "/api/admin/members", { headers })).toMatchObject({
    status: 403,
    body: { code: "cross_site" },
  });
});
