import { hostname } from "node:os";
import { existsSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { ORIGIN } from "../support/harness.ts";
import { call, register } from "../support/members.ts";
import { codeAt } from "../support/totp.ts";
import { withServer } from "../support/with-server.ts";
import { openShell } from "./support/terminal.ts";

const service = withServer();
const NO_URL = { HUSHKIT_URL: "" };
const CONFIG = "hushkit/config.json";

test("logs in and keeps an API token named after this machine, and nothing else", async () => {
  const shell = openShell(service);
  const { id, name, password } = await register(service);
  const login = await shell.run(["login", ORIGIN], { answers: [name, password], env: NO_URL });
  expect(login).toMatchObject({ code: 0, out: "", err: "" });
  const config = JSON.parse(shell.read(CONFIG).toString()) as { token: string };
  expect(config).toEqual({ url: ORIGIN, token: expect.stringMatching(/^service_token_[0-9A-Za-z]{38}$/) });
  expect(statSync(shell.path(CONFIG)).mode & 0o777).toBe(0o600);
  const { query } = service.db;
  const tokens = await query.selectFrom("token").selectAll().where("member", "=", id).execute();
  expect(tokens.map((token) => token.name)).toEqual([hostname()]);
  // Only the one that registering began is there: logging in ended its own.
  const sessions = await query.selectFrom("session").selectAll().where("member", "=", id).execute();
  expect(sessions).toHaveLength(1);
  expect(await shell.run(["list", "--json"], { env: NO_URL })).toMatchObject({ code: 0 });
});

test("asks for the code of an authenticator app, or takes it as an option", async () => {
  const shell = openShell(service);
  const { name, password, cookie, recoveryCode } = await register(service);
  const begun = await call(service, "/api/users/me/totp", { json: {}, headers: { cookie } });
  const secret = String(begun.body.secret);
  const code = () => codeAt(secret, service.clock.now);
  await call(service, "/api/users/me/totp/confirm", { json: { code: code() }, headers: { cookie } });
  service.clock.now += 30;
  const asked = await shell.run(["login", ORIGIN], { answers: [name, password, code()], env: NO_URL });
  expect(asked).toMatchObject({ code: 0 });
  service.clock.now += 30;
  const args = ["login", "--name", name, "--password-fd", "3"];
  const without = await shell.run(args, { fd3: password });
  expect(without).toMatchObject({ code: 4, err: expect.stringContaining("--code") });
  expect(await shell.run([...args, "--code", "abcdef"], { fd3: password })).toMatchObject({ code: 4 });
  expect(await shell.run([...args, "--code", code()], { fd3: password })).toMatchObject({ code: 0 });
  service.clock.now += 60;
  // The next recovery code is shown nowhere else, so that a file gets it too.
  const recovered = await shell.run([...args, "--code", recoveryCode], { fd3: password });
  expect(recovered).toMatchObject({
    code: 0,
    err: expect.stringMatching(/keep the next one: [A-Z2-7]{26}\.?\n$/),
  });
});

test("takes name and password without a terminal, and refuses wrong ones", async () => {
  const shell = openShell(service);
  const { name, password } = await register(service);
  const args = ["login", "--name", name, "--password-fd", "3"];
  expect(await shell.run(args, { fd3: "not this one" })).toMatchObject({ code: 4, out: "" });
  expect(await shell.run(["login"], { fd3: password })).toMatchObject({ code: 2 });
  const login = await shell.run([...args, "--json"], { fd3: password });
  expect(JSON.parse(login.out)).toMatchObject({ name: hostname(), prefix: expect.any(String) });
  expect(login.out).not.toMatch(/service_token_\w{38}/);
});

test("forgets the token on logout, and revokes it when asked to", async () => {
  const shell = openShell(service);
  const { name, password } = await register(service);
  const answers = [name, password];
  await shell.run(["login"], { answers });
  const { token } = JSON.parse(shell.read(CONFIG).toString()) as { token: string };
  expect(await shell.run(["logout", "--revoke"], { answers })).toMatchObject({ code: 0 });
  expect(await shell.run(["list"], { env: { HUSHKIT_TOKEN: token } })).toMatchObject({ code: 4 });
  expect(await shell.run(["logout", "--revoke"], { answers })).toMatchObject({ code: 2 });
  expect(await shell.run(["logout"])).toMatchObject({ code: 0 });
});

test("revokes the token that a later login replaces", async () => {
  const shell = openShell(service);
  const { name, password } = await register(service);
  const answers = [name, password];
  const tokenAfterLogin = async () => {
    expect(await shell.run(["login"], { answers })).toMatchObject({ code: 0 });
    return (JSON.parse(shell.read(CONFIG).toString()) as { token: string }).token;
  };
  const first = await tokenAfterLogin();
  const second = await tokenAfterLogin();
  expect(await shell.run(["list"], { env: { HUSHKIT_TOKEN: first } })).toMatchObject({ code: 4 });
  expect(await shell.run(["list"], { env: { HUSHKIT_TOKEN: second } })).toMatchObject({ code: 0 });
});

test("leaves no folder of a login that has failed", async () => {
  const shell = openShell(service);
  const failed = await shell.run(["login"], { answers: ["nobody", "a wrong password"] });
  expect([failed.code, existsSync(shell.path("hushkit"))]).toEqual([4, false]);
});

test("makes no token where it cannot be saved", async () => {
  const shell = openShell(service);
  const { id, name, password } = await register(service);
  // Nobody can make a folder there.
  const env = { XDG_CONFIG_HOME: "/proc/none" };
  const refused = await shell.run(["login"], { answers: [name, password], env });
  expect(refused).toMatchObject({ code: 2, err: "hushkit: /proc/none/hushkit: there is no such folder.\n" });
  const tokens = await service.db.query.selectFrom("token").selectAll().where("member", "=", id).execute();
  expect(tokens).toEqual([]);
});

test("prints a new token also where the session cannot be ended", async () => {
  const { name, password } = await register(service);
  const lost = openShell({
    ...service,
    request: async (path, init) => {
      if (path.includes("account.logout")) throw new TypeError("fetch failed");
      return service.request(path, init);
    },
  });
  const made = await lost.run(["token", "create", "backup"], { answers: [name, password] });
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^service_token_/) });
  expect(made.err).toMatch(/^hushkit: warning: the session of this login could not be ended/);
  const wrong = await lost.run(["token", "revoke", "0".repeat(16)], { answers: [name, password] });
  expect(wrong).toMatchObject({ code: 3, err: expect.stringContaining("hushkit: ") });
});

