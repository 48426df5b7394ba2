// slow
import { expect, test } from "vitest";
import { confirmClock, doubtClock, noteSweep, readSweepClock } from "../../db/sweep/sweep-clock.ts";
import { createSweeper } from "../../router/sweeper.ts";
import { describeShared, useDatabase, withDatabases } from "./support/harness.ts";
import type { Database } from "../../db/open.ts";

const DAY_MS = 86_400_000;

/** Sweeps of one instance: what it knows of the time, and what it has told. */
function instance(db: Database, { ahead = 0 } = {}) {
  const state = { ahead, uptime: 0, told: 0 };
  const sweeper = createSweeper({
    db,
    clock: () => Date.now() + state.ahead,
    monotonic: () => state.uptime,
    onDoubt: () => void state.told++,
  });
  return { state, sweeper, sweep: () => sweeper.sweep({ receiptDays: 30, usageDays: 90 }) };
}

withDatabases("the clock of sweeps", (db) => {
  test("is remembered, doubted by the first who does, and confirmed", async () => {
    expect(await readSweepClock(db)).toMatchObject({ sweptAt: undefined, doubt: undefined });
    await noteSweep(db, 1_000);
    await doubtClock(db, { at: 2_000, ahead: 900 });
    await doubtClock(db, { at: 3_000, ahead: -5 });
    const { confirmation, ...known } = await readSweepClock(db);
    expect(known).toMatchObject({ sweptAt: 1_000, doubt: { at: 2_000, ahead: 900 } });
    await confirmClock(db.query);
    const after = await readSweepClock(db);
    expect(after).toMatchObject({ sweptAt: undefined, doubt: undefined });
    expect(after.confirmation).not.toBe(confirmation);
  });
});

describeShared("several instances on one %s", (make, name) => {
  test("all stop when one doubts the clock, and all go on when it is confirmed", async () =>
    useDatabase(make, async (db) => {
      const [one, two] = [instance(db), instance(db)];
      await Promise.all([one.sweep(), two.sweep()]);
      one.state.ahead = DAY_MS;
      await one.sweep();
      await two.sweep();
      expect([one, two].map(({ sweeper }) => sweeper.clock.isDoubted)).toEqual([true, true]);
      one.state.ahead = 0;
      two.state.uptime = 60_000;
      await confirmClock(db.query);
      await Promise.all([one.sweep(), two.sweep()]);
      expect([one, two].map(({ sweeper }) => sweeper.clock.isDoubted)).toEqual([false, false]);
      expect([one.state.told, two.state.told]).toEqual([1, 1]);
    }));

  test("one that was stopped for days sweeps at once", async () =>
    useDatabase(make, async (db) => {
      await noteSweep(db, Math.floor((Date.now() - 9 * DAY_MS) / 1000));
      const late = instance(db);
      await late.sweep();
      expect(late.sweeper.clock.isDoubted).toBe(false);
    }));

  test("one that starts with a clock behind the newest sweep stops", async () =>
    useDatabase(make, async (db) => {
      await instance(db).sweep();
      const behind = instance(db, { ahead: -DAY_MS });
      await behind.sweep();
      expect(behind.sweeper.clock.isDoubted).toBe(true);
    }));

  test("one that starts with a clock ahead stops where the database has a clock", async () =>
    useDatabase(make, async (db) => {
      const ahead = instance(db, { ahead: DAY_MS });
      await ahead.sweep();
      expect(ahead.sweeper.clock.isDoubted).toBe(name === "PostgreSQL");
    }));
});
