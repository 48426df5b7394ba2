// slow
import { expect, test } from "vitest";
import { testWith } from "../machine/skips.ts";
import { giveAllowanceBack, peekAllowance, sweepAllowance, takeAllowance } from "../../db/allowance.ts";
import { adoptKeyCheck, readKeyCheck } from "../../db/installation.ts";
import { countUses, sweepUsage } from "../../db/usage.ts";
import { sql } from "kysely";
import { insertSecret } from "../../db/secrets/secrets.ts";
import { bytes, newSecret } from "./support/fixtures.ts";
import { makePostgres, describeShared, withDatabases } from "./support/harness.ts";

withDatabases("counting", (db) => {
  const window = (bucket: string, changes = {}) => ({
    bucket,
    key: bytes(1),
    limit: 3,
    windowSeconds: 900,
    now: 1_000,
    ...changes,
  });

  test("allows as many calls as the limit in a window, and again in the next", async () => {
    const take = (now: number) => takeAllowance(db, window("in-turn", { now }));
    expect(await take(1_000)).toStrictEqual({ allowed: true, remaining: 2, resetSeconds: 900 });
    expect(await take(1_010)).toStrictEqual({ allowed: true, remaining: 1, resetSeconds: 890 });
    expect(await take(1_899)).toStrictEqual({ allowed: true, remaining: 0, resetSeconds: 1 });
    expect(await take(1_899)).toStrictEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
    expect(await take(1_900)).toStrictEqual({ allowed: true, remaining: 2, resetSeconds: 900 });
  });

  test("never lets refused calls make the window longer", async () => {
    const take = (now: number) => takeAllowance(db, window("patience", { limit: 1, now }));
    await take(1_000);
    for (let now = 1_001; now < 1_900; now += 100) expect(await take(now)).toMatchObject({ allowed: false });
    expect(await take(1_900)).toMatchObject({ allowed: true });
  });

  test("lets exactly the limit through of 200 calls at once", async () => {
    const calls = Array.from({ length: 200 }, () => takeAllowance(db, window("flood", { limit: 60 })));
    const allowed = (await Promise.all(calls)).filter((call) => call.allowed);
    expect(allowed.map((call) => call.remaining).sort((a, b) => a - b)).toStrictEqual([...Array(60).keys()]);
  });

  test("never asks anybody to wait longer than the window when the clock jumps back", async () => {
    const at = (now: number) => window("clock", { limit: 1, now });
    await takeAllowance(db, at(1_000_000));
    expect(await takeAllowance(db, at(1_000_000))).toMatchObject({ allowed: false });
    // An hour back: the window seems to end a whole hour later.
    expect(await peekAllowance(db, at(996_400))).toMatchObject({ allowed: true, resetSeconds: 900 });
    expect(await takeAllowance(db, at(996_400))).toMatchObject({ allowed: true, resetSeconds: 900 });
    expect(await takeAllowance(db, at(996_400))).toMatchObject({ allowed: false, resetSeconds: 900 });
    expect(await takeAllowance(db, at(996_401))).toMatchObject({ allowed: false, resetSeconds: 899 });
    // Clocks of two instances differ by seconds: nobody gets a second window for that.
    expect(await takeAllowance(db, at(996_396))).toMatchObject({ allowed: false, resetSeconds: 900 });
    expect(await takeAllowance(db, at(996_394))).toMatchObject({ allowed: true, resetSeconds: 900 });
  });

  test("counts each bucket and each key by itself", async () => {
    await takeAllowance(db, window("one", { limit: 1 }));
    expect(await takeAllowance(db, window("one", { limit: 1 }))).toMatchObject({ allowed: false });
    expect(await takeAllowance(db, window("two", { limit: 1 }))).toMatchObject({ allowed: true });
    expect(await takeAllowance(db, window("one", { limit: 1, key: bytes(2) }))).toMatchObject({
      allowed: true,
    });
  });

  test("tells what is left without taking any of it", async () => {
    const fresh = { allowed: true, remaining: 3, resetSeconds: 900 };
    expect(await peekAllowance(db, window("look"))).toStrictEqual(fresh);
    for (let i = 0; i < 3; i++) await takeAllowance(db, window("look"));
    const used = { allowed: false, remaining: 0, resetSeconds: 800 };
    expect(await peekAllowance(db, window("look", { now: 1_100 }))).toStrictEqual(used);
    expect(await peekAllowance(db, window("look", { now: 1_900 }))).toStrictEqual(fresh);
  });

  test("counts a call in two windows, or in neither when one of them is full", async () => {
    const own = (key: number) => window("site", { key: bytes(key), limit: 2 });
    const site = window("site", { key: bytes(99), limit: 4, windowSeconds: 1_800 });
    const left = async (...keys: number[]) =>
      Promise.all([...keys.map(own), site].map(async (each) => (await peekAllowance(db, each)).remaining));
    expect(await takeAllowance(db, own(1), site)).toStrictEqual({
      ...{ allowed: true, remaining: 1, resetSeconds: 900 },
    });
    await takeAllowance(db, own(1), site);
    expect(await takeAllowance(db, own(1), site)).toMatchObject({ allowed: false, resetSeconds: 900 });
    expect(await left(1, 2)).toStrictEqual([0, 2, 2]);
    await takeAllowance(db, own(2), site);
    await takeAllowance(db, own(2), site);
    const refused = { allowed: false, remaining: 0, resetSeconds: 1_800 };
    expect(await takeAllowance(db, own(3), site)).toStrictEqual(refused);
    expect(await peekAllowance(db, own(3), site)).toStrictEqual(refused);
    expect(await left(1, 2, 3)).toStrictEqual([0, 0, 2, 0]);
  });

  test("lets exactly the wider limit through of 200 calls at once of eight keys", async () => {
    const site = window("crowd", { key: bytes(99), limit: 40 });
    const calls = Array.from({ length: 200 }, (_, i) =>
      takeAllowance(db, window("crowd", { key: bytes(i % 8), limit: 10 }), site),
    );
    const allowed = (await Promise.all(calls)).filter((call) => call.allowed).length;
    expect(allowed).toBeLessThanOrEqual(40);
    expect(allowed).toBeGreaterThan(30);
  });

  test("counts amounts up to the limit and not one more", async () => {
    const take = (amount: number) => takeAllowance(db, window("bytes", { limit: 100, amount }));
    expect(await take(101)).toMatchObject({ allowed: false, remaining: 100 });
    expect(await take(60)).toMatchObject({ allowed: true, remaining: 40 });
    expect(await take(41)).toMatchObject({ allowed: false, remaining: 40 });
    expect(await take(40)).toMatchObject({ allowed: true, remaining: 0 });
    await giveAllowanceBack(db, window("bytes", { amount: 40 }));
    expect(await take(40)).toMatchObject({ allowed: true, remaining: 0 });
    await giveAllowanceBack(db, window("bytes", { amount: 101 }));
    expect(await take(1)).toMatchObject({ allowed: false });
  });

  test("tells nobody to wait longer than the window when the clock was set back", async () => {
    const at = (now: number) => window("clock", { limit: 1, now });
    await takeAllowance(db, at(10_000));
    const fresh = { allowed: true, remaining: 1, resetSeconds: 900 };
    expect(await peekAllowance(db, at(1_000))).toStrictEqual(fresh);
    const taken = { ...fresh, remaining: 0 };
    expect(await takeAllowance(db, at(1_000))).toStrictEqual(taken);
    const refused = { allowed: false, remaining: 0, resetSeconds: 900 };
    expect(await takeAllowance(db, at(1_000))).toStrictEqual(refused);
    // Clocks of instances differ by less than this, and must not begin a window anew.
    expect(await takeAllowance(db, at(995))).toStrictEqual(refused);
    expect(await takeAllowance(db, at(994))).toStrictEqual(taken);
  });

  test("sweeps windows that end later than any can", async () => {
    await sweepAllowance(db, { now: 10_000_000 });
    await takeAllowance(db, window("far", { now: 1_000_000, windowSeconds: 86_400 }));
    expect(await sweepAllowance(db, { now: 999_995 })).toBe(0);
    expect(await sweepAllowance(db, { now: 999_994 })).toBe(1);
  });

  test("sweeps the windows that have ended and no others", async () => {
    await sweepAllowance(db, { now: 1_000_000 });
    await takeAllowance(db, window("old", { now: 1_000 }));
    await takeAllowance(db, window("new", { now: 1_001 }));
    expect(await sweepAllowance(db, { now: 1_899 })).toBe(0);
    expect(await sweepAllowance(db, { now: 1_900 })).toBe(1);
    expect(await peekAllowance(db, window("new", { now: 1_900 }))).toMatchObject({ remaining: 2 });
  });

  test("sweeps any number of windows and of uses", async () => {
    await sweepAllowance(db, { now: 1_000_000 });
    await sweepUsage(db, { before: 1_000_000 });
    for (let i = 0; i < 450; i++) {
      await takeAllowance(db, window("many", { key: new TextEncoder().encode(`caller ${i}`) }));
    }
    const use = { succeeded: true, address: "192.0.2.0", hour: 3_600, count: 1 };
    await countUses(
      db,
      Array.from({ length: 450 }, (_, i) => ({ ...use, tool: `tool ${i}` })),
    );
    expect(await sweepAllowance(db, { now: 1_900 })).toBe(450);
    expect(await sweepUsage(db, { before: 3_601 })).toBe(450);
  });

  test("keeps one row for calls that agree in everything", async () => {
    const use = { tool: "pdf-rotate", succeeded: true, address: "192.0.2.0", hour: 7_200, count: 2 };
    await Promise.all(Array.from({ length: 10 }, () => countUses(db, [use])));
    const once = { ...use, count: 1 };
    await countUses(db, [
      { ...once, succeeded: false },
      { ...once, address: "2001:db8:1::" },
      { ...once, tool: "password", hour: 3_600 },
    ]);
    const rows = await db.query
      .selectFrom("usage")
      .select(["tool", "succeeded", "address", "hour", "count"])
      .orderBy("count", "desc")
      .execute();
    expect(rows[0]).toStrictEqual({ ...use, succeeded: 1, count: 20 });
    expect(rows.map(({ count }) => count)).toStrictEqual([20, 1, 1, 1]);
    expect(await sweepUsage(db, { before: 7_200 })).toBe(1);
    expect(await sweepUsage(db, { before: 7_201 })).toBe(3);
  });

  test("is served with the key of whoever came first, and with no other one", async () => {
    const adopt = (n: number) => adoptKeyCheck(db, bytes(n), { openBytes: 20, seal: async (seed) => seed });
    const taken = await Promise.all([1, 2, 3].map(adopt));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1);
    const first = taken.indexOf(true) + 1;
    expect(await readKeyCheck(db.query)).toStrictEqual(bytes(first));
    expect([await adopt(first), await adopt(9)]).toEqual([true, false]);
    expect(await readKeyCheck(db.query)).toStrictEqual(bytes(first));
  });

  test("answers a ping by writing, again and again", async () => {
    await db.ping();
    await expect(db.ping()).resolves.toBeUndefined();
  });
});

