// process
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../../adapters/operations/admin/admin.ts";
import { openBackups } from "../../../db/backup/open.ts";
import { openDatabase } from "../../../db/open.ts";
import { findSecret } from "../../../db/secrets/secrets.ts";
import { administer } from "../../../server/administration.ts";
import { testWith } from "../../machine/skips.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { loadFixture } from "../fixtures/read.ts";
import { makePostgres, makeSqlite, type TestDatabase } from "../support/harness.ts";
import { MIGRATIONS } from "../../../db/upgrade/migrations.ts";

/** Backs up a database that is older than this program, which leaves it so, and restores that. */
async function useOlder(kind: "sqlite" | "postgres", make: () => Promise<TestDatabase>): Promise<void> {
  const place = await make();
  const { at, secret } = await loadFixture("0.1.0", { kind, url: place.url });
  const now = at + 60;
  const backups = openBackups(place.url, runProgram);
  const file = join(makeTempFolder(), "backup");
  expect(await backups.backUp(file, { now })).toEqual({ accounts: 1, unread: 2 });
  const [schema] = (await backups.check({ now })).filter(({ what }) => what === "schema");
  expect(schema).toMatchObject({
    found: `1, and this program's is ${Object.keys(MIGRATIONS).length}`,
    isWrong: true,
  });
  expect(await backups.restore(file, { now, secrets: "keep" })).toMatchObject({ accounts: 1, unread: 2 });
  const [today] = (await backups.check({ now })).filter(({ what }) => what === "schema");
  expect(today).toMatchObject({ found: String(Object.keys(MIGRATIONS).length), isWrong: false });
  const db = await place.open();
  expect(await findSecret(db, secret.id, now)).toMatchObject({ status: "active" });
  await db.close();
  await place.drop();
}

test("a backup of 0.1.0 is brought up to date on SQLite", () => useOlder("sqlite", makeSqlite));
testWith(
  "PostgreSQL",
  "pg_dump",
  "pg_restore",
)("a backup of 0.1.0 is brought up to date on PostgreSQL", () => useOlder("postgres", makePostgres));

/** Commands on members, where no server of this version has been yet, change nothing. */
async function listOnOthers(kind: "sqlite" | "postgres", make: () => Promise<TestDatabase>): Promise<void> {
  const { url, drop } = await make();
  const list = () => administer({ DATABASE_URL: url }, (admin) => admin.listUsers());
  const look = () => openBackups(url, runProgram).check({ now: 0 });
  if (kind === "sqlite") writeFileSync(url, "");
  const nothing =
    "The database of DATABASE_URL holds nothing of Hushkit: start the server on it first, or name another.";
  expect(await list()).toEqual({ exitCode: 1, out: [], err: [nothing] });
  await expect(look()).rejects.toThrow(nothing);
  await loadFixture("0.1.0", { kind, url });
  const older = "The database is of an older version: start this version on it first.";
  expect(await list()).toEqual({ exitCode: 1, out: [], err: [older] });
  expect(await look()).toContainEqual(expect.objectContaining({ found: expect.stringMatching(/^1, and/) }));
  const db = await openDatabase(url);
  await db.close();
  expect(await list()).toMatchObject({ exitCode: 0, out: [expect.stringMatching(/^\w+\t/)], err: [] });
  await drop();
}

test("a list of members makes no tables in an empty file, and changes none of 0.1.0", () =>
  listOnOthers("sqlite", makeSqlite));
testWith("PostgreSQL")(
  "a list of members makes no tables in an empty database of PostgreSQL, and changes none of 0.1.0",
  () => listOnOthers("postgres", makePostgres),
);
