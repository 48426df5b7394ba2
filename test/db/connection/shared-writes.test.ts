import { setTimeout } from "node:timers/promises";
import SqliteFile from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { takeAllowance } from "../../../db/allowance.ts";
import { findSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import { openDatabase } from "../../../db/open.ts";
import { makeSqlite, withDatabases } from "../support/harness.ts";

withDatabases("writes of one moment", (db) => {
  test("are all done, but for one that throws, of which nothing is left", async () => {
    const secrets = Array.from({ length: 20 }, () => newSecret());
    const writes = secrets.map((secret, i) =>
      insertSecret(db, secret, {
        claim: async (trx) => {
          await trx
            .insertInto("secret")
            .values(rowOf(`${i}of${secret.id}`))
            .execute();
          if (i % 7 === 3) throw new Error(`refused ${i}`);
        },
      }),
    );
    const outcomes = await Promise.allSettled(writes);
    for (const [i, { id }] of secrets.entries()) {
      const isRefused = i % 7 === 3;
      expect(outcomes[i]!.status).toBe(isRefused ? "rejected" : "fulfilled");
      if (isRefused) expect(outcomes[i]).toMatchObject({ reason: { message: `refused ${i}` } });
      for (const each of [id, `${i}of${id}`])
        expect((await findSecret(db, each, 1_500)) === undefined).toBe(isRefused);
    }
  });

  test("count exactly, whatever fails beside them", async () => {
    const window = { bucket: "shared", key: bytes(7), limit: 25, windowSeconds: 900, now: 1_500 };
    const calls = Array.from({ length: 60 }, async (_, i) => {
      const failing = insertSecret(db, newSecret(), {
        claim: async () => Promise.reject(new Error("refused")),
      });
      const [taken] = await Promise.all([
        takeAllowance(db, window),
        i % 5 === 0 ? expect(failing).rejects.toThrow("refused") : failing.catch(() => undefined),
      ]);
      return taken.allowed;
    });
    expect((await Promise.all(calls)).filter(Boolean)).toHaveLength(25);
    expect((await takeAllowance(db, window)).allowed).toBe(false);
  });
});

test("what a caller stores after it was counted is in the same transaction, on SQLite", async () => {
  const place = await makeSqlite();
  const db = await openDatabase(place.url);
  const other = new SqliteFile(place.url);
  const see = (table: string) => other.prepare(`select count(*) from ${table}`).pluck().get();
  const window = { bucket: "first", key: bytes(7), limit: 25, windowSeconds: 900, now: 1_500 };
  // A transaction that has taken too long waits for nobody's next write.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  await takeAllowance(db, window);
  const seen = see("allowance");
  await insertSecret(db, newSecret());
  expect([seen, see("allowance"), see("secret")]).toStrictEqual([0, 1, 1]);
  other.close();
  await db.close();
  await place.drop();
});

test("a call is counted once, whatever fails in the transaction that it was counted in", async () => {
  const place = await makeSqlite();
  const db = await openDatabase(place.url);
  const window = { bucket: "once", key: bytes(7), limit: 25, windowSeconds: 900, now: 1_500 };
  const call = async () => {
    const { allowed } = await takeAllowance(db, window);
    const failing = insertSecret(db, newSecret(), {
      claim: async () => Promise.reject(new Error("refused")),
    });
    await expect(failing).rejects.toThrow("refused");
    return allowed;
  };
  expect((await Promise.all([call(), call(), call()])).filter(Boolean)).toHaveLength(3);
  expect((await takeAllowance(db, window)).remaining).toBe(21);
  await db.close();
  await place.drop();
});

function rowOf(id: string) {
  return {
    ...{ id, verifier: bytes(1), pass_verifier: null, revoke_hash: bytes(3), status: "active" as const },
    ...{ created_at: 1_000, expires_at: 2_000, closed_at: null, is_encrypted: 0, attempts: 0, owner: null },
  };
}

test("a write waits for a turn that lasts, such as a checkpoint, as long as its call may wait", async () => {
  const place = await makeSqlite();
  const db = await openDatabase(place.url);
  // Longer than a shared transaction waits before it looks who has to be answered.
  const lasting = db.query.transaction().execute(() => setTimeout(1_200));
  const secrets = Array.from({ length: 20 }, () => newSecret());
  const outcomes = await Promise.allSettled(secrets.map((secret) => insertSecret(db, secret)));
  await lasting;
  expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
  await db.close();
  await place.drop();
});
