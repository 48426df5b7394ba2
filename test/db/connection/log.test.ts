import { statSync } from "node:fs";
import SqliteFile from "better-sqlite3";
import { expect, test } from "vitest";
import { createDiskSync } from "../../../db/connection/disk-sync.ts";
import { ping } from "../../../db/connection/ping.ts";
import { ServedFile } from "../../../db/connection/sqlite-file.ts";
import type { DatabaseUnavailable } from "../../../db/connection/unavailable.ts";
import type { Database } from "../../../db/open.ts";
import { findSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { newSecret } from "../support/fixtures.ts";
import { makeSqlite, useDatabase } from "../support/harness.ts";

const MIB = 2 ** 20;

/** As pings do, but for their two seconds. */
async function writeOften(db: Database, times: number): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => db.write(ping)));
}

test("a log that is written without a pause stays short, and what was in it is in the file", async () =>
  useDatabase(makeSqlite, async (db, { url }) => {
    let longest = 0;
    for (let round = 0; round < 20; round++) {
      await writeOften(db, 50);
      longest = Math.max(longest, statSync(`${url}-wal`).size);
    }
    // 64 KiB a thousand times are 64 MiB.
    expect(longest).toBeLessThan(40 * MIB);
    expect(longest).toBeGreaterThan(MIB);
  }));

test("emptying the log waits for a reader of another process, and writing goes on meanwhile", async () =>
  useDatabase(makeSqlite, async (db, { url }) => {
    await insertSecret(db, newSecret());
    const reader = new SqliteFile(url);
    reader.exec("begin; select * from secret");
    const { id } = newSecret();
    const emptied = db.checkpoint();
    expect(await insertSecret(db, newSecret({ id }))).toBe(true);
    reader.close();
    await emptied;
    expect(statSync(`${url}-wal`).size).toBe(0);
    expect(await findSecret(db, id, 1_500)).toMatchObject({ status: "active" });
    expect(await insertSecret(db, newSecret())).toBe(true);
  }));

test("a log of many writes is gone when the last process closes the file", async () => {
  const place = await makeSqlite();
  const db = await place.open();
  await writeOften(db, 300);
  await db.checkpoint();
  await db.close();
  const again = await place.open();
  expect(statSync(`${place.url}-wal`).size).toBeLessThan(MIB);
  await again.close();
  await place.drop();
});

test("a look at the log that fails is reported, and ends no call", async () => {
  const place = await makeSqlite();
  const reported: DatabaseUnavailable[] = [];
  const file = await ServedFile.open(place.url, {
    createDisk: createDiskSync,
    report: (error) => void reported.push(error),
    alone: (work) => work(),
  });
  const pragma = () => {
    throw Object.assign(new Error("attempt to write a readonly database"), { code: "SQLITE_READONLY" });
  };
  Object.assign(file.open, { pragma });
  file.lookAtLog();
  await expect.poll(() => reported).toMatchObject([{ cause: { code: "SQLITE_READONLY" } }]);
  await file.close();
  await place.drop();
});
