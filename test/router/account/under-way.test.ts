// What a call has begun ends with the session that it came with, and a login with what it proved.
import { expect, test, vi } from "vitest";
import { setRole } from "../../../db/accounts/administered.ts";
import { findMember } from "../../../db/accounts/members.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { call, makeToken, register, type Registered } from "../../support/members.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer({ publicUrl: "https://hush.example", settings: { MEMBER_HOOKS: "1" } });
const CHANGED = "another password";

/** A call whose body arrives only when `meanwhile` has happened; the server knows the caller by then. */
async function whileItSends(
  { path, cookie, json, method = "POST" }: { path: string; cookie: string; json: object; method?: string },
  meanwhile: () => Promise<unknown>,
) {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: free, resolve: send } = Promise.withResolvers<void>();
  const body = new ReadableStream(
    {
      async pull(controller) {
        ask();
        await free;
        controller.enqueue(new TextEncoder().encode(JSON.stringify(json)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { cookie, "content-type": "application/json" };
  const sent = { method, headers, body, duplex: "half", ip: freshIp() } as RequestInit;
  const answer = service.request(path, sent);
  await asked;
  await meanwhile();
  send();
  const response = await answer;
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function changePassword({ cookie, password }: Registered) {
  const json = { password, newPassword: CHANGED, revokeTokens: true };
  return call(service, "/api/users/me/password", { json, headers: { cookie }, ip: freshIp() });
}

/** A second session of the same member. */
async function logIn({ name, password }: Pick<Registered, "name" | "password">): Promise<string> {
  const login = await call(service, "/api/account/login", { json: { name, password }, ip: freshIp() });
  expect(login.status).toBe(200);
  return login.cookie ?? "";
}

test.each<[string, string, object]>([
  ["API token", "/api/users/me/tokens", { name: "stays" }],
  ["API token without an end", "/api/users/me/tokens", { name: "stays", expires: null }],
  ["authenticator app", "/api/users/me/totp", {}],
])("a session that ends while its call arrives makes no %s", async (_, path, json) => {
  const member = await register(service);
  const cookie = await logIn(member);
  const answer = await whileItSends({ path, cookie, json }, async () => {
    expect((await changePassword(member)).status).toBe(200);
  });
  expect(answer).toMatchObject({ status: 401, body: { code: "login_required" } });
  const found = await findMember(service.db, { id: member.id });
  expect(found?.totpKey).toBeNull();
  const own = await call(service, "/api/users/me/tokens", {
    headers: { cookie: await logIn({ ...member, password: CHANGED }) },
  });
  expect(own.body.tokens).toEqual([]);
});

test("an administrator who loses the role while a call arrives resets and adds nobody", async () => {
  for (const made of ["reset", "add"]) {
    const [admin, other] = [await register(service), await register(service)];
    await setRole(service.db, admin.id, "admin");
    const path = made === "add" ? "/api/admin/members" : `/api/admin/members/${other.id}/reset`;
    const json = made === "add" ? { name: "added-by-former" } : {};
    const answer = await whileItSends({ path, cookie: admin.cookie, json }, () =>
      setRole(service.db, admin.id, null),
    );
    expect(answer).toMatchObject({ status: 401, body: { code: "login_required" } });
    await logIn(other);
  }
  expect(await findMember(service.db, { name: "added-by-former" })).toBeUndefined();
});

test("a call goes on after a proof of another call has changed the session's value", async () => {
  const member = await register(service);
  const { cookie } = member;
  const path = "/api/users/me/tokens";
  const answer = await whileItSends({ path, cookie, json: { name: "laptop" } }, () => changePassword(member));
  expect(answer.status).toBe(201);
  expect((await makeToken(service, { cookie })).token).toMatch(/^service_token_/);
});

test.each<[string, (member: Registered) => Promise<unknown>]>([
  ["is changed", changePassword],
  [
    "is recovered",
    ({ name, recoveryCode }) =>
      call(service, "/api/account/recover", {
        json: { name, recoveryCode, password: CHANGED },
        ip: freshIp(),
      }),
  ],
])("a login begins no session where the password %s while it is checked", async (_, change) => {
  const member = await register(service);
  const { name, password } = member;
  const { passwords } = service.services;
  const check = passwords.check.bind(passwords);
  const checked = vi.spyOn(passwords, "check").mockImplementationOnce(async (...of) => {
    const right = await check(...of);
    await change(member);
    return right;
  });
  const login = await call(service, "/api/account/login", { json: { name, password }, ip: freshIp() });
  checked.mockRestore();
  expect(login).toMatchObject({ status: 401, body: { code: "invalid_credentials" }, cookie: undefined });
  await logIn({ name, password: CHANGED });
});
