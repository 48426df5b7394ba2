import { describe, expect, test } from "vitest";
import type { Database } from "../../db/open.ts";
import { insertSecret, sweepSecrets } from "../../db/secrets.ts";
import { bytes, newSecret } from "./fixtures.ts";
import { SHARED_DATABASES, useDatabase, withDatabases } from "./harness.ts";

const RECEIPTS = { receiptSeconds: 1_000_000 };

/** Many secrets that are over at 2,000, in few statements. */
async function insertOver(db: Database, count: number): Promise<void> {
  const secrets = Array.from({ length: count }, (_, i) => newSecret({ expiresAt: 1_100 + (i % 900) }));
  for (let at = 0; at < count; at += 100) {
    const some = secrets.slice(at, at + 100);
    await db.writeSoon(async (trx) => {
      const rows = some.map(({ id, verifier, revokeHash, createdAt, expiresAt }) => ({
        ...{ id, verifier, pass_verifier: null, revoke_hash: revokeHash, status: "active" as const },
        ...{ created_at: createdAt, expires_at: expiresAt, closed_at: null },
        ...{ is_encrypted: 0, attempts: 0, owner: null },
      }));
      await trx.insertInto("secret").values(rows).execute();
      const contents = some.map(({ id }) => ({ secret_id: id, size: 600, sealed: bytes(4, 600) }));
      await trx.insertInto("secret_content").values(contents).execute();
    });
  }
}

withDatabases("a sweep of hundreds", (db) => {
  test("lets secrets be made all the while, and takes nothing of theirs", async () => {
    await insertOver(db, 800);
    let [isDone, made] = [false, 0];
    const sweeping = sweepSecrets(db, { now: 2_000, ...RECEIPTS }).finally(() => (isDone = true));
    while (!isDone) {
      await insertSecret(db, newSecret({ expiresAt: 9_000 }));
      made++;
    }
    expect(await sweeping).toStrictEqual({ expired: 800, purged: 0 });
    // A sweep in one go would have let one or two through.
    expect(made).toBeGreaterThan(4);
    expect(await db.query.selectFrom("secret_content").select("size").execute()).toHaveLength(made);
  });

  test("ends soon when it is asked to, and the next one does the rest", async () => {
    await insertOver(db, 800);
    const ending = new AbortController();
    const sweeping = sweepSecrets(db, { now: 2_000, ...RECEIPTS, signal: ending.signal });
    await insertSecret(db, newSecret({ expiresAt: 9_000 }));
    ending.abort();
    const { expired } = await sweeping;
    expect(expired).toBeLessThan(800);
    expect((await sweepSecrets(db, { now: 2_000, ...RECEIPTS })).expired).toBe(800 - expired);
  });
});

describe.each(Object.entries(SHARED_DATABASES))("sweeps of several instances on one %s", (_name, make) => {
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
