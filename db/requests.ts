import type { Kysely } from "kysely";
import type { Database } from "./open.ts";
import { readRequest, showOver, type RequestRecord } from "./request-records.ts";
import { changesRow, type Bytes } from "./columns.ts";
import type { RequestStatus, Tables } from "./schema.ts";
import type { TransactionSteps } from "./stored-bytes.ts";
import { sweepTable, type TableSweepOptions } from "./sweep/sweep-steps.ts";

export { listRequests } from "./request-records.ts";
export type { RequestRecord, RequestStatus };

export interface NewRequest {
  id: string;
  gateHash: Bytes;
  collectHash: Bytes;
  note: string | null;
  createdAt: number;
  expiresAt: number;
  owner: string | null;
  /** Encrypted in the owner's browser. */
  label?: string | undefined;
  /** How many answers it takes. */
  answers?: number | undefined;
  /** Whether the owner's hooks are not told of it. */
  isQuiet?: boolean | undefined;
}

/** Stores an open request. Returns false and stores nothing when the id is taken. */
export async function insertRequest(
  db: Database,
  request: NewRequest,
  { claim, keep }: TransactionSteps = {},
): Promise<boolean> {
  const {
    id,
    gateHash,
    collectHash,
    note,
    createdAt,
    expiresAt,
    owner,
    label = null,
    answers = 1,
    isQuiet,
  } = request;
  const row = {
    id,
    note,
    owner,
    label,
    gate_hash: gateHash,
    collect_hash: collectHash,
    status: "open" as const,
    created_at: createdAt,
    expires_at: expiresAt,
    answered_at: null,
    closed_at: null,
    answers,
    is_quiet: isQuiet ? 1 : null,
  };
  return db.write(async (trx) => {
    await claim?.(trx);
    const isFree = await trx
      .insertInto("request")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .$call(changesRow);
    if (!isFree) return false;
    await keep?.(trx);
    return true;
  });
}

/**
 * Finds a request. One past its time is shown as expired, without its note; the sweep deletes note and answers, once it
 * trusts the clock.
 */
export async function findRequest(db: Database, id: string, now: number): Promise<RequestRecord | undefined> {
  const request = await readRequest(db, id);
  return request && showOver(request, now);
}

/** Closes an open request for further answers; one without any is cancelled. False where it is not open. */
export async function closeRequest(db: Database, id: string, now: number): Promise<boolean> {
  return db.write(async (trx) => {
    const closed = await trx
      .updateTable("request")
      .set(({ eb, case: choose, val, ref }) => {
        const waits = eb("answered", ">", ref("collected"));
        return {
          answered_at: choose().when("answered", ">", 0).then(val(now)).else(ref("answered_at")).end(),
          closed_at: choose().when(waits).then(ref("closed_at")).else(val(now)).end(),
          note: choose().when(waits).then(ref("note")).else(null).end(),
          status: choose()
            .when(waits)
            .then(val("answered" as const))
            .when("answered", ">", 0)
            .then(val("collected" as const))
            .else(val("cancelled" as const))
            .end(),
        };
      })
      .where("id", "=", id)
      .where("status", "=", "open")
      .where("expires_at", ">", now)
      .returning("id")
      .executeTakeFirst();
    return closed !== undefined;
  });
}

/** Ends a request that is open or answered, and deletes uncollected answers. */
export async function cancelRequest(db: Database, id: string, now: number): Promise<boolean> {
  return db.write(async (trx) => {
    const closed = await trx
      .updateTable("request")
      .set({ status: "cancelled", closed_at: now, note: null })
      .where("id", "=", id)
      .where("status", "in", ["open", "answered"])
      .where("expires_at", ">", now)
      .returning("id")
      .executeTakeFirst();
    if (closed) await forgetUncollected(trx, [id]);
    return closed !== undefined;
  });
}

// What is being delivered ends at its own time.
async function forgetUncollected(trx: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  await trx
    .deleteFrom("request_answer")
    .where("request_id", "in", [...ids])
    .where("ticket_hash", "is", null)
    .execute();
}

// The request first, as in every transaction here: two that want the same one meet at its row, and the second finds
// another status than it asks for.
async function expire(trx: Kysely<Tables>, ids: string[], now: number): Promise<number> {
  if (ids.length === 0) return 0;
  const expired = await trx
    .updateTable("request")
    .set((request) => ({ status: "expired", closed_at: request.ref("expires_at"), note: null }))
    .where("id", "in", ids)
    .where("closed_at", "is", null)
    .where("expires_at", "<=", now)
    .returning("id")
    .execute();
  const over = expired.map(({ id }) => id);
  if (over.length > 0) await forgetUncollected(trx, over);
  return over.length;
}

/** Closes requests past their time, and deletes old receipts; returns how many of each. */
export async function sweepRequests(
  db: Database,
  options: TableSweepOptions,
): Promise<{ expired: number; purged: number }> {
  const { now } = options;
  return sweepTable(db, "request", { ...options, expire: (rows) => expireSome(db, { now, rows }) });
}

async function expireSome(db: Database, { now, rows }: { now: number; rows: number }): Promise<number> {
  const over = await db.query
    .selectFrom("request")
    .select("id")
    .where("closed_at", "is", null)
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .orderBy("id")
    .limit(rows)
    .execute();
  const ids = over.map(({ id }) => id);
  return ids.length === 0 ? 0 : db.writeSoon((trx) => expire(trx, ids, now));
}
