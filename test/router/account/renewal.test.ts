// A proof within a session gives it another value (OWASP ASVS 5.0.0, 7.2.4).
import { describe, expect, test } from "vitest";
import { Authenticator } from "../../support/authenticator.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import type { Harness } from "../../support/harness.ts";
import { call, register, type Registered } from "../../support/members.ts";
import { codeAt } from "../../support/totp.ts";
import { startForTest, withServer } from "../../support/with-server.ts";

const service = withServer({ publicUrl: "https://hush.example" });
const BROWSER = { origin: "https://hush.example", rpId: "hush.example", isVerified: true };
const CHANGED = "another password";
const OPTIONS = "/api/users/me/passkeys/options";
const APP = "/api/users/me/totp";

/** So long the value from before a proof counts. */
const FORMER_SECONDS = 30;

interface Sent {
  readonly method?: string;
  readonly on?: Harness;
}

function send(cookie: string, path: string, json: object = {}, { method = "POST", on = service }: Sent = {}) {
  return call(on, path, { json, method, headers: { cookie }, ip: freshIp() });
}

async function me(cookie: string, on = service) {
  return call(on, "/api/users/me", { headers: { cookie } });
}

async function confirmApp(cookie: string, on = service) {
  const { body } = await send(cookie, APP, {}, { on });
  const code = () => codeAt(String(body.secret), on.clock.now);
  return { confirmed: await send(cookie, `${APP}/confirm`, { code: code() }, { on }), code };
}

async function addPasskey({ cookie }: { cookie: string }) {
  const { body } = await send(cookie, OPTIONS);
  const response = new Authenticator().create(body as never, BROWSER);
  return send(cookie, "/api/users/me/passkeys", { name: "Key", response });
}

async function endAppByCode({ cookie }: Registered) {
  const { confirmed, code } = await confirmApp(cookie);
  service.clock.now += 60;
  return send(confirmed.cookie ?? "", APP, { code: code() }, { method: "DELETE" });
}

describe("the cookie has another value after", () => {
  test.each<[string, (member: Registered) => Promise<Awaited<ReturnType<typeof call>>>]>([
    [
      "a new password",
      ({ cookie, password }) => send(cookie, "/api/users/me/password", { password, newPassword: CHANGED }),
    ],
    ["the confirmation of an app", async ({ cookie }) => (await confirmApp(cookie)).confirmed],
    ["the end of an app by its code", endAppByCode],
    ["a new passkey", addPasskey],
  ])("%s, and the one of before is soon good for nothing", async (_, prove) => {
    const member = await register(service);
    const { status, cookie = "", headers } = await prove(member);
    expect([200, 201]).toContain(status);
    expect(cookie).toMatch(/^__Host-service_user_session=[0-9A-Za-z]{43}$/);
    expect(cookie).not.toBe(member.cookie);
    expect(headers.get("set-cookie")).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
    service.clock.now += FORMER_SECONDS;
    expect(await me(member.cookie)).toMatchObject({ status: 401, body: { code: "login_required" } });
    expect((await me(cookie)).status).toBe(200);
  });

  test("a password that is asked for again, also where the call then fails", async () => {
    const { cookie, password } = await register(service);
    service.clock.now += 601;
    const path = "/api/users/me/passkeys/AAAA";
    const unproven = await send(cookie, path, {}, { method: "DELETE" });
    expect(unproven).toMatchObject({ status: 400, cookie: undefined });
    const failed = await send(cookie, path, { password }, { method: "DELETE" });
    expect(failed).toMatchObject({ status: 404, cookie: expect.stringContaining("__Host-") });
    service.clock.now += FORMER_SECONDS;
    expect((await me(cookie)).status).toBe(401);
    expect((await send(failed.cookie ?? "", OPTIONS)).status).toBe(200);
  });

  test("a proof in a batch of calls", async () => {
    const { cookie, password } = await register(service);
    service.clock.now += 601;
    const response = await service.request("/trpc/account.beginTotp,account.beginPasskey?batch=1", {
      method: "POST",
      headers: { cookie, "content-type": "application/json", "trpc-accept": "application/jsonl" },
      body: JSON.stringify({ 0: { password }, 1: { password } }),
    });
    expect(response.status).toBe(200);
    const [renewed = "", ...more] = response.headers.getSetCookie();
    expect(more).toEqual([]);
    service.clock.now += FORMER_SECONDS;
    expect((await me(cookie)).status).toBe(401);
    expect((await me(renewed.split(";")[0] ?? "")).status).toBe(200);
  });
});

