// slow
import { expect, test } from "vitest";
import { insertSecret, sweepSecrets } from "../../../db/secrets/secrets.ts";
import { insertOver, newSecret } from "../support/fixtures.ts";
import { describeShared, useDatabase, withDatabases } from "../support/harness.ts";

const RECEIPTS = { receiptSeconds: 1_000_000 };

withDatabases("a sweep of hundreds", (db) => {
  test("lets secrets be made all the while, and takes nothing of theirs", async () => {
    await insertOver(db, 2_500);
    let [isDone, made] = [false, 0];
    const sweeping = sweepSecrets(db, { now: 2_000, ...RECEIPTS }).finally(() => (isDone = true));
    while (!isDone) {
      await insertSecret(db, newSecret({ expiresAt: 9_000 }));
      made++;
    }
    expect(await sweeping).toStrictEqual({ expired: 2_500, purged: 0 });
    // Also where one create takes as long as several steps. A sweep in one go would have let one or two through.
    expect(made).toBeGreaterThan(2);
    expect(await db.query.selectFrom("secret_content").select("size").execute()).toHaveLength(made);
  });

  test("ends soon when it is asked to, and the next one does the rest", async () => {
    await insertOver(db, 800);
    const ending = new AbortController();
    // At the end of the first step.
    db.onWrite(() => ending.abort());
    const { expired } = await sweepSecrets(db, { now: 2_000, ...RECEIPTS, signal: ending.signal });
    expect(expired).toBeGreaterThan(0);
    expect(expired).toBeLessThan(800);
    expect((await sweepSecrets(db, { now: 2_000, ...RECEIPTS })).expired).toBe(800 - expired);
  });
});

describeShared("sweeps of several instances on one %s", (make) => {
  test("end each secret once, and disturb nobody", async () =>
    useDatabase(make, async (db, place) => {
      await insertOver(db, 500);
      const others = await Promise.all([place.open(), place.open()]);
      const sweeps = [db, ...others].map((each) => sweepSecrets(each, { now: 2_000, ...RECEIPTS }));
      const expired = (await Promise.all(sweeps)).map((swept) => swept.expired);
      const rest = await sweepSecrets(db, { now: 2_000, ...RECEIPTS });
      expect([...expired, rest.expired].reduce((sum, count) => sum + count)).toBe(500);
      expect(await db.query.selectFrom("secret_content").select("size").execute()).toEqual([]);
      await Promise.all(others.map((each) => each.close()));
    }));
});
