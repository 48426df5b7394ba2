// process
import SqliteFile from "better-sqlite3";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { describeWith, testWith } from "../../machine/skips.ts";
import { DatabaseUnavailable, openDatabase, openDialect, type Database } from "../../../db/open.ts";
import { connectPostgres } from "../../../db/connection/postgres.ts";
import { claimSecret, findSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { withWaits } from "../../../db/running-call.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import {
  makePostgres,
  makeSqlite,
  POSTGRES_URL,
  runOnServer,
  useDatabase,
  type TestDatabase,
} from "../support/harness.ts";
import { layWire, type Wire } from "../support/proxy.ts";
import { readActivity } from "./activity.ts";

/** Calls at the same time, which have more patience than a ping, for a busy machine. */
function readOften(db: Database, count: number): Promise<unknown>[] {
  const read = () => withWaits(() => db.query.selectFrom("installation").select("name").execute(), 60_000);
  return Array.from({ length: count }, read);
}

describeWith("PostgreSQL")("a PostgreSQL that goes away", () => {
  let place: TestDatabase;
  let wire: Wire;
  let db: Database;
  beforeAll(async () => {
    place = await makePostgres();
    wire = await layWire(place.url);
    db = await openDatabase(wire.url);
  });
  afterAll(async () => {
    await db.close();
    await wire.cut();
    await place.drop();
  });

  const right = { verifier: bytes(1), passVerifier: null, now: 1_500 };

  test("makes every call fail recognisably, and works again by itself", async () => {
    const { id } = newSecret();
    await insertSecret(db, newSecret({ id }));
    await wire.cut();
    for (let i = 0; i < 3; i++) {
      await expect(db.ping()).rejects.toThrow(DatabaseUnavailable);
      await expect(findSecret(db, id, 1_500)).rejects.toThrow(DatabaseUnavailable);
      await expect(claimSecret(db, { id, ...right })).rejects.toThrow(DatabaseUnavailable);
      await expect(insertSecret(db, newSecret())).rejects.toThrow(DatabaseUnavailable);
    }
    await wire.mend();
    await db.ping();
    expect(await claimSecret(db, { id, ...right })).toStrictEqual(bytes(4, 60));
  });

  test("in the middle of a transaction leaves nothing of it", async () => {
    const value = bytes(1);
    const cutShort = db.write(async (trx) => {
      await trx.insertInto("installation").values({ name: "half", value }).execute();
      await wire.cut();
      await trx.insertInto("installation").values({ name: "whole", value }).execute();
    });
    await expect(cutShort).rejects.toThrow(DatabaseUnavailable);
    await wire.mend();
    expect(
      await db.query.selectFrom("installation").select("name").where("name", "!=", "ping").execute(),
    ).toStrictEqual([]);
  });

  test("between two statements of a transaction does not end the process", async () => {
    const cutShort = db.write(async (trx) => {
      await trx.selectFrom("installation").select("name").execute();
      await wire.cut();
      // The server has noticed it too, and by then there is nothing more to hear.
      await expect.poll(() => readActivity(place.url)).toMatchObject({ busy: 0 });
      return trx.selectFrom("installation").select("name").execute();
    });
    const failed = { name: "DatabaseUnavailable", cause: { code: "ECONNRESET" } };
    await expect(cutShort).rejects.toMatchObject(failed);
    await wire.mend();
    await db.ping();
  });

  test("while many calls run fails them and loses no connection for good", async () => {
    await Promise.all(readOften(db, 50));
    const running = Promise.allSettled(readOften(db, 50));
    await wire.cut();
    for (const call of await running) {
      if (call.status === "rejected") expect(call.reason).toBeInstanceOf(DatabaseUnavailable);
    }
    await wire.mend();
    await Promise.all(readOften(db, 50));
  });

  test("by the administrator's hand is a failure of one call at most", async () => {
    const name = new URL(place.url).pathname.slice(1);
    await Promise.all(readOften(db, 20));
    await runOnServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    const calls = await Promise.allSettled(readOften(db, 20));
    for (const call of calls) {
      if (call.status === "rejected") expect(call.reason).toBeInstanceOf(DatabaseUnavailable);
    }
    await Promise.all(readOften(db, 20));
  });

  test("is made again by a server that nobody calls, so that nobody restores a backup under it", async () => {
    const name = new URL(place.url).pathname.slice(1);
    const others = `from pg_stat_activity where datname = '${name}'`;
    await Promise.all(readOften(db, 2));
    const ended = await runOnServer(`select pid, pg_terminate_backend(pid) ${others}`);
    expect(ended.length).toBeGreaterThan(0);
    const known = ended.map(({ pid }) => Number(pid)).join();
    await expect
      .poll(async () => (await runOnServer(`select pid ${others} and pid not in (${known})`)).length, {
        timeout: 10_000,
      })
      .toBe(1);
  });

  test("without a word is noticed by its silence", async () => {
    const limits = { connections: 2, statementMilliseconds: 60_000 };
    const impatient = await openDialect((await connectPostgres(wire.url, limits)).dialect);
    await impatient.ping();
    wire.hold();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let noticed: unknown;
    const ping = impatient.ping().catch((error: unknown) => (noticed = error));
    await expect
      .poll(async () => (await vi.advanceTimersByTimeAsync(1_000), noticed))
      .toBeInstanceOf(DatabaseUnavailable);
    await ping;
    // The runbook goes by the code.
    expect(noticed).toMatchObject({ cause: { code: "ETIMEDOUT" } });
    vi.useRealTimers();
    await impatient.ping(); // on a new connection, the silent one is given up
    await impatient.close();
    await wire.mend();
  });

  test("before the start is told from one that refuses the caller", async () => {
    await wire.cut();
    await expect(openDatabase(wire.url)).rejects.toThrow(DatabaseUnavailable);
    await wire.mend();
    const unknown = new URL(POSTGRES_URL);
    unknown.pathname = "no_such_database";
    await expect(openDatabase(unknown.href)).rejects.toThrow(/does not exist/);
    await expect(openDatabase(unknown.href)).rejects.not.toThrow(DatabaseUnavailable);
  });

  test("names no password, host or statement in its error", async () => {
    await wire.cut();
    const error = await db.ping().catch((reason: unknown) => reason);
    expect(String(error)).toBe("DatabaseUnavailable: The database cannot be reached now.");
    await wire.mend();
  });
});

