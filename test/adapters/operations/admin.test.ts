import { expect, test } from "vitest";
import { createAdmin } from "../../../adapters/operations/admin/admin.ts";
import type { Backups } from "../../../db/backup/backups.ts";
import { openBackups } from "../../../db/backup/open.ts";
import { findMember } from "../../../db/accounts/members.ts";
import { AdminError } from "../../../router/administration.ts";
import { call, register } from "../../support/members.ts";
import { withServer } from "../../support/with-server.ts";

const service = withServer();

function admin(
  events: string[] = [],
  findLoginFault?: () => Promise<string | undefined>,
  backups = openBackups(":memory:", async () => undefined),
) {
  const { db, now, passwords, instance } = service.services;
  return createAdmin({
    openDb: async () => db,
    backups,
    findKeyFault: async () => undefined,
    keyPlace: "INSTANCE_KEY",
    rotateKey: async () => ({ rows: [] }),
    moveTo: async () => [],
    ...{ now, passwords, instance },
    findLoginFault,
    onSecurityEvent: (event) => void events.push(event),
    tellAct: async () => {},
  });
}

const login = (name: string, password: unknown) =>
  call(service, "/api/account/login", { json: { name, password } });

test("adds a member who can log in and recover with what is shown", async () => {
  const events: string[] = [];
  const { rows } = await admin(events).addUser({ name: "alice" });
  expect(events).toEqual(["account_added"]);
  const shown = new Map(rows);
  expect([...shown.keys()]).toEqual(["name", "password", "recovery code"]);
  expect(shown.get("password")).toMatch(/^[0-9A-Za-z]{22}$/);
  expect((await login("alice", shown.get("password"))).status).toBe(200);
  const json = { name: "alice", recoveryCode: shown.get("recovery code"), password: "another password" };
  expect((await call(service, "/api/account/recover", { json })).status).toBe(200);
});

test("takes a password and does not show it", async () => {
  const { rows } = await admin().addUser({ name: "bob", password: "correct horse" });
  expect(rows.map(([name]) => name)).toEqual(["name", "recovery code"]);
  expect((await login("bob", "correct horse")).status).toBe(200);
});

test("resets a member's password and ends all sessions", async () => {
  const { name, password, cookie } = await register(service);
  const events: string[] = [];
  const { rows } = await admin(events).resetUser({ name, keep: [] });
  expect(events).toEqual(["account_reset"]);
  expect((await call(service, "/api/users/me", { headers: { cookie } })).status).toBe(401);
  expect((await login(name, password)).status).toBe(401);
  expect((await login(name, new Map(rows).get("password"))).status).toBe(200);
});

test.each([
  ["revoke", 410],
  ["keep", 200],
] as const)("deletes a member; of the secrets it does what it is told: %s", async (secrets, status) => {
  const { name, cookie } = await register(service);
  const made = await call(service, "/api/secrets", { json: { content: "x" }, headers: { cookie } });
  const events: string[] = [];
  expect(await admin(events).deleteUser({ name, secrets })).toEqual({ rows: [["deleted", name]] });
  expect(events).toEqual(["account_deleted"]);
  expect(await findMember(service.db, { name })).toBeUndefined();
  const { id, key } = made.body;
  expect((await call(service, `/api/secrets/${String(id)}/reveal`, { json: { key } })).status).toBe(status);
});

test("lists members by name with the time they were made, and the id that the audit log has", async () => {
  await admin().addUser({ name: "aaron" });
  const { rows } = await admin().listUsers();
  const { id } = (await findMember(service.db, { name: "aaron" }))!;
  expect(rows[0]).toEqual(["aaron", `${new Date(service.clock.now * 1000).toISOString()}\t${id}`]);
});

test("refuses in a sentence what cannot be done, and tells nobody that it was", async () => {
  const events: string[] = [];
  const { addUser, resetUser, deleteUser } = admin(events);
  await addUser({ name: "taken" });
  const cases = [
    [() => addUser({ name: "Alice" }), "A name is"],
    [() => addUser({ name: "taken" }), "is taken"],
    [() => addUser({ name: "fine", password: "short" }), "10 to 256"],
    [() => addUser({ name: "fine-name-1", password: "Fine-Name-1" }), "must not be the name of the account"],
    [() => addUser({ name: "fine", password: "qwertyuiop" }), "must not be one that many people choose"],
    [() => resetUser({ name: "nobody", keep: [] }), "no member"],
    [() => deleteUser({ name: "nobody", secrets: "keep" }), "no member"],
  ] as const;
  for (const [work, reason] of cases) {
    const refused = await work().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AdminError);
    expect(refused).toMatchObject({ message: expect.stringContaining(reason) });
  }
  expect(events).toEqual(["account_added"]);
});

test("looks whether people could log in by the provider, where there is one", async () => {
  const backups: Backups = {
    ...openBackups(":memory:", async () => undefined),
    check: async () => [{ what: "schema", found: "ok", isWrong: false }],
  };
  const check = (findLoginFault?: () => Promise<string | undefined>) =>
    admin([], findLoginFault, backups).check({ confirm: false });
  const own = [
    ["schema", "ok"],
    ["key", "ok"],
  ];
  expect(await check()).toEqual({ rows: own, isWrong: false });
  expect(await check(async () => undefined)).toEqual({ rows: [...own, ["login", "ok"]], isWrong: false });
  const fault = "The login by ACME cannot be used: its metadata has no jwks_uri";
  expect(await check(async () => fault)).toEqual({ rows: [...own, ["login", fault]], isWrong: true });
});
