// slow
import { chmodSync, existsSync, mkdirSync, promises, readFileSync, statSync, type StatsFs } from "node:fs";
import { join } from "node:path";
import SqliteFile from "better-sqlite3";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { testWith } from "../../machine/skips.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import {
  DatabaseRefused,
  DatabaseUnavailable,
  formatUnopened,
  openDatabase,
  type Database,
} from "../../../db/open.ts";
import { claimSecret, closeSecret, insertSecret, sweepSecrets } from "../../../db/secrets/secrets.ts";
import { readActivity } from "../failures/activity.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import { makePostgres, makeSqlite, describeShared, useDatabase, withDatabases } from "../support/harness.ts";

const MIB = 1024 ** 2;

describe("a SQLite path", () => {
  test("gets its folders and its file, for the owner only", async () => {
    const root = makeTempFolder();
    const path = join(root, "new", "deeper", "service.db");
    const db = await openDatabase(path);
    await db.ping();
    expect(statSync(join(root, "new")).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, "new", "deeper")).mode & 0o777).toBe(0o700);
    for (const end of ["", "-wal", "-shm"]) expect(statSync(path + end).mode & 0o777).toBe(0o600);
    await db.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test("of another program's file is refused, and gets no tables of ours", async () => {
    const path = join(makeTempFolder(), "foreign.db");
    const file = new SqliteFile(path);
    file.exec("create table notes (text)");
    await expect(openDatabase(path)).rejects.toMatchObject({ code: "database_foreign" });
    expect(file.prepare("select name from sqlite_master").pluck().all()).toEqual(["notes"]);
    file.close();
  });

  test("leaves the modes of a folder that is there already", async () => {
    const folder = join(makeTempFolder(), "there");
    mkdirSync(folder);
    // Not by mkdir, of which a umask takes away.
    chmodSync(folder, 0o755);
    await (await openDatabase(join(folder, "service.db"))).close();
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  test("keeps what was stored for the next start", async () => {
    const path = join(makeTempFolder(), "again.db");
    const { id } = newSecret();
    const first = await openDatabase(path);
    await insertSecret(first, newSecret({ id }));
    await first.close();
    const second = await openDatabase(path);
    expect(
      await claimSecret(second, { id, verifier: bytes(1), passVerifier: null, now: 1_500 }),
    ).toBeDefined();
    await second.close();
  });

  test("has no room for a log where others fill the disk, however much of the file is unused", async () => {
    const db = await openDatabase(join(makeTempFolder(), "unused.db"));
    await db.write(async (trx) => {
      await sql`create table filler (content)`.execute(trx);
      await sql`insert into filler values (zeroblob(${20 * MIB}))`.execute(trx);
      await sql`drop table filler`.execute(trx);
    });
    const unused = (await db.numbers()).disk!;
    expect(unused.roomBytes - unused.freeBytes).toBeGreaterThan(-64 * MIB);
    const statfs = vi.spyOn(promises, "statfs");
    onTestFinished(() => statfs.mockRestore());
    const roomOf = async (freeMib: number) => {
      statfs.mockResolvedValue({ bavail: freeMib, blocks: 1024, bsize: MIB } as StatsFs);
      return (await db.numbers()).disk!.roomBytes / MIB;
    };
    expect([await roomOf(12), await roomOf(2)]).toEqual([-40, -60]);
    expect(await roomOf(64)).toBeGreaterThanOrEqual(20);
    statfs.mockResolvedValue({ bavail: 0, blocks: 0, bsize: MIB } as StatsFs);
    expect((await db.numbers()).disk).toBeUndefined();
    await db.close();
  });

  test("of :memory: is a database of its own each time", async () => {
    const [one, two] = await Promise.all([openDatabase(":memory:"), openDatabase(":memory:")]);
    const secret = newSecret();
    expect(await insertSecret(one, secret)).toBe(true);
    expect(await insertSecret(two, secret)).toBe(true);
    expect(existsSync(":memory:")).toBe(false);
    await Promise.all([one.close(), two.close()]);
  });

  test("that cannot be a file is an error at the start", async () => {
    await expect(openDatabase(makeTempFolder())).rejects.toThrow();
  });
});

describe("a stolen SQLite file with its log", () => {
  test.each([
    [
      "claimed",
      (db: Database, id: string) =>
        claimSecret(db, { id, verifier: bytes(1), passVerifier: null, now: 1_500 }),
    ],
    ["revoked", (db: Database, id: string) => closeSecret(db, { id, now: 1_500, status: "revoked" })],
    ["swept", (db: Database) => sweepSecrets(db, { now: 2_000, receiptSeconds: 100 })],
  ])("holds nothing of a content that was %s, once the log is emptied", async (_how, end) =>
    useDatabase(makeSqlite, async (db, place) => {
      // Across several pages, in the middle of others that stay.
      const marks = Array.from({ length: 9 }, (_, i) =>
        newSecret({ sealed: markedBytes(i), expiresAt: i === 4 ? 2_000 : 9_000 }),
      );
      for (const secret of marks) await insertSecret(db, secret);
      const count = () => ["", "-wal", "-shm"].map((end) => countMark(place.url + end, 4));
      expect(count().some((found) => found > 0)).toBe(true);

      await end(db, marks[4]?.id ?? "");
      await db.checkpoint();
      expect(count()).toStrictEqual([0, 0, 0]);
      expect(countMark(place.url, 5)).toBeGreaterThan(0);
      expect(statSync(`${place.url}-wal`).size).toBe(0);
    }),
  );
});

describeShared("a %s of a newer version", (make) => {
  test("is refused in one sentence and left as it is", async () =>
    useDatabase(make, async (db, place) => {
      await sql`insert into kysely_migration (name, timestamp) values ('9999-next', '2030')`.execute(
        db.query,
      );
      await expect(place.open()).rejects.toThrow(DatabaseRefused);
      await expect(place.open()).rejects.toThrow(
        "it is of a newer version of this program (it has the migration 9999-next); start that version, or " +
          "restore the backup that was made before the upgrade",
      );
      expect(await insertSecret(db, newSecret())).toBe(true);
    }));
});

describeShared("an empty %s", (make) => {
  test("can be opened by many at once, and again later", async () => {
    const place = await make();
    const many = await Promise.all(Array.from({ length: 8 }, () => place.open()));
    await Promise.all(many.map((db) => insertSecret(db, newSecret())));
    await Promise.all(many.map((db) => db.close()));
    const again = await place.open();
    expect(await again.query.selectFrom("secret").select("id").execute()).toHaveLength(8);
    await again.close();
    await place.drop();
  });
});

testWith("PostgreSQL")(
  "a PostgreSQL schema can be shared with others who migrate there by Kysely",
  async () => {
    const place = await makePostgres();
    const other = await place.open();
    await sql`create schema second`.execute(other.query);
    const second = await openDatabase(`${place.url}?options=-csearch_path%3Dsecond`);
    await insertSecret(second, newSecret());
    expect(await other.query.selectFrom("secret").select("id").execute()).toStrictEqual([]);
    await Promise.all([other.close(), second.close()]);
    await place.drop();
  },
);

withDatabases("a transaction", (db) => {
  test("that fails leaves nothing behind, and the next one works", async () => {
    const value = bytes(1);
    const failing = db.write(async (trx) => {
      await trx.insertInto("installation").values({ name: "half", value }).execute();
      throw new Error("changed my mind");
    });
    await expect(failing).rejects.toThrow("changed my mind");
    await db.write((trx) => trx.insertInto("installation").values({ name: "whole", value }).execute());
    const rows = await db.query.selectFrom("installation").select("name").execute();
    expect(rows).toStrictEqual([{ name: "whole" }]);
  });

  test("refuses a secret that says active and closed", async () => {
    const { id } = newSecret();
    await insertSecret(db, newSecret({ id }));
    const half = db.query.updateTable("secret").set({ closed_at: 1_500 }).where("id", "=", id).execute();
    await expect(half).rejects.toThrow(/secret_closed/);
  });
});

testWith("PostgreSQL")("two transactions that wait for each other both happen in the end", async () =>
  useDatabase(makePostgres, async (db) => {
    for (const name of ["left", "right"]) {
      await db.query
        .insertInto("installation")
        .values({ name, value: bytes(0, 1) })
        .execute();
    }
    const tries = { count: 0 };
    // Each has the row that the other one wants next.
    let held = 0;
    const { promise: bothHold, resolve: hold } = Promise.withResolvers<void>();
    const writeBoth = (names: [string, string], value: number) =>
      db.write(async (trx) => {
        tries.count += 1;
        for (const name of names) {
          await trx
            .updateTable("installation")
            .set({ value: bytes(value, 1) })
            .where("name", "=", name)
            .execute();
          if (++held === 2) hold();
          await bothHold;
        }
      });
    await Promise.all([writeBoth(["left", "right"], 1), writeBoth(["right", "left"], 2)]);
    // One of the two is rolled back, sometimes more than once.
    expect(tries.count).toBeGreaterThanOrEqual(3);
    const rows = await db.query.selectFrom("installation").select("value").execute();
    expect(new Set(rows.map(({ value }) => value[0])).size).toBe(1);
  }),
);

testWith("PostgreSQL")(
  "a statement that a stricter isolation makes the server roll back happens in the end",
  async () => {
    const place = await makePostgres();
    const db = await openDatabase(`${place.url}?options=-c%20default_transaction_isolation%3Dserializable`);
    const row = { name: "counter", value: bytes(0, 1) };
    await db.query.insertInto("installation").values(row).execute();
    const set = (query: Database["query"], value: number) =>
      query
        .updateTable("installation")
        .set({ value: bytes(value, 1) })
        .execute();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const first = db.write(async (trx) => {
      await set(trx, 1);
      begin();
      await expect.poll(() => readActivity(place.url)).toMatchObject({ waiting: 1 });
    });
    await begun;
    const [, second] = await Promise.all([first, set(db.query, 2)]);
    expect(second[0]?.numUpdatedRows).toBe(1n);
    const { value } = await db.query.selectFrom("installation").select("value").executeTakeFirstOrThrow();
    expect(value[0]).toBe(2);
    await db.close();
    await place.drop();
  },
);

/** Pages full of a mark that nothing else holds. */
function markedBytes(i: number): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`<content-${i}-of-this-test>`.repeat(900));
}