testWith("PostgreSQL")(
  "a role that is refused while its password changes finds the database unavailable, and later not",
  async () =>
    useDatabase(makePostgres, async (admin, place) => {
      const role = sql.id(new URL(place.url).pathname.slice(1));
      const url = new URL(place.url);
      url.username = url.pathname.slice(1);
      const run = (statement: ReturnType<typeof sql>) => statement.execute(admin.query);
      await run(sql`create role ${role} login superuser`);
      const db = await openDatabase(url.href);
      await db.ping();
      await run(sql`alter role ${role} nologin`);
      await run(sql`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${url.username}`);
      await expect
        .poll(() => db.ping().catch((error: Error) => error.cause))
        .toMatchObject({ code: "28000" });
      await expect(db.ping()).rejects.toThrow(DatabaseUnavailable);
      await run(sql`alter role ${role} login`);
      await db.ping();
      await db.close();
      await run(sql`drop owned by ${role}`);
      await run(sql`drop role ${role}`);
    }),
);

testWith("PostgreSQL")(
  "a claim that waits for its row takes nothing when the caller leaves meanwhile",
  async () =>
    useDatabase(makePostgres, async (db, place) => {
      const { id } = newSecret();
      await insertSecret(db, newSecret({ id }));
      const other = await place.open();
      const leaving = new AbortController();
      const claim = { id, verifier: bytes(1), passVerifier: null, now: 1_500, signal: leaving.signal };
      let claiming: Promise<unknown> | undefined;
      await other.write(async (trx) => {
        await trx.updateTable("secret_content").set({ size: 60 }).where("secret_id", "=", id).execute();
        claiming = expect(claimSecret(db, claim)).rejects.toThrow("gone");
        await expect.poll(() => readActivity(place.url)).toMatchObject({ waiting: 1 });
        leaving.abort(new Error("gone"));
      });
      await claiming;
      const { signal: _left, ...right } = claim;
      expect(await claimSecret(other, right)).toStrictEqual(bytes(4, 60));
      await other.close();
    }),
);

