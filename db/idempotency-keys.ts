import type { Database } from "./open.ts";
import { changesRow, type Bytes } from "./columns.ts";
import type { Transaction } from "./stored-bytes.ts";
import { sweepRows, type SweepOptions } from "./sweep/sweep-steps.ts";

/** A call that owns a key until it ends, or until it no longer reports that it is running. */
export interface KeyClaim {
  keyHash: Bytes;
  /** Identifies the call; a different value means that another call owns the key. */
  claim: string;
}

/** What is kept of the first call with a key. */
interface KeptAnswer {
  bodyHash: Bytes;
  sealed: Bytes;
}

/**
 * Claims a key for one call until `sweepAt`. False when another call is running under it, or its answer is kept. Of
 * many processes one gets it.
 */
export async function claimKey(db: Database, claim: TimedClaim): Promise<boolean> {
  return db.writeSoon((trx) => insertClaim(trx, claim));
}

/** A claim made now, and until when it counts. */
export type TimedClaim = KeyClaim & { now: number; sweepAt: number };

/** Claims a key within the transaction that does what must happen once; false where somebody else has it. */
export async function insertClaim(
  trx: Transaction,
  { keyHash, claim, now, sweepAt }: TimedClaim,
): Promise<boolean> {
  const fresh = { claim, body_hash: null, sealed: null, sweep_at: sweepAt };
  const row = await trx
    .insertInto("idempotency_key")
    .values({ key_hash: keyHash, ...fresh })
    .onConflict((conflict) =>
      conflict.column("key_hash").doUpdateSet(fresh).where("idempotency_key.sweep_at", "<=", now),
    )
    .returning("claim")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Claims a key and stores the answer under it, within the transaction that stores what the answer is about. False when
 * the key has an answer.
 */
export async function keepFirstAnswer(trx: Transaction, answer: TimedClaim & KeptAnswer): Promise<boolean> {
  return (await insertClaim(trx, answer)) && keepAnswer(trx, answer);
}

/** Extends a claim until a later time. */
export async function extendClaim(
  db: Database,
  { keyHash, claim, sweepAt }: KeyClaim & { sweepAt: number },
): Promise<void> {
  await db.query
    .updateTable("idempotency_key")
    .set({ sweep_at: sweepAt })
    .where("key_hash", "=", keyHash)
    .where("claim", "=", claim)
    .where("sealed", "is", null)
    .execute();
}

/**
 * Stores the answer of a call until `sweepAt`, in the transaction that stores what the answer is about. False when
 * another call has claimed the key since.
 */
export async function keepAnswer(
  trx: Transaction,
  { keyHash, claim, bodyHash, sealed, sweepAt }: KeyClaim & KeptAnswer & { sweepAt: number },
): Promise<boolean> {
  return trx
    .updateTable("idempotency_key")
    .set({ body_hash: bodyHash, sealed, sweep_at: sweepAt })
    .where("key_hash", "=", keyHash)
    .where("claim", "=", claim)
    .where("sealed", "is", null)
    .$call(changesRow);
}

/** Releases the key of a failed call. A stored answer stays. */
export async function releaseKey(db: Database, { keyHash, claim }: KeyClaim): Promise<void> {
  await db.writeSoon((trx) =>
    trx
      .deleteFrom("idempotency_key")
      .where("key_hash", "=", keyHash)
      .where("claim", "=", claim)
      .where("sealed", "is", null)
      .execute(),
  );
}

/** The stored answer of a key; undefined while its call is running. */
export async function findAnswer(db: Database, keyHash: Bytes, now: number): Promise<KeptAnswer | undefined> {
  const row = await db.query
    .selectFrom("idempotency_key")
    .select(["body_hash", "sealed"])
    .where("key_hash", "=", keyHash)
    .where("sweep_at", ">", now)
    .executeTakeFirst();
  if (!row?.body_hash || !row.sealed) return undefined;
  return { bodyHash: new Uint8Array(row.body_hash), sealed: new Uint8Array(row.sealed) };
}

/** Stores that something has happened, until `sweepAt`; of several times the latest counts. */
export async function leaveMark(
  db: Database,
  { keyHash, claim, sweepAt }: KeyClaim & { sweepAt: number },
): Promise<void> {
  await db.write((trx) =>
    trx
      .insertInto("idempotency_key")
      .values({ key_hash: keyHash, claim, body_hash: null, sealed: null, sweep_at: sweepAt })
      .onConflict((conflict) =>
        conflict
          .column("key_hash")
          .doUpdateSet({ sweep_at: sweepAt })
          .where("idempotency_key.sweep_at", "<", sweepAt),
      )
      .execute(),
  );
}

/** Whether one of these marks lasts until then, or longer. */
export async function hasMark(db: Database, keyHashes: readonly Bytes[], until: number): Promise<boolean> {
  const row = await db.query
    .selectFrom("idempotency_key")
    .select("claim")
    .where("key_hash", "in", keyHashes)
    .where("sweep_at", ">=", until)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes expired keys, and those of calls that ended without releasing them; returns how many. */
export async function sweepKeys(db: Database, sweep: { now: number } & SweepOptions): Promise<number> {
  return sweepRows(db, "idempotency_key.key_hash", sweep);
}
