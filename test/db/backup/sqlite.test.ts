import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import SqliteFile from "better-sqlite3";
import { expect, test } from "vitest";
import { openBackups } from "../../../db/backup/open.ts";
import { recordEvents } from "../../../db/outbox/triggers.ts";
import { MIGRATIONS } from "../../../db/upgrade/migrations.ts";
import { openDatabase, formatUnopened } from "../../../db/open.ts";
import { claimSecret, findSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { doubtClock } from "../../../db/sweep/sweep-clock.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { bytes, newSecret } from "../support/fixtures.ts";

const STEPS = Object.keys(MIGRATIONS);

const RIGHT = { verifier: bytes(1), passVerifier: null, now: 1_500 };
const AT = { now: 1_600 };
const RESTORE = { ...AT, secrets: "keep" } as const;

/** A folder with a database of one secret, its backup, and one more secret that the backup has not. */
async function makePlace() {
  const folder = makeTempFolder();
  const [path, file] = [join(folder, "service.db"), join(folder, "backup.db")];
  const backups = openBackups(path, async () => undefined);
  const [old, later] = [newSecret(), newSecret()];
  const db = await openDatabase(path);
  await insertSecret(db, old);
  expect(await backups.backUp(file, AT)).toEqual({ accounts: 0, unread: 1 });
  await insertSecret(db, later);
  return { folder, path, file, backups, db, old, later };
}

function digest(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Every file of a folder with its digest, but for the index of the log, in which readers leave marks. */
function readFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => !name.endsWith("-shm"));
  return Object.fromEntries(names.map((name) => [name, digest(readFileSync(join(folder, name)))]));
}

test("a backup of a database that writes events down is restored as one that writes none", async () => {
  const { backups, folder, path, db } = await makePlace();
  await recordEvents(db, ["webhook"]);
  await insertSecret(db, newSecret());
  const file = join(folder, "with-events.db");
  await backups.backUp(file, AT);
  await db.close();
  await backups.restore(file, { ...RESTORE, secrets: "revoke" });
  const restored = await openDatabase(path);
  await insertSecret(restored, newSecret());
  expect(await restored.query.selectFrom("outbox").selectAll().execute()).toEqual([]);
  await restored.close();
});

