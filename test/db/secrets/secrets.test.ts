// slow
import { expect, test } from "vitest";
import {
  claimSecret,
  closeSecret,
  findSecret,
  insertSecret,
  storedBytes,
  sweepSecrets,
  takeAttempt,
} from "../../../db/secrets/secrets.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import { withDatabases } from "../support/harness.ts";

withDatabases("a secret", (db) => {
  const store = async (changes: Parameters<typeof newSecret>[0] = {}) => {
    const secret = newSecret(changes);
    expect(await insertSecret(db, secret)).toBe(true);
    return secret;
  };
  const countContents = async (id: string) =>
    (await db.query.selectFrom("secret_content").select("size").where("secret_id", "=", id).execute()).length;
  const right = { verifier: bytes(1), passVerifier: null, now: 1_500 };

  test("is found as it was stored, with bytes as plain Uint8Arrays", async () => {
    const { sealed: _sealed, ...stored } = await store({ passVerifier: bytes(2), isEncrypted: true });
    const found = await findSecret(db, stored.id, 1_500);
    expect(found).toStrictEqual({
      ...{ ...stored, fileSize: null, label: null, ticketHash: null },
      ...{ status: "active", closedAt: null, attempts: 0 },
    });
    expect(found?.verifier.constructor).toBe(Uint8Array);
  });

  test("is unknown by another id", async () => {
    expect(await findSecret(db, "nobody", 1_500)).toBeUndefined();
  });

  test("keeps its content when another one wants the same id", async () => {
    const { id } = await store();
    expect(await insertSecret(db, newSecret({ id, sealed: bytes(9) }))).toBe(false);
    expect(await claimSecret(db, { id, ...right })).toStrictEqual(bytes(4, 60));
  });

  test.each([0, 1, 65_536, 500_000])("of %i bytes comes back byte by byte", async (length) => {
    const sealed = Uint8Array.from({ length }, (_, i) => (i * 7) % 256);
    const { id } = await store({ sealed });
    expect(Buffer.compare((await claimSecret(db, { id, ...right })) ?? bytes(0, 0), sealed)).toBe(0);
  });

  test("of bytes that are part of a larger buffer holds that part only", async () => {
    const part = (fill: number) => new Uint8Array([0, ...bytes(fill, 32), 0]).subarray(1, 33);
    const { id } = await store({ sealed: part(4), verifier: part(1), revokeHash: part(3) });
    expect(await findSecret(db, id, 1_500)).toMatchObject({
      verifier: bytes(1),
      revokeHash: bytes(3),
    });
    const right = { verifier: part(1), passVerifier: null, now: 1_500 };
    expect(await claimSecret(db, { id, ...right })).toStrictEqual(bytes(4));
  });

  test("is handed out once and leaves a receipt without content", async () => {
    const { id } = await store();
    expect(await claimSecret(db, { id, ...right })).toStrictEqual(bytes(4, 60));
    expect(await claimSecret(db, { id, ...right })).toBeUndefined();
    expect(await findSecret(db, id, 1_600)).toMatchObject({ status: "revealed", closedAt: 1_500 });
    expect(await countContents(id)).toBe(0);
  });

  test.each([
    ["a wrong verifier", { verifier: bytes(9) }],
    ["a passphrase it does not have", { passVerifier: bytes(2) }],
    ["another id", { id: "nobody" }],
    ["the first second after its end", { now: 2_000 }],
  ])("is neither given nor consumed with %s", async (_what, wrong) => {
    const { id } = await store();
    expect(await claimSecret(db, { id, ...right, ...wrong })).toBeUndefined();
    expect(await claimSecret(db, { id, ...right, now: 1_999 })).toStrictEqual(bytes(4, 60));
  });

  test.each([
    ["no passphrase", null],
    ["a wrong one", bytes(9)],
  ])("with a passphrase is neither given nor consumed with %s", async (_what, passVerifier) => {
    const { id } = await store({ passVerifier: bytes(2) });
    expect(await claimSecret(db, { id, ...right, passVerifier })).toBeUndefined();
    expect(await claimSecret(db, { id, ...right, passVerifier: bytes(2) })).toStrictEqual(bytes(4, 60));
  });

  test("goes to exactly one of many who ask at the same time", async () => {
    const { id } = await store();
    const answers = await Promise.all(Array.from({ length: 40 }, () => claimSecret(db, { id, ...right })));
    expect(answers.filter((sealed) => sealed !== undefined)).toHaveLength(1);
  });

  test("is not consumed for a caller who left before the claim", async () => {
    const { id } = await store();
    const left = AbortSignal.abort(new Error("gone"));
    await expect(claimSecret(db, { id, ...right, signal: left })).rejects.toThrow("gone");
    expect(await claimSecret(db, { id, ...right })).toStrictEqual(bytes(4, 60));
  });

  test("ends once when revealed, revoked and locked at the same time", async () => {
    const { id } = await store();
    const ends = await Promise.all([
      claimSecret(db, { id, ...right }).then((sealed) => sealed && "revealed"),
      closeSecret(db, { id, now: 1_500, status: "revoked" }).then((isDone) => isDone && "revoked"),
      closeSecret(db, { id, now: 1_500, status: "locked" }).then((isDone) => isDone && "locked"),
    ]);
    const done = ends.filter(Boolean);
    expect(done).toHaveLength(1);
    expect(await findSecret(db, id, 1_500)).toMatchObject({ status: done[0] });
  });

  test.each(["revoked", "locked"] as const)("that is %s has no content and stays so", async (status) => {
    const { id } = await store();
    expect(await closeSecret(db, { id, now: 1_700, status })).toBe(true);
    expect(await closeSecret(db, { id, now: 1_800, status: "revoked" })).toBe(false);
    expect(await claimSecret(db, { id, ...right })).toBeUndefined();
    expect(await findSecret(db, id, 2_500)).toMatchObject({ status, closedAt: 1_700 });
    expect(await countContents(id)).toBe(0);
  });

  test("is active until its last second and expired from its expiry on", async () => {
    const { id } = await store();
    expect(await findSecret(db, id, 1_999)).toMatchObject({ status: "active", closedAt: null });
    expect(await countContents(id)).toBe(1);
    expect(await findSecret(db, id, 2_000)).toMatchObject({ status: "expired", closedAt: 2_000 });
    expect(await countContents(id)).toBe(1);
    await sweepSecrets(db, { now: 2_000, receiptSeconds: 1_000_000 });
    expect(await findSecret(db, id, 2_000)).toMatchObject({ status: "expired", closedAt: 2_000 });
    expect(await countContents(id)).toBe(0);
  });

  test("cannot be revoked when its time is over", async () => {
    const { id } = await store();
    expect(await closeSecret(db, { id, now: 2_000, status: "revoked" })).toBe(false);
    expect(await findSecret(db, id, 2_001)).toMatchObject({ status: "expired", closedAt: 2_000 });
    // The clock may have been wrong; whoever wanted it gone was told that it is.
    expect(await countContents(id)).toBe(0);
    expect(await findSecret(db, id, 1_500)).toMatchObject({ status: "expired" });
  });

  test("gives ten tries of thirty that come at once, each its own number", async () => {
    const { id } = await store({ passVerifier: bytes(2) });
    const tries = Array.from({ length: 30 }, () => takeAttempt(db, { id, now: 1_500, ceiling: 10 }));
    const counts = (await Promise.all(tries)).filter((count) => count !== undefined);
    expect(counts.sort((a, b) => a - b)).toStrictEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await findSecret(db, id, 1_500)).toMatchObject({ attempts: 10, status: "active" });
  });

  test("gives no try when it is over, closed or unknown", async () => {
    const { id } = await store();
    expect(await takeAttempt(db, { id, now: 2_000, ceiling: 10 })).toBeUndefined();
    expect(await closeSecret(db, { id, now: 1_500, status: "revoked" })).toBe(true);
    expect(await takeAttempt(db, { id, now: 1_500, ceiling: 10 })).toBeUndefined();
    expect(await takeAttempt(db, { id: "nobody", now: 1_500, ceiling: 10 })).toBeUndefined();
  });
});