test("says in JSON whether a logout has revoked the token", async () => {
  const shell = openShell(service);
  const { name, password } = await register(service);
  const answers = [name, password];
  await shell.run(["login"], { answers });
  const revoked = await shell.run(["logout", "--revoke", "--json"], { answers });
  expect(JSON.parse(revoked.out)).toEqual({ url: ORIGIN, revoked: true });
  const again = await shell.run(["logout", "--json"]);
  expect(JSON.parse(again.out)).toEqual({ url: null, revoked: false });
});

test("creates, lists and revokes tokens for whoever knows the password", async () => {
  const shell = openShell(service);
  const { name, password } = await register(service);
  const typed = { fd3: password };
  const who = ["--name", name, "--password-fd", "3"];
  const made = await shell.run(["token", "create", "backup", "-x", "1h", "--json", ...who], typed);
  const { id, token } = JSON.parse(made.out) as { id: string; token: string };
  const env = { HUSHKIT_TOKEN: token };
  expect(await shell.run(["list"], { env })).toMatchObject({ code: 0 });
  const listed = await shell.run(["token", "list", ...who], typed);
  expect(listed.out).toMatch(new RegExp(`^${id}  service_token_\\w{6}  .*  backup$`, "m"));
  expect(await shell.run(["token", "revoke", id, ...who], typed)).toMatchObject({ code: 0 });
  expect(await shell.run(["token", "revoke", id, ...who], typed)).toMatchObject({ code: 3 });
  expect(await shell.run(["list"], { env })).toMatchObject({ code: 4 });
});

test("sends the token of a login to the server that it is for, and to no other", async () => {
  const shell = openShell(service);
  const { name, password } = await register(service);
  await shell.run(["login"], { answers: [name, password] });
  expect(await shell.run(["list"])).toMatchObject({ code: 0 });
  const elsewhere = await shell.run(["list"], { env: { HUSHKIT_URL: `${ORIGIN}/elsewhere` } });
  expect(elsewhere.code).not.toBe(0);
});

test("says which server is missing, and what is wrong with a configuration", async () => {
  const shell = openShell();
  const none = await shell.run(["list"]);
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining("HUSHKIT_URL") });
  const odd = await shell.run(["list"], { env: { HUSHKIT_URL: "https://me:geheim@hush.example" } });
  expect([odd.code, odd.err.includes("geheim")]).toEqual([2, false]);
  shell.put("config.json", "{");
  const broken = await shell.run(["list"], { env: { XDG_CONFIG_HOME: shell.folder } });
  expect(broken.code).toBe(2);
});