function countMark(path: string, i: number): number {
  return readFileSync(path, "latin1").split(`<content-${i}-of-this-test>`).length - 1;
}

test.each([
  ["ssl_mode=verify-full", 'parameter "ssl_mode" is unknown; did you mean "sslmode"?'],
  ["SSLMODE=verify-full", 'parameter "SSLMODE" is unknown; did you mean "sslmode"?'],
  [
    "sslmode=Require",
    'parameter "sslmode" must be one of disable, no-verify, prefer, require, verify-ca, verify-full',
  ],
  ["ssl=yes", 'parameter "ssl" must be one of true, 1, 0'],
  ["connect_timeout=5&schema=x", 'parameter "schema" is unknown; it takes sslmode, '],
  ["sslrootcert=/nowhere.pem", 'the file of its parameter "sslrootcert" cannot be read (ENOENT)'],
])("a PostgreSQL URL with %s is refused before anything is sent", async (query, reason) => {
  const opened = await openDatabase(`postgres://user:hunter2@127.0.0.1:9/x?${query}`).catch(formatUnopened);
  expect(opened).toContain(reason);
  expect(opened).toMatch(/^The database of DATABASE_URL cannot be opened: /);
  expect(opened).not.toContain("hunter2");
});

test("what hosts of databases write in a URL of PostgreSQL is passed over", async () => {
  const url =
    "postgres://user@127.0.0.1:9/x?sslmode=require&channel_binding=require&pgbouncer=true&connect_timeout=5";
  await expect(openDatabase(url)).rejects.toThrow(DatabaseUnavailable);
});
