// process
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import "../support/cheap-passwords.ts";
import { administer } from "../../server/administration.ts";
import { startReceiver, SECRET } from "../adapters/operations/support/receiver.ts";
import { readConfig } from "../../adapters/config/config.ts";
import { openService } from "../../server/open.ts";
import { describeShared } from "../db/support/harness.ts";
import { runtimesHere } from "../machine/skips.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { startForTest } from "./support/with-process.ts";

/** A device that is always full (full(4)). */
const FULL_DISK = "/dev/full";
const MANY = { MEMBER_SECRETS_PER_MINUTE: "10000" };

async function open(env: Record<string, string>) {
  const written: string[] = [];
  const folder = makeTempFolder();
  const settings = {
    PUBLIC_URL: "http://hush.test",
    DATABASE_URL: join(folder, "hush.db"),
    WORKERS: "1",
    ...env,
  };
  const service = await openService(readConfig(settings), {
    buildPages: false,
    write: (line) => void written.push(line),
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await service.close();
    isOpen = false;
  };
  onTestFinished(close);
  const call = async (path: string, json: object, headers: Record<string, string> = {}) => {
    const init = { method: "POST", body: JSON.stringify(json) };
    const request = new Request(`http://hush.test${path}`, {
      ...init,
      headers: { "content-type": "application/json", ...headers },
    });
    Object.defineProperty(request, "ip", { value: "192.0.2.77" });
    const response = await service.app.fetch(request);
    const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
    return { cookie, status: response.status, body: (await response.json()) as Record<string, string> };
  };
  /** A member who shares secrets; each call answers the id of one. */
  const sharer = async () => {
    const { cookie } = await call("/api/account/register", { name: "sharer", password: "correct horse" });
    return async () => (await call("/api/secrets", { content: "a" }, { cookie })).body.id ?? "";
  };
  return { service, written, call, sharer, close };
}

type Line = Record<string, string>;

function linesOf(path: string): Line[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

describe("the audit log", () => {
  test("has who did what and how secrets ended, and nothing else of them", async () => {
    const path = join(makeTempFolder(), "audit.log");
    const { call } = await open({ AUDIT_LOG: path });
    const who = { name: "canary-name", password: "canary password" };
    const registered = await call("/api/account/register", who);
    const { cookie } = registered;
    await call("/api/account/login", { ...who, password: "canary wrong" });
    const { body: token } = await call("/api/users/me/tokens", { name: "canary-token" }, { cookie });
    const headers = { authorization: `Bearer ${token.token}` };
    const { body: secret } = await call("/api/secrets", { content: "canary-content" }, headers);
    // Of nobody nothing is written but the end.
    const { body: nobodys } = await call("/api/secrets", { content: "canary-content" });
    await call(`/api/secrets/${secret.id}/reveal`, { key: secret.key });
    await call(`/api/secrets/${nobodys.id}/revoke`, { revokeToken: nobodys.revokeToken });
    await call("/api/tools/password", {}, headers);
    await expect.poll(() => linesOf(path)).toHaveLength(7);
    const account = registered.body.id;
    const address = "192.0.2.0";
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const id = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(linesOf(path)).toEqual(
      expect.arrayContaining([
        { time, id, event: "account.created", account, address },
        { time, id, event: "account.login", account, address, login: "password" },
        { time, id, event: "account.login_failed", account, address, login: "password" },
        { time, id, event: "token.created", account, subject: token.id, address },
        { time, id, event: "secret.created", account, token: token.prefix, subject: secret.id, address },
        { time, id, event: "secret.revealed", account, subject: secret.id },
        { time, id, event: "secret.revoked", account: null, subject: nobodys.id },
      ]),
    );
    expect(readFileSync(path, "utf8")).not.toMatch(/canary|192\.0\.2\.77/);
    for (const { key, revokeToken } of [secret, nobodys]) {
      expect(readFileSync(path, "utf8")).not.toContain(key);
      expect(readFileSync(path, "utf8")).not.toContain(revokeToken);
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("has what an administrator does, too", async () => {
    const folder = makeTempFolder();
    const path = join(folder, "audit.log");
    const env = { DATABASE_URL: join(folder, "hush.db"), AUDIT_LOG: path };
    const added = await administer(env, (admin) =>
      admin.addUser({ name: "canary-name", password: "canary password" }),
    );
    expect(added.exitCode).toBe(0);
    await administer(env, (admin) =>
      admin.resetUser({ name: "canary-name", password: "canary another", keep: [] }),
    );
    await administer(env, (admin) => admin.backUp(join(folder, "backup.db")));
    await administer(env, (admin) => admin.deleteUser({ name: "canary-name", secrets: "keep" }));
    const subject = expect.stringMatching(/^\w{16}$/);
    expect(linesOf(path)).toMatchObject([
      { event: "admin.account_added", account: null, subject },
      { event: "admin.account_reset", account: null, subject },
      { event: "admin.backed_up", account: null },
      { event: "admin.account_deleted", account: null, subject },
    ]);
    expect(readFileSync(path, "utf8")).not.toContain("canary");
  });

  test("has it from the server, where the administrator's program knows of no log", async () => {
    const [folder, path] = [makeTempFolder(), join(makeTempFolder(), "audit.log")];
    const env = { DATABASE_URL: join(folder, "hush.db") };
    await open({ ...env, AUDIT_LOG: path });
    await administer(env, (admin) => admin.addUser({ name: "canary-name", password: "canary password" }));
    await expect.poll(() => linesOf(path)).toMatchObject([{ event: "admin.account_added", account: null }]);
  });

  test("goes on in a new file after the old one was moved away", async () => {
    const path = join(makeTempFolder(), "audit.log");
    const { service, call } = await open({ AUDIT_LOG: path });
    await call("/api/account/register", { name: "first", password: "correct horse" });
    await expect.poll(() => linesOf(path)).toHaveLength(2);
    renameSync(path, `${path}.1`);
    service.reopenAudit?.();
    await call("/api/account/register", { name: "second", password: "correct horse" });
    await expect.poll(() => linesOf(path)).toHaveLength(2);
    expect(linesOf(`${path}.1`)).toHaveLength(2);
  });

  test("goes to standard output beside the log, and is told apart there", async () => {
    const { call, written } = await open({ AUDIT_LOG: "stdout" });
    await call("/api/account/register", { name: "somebody", password: "correct horse" });
    const own = () => written.map((line) => JSON.parse(line) as Line).filter(({ kind }) => kind === "audit");
    await expect.poll(() => own().map(({ event }) => event)).toEqual(["account.created", "account.login"]);
    expect(own()[0]).toMatchObject({ address: "192.0.2.0" });
  });

  test("that cannot be written stops the start with a sentence", async () => {
    await expect(open({ AUDIT_LOG: "/nowhere/audit.log" })).rejects.toThrow(
      "AUDIT_LOG cannot be written (ENOENT).",
    );
  });
});

/** All lines of the files in a folder. */
function linesIn(folder: string): Line[] {
  return readdirSync(folder).flatMap((name) => linesOf(join(folder, name)));
}

/** What was told, each line once: one that came twice has the same id. */
function told(lines: readonly Line[]): (string | undefined)[] {
  return [...new Map(lines.map((line) => [line.id, line])).values()].map(({ subject }) => subject);
}

function point(link: string, to: string): void {
  symlinkSync(to, `${link}.new`);
  renameSync(`${link}.new`, link);
}

describeShared("the audit log of a service on %s", (make) => {
  const place = async () => {
    const database = await make();
    onTestFinished(() => database.drop());
    const folder = makeTempFolder();
    return { url: database.url, folder, path: join(folder, "audit.log"), database };
  };

  test("has what was committed before the server was killed, after the next start", async () => {
    const { url, path, database } = await place();
    point(path, FULL_DISK);
    const [runtime] = runtimesHere();
    const env = { DATABASE_URL: url, AUDIT_LOG: path, WORKERS: "1" };
    const first = await startForTest(runtime!, env);
    const json = { name: "somebody", password: "correct horse" };
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(json) };
    expect((await fetch(`${first.url}/api/account/register`, init)).status).toBe(201);
    await first.kill();
    const db = await database.open();
    const rows = await db.query.selectFrom("outbox").select("id").execute();
    await db.close();
    expect(rows).toHaveLength(2);
    const ids = rows.map(({ id }) => id).sort();
    rmSync(path);
    await startForTest(runtime!, env);
    // What the first one was just trying to write is free again after a while.
    await expect
      .poll(() =>
        linesOf(path)
          .map(({ id }) => id)
          .sort(),
      )
      .toEqual(ids);
  });

  test("waits for a disk that is full, and loses nothing", async () => {
    const { url, path, folder } = await place();
    point(path, FULL_DISK);
    const { sharer, written, service } = await open({ DATABASE_URL: url, AUDIT_LOG: path, ...MANY });
    const share = await sharer();
    const shared = [];
    for (let count = 0; count < 20; count++) shared.push(await share());
    const faults = () => written.filter((line) => line.includes("ENOSPC"));
    await expect.poll(() => faults().length).toBeGreaterThan(0);
    expect(await service.metrics.text()).toContain('hushkit_outbox_waiting{sink="audit"} 22');
    const file = join(folder, "real.log");
    point(path, file);
    await expect.poll(() => linesOf(file)).toHaveLength(22);
    const subjects = linesOf(file).map(({ subject }) => subject);
    expect(subjects.slice(2)).toEqual(shared);
    await expect.poll(service.metrics.text).toContain('hushkit_outbox_waiting{sink="audit"} 0');
  });

  test("does not wait for a receiver of webhooks that hangs", async () => {
    const { url, path } = await place();
    const receiver = await startReceiver(() => "hang");
    const hooks = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: SECRET };
    const { sharer, service } = await open({ DATABASE_URL: url, AUDIT_LOG: path, ...MANY, ...hooks });
    const share = await sharer();
    await expect.poll(receiver.count).toBeGreaterThan(0);
    // More than are called at once.
    const shared = await Promise.all(Array.from({ length: 40 }, share));
    await expect.poll(() => linesOf(path)).toHaveLength(42);
    expect(told(linesOf(path))).toEqual(expect.arrayContaining(shared));
    expect(await service.metrics.text()).toMatch(/outbox_waiting\{sink="webhook"\} 42/);
    // Its calls are over, so that the service need not wait for them to end.
    receiver.end();
  });

  test("loses nothing while its file is moved away and removed, with SIGHUP and without", async () => {
    const { url, path, folder } = await place();
    const { sharer, service, close } = await open({ DATABASE_URL: url, AUDIT_LOG: path, ...MANY });
    const share = await sharer();
    const shared: string[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const some = Promise.all(Array.from({ length: 10 }, share));
      await expect.poll(() => existsSync(path)).toBe(true);
      renameSync(path, `${path}.${turn}`);
      if (turn % 2 === 0) service.reopenAudit?.();
      shared.push(...(await some));
    }
    await close();
    expect(
      told(linesIn(folder))
        .filter((subject) => subject !== undefined)
        .sort(),
    ).toEqual(shared.sort());
    // Twice is allowed where an instance was in between; here none was.
    expect(linesIn(folder)).toHaveLength(shared.length + 2);
  });

  test("goes on in a new file after the old one was removed", async () => {
    const { url, path } = await place();
    const { sharer } = await open({ DATABASE_URL: url, AUDIT_LOG: path, ...MANY });
    const share = await sharer();
    await expect.poll(() => linesOf(path)).toHaveLength(2);
    rmSync(path);
    const shared = await share();
    // Beside it what was being written when the file went: nobody knows whether that was read.
    await expect.poll(() => told(linesOf(path))).toContain(shared);
  });

  test("of two instances has each line once, in the file of one of them", async () => {
    const { url, folder } = await place();
    const env = (name: string) => ({ DATABASE_URL: url, AUDIT_LOG: join(folder, name), ...MANY });
    const [one, two] = [await open(env("one.log")), await open(env("two.log"))];
    const share = await one.sharer();
    const login = { name: "sharer", password: "correct horse" };
    const { cookie } = await two.call("/api/account/login", login);
    const shareThere = async () =>
      (await two.call("/api/secrets", { content: "a" }, { cookie })).body.id ?? "";
    const shared = await Promise.all(
      Array.from({ length: 60 }, (_, at) => (at % 2 ? share() : shareThere())),
    );
    await Promise.all([one.close(), two.close()]);
    const lines = linesIn(folder);
    expect(lines).toHaveLength(shared.length + 3);
    expect(told(lines)).toEqual(expect.arrayContaining(shared));
  });
});

test("half a line that a full disk has left stays alone", async () => {
  const path = join(makeTempFolder(), "audit.log");
  writeFileSync(path, '{"time":"2026-11-2');
  const { sharer, close } = await open({ AUDIT_LOG: path });
  await sharer();
  await close();
  const [half, ...whole] = readFileSync(path, "utf8").split("\n").filter(Boolean);
  expect(half).toBe('{"time":"2026-11-2');
  expect(whole.map((line) => (JSON.parse(line) as Line).event)).toEqual(["account.created", "account.login"]);
});