test("a backup is one file for its owner alone, and goes on without its database", async () => {
  const { file, db, folder } = await makePlace();
  await db.close();
  expect(readdirSync(folder).sort()).toEqual(["backup.db", "service.db"]);
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("restoring brings back what the backup holds, and keeps the old database beside", async () => {
  const { backups, file, path, db, old, later } = await makePlace();
  await db.close();
  const { aside = "", ...counts } = await backups.restore(file, RESTORE);
  expect(counts).toEqual({ accounts: 0, unread: 1 });
  expect(aside).toMatch(/service\.db\.before-restore-\d{8}T\d{9}Z$/);
  for (const [place, has] of [
    [path, [old]],
    [aside, [old, later]],
  ] as const) {
    const opened = await openDatabase(place);
    for (const { id } of [old, later])
      expect(Boolean(await claimSecret(opened, { id, ...RIGHT }))).toBe(has.some((each) => each.id === id));
    await opened.close();
  }
});

test("restoring where nothing was makes the folder", async () => {
  const { folder, file, db, old } = await makePlace();
  await db.close();
  const path = join(folder, "new", "service.db");
  const restored = await openBackups(path, async () => undefined).restore(file, {
    ...AT,
    secrets: "revoke",
  });
  expect(restored).toEqual({ accounts: 0, unread: 0, aside: undefined });
  const opened = await openDatabase(path);
  expect(await findSecret(opened, old.id, 1_650)).toMatchObject({ status: "revoked" });
  await opened.close();
});

test("a database that cannot be opened is moved aside, and its log is not taken for that of the new one", async () => {
  const { folder, path, file, db, backups } = await makePlace();
  await db.close();
  writeFileSync(path, "This was a database. ".repeat(500));
  writeFileSync(`${path}-wal`, "its log");
  const { aside = "" } = await backups.restore(file, RESTORE);
  expect(readFileSync(aside, "utf8")).toContain("This was a database.");
  expect(existsSync(`${path}-wal`)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  expect((await backups.check(AT)).filter(({ isWrong }) => isWrong)).toEqual([]);
});

test("a copy that was made with its log is taken with it", async () => {
  const { folder, path, db, later, backups } = await makePlace();
  const file = join(folder, "snapshot.db");
  for (const suffix of ["", "-wal"]) copyFileSync(path + suffix, file + suffix);
  await db.close();
  await backups.restore(file, RESTORE);
  const opened = await openDatabase(path);
  expect(await claimSecret(opened, { id: later.id, ...RIGHT })).toBeDefined();
  await opened.close();
});

test("a database that was put back in another way is restored from itself", async () => {
  const { path, db, old, later, backups } = await makePlace();
  await db.close();
  expect(await backups.restore(path, { ...AT, secrets: "revoke" })).toMatchObject({ unread: 0 });
  const opened = await openDatabase(path);
  for (const { id } of [old, later])
    expect(await findSecret(opened, id, 1_650)).toMatchObject({ status: "revoked" });
  await opened.close();
});

test("a link to a database is kept, and leads to the restored one", async () => {
  const { folder, path, file, db, old } = await makePlace();
  await db.close();
  const link = join(folder, "link.db");
  symlinkSync("service.db", link);
  await openBackups(link, async () => undefined).restore(file, RESTORE);
  expect(readlinkSync(link)).toBe("service.db");
  const opened = await openDatabase(path);
  expect(await claimSecret(opened, { id: old.id, ...RIGHT })).toBeDefined();
  await opened.close();
});

const UNSOUND: Record<string, readonly [(file: string) => void, RegExp]> = {
  "is missing": [() => {}, /no such file/],
  "is a folder": [(file) => mkdirSync(file), /not a file/],
  "is a text": [
    (file) => writeFileSync(file, "no database ".repeat(1_000)),
    /not a whole backup of Hushkit on SQLite/,
  ],
  "is empty": [(file) => writeFileSync(file, ""), /not a whole backup/],
  "is cut off": [(file) => truncateSync(copied(file), 100_000), /not a whole backup/],
  "lacks its last byte": [
    (file) => truncateSync(copied(file), statSync(file).size - 1),
    /not a whole backup/,
  ],
  "has a damaged page": [(file) => damage(copied(file)), /not a whole backup/],
  "has tables of another program": [(file) => change(file, "create table note (a)"), /not a whole backup/],
  "has migrations of another program": [
    (file) => change(file, "create table kysely_migration (name); insert into kysely_migration values ('1')"),
    /not a whole backup/,
  ],
  "has tables of no release": [
    (file) => change(copied(file), "alter table secret drop column label"),
    /cannot be restored: .* \(secret has no column label\)/,
  ],
  "is of a newer version": [
    (file) => change(copied(file), "insert into kysely_migration values ('0999-later', '')"),
    /newer version .*0999-later/,
  ],
};

function copied(file: string): string {
  copyFileSync(join(file, "../backup.db"), file);
  return file;
}

function damage(file: string): void {
  const opened = openSync(file, "r+");
  writeSync(opened, new Uint8Array(8_192).fill(0xff), 0, 8_192, 40_960);
  closeSync(opened);
}

function change(file: string, statements: string): void {
  const opened = new SqliteFile(file);
  opened.exec(statements);
  opened.close();
}

test.each(Object.entries(UNSOUND))(
  "a file that %s is refused, and nothing changes",
  async (_, [make, why]) => {
    const { folder, db, backups } = await makePlace();
    await db.close();
    const file = join(folder, "unsound.db");
    make(file);
    if (existsSync(file) && statSync(file).isDirectory()) {
      await expect(backups.restore(file, RESTORE)).rejects.toThrow(why);
      return;
    }
    const before = readFolder(folder);
    await expect(backups.restore(file, RESTORE)).rejects.toThrow(why);
    expect(readFolder(folder)).toEqual(before);
  },
);

test.each([
  ["another program", "drop table kysely_migration; create table note (a)", /of another program/],
  ["nobody", undefined, /it is a folder/],
])("what is of %s is not replaced", async (_, statements, why) => {
  const { folder, db, file } = await makePlace();
  await db.close();
  const path = join(folder, "other.db");
  if (statements === undefined) mkdirSync(path);
  else change(copied(path), statements);
  const before = statements === undefined ? readdirSync(folder) : readFolder(folder);
  const other = openBackups(path, async () => undefined);
  const told = await other.restore(file, RESTORE).then(String, formatUnopened);
  expect(told).toMatch(why);
  expect(statements === undefined ? readdirSync(folder) : readFolder(folder)).toEqual(before);
});

test("tables that no release has made are told by a check, and not backed up", async () => {
  const { folder, path, db, backups } = await makePlace();
  await db.close();
  change(path, "alter table secret add column scope text");
  const [schema] = (await backups.check(AT)).filter(({ isWrong }) => isWrong);
  expect(schema).toMatchObject({ what: "schema", found: `${STEPS.length}, and secret has a column scope` });
  const told = await backups.backUp(join(folder, "other.db"), AT).then(String, formatUnopened);
  expect(told).toContain("its tables are not those of any release (secret has a column scope)");
  expect(readdirSync(folder).sort()).toEqual(["backup.db", "service.db"]);
});

test("a database that is open is not replaced", async () => {
  const { folder, db, file, backups, later } = await makePlace();
  const before = readFolder(folder);
  await expect(backups.restore(file, RESTORE)).rejects.toThrow(/in use/);
  expect(readFolder(folder)).toEqual(before);
  expect(await claimSecret(db, { id: later.id, ...RIGHT })).toBeDefined();
  await db.close();
});

test("a backup overwrites nothing, and leaves nothing where it cannot be", async () => {
  const { folder, db, file, backups } = await makePlace();
  const before = readFolder(folder);
  const beside = join(folder, "none", "b.db");
  await expect(backups.backUp(file, AT)).rejects.toThrow(`${file}: The file exists already`);
  await expect(backups.backUp(beside, AT)).rejects.toThrow(`${beside}: There is no such file or folder`);
  await expect(backups.restore(beside, RESTORE)).rejects.toThrow(
    `${beside}: There is no such file or folder`,
  );
  expect(readFolder(folder)).toEqual(before);
  await db.close();
  const none = openBackups(join(folder, "none.db"), async () => undefined);
  await expect(none.backUp(join(folder, "b.db"), AT)).rejects.toThrow(
    `There is no database at ${join(folder, "none.db")}; DATABASE_URL names the one to work on.`,
  );
  expect(readdirSync(folder).sort()).toEqual(["backup.db", "service.db"]);
});

test("a clock that sweeps doubt is told, and confirmed where that is asked for", async () => {
  const { db, backups } = await makePlace();
  await doubtClock(db, { at: 1_590, ahead: 7_200 });
  const clock = async (confirm: boolean) =>
    (await backups.check({ ...AT, confirm })).find(({ what }) => what === "clock");
  const found = "jumped 7200 s forward by 1970-01-01T00:26:30.000Z, is 1970-01-01T00:26:40.000Z now: ";
  const waiting = `${found}nothing expires until it is confirmed`;
  expect(await clock(false)).toEqual({ what: "clock", found: waiting, isWrong: true });
  expect(await clock(true)).toEqual({ what: "clock", found: `${found}confirmed`, isWrong: false });
  expect(await clock(false)).toEqual({ what: "clock", found: "ok", isWrong: false });
  await db.close();
});

test("what is looked at is told beside a server, and what is wrong", async () => {
  const { db, backups, path } = await makePlace();
  const wrong = async (now = 1_600) => {
    const findings = await backups.check({ now });
    return findings.filter(({ isWrong }) => isWrong).map(({ what }) => what);
  };
  expect((await backups.check(AT)).map(({ what }) => what)).toEqual([
    ...["integrity", "schema", "stored bytes", "clock", "free space"],
  ]);
  expect(await wrong()).toEqual([]);
  expect(await wrong(900)).toEqual(["clock"]);
  await db.query.updateTable("secret_content").set({ size: 1 }).execute();
  expect(await wrong()).toEqual(["stored bytes"]);
  await db.close();
  change(path, `delete from kysely_migration where name = '${STEPS.at(-1)}'`);
  expect(await wrong()).toEqual(["schema"]);
  truncateSync(path, statSync(path).size - 1);
  expect(await wrong()).toContain("integrity");
  writeFileSync(path, "no database ".repeat(1_000));
  expect(await wrong().catch(String)).toContain("damaged");
});