test("the session stays the same: its handle, its end and how long its cookie is kept", async () => {
  const { cookie, password } = await register(service);
  const list = async (by: string) =>
    (await call(service, "/api/users/me/sessions", { headers: { cookie: by } })).body.sessions;
  const [before] = (await list(cookie)) as { id: string; expiry: string }[];
  service.clock.now += 3600;
  const changed = await send(cookie, "/api/users/me/password", { password, newPassword: CHANGED });
  expect(changed.headers.get("set-cookie")).toContain(`Max-Age=${30 * 86_400 - 3600};`);
  expect(await list(changed.cookie ?? "")).toMatchObject([{ id: before?.id, isCurrent: true }]);
});

describe("the value from before a proof", () => {
  test("goes on for half a minute, without what was proved", async () => {
    const { cookie, password } = await register(service);
    service.clock.now += 601;
    const renewed = (await send(cookie, OPTIONS, { password })).cookie ?? "";
    service.clock.now += FORMER_SECONDS - 1;
    expect((await me(cookie)).status).toBe(200);
    expect((await send(renewed, OPTIONS)).status).toBe(200);
    expect((await send(cookie, OPTIONS)).body).toMatchObject({
      ...{ code: "missing_parameter", parameter: "password" },
    });
    service.clock.now += 1;
    expect((await me(cookie)).status).toBe(401);
  });

  test("is not stronger than it was, and not weaker", async () => {
    const strict = await startForTest({
      ...{ publicUrl: BROWSER.origin, settings: { REQUIRE_SECOND_FACTOR: "members" } },
    });
    const { cookie, password } = await register(strict);
    const secrets = (by: string) => call(strict, "/api/users/me/secrets", { headers: { cookie: by } });
    const { confirmed, code } = await confirmApp(cookie, strict);
    const strong = confirmed.cookie ?? "";
    expect((await secrets(cookie)).body).toMatchObject({ code: "second_factor_required" });
    expect((await secrets(strong)).status).toBe(200);
    strict.clock.now += 601;
    const proof = { password, code: code() };
    const renewed = await send(strong, "/api/users/me/passkeys/x", proof, { method: "DELETE", on: strict });
    expect(renewed.cookie).not.toBe(strong);
    for (const value of [strong, renewed.cookie ?? ""]) expect((await secrets(value)).status).toBe(200);
  });

  test("renews nothing by another proof, and ends with the session", async () => {
    const { cookie, password } = await register(service);
    service.clock.now += 601;
    const renewed = (await send(cookie, OPTIONS, { password })).cookie ?? "";
    expect(await send(cookie, OPTIONS, { password })).toMatchObject({ status: 200, cookie: undefined });
    expect((await me(renewed)).status).toBe(200);
    await send(renewed, "/api/account/logout");
    for (const value of [cookie, renewed]) expect((await me(value)).status).toBe(401);
  });
});

test("of proofs at the same time each counts for its call, one for the session, and nobody is locked out", async () => {
  const { cookie, password } = await register(service);
  service.clock.now += 601;
  const all = await Promise.all(Array.from({ length: 4 }, () => send(cookie, OPTIONS, { password })));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const renewed = all.flatMap(({ cookie: set }) => (set === undefined ? [] : [set]));
  expect(renewed).toHaveLength(1);
  service.clock.now += FORMER_SECONDS;
  expect((await send(renewed[0] ?? "", OPTIONS)).status).toBe(200);
  expect((await me(cookie)).status).toBe(401);
});

test("nothing of a session lasts longer because the clock was a day ahead", async () => {
  const on = await startForTest({ publicUrl: "https://hush.example" });
  const DAY = 86_400;
  const member = await register(on);
  on.clock.now += DAY;
  const json = { password: member.password, newPassword: CHANGED };
  const { cookie = "" } = await send(member.cookie, "/api/users/me/password", json, { on });
  on.clock.now -= DAY;
  expect((await me(member.cookie, on)).status).toBe(401);
  expect((await send(cookie, APP, {}, { on })).body).toMatchObject({ code: "missing_parameter" });
  expect((await send(cookie, APP, { password: CHANGED }, { on })).status).toBe(200);
  const [row] = await on.db.query.selectFrom("session").select("last_used_at").execute();
  expect(row?.last_used_at).toBe(on.clock.now);
});