describeShared("several instances on one %s", (make) => {
  test("let exactly the limit through of 200 calls at once", async () => {
    const place = await make();
    const instances = await Promise.all([1, 2, 3, 4].map(() => place.open()));
    const window = { bucket: "shared", key: bytes(1), limit: 60, windowSeconds: 900, now: 1_000 };
    const calls = Array.from({ length: 200 }, (_, i) => takeAllowance(instances[i % 4]!, window));
    expect((await Promise.all(calls)).filter((call) => call.allowed)).toHaveLength(60);
    await Promise.all(instances.map((db) => db.close()));
    await place.drop();
  });
});

testWith("PostgreSQL")(
  "only what is counted is answered before the log of PostgreSQL is on the disk",
  async () => {
    const place = await makePostgres();
    const db = await place.open();
    // A deferred trigger runs when its transaction commits.
    await sql`create table at_commit (place text, setting text)`.execute(db.query);
    await sql`create function note() returns trigger language plpgsql as $$ begin
    insert into at_commit values (tg_table_name, current_setting('synchronous_commit')); return null; end $$`.execute(
      db.query,
    );
    for (const table of ["allowance", "usage", "secret"])
      await sql`create constraint trigger note after insert or update on ${sql.table(table)}
      deferrable initially deferred for each row execute function note()`.execute(db.query);
    const window = { bucket: "soon", key: bytes(1), limit: 3, windowSeconds: 900, now: 1_000 };
    await takeAllowance(db, window);
    await takeAllowance(db, window, { ...window, key: bytes(2) });
    await giveAllowanceBack(db, window);
    await countUses(db, [{ tool: "hash", succeeded: true, address: "192.0.2.0", hour: 0, count: 1 }]);
    await db.writeSoon((trx) => trx.updateTable("allowance").set({ count: 0 }).execute());
    await insertSecret(db, newSecret());
    const { rows } = await sql<{ place: string; setting: string; count: number }>`
    select place, setting, count(*) as count from at_commit group by place, setting order by place`.execute(
      db.query,
    );
    expect(rows).toStrictEqual([
      { place: "allowance", setting: "off", count: 6 },
      { place: "secret", setting: "on", count: 1 },
      { place: "usage", setting: "off", count: 1 },
    ]);
    await db.close();
    await place.drop();
  },
);
