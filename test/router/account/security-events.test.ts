import { afterAll, beforeAll, expect, test } from "vitest";
import { startHarness, type Harness } from "../../support/harness.ts";
import { call, makeToken, register } from "../../support/members.ts";

let service: Harness;
beforeAll(async () => void (service = await startHarness()));
afterAll(() => service.close());

/** The security events that `work` leaves in the log, each with all of its line. */
async function eventsOf(work: () => Promise<unknown>) {
  const from = service.lines.length;
  await work();
  const lines = service.lines.slice(from).map((line) => JSON.parse(line));
  return lines.filter((line) => line.kind === "security");
}

const TIME = expect.stringMatching(/^2027-/);
const login = (json: { name: string; password: string }) =>
  call(service, "/api/account/login", { json, ip: "192.0.2.1" });

test("a failed login is one line without name and password", async () => {
  const { name } = await register(service);
  const events = await eventsOf(() => login({ name, password: "canary password" }));
  expect(events).toEqual([{ time: TIME, event: "login_failed", kind: "security" }]);
});

test("a good login is none, and neither is one that was not understood", async () => {
  const { name, password } = await register(service);
  expect(await eventsOf(() => login({ name, password }))).toEqual([]);
  expect(await eventsOf(() => call(service, "/api/account/login", { json: { nam: name } }))).toEqual([]);
});

test("a lock-out is a line for each try that meets it", async () => {
  const { name } = await register(service);
  const tries = async () => {
    for (let i = 0; i < 7; i++) await login({ name, password: "canary password" });
  };
  const events = (await eventsOf(tries)).map(({ event }) => event);
  expect(events).toEqual([...Array(5).fill("login_failed"), ...Array(2).fill("login_locked")]);
});

test("a revoked token that is used again is a line, a typing error is none", async () => {
  const { cookie } = await register(service);
  const { id, token } = await makeToken(service, { cookie });
  const use = (text: string) =>
    call(service, "/api/users/me", { headers: { authorization: `Bearer ${text}` }, ip: "192.0.2.2" });
  expect(await eventsOf(() => use(token))).toEqual([]);
  await call(service, `/api/users/me/tokens/${id}`, { method: "DELETE", headers: { cookie } });
  const refused = { time: TIME, event: "token_refused", kind: "security" };
  expect(await eventsOf(() => use(token))).toEqual([refused]);
  expect(await eventsOf(() => use(`${token.slice(0, -1)}-`))).toEqual([]);
  const many = async () => {
    for (let i = 0; i < 40; i++) await use(token);
  };
  expect(await eventsOf(many)).toHaveLength(28);
});

test("a wrong recovery code, a revoked token and a deleted account are a line each", async () => {
  const { name, password, cookie } = await register(service);
  const json = { name, recoveryCode: "canary", password: "another password" };
  const headers = { cookie };
  const { id } = await makeToken(service, { cookie });
  const events = await eventsOf(async () => {
    await call(service, "/api/account/recover", { json });
    await call(service, `/api/users/me/tokens/${id}`, { method: "DELETE", headers });
    await call(service, "/api/users/me", {
      method: "DELETE",
      json: { password: "canary password", secrets: "keep" },
      headers,
    });
    await call(service, "/api/users/me", { method: "DELETE", json: { password, secrets: "keep" }, headers });
  });
  const names = events.map(({ event }) => event);
  expect(names).toEqual(["recovery_failed", "token_revoked", "password_wrong", "account_deleted"]);
});

test.each([
  ["an app", { path: "/api/users/me/totp" }],
  ["a passkey", { path: "/api/users/me/passkeys/options" }],
  ["the end of a passkey", { path: "/api/users/me/passkeys/x", method: "DELETE" }],
  ["a token that never expires", { path: "/api/users/me/tokens", json: { name: "ci", expires: null } }],
])("a wrong password within a session is a line, whatever it was for: %s", async (_, step) => {
  const { cookie } = await register(service);
  service.clock.now += 601;
  const { path, json, method = "POST" } = { json: {}, method: "POST", ...step };
  const given = { ...json, password: "canary password" };
  const events = await eventsOf(() => call(service, path, { method, json: given, headers: { cookie } }));
  expect(events.map(({ event }) => event)).toEqual(["password_wrong"]);
});
