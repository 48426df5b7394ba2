// slow
import { expect, test } from "vitest";
import { claimFile, keepDelivery, resumeDelivery } from "../../../db/deliveries/files.ts";
import { readChunks } from "../../../db/secrets/secret-chunks.ts";
import {
  activateFile,
  beginFile,
  deleteFile,
  storeChunks,
  sweepFiles,
} from "../../../db/secrets/secret-files.ts";
import { closeSecret, findSecret, storedBytes, sweepSecrets } from "../../../db/secrets/secrets.ts";
import { bytes, newSecret } from "../support/fixtures.ts";
import { withDatabases } from "../support/harness.ts";

const SIZES = { fileSize: 90, storedSize: 500 };

withDatabases("a file", (db) => {
  const begin = async (count: number) => {
    const secret = newSecret();
    const { id } = secret;
    await beginFile(db, { id, owner: null, sweepAt: 1_200 });
    const chunks = Array.from({ length: count }, (_, i) => bytes(i, 100));
    expect(await storeChunks(db, { id, from: 1, chunks, sweepAt: 1_300 })).toBe(true);
    return secret;
  };
  const store = async (count = 3) => {
    const secret = await begin(count);
    expect(await activateFile(db, { ...secret, ...SIZES })).toBe(true);
    return secret;
  };
  const right = { verifier: bytes(1), passVerifier: null, now: 1_500 };
  const ticket = { hash: bytes(7), sweepAt: 2_100 };
  const delivery = { ticket };
  const countRows = async (id: string) => {
    const { query } = db;
    const files = await query.selectFrom("secret_file").select("size").where("secret_id", "=", id).execute();
    const chunks = await query
      .selectFrom("secret_chunk")
      .select("position")
      .where("secret_id", "=", id)
      .execute();
    return [files.length, chunks.length];
  };

  test("is no secret before it is whole, and then active with its size", async () => {
    const secret = await begin(3);
    expect(await findSecret(db, secret.id, 1_500)).toBeUndefined();
    expect(await claimFile(db, { id: secret.id, ...right, ...delivery })).toBeUndefined();
    expect(await activateFile(db, { ...secret, ...SIZES })).toBe(true);
    expect(await findSecret(db, secret.id, 1_500)).toMatchObject({
      status: "active",
      fileSize: 90,
    });
    expect(await sweepFiles(db, { now: 9_000 })).toBe(0);
  });

  test("is claimed by exactly one of many, whose ticket alone goes on", async () => {
    const { id, sealed } = await store();
    const claims = Array.from({ length: 40 }, (_, i) =>
      claimFile(db, { id, ...right, ticket: { hash: bytes(i), sweepAt: 2_100 } }),
    );
    const heads = await Promise.all(claims);
    expect(heads.filter(Boolean)).toStrictEqual([{ head: sealed, reader: 1 }]);
    expect(await findSecret(db, id, 1_500)).toMatchObject({ status: "revealed", closedAt: 1_500 });
    const resume = (hash: number, now: number) =>
      resumeDelivery(db, { id, ticket: { hash: bytes(hash), sweepAt: 2_100 }, now });
    for (const [i, head] of heads.entries())
      expect(await resume(i, 2_099)).toStrictEqual(head && { head: sealed, reader: 2 });
    expect(await resume(heads.findIndex(Boolean), 2_100)).toBeUndefined();
    const range = { id, from: 2, count: 4 };
    expect(await readChunks(db, { ...range, reader: 2 })).toStrictEqual([bytes(1, 100), bytes(2, 100)]);
  });

  test("is read by the last of its readers alone, who alone keeps it longer", async () => {
    const { id } = await store();
    // Deliveries of the tests before.
    await sweepFiles(db, { now: 2_100 });
    await claimFile(db, { id, ...right, ...delivery });
    await resumeDelivery(db, { id, ticket, now: 1_600 });
    const range = { id, from: 1, count: 4 };
    expect(await readChunks(db, { ...range, reader: 1 })).toEqual([]);
    expect(await readChunks(db, { ...range, reader: 2 })).toHaveLength(3);
    await keepDelivery(db, { id, reader: 1, sweepAt: 9_000 });
    await keepDelivery(db, { id, reader: 2, sweepAt: 2_200 });
    expect(await sweepFiles(db, { now: 2_199 })).toBe(0);
    expect(await sweepFiles(db, { now: 2_200 })).toBe(1);
  });

  test.each([
    ["a wrong verifier", { verifier: bytes(9) }],
    ["a passphrase it does not have", { passVerifier: bytes(2) }],
    ["the first second after its end", { now: 2_000 }],
  ])("is neither given nor consumed with %s", async (_what, wrong) => {
    const { id } = await store();
    expect(await claimFile(db, { id, ...right, ...delivery, ...wrong })).toBeUndefined();
    expect(await claimFile(db, { id, ...right, ...delivery })).toBeDefined();
  });

  test("is not claimed for a caller who has left", async () => {
    const { id } = await store();
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(claimFile(db, { id, ...right, ...delivery, signal })).rejects.toThrow("gone");
    expect(await claimFile(db, { id, ...right, ...delivery })).toBeDefined();
  });

  test("ends once when claimed and revoked at the same time, and a revoked one has no rows left to read", async () => {
    for (let i = 0; i < 10; i++) {
      const { id } = await store();
      const [head, isRevoked] = await Promise.all([
        claimFile(db, { id, ...right, ...delivery }),
        closeSecret(db, { id, now: 1_500, status: "revoked" }),
      ]);
      expect((head !== undefined) !== isRevoked).toBe(true);
      expect(await readChunks(db, { id, from: 1, count: 9, reader: 1 })).toHaveLength(isRevoked ? 0 : 3);
      await deleteFile(db, { id });
      expect(await countRows(id)).toEqual([0, 0]);
    }
  });

  test("that stopped arriving is swept, and can neither grow nor become active then", async () => {
    const secret = await begin(40);
    const { id } = secret;
    expect(await sweepFiles(db, { now: 1_299 })).toBe(0);
    expect(await sweepFiles(db, { now: 1_300 })).toBe(1);
    expect(await countRows(id)).toEqual([0, 0]);
    expect(await storeChunks(db, { id, from: 41, chunks: [bytes(1)], sweepAt: 9_000 })).toBe(false);
    expect(await activateFile(db, { ...secret, ...SIZES })).toBe(false);
    expect(await findSecret(db, id, 1_500)).toBeUndefined();
  });

  test("becomes active or is swept, never half of both", async () => {
    for (let i = 0; i < 10; i++) {
      const secret = await begin(20);
      const [isActive] = await Promise.all([
        activateFile(db, { ...secret, ...SIZES }),
        sweepFiles(db, { now: 1_300 }),
      ]);
      expect(await countRows(secret.id)).toEqual(isActive ? [1, 20] : [0, 0]);
      await deleteFile(db, { id: secret.id });
    }
  });

  test("is deleted by several at once, and by the sweep beside them", async () => {
    for (let i = 0; i < 5; i++) {
      const { id } = await store(90);
      const deletions = Array.from({ length: 4 }, () => deleteFile(db, { id }));
      await Promise.all([...deletions, sweepFiles(db, { now: 1_100 }), sweepFiles(db, { now: 1_100 })]);
      await sweepFiles(db, { now: 1_100 });
      expect(await countRows(id)).toEqual([0, 0]);
    }
  });

  test("expires with its rows", async () => {
    const { id } = await store(40);
    await sweepSecrets(db, { now: 2_000, receiptSeconds: 1_000_000 });
    expect(await findSecret(db, id, 2_000)).toMatchObject({ status: "expired", fileSize: 90 });
    expect(await readChunks(db, { id, from: 1, count: 9 })).toEqual([]);
    await sweepFiles(db, { now: 2_000 });
    expect(await countRows(id)).toEqual([0, 0]);
  });
});

withDatabases("the bytes that are stored", (db) => {
  test("count a file while it arrives, while it is active and while it is delivered", async () => {
    const secret = newSecret();
    const { id } = secret;
    await beginFile(db, { id, owner: null, sweepAt: 1_200 });
    await storeChunks(db, { id, from: 1, chunks: [bytes(1, 300), bytes(2, 100)], sweepAt: 1_200 });
    expect(await storedBytes(db)).toBe(400);
    await activateFile(db, { ...secret, ...SIZES });
    expect(await storedBytes(db)).toBe(500);
    const claim = { id, verifier: bytes(1), passVerifier: null, now: 1_500 };
    await claimFile(db, { ...claim, ticket: { hash: bytes(7), sweepAt: 2_100 } });
    expect(await storedBytes(db)).toBe(400);
    await sweepFiles(db, { now: 2_100 });
    expect(await storedBytes(db)).toBe(0);
  });
});