describe("a SQLite file that another process writes", () => {
  test("is waited for, while everything else goes on", async () =>
    useDatabase(makeSqlite, async (db, place) => {
      const other = new SqliteFile(place.url);
      other.exec("begin immediate");
      const order: string[] = [];
      const writing = insertSecret(db, newSecret()).then(() => order.push("written"));
      const counting = db.ping().then(() => order.push("pinged"));
      for (let i = 0; i < 5; i++)
        await new Promise((resolve) => setTimeout(resolve, 20)).then(() => order.push("tick"));
      other.exec("commit");
      await Promise.all([writing, counting]);
      expect(order.slice(0, 5)).toStrictEqual(Array(5).fill("tick"));
      expect(order).toHaveLength(7);
      other.close();
    }));

  test("for too long is unavailable, and works again by itself", async () =>
    useDatabase(makeSqlite, async (db, place) => {
      const other = new SqliteFile(place.url);
      other.exec("begin immediate");
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const writing = expect(insertSecret(db, newSecret())).rejects.toThrow(DatabaseUnavailable);
      await vi.advanceTimersByTimeAsync(30_000);
      await writing;
      vi.useRealTimers();
      other.exec("rollback");
      expect(await insertSecret(db, newSecret())).toBe(true);
      other.close();
    }));

  test("makes none of many wait longer than its own deadline, and lets reading go on", async () =>
    useDatabase(makeSqlite, async (db, place) => {
      const { id } = newSecret();
      await insertSecret(db, newSecret({ id }));
      const other = new SqliteFile(place.url);
      other.exec("begin immediate");
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const started = performance.now();
      const waits: number[] = [];
      const write = () =>
        insertSecret(db, newSecret()).catch((error: unknown) => {
          expect(error).toBeInstanceOf(DatabaseUnavailable);
          waits.push(performance.now() - started);
        });
      const early = Array.from({ length: 10 }, write);
      await vi.advanceTimersByTimeAsync(5_000);
      const late = Array.from({ length: 10 }, write);
      expect(await findSecret(db, id, 1_500)).toMatchObject({ status: "active" });
      await vi.advanceTimersByTimeAsync(20_000);
      await Promise.all([...early, ...late]);
      vi.useRealTimers();
      expect(waits).toHaveLength(20);
      expect(Math.max(...waits.slice(0, 10))).toBeLessThan(10_100);
      expect(Math.min(...waits.slice(10))).toBeGreaterThan(14_900);
      expect(Math.max(...waits)).toBeLessThan(15_100);
      other.exec("rollback");
      expect(await insertSecret(db, newSecret())).toBe(true);
      other.close();
    }));
});

test("a full disk is unavailable until there is room again, and takes nothing half", async () =>
  useDatabase(makeSqlite, async (db) => {
    await sql`pragma max_page_count = 60`.execute(db.query);
    const large = newSecret({ sealed: bytes(1, 500_000) });
    await expect(insertSecret(db, large)).rejects.toThrow(DatabaseUnavailable);
    expect(await findSecret(db, large.id, 1_500)).toBeUndefined();
    await sql`pragma max_page_count = 4294967294`.execute(db.query);
    expect(await insertSecret(db, large)).toBe(true);
  }));
