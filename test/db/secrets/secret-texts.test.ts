// slow
import { expect, test } from "vitest";
import {
  claimAtOnce,
  claimSecret,
  findSecret,
  insertSecret,
  storedBytes,
} from "../../../db/secrets/secrets.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import { withDatabases } from "../support/harness.ts";

const right = { verifier: bytes(1), now: 1_500 };

withDatabases("a claim at once", (db) => {
  test("answers the content and what it is bound to", async () => {
    const { id } = newSecret();
    await insertSecret(db, newSecret({ id, isEncrypted: true, sealed: bytes(9, 70), expiresAt: 1_777 }));
    expect(await claimAtOnce(db, { id, ...right })).toStrictEqual({
      sealed: bytes(9, 70),
      isEncrypted: true,
      expiresAt: 1_777,
    });
    expect(await claimAtOnce(db, { id, ...right })).toBeUndefined();
  });

  test.each([
    ["another verifier", {}, { verifier: bytes(2) }],
    ["a passphrase", { passVerifier: bytes(5) }, {}],
    ["its time over", { expiresAt: 1_500 }, {}],
  ])("leaves a secret with %s as it is", async (_what, changes, claim) => {
    const secret = newSecret(changes);
    await insertSecret(db, secret);
    expect(await claimAtOnce(db, { id: secret.id, ...right, ...claim })).toBeUndefined();
    expect(await findSecret(db, secret.id, 1_100)).toMatchObject({ status: "active" });
  });

  test("takes nothing for a caller who has left", async () => {
    const { id } = newSecret();
    await insertSecret(db, newSecret({ id }));
    const left = AbortSignal.abort(new Error("gone"));
    await expect(claimAtOnce(db, { id, ...right, signal: left })).rejects.toThrow("gone");
    expect(await claimAtOnce(db, { id, ...right })).toMatchObject({ sealed: bytes(4, 60) });
  });

  test("gives a text to one of many, whichever way they ask", async () => {
    const secrets = Array.from({ length: 10 }, () => newSecret());
    for (const secret of secrets) await insertSecret(db, secret);
    const claims = Array.from({ length: 16 }, (_, i) =>
      secrets.map(({ id }) =>
        i % 2 === 0
          ? claimAtOnce(db, { id, ...right })
          : claimSecret(db, { id, ...right, passVerifier: null }),
      ),
    );
    const taken = await Promise.all(claims.map((each) => Promise.all(each)));
    for (const [i, { id }] of secrets.entries()) {
      // A row that somebody holds is left by the one way, and then taken by the other, by whoever holds it.
      expect(taken.filter((each) => each[i] !== undefined)).toHaveLength(1);
      expect(await findSecret(db, id, 1_500)).toMatchObject({ status: "revealed", closedAt: 1_500 });
    }
  });
});

withDatabases("what all contents take", (db) => {
  test("is never told as less than it is, and exactly where it could be too much", async () => {
    const before = await storedBytes(db);
    for (let i = 0; i < 20; i++) await insertSecret(db, newSecret({ sealed: bytes(4, 10_000) }));
    expect(await storedBytes(db)).toBe(before + 200_000);
    expect(await storedBytes(db, { enough: 100_000 })).toBe(before + 200_000);
    expect(await storedBytes(db, { enough: 2 ** 40 })).toBeGreaterThan(before + 200_000);
  });
});
