// process
import SqliteFile from "better-sqlite3";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { takeAllowance } from "../../../db/allowance.ts";
import { DatabaseUnavailable, openDatabase } from "../../../db/open.ts";
import { claimAtOnce, claimSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { waiting, withWaits } from "../../../db/running-call.ts";
import { testWith } from "../../machine/skips.ts";
import { makeOwnPostgres } from "../../process/support/postgres.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import { makePostgres, makeSqlite, useDatabase } from "../support/harness.ts";
import { readActivity } from "./activity.ts";

/** Of a clock that the test sets. */
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const right = { verifier: bytes(1), passVerifier: null, now: 1_500 };

/** Holds a table for nobody else to use, until the function that this gives is called. */
async function lockTable(url: string, table: string): Promise<() => Promise<void>> {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  // A test that fails has its database dropped, and this connection with it.
  other.on("error", () => {});
  await other.query(`begin; lock table ${table} in access exclusive mode`);
  return () => other.end();
}

test("all waits of a call for a SQLite file come to ten seconds together, and work does not count", async () =>
  useDatabase(makeSqlite, async (db, place) => {
    const other = new SqliteFile(place.url);
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const started = performance.now();
    const ends: number[] = [];
    const isRefused = async (work: Promise<unknown>) => {
      await expect(work).rejects.toThrow(DatabaseUnavailable);
      ends.push(performance.now() - started);
    };
    const call = withWaits(async () => {
      await pause(30_000);
      await waiting(pause(4_000));
      other.exec("begin immediate");
      await isRefused(insertSecret(db, newSecret()));
      await isRefused(
        takeAllowance(db, { bucket: "a", key: bytes(1), limit: 3, windowSeconds: 60, now: 1_500 }),
      );
      await isRefused(insertSecret(db, newSecret()));
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await call;
    for (const end of ends) expect([Math.round(end / 1000), ends.length]).toEqual([40, 3]);
    other.exec("rollback");
    other.close();
  }));

test("a call that came later and may wait less gives up first", async () =>
  useDatabase(makeSqlite, async (db, place) => {
    const other = new SqliteFile(place.url);
    other.exec("begin immediate");
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const order: string[] = [];
    const write = (name: string, longestMs: number) =>
      withWaits(() => insertSecret(db, newSecret()), longestMs).then(
        () => order.push(`${name} is stored`),
        () => order.push(`${name} is refused`),
      );
    const first = write("first", 10_000);
    await vi.advanceTimersByTimeAsync(50);
    const second = write("second", 300);
    await vi.advanceTimersByTimeAsync(1_000);
    await second;
    other.exec("rollback");
    await vi.advanceTimersByTimeAsync(5_000);
    await first;
    expect(order).toEqual(["second is refused", "first is stored"]);
    other.close();
  }));

testWith("PostgreSQL").each(["alone", "with others"])(
  "a claim that is refused at its deadline, %s, takes nothing when the lock is gone",
  async (how) =>
    useDatabase(makePostgres, async (db, { url }) => {
      const { id } = newSecret();
      await insertSecret(db, newSecret({ id }));
      const unlock = await lockTable(url, "secret_content");
      const { passVerifier: _none, ...claim } = right;
      const claiming = () =>
        how === "alone" ? claimSecret(db, { id, ...right }) : claimAtOnce(db, { id, ...claim });
      await expect(withWaits(claiming, 400)).rejects.toThrow(DatabaseUnavailable);
      await unlock();
      await expect.poll(() => readActivity(url)).toMatchObject({ busy: 0 });
      expect(await claimSecret(db, { id, ...right })).toStrictEqual(bytes(4, 60));
    }),
);

testWith("PostgreSQL")("a call waits for a connection no longer than it may", async () =>
  useDatabase(makePostgres, async (db, { url }) => {
    const unlock = await lockTable(url, "secret");
    const holding = Array.from({ length: 10 }, () => claimSecret(db, { id: newSecret().id, ...right }));
    await expect.poll(() => readActivity(url)).toMatchObject({ waiting: 10 });
    const late = withWaits(() => db.query.selectFrom("installation").select("name").execute(), 200);
    await expect(late).rejects.toThrow(DatabaseUnavailable);
    await unlock();
    // On a busy machine some of them have waited too long themselves.
    await Promise.allSettled(holding);
    await db.ping();
  }),
);

testWith("initdb")(
  "where PostgreSQL takes no more connections, calls wait for those that there are",
  async () => {
    const postgres = await makeOwnPostgres({ connections: 6 });
    onTestFinished(postgres.drop);
    const db = await openDatabase(postgres.url);
    onTestFinished(() => db.close());
    await db.ping();
    const held: pg.Client[] = [];
    for (let last: pg.Client | undefined; (last = await postgres.connect().catch(() => undefined));)
      held.push(last);
    const readOften = () => Promise.all(Array.from({ length: 20 }, () => withWaits(() => db.ping(), 60_000)));
    await readOften();
    await Promise.all(held.map((client) => client.end()));
    await readOften();
    // It grows again, once there is room.
    await expect
      .poll(async () => (await readOften(), (await db.numbers()).connections.open))
      .toBeGreaterThan(1);
  },
);

testWith("PostgreSQL")("connections of before a failover are not used again", async () =>
  useDatabase(makePostgres, async (db, { url }) => {
    // With more patience than a ping has, for a busy machine.
    const write = () => withWaits(() => insertSecret(db, newSecret()), 60_000);
    const writeOften = () => Promise.all(Array.from({ length: 20 }, write));
    await writeOften();
    const name = new URL(url).pathname.slice(1);
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query(`alter database ${name} set default_transaction_read_only = on`);
    // From now on connections take no writes, as those to what has become a replica.
    const others = `from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`;
    const { rows } = await other.query<{ pid: number }>(`select pid, pg_terminate_backend(pid) ${others}`);
    const ended = rows.map(({ pid }) => pid).join();
    // They end a while after they were told to, and a call on one that is about to end is refused.
    await expect
      .poll(async () => (await other.query(`select ${others} and pid in (${ended})`)).rowCount)
      .toBe(0);
    await expect.poll(() => db.ping().catch((error: unknown) => error)).toBeInstanceOf(DatabaseUnavailable);
    const reading = Array.from({ length: 10 }, () => db.query.selectFrom("secret").select("id").execute());
    await Promise.allSettled(reading);
    await other.query("set default_transaction_read_only = off");
    await other.query(`alter database ${name} reset default_transaction_read_only`);
    await other.end();
    // One call may meet what was made meanwhile.
    await db.ping().catch(() => {});
    await writeOften();
  }),
);
