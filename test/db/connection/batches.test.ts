// slow
import { expect, onTestFinished, test, vi } from "vitest";
import { inBatches } from "../../../db/connection/batches.ts";
import { DatabaseUnavailable } from "../../../db/open.ts";
import { takeAllowance } from "../../../db/allowance.ts";
import { claimAtOnce, findSecret, insertSecret } from "../../../db/secrets/secrets.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import { withDatabases } from "../support/harness.ts";

const right = { verifier: bytes(1), now: 1_500 };
const MANY = 100;
/** Else each look moves the fake clock on by the pause between two. */
const STILL = { interval: 0 };

withDatabases("texts of one moment", (db) => {
  test("are each stored, and each read by one", async () => {
    const secrets = Array.from({ length: MANY }, (_, i) =>
      newSecret({ sealed: bytes(i, 40 + i), isEncrypted: i % 2 === 1, expiresAt: 2_000 + i }),
    );
    const stored = await Promise.all(secrets.map((secret) => insertSecret(db, secret)));
    expect(new Set(stored)).toStrictEqual(new Set([true]));
    const claims = secrets.flatMap(({ id }) => [
      claimAtOnce(db, { id, verifier: bytes(2), now: 1_500 }),
      claimAtOnce(db, { id, ...right }),
      claimAtOnce(db, { id, ...right }),
    ]);
    const taken = await Promise.all(claims);
    for (const [i, { sealed, isEncrypted, expiresAt }] of secrets.entries()) {
      expect(taken.slice(3 * i, 3 * i + 3).filter((each) => each !== undefined)).toStrictEqual([
        { sealed, isEncrypted, expiresAt },
      ]);
      expect(taken[3 * i]).toBeUndefined();
    }
  });

  test("are stored once where they have one id", async () => {
    const secret = newSecret();
    const stored = await Promise.all(Array.from({ length: 5 }, () => insertSecret(db, secret)));
    expect(stored.filter(Boolean)).toHaveLength(1);
  });

  test("are stored beside one that cannot be", async () => {
    const secrets = Array.from({ length: 9 }, (_, i) => newSecret(i === 4 ? { createdAt: Number.NaN } : {}));
    const stored = await Promise.allSettled(secrets.map((secret) => insertSecret(db, secret)));
    expect(stored.map(({ status }) => status === "fulfilled")).toStrictEqual(secrets.map((_, i) => i !== 4));
    for (const [i, { id }] of secrets.entries())
      expect((await findSecret(db, id, 1_500)) !== undefined).toBe(i !== 4);
  });

  test("are not taken for a caller who has left meanwhile", async () => {
    const secrets = Array.from({ length: 9 }, () => newSecret());
    await Promise.all(secrets.map((secret) => insertSecret(db, secret)));
    const leaving = new AbortController();
    const claims = secrets.map(({ id }, i) =>
      claimAtOnce(db, { id, ...right, signal: i % 2 === 0 ? leaving.signal : undefined }),
    );
    leaving.abort(new Error("gone"));
    const taken = await Promise.allSettled(claims);
    expect(taken.map(({ status }) => status === "rejected")).toStrictEqual(
      secrets.map((_, i) => i % 2 === 0),
    );
    for (const [i, { id }] of secrets.entries())
      expect(await findSecret(db, id, 1_500)).toMatchObject({
        status: i % 2 === 0 ? "active" : "revealed",
      });
  });
});

withDatabases("calls of one moment", (db) => {
  test("count for each caller alone", async () => {
    const take = (caller: number) =>
      takeAllowance(db, { bucket: "moment", key: bytes(caller), limit: 3, windowSeconds: 60, now: 1_500 });
    const taken = await Promise.all(Array.from({ length: 200 }, (_, i) => take(i % 40)));
    const allowed = taken.map(({ allowed: isAllowed }) => isAllowed);
    for (let caller = 0; caller < 40; caller++)
      expect(allowed.filter((isAllowed, i) => i % 40 === caller && isAllowed)).toHaveLength(3);
  });
});

withDatabases("calls whose statements hang", (db) => {
  test("are refused when they have waited ten seconds, and made no more; later ones are made", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const ends: (() => void)[] = [];
    const asked: string[] = [];
    const ask = inBatches<string, string>({
      keyOf: (call) => call,
      run: async (_, calls) => {
        asked.push(...calls);
        if (calls.some((call) => call.startsWith("hangs")))
          await new Promise<void>((resolve) => ends.push(resolve));
        return calls.map((call) => `${call} is made`);
      },
    });
    const hanging = [ask(db, "hangs first")];
    await expect.poll(() => ends.length, STILL).toBe(1);
    hanging.push(ask(db, "hangs second"));
    await expect.poll(() => ends.length, STILL).toBe(2);
    const refused: string[] = [];
    const waiting = ["a", "b"].map((call) =>
      expect(ask(db, call).finally(() => refused.push(call))).rejects.toThrow(DatabaseUnavailable),
    );
    await vi.advanceTimersByTimeAsync(9_999);
    expect(refused).toStrictEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(waiting);
    for (const end of ends) end();
    expect(await Promise.all(hanging)).toStrictEqual(["hangs first is made", "hangs second is made"]);
    expect(await ask(db, "c")).toBe("c is made");
    expect(asked).toStrictEqual(["hangs first", "hangs second", "c"]);
  });
});