withDatabases("the sweep", (db) => {
  test("closes what is over, purges old receipts, and leaves the rest", async () => {
    const insert = (count: number, changes: Parameters<typeof newSecret>[0]) =>
      Promise.all(Array.from({ length: count }, () => insertSecret(db, newSecret(changes))));
    await insert(1_100, { expiresAt: 2_000 });
    await insert(3, { expiresAt: 2_001, sealed: bytes(1, 100) });
    expect(await storedBytes(db)).toBe(1_100 * 60 + 300);

    expect(await sweepSecrets(db, { now: 1_999, receiptSeconds: 50 })).toStrictEqual({
      expired: 0,
      purged: 0,
    });
    expect(await sweepSecrets(db, { now: 2_000, receiptSeconds: 50 })).toStrictEqual({
      expired: 1_100,
      purged: 0,
    });
    expect(await storedBytes(db)).toBe(300);
    expect(await sweepSecrets(db, { now: 2_050, receiptSeconds: 50 })).toStrictEqual({
      expired: 3,
      purged: 0,
    });
    expect(await sweepSecrets(db, { now: 2_051, receiptSeconds: 50 })).toStrictEqual({
      expired: 0,
      purged: 1_100,
    });
    expect(await storedBytes(db)).toBe(0);
    const left = await db.query.selectFrom("secret").select(["status", "closed_at"]).execute();
    expect(left).toStrictEqual(Array(3).fill({ status: "expired", closed_at: 2_001 }));
  });
});
