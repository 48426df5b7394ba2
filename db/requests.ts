import type { Kysely } from "kysely";
import type { Database } from "./open.ts";
import { readRequest, showOver, type RequestRecord } from "./request-records.ts";
import type { Ticket } from "./secrets/secret-rows.ts";
import type { Bytes, RequestStatus, Tables } from "./schema.ts";
import type { StoredWith } from "./stored-bytes.ts";
import { sweepTable, type Receipts, type Sweeping } from "./sweep-steps.ts";

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
  /** Sealed in a browser of the owner. */
  label?: string | undefined;
}

/** Stores an open request. False when the id is taken, and then no request is stored. */
export async function insertRequest(
  db: Database,
  request: NewRequest,
  { claim, keep }: StoredWith = {},
): Promise<boolean> {
  const { id, gateHash, collectHash, note, createdAt, expiresAt, owner, label = null } = request;
  const row = {
    ...{ id, note, owner, label, gate_hash: gateHash, collect_hash: collectHash, status: "open" as const },
    ...{ created_at: createdAt, expires_at: expiresAt, answered_at: null, closed_at: null },
  };
  return db.write(async (trx) => {
    await claim?.(trx);
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("request")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) return false;
    await keep?.(trx);
    return true;
  });
}

/**
 * Finds a request. One whose time is over is shown as expired, without its note; the sweep deletes note and answer, once
 * it believes the clock.
 */
export async function findRequest(
  db: Database,
  { id, now }: { id: string; now: number },
): Promise<RequestRecord | undefined> {
  const request = await readRequest(db, id);
  return request && showOver(request, now);
}

interface AnswerOptions extends StoredWith {
  id: string;
  gateHash: Bytes;
  sealed: Bytes;
  now: number;
}

/** Stores the answer of an open request, for the first who gives one: the others get false and change nothing. */
export async function answerRequest(
  db: Database,
  { id, gateHash, sealed, now, claim, keep }: AnswerOptions,
): Promise<boolean> {
  return db.write(async (trx) => {
    const claimed = await trx
      .updateTable("request")
      .set({ status: "answered", answered_at: now })
      .where("id", "=", id)
      .where("gate_hash", "=", gateHash)
      .where("status", "=", "open")
      .where("expires_at", ">", now)
      .returning("id")
      .executeTakeFirst();
    if (!claimed) return false;
    await claim?.(trx);
    await trx.insertInto("request_answer").values({ request_id: id, size: sealed.length, sealed }).execute();
    await keep?.(trx);
    return true;
  });
}

export interface CollectOptions {
  id: string;
  collectHash: Bytes;
  now: number;
  /** Without one the answer is deleted at once. */
  ticket?: Ticket | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Takes the answer out of an answered request, for the one caller whose token is right: the others get undefined
 * and change nothing. Nothing is taken for a caller who has left, by `signal`, before it is committed.
 * @throws the reason of the signal
 */
export async function collectAnswer(
  db: Database,
  { id, collectHash, now, ticket, signal }: CollectOptions,
): Promise<Bytes | undefined> {
  return db.write(async (trx) => {
    signal?.throwIfAborted();
    const claim = { id, now, collectHash, ticketHash: ticket?.hash ?? null };
    const closed = await close(trx, { ...claim, status: "collected", from: ["answered"] });
    if (!closed) return undefined;
    const taken = await takeSealed(trx, { id, ticket });
    // The row may have been waited for. What is thrown rolls all of it back.
    signal?.throwIfAborted();
    return new Uint8Array(taken.sealed);
  });
}

function takeSealed(trx: Kysely<Tables>, { id, ticket }: { id: string; ticket: Ticket | undefined }) {
  const taken = ticket
    ? trx
        .updateTable("request_answer")
        .set({ sweep_at: ticket.sweepAt })
        .where("request_id", "=", id)
        .returning("sealed")
    : trx.deleteFrom("request_answer").where("request_id", "=", id).returning("sealed");
  return taken.executeTakeFirstOrThrow();
}

/** Ends a request that is open or answered, and deletes an answer that nobody has collected. */
export async function cancelRequest(
  db: Database,
  { id, now }: { id: string; now: number },
): Promise<boolean> {
  return db.write(async (trx) => {
    const closed = await close(trx, { id, now, status: "cancelled", from: ["open", "answered"] });
    if (closed) await trx.deleteFrom("request_answer").where("request_id", "=", id).execute();
    return closed;
  });
}

// The request first, in every transaction here: two that want the same one meet at its row, and the second finds
// another status than it asks for.
async function close(
  trx: Kysely<Tables>,
  {
    id,
    now,
    status,
    collectHash,
    ticketHash = null,
    from,
  }: {
    id: string;
    now: number;
    status: "collected" | "cancelled";
    collectHash?: Bytes;
    ticketHash?: Bytes | null;
    from: RequestStatus[];
  },
): Promise<boolean> {
  let update = trx
    .updateTable("request")
    .set({ status, closed_at: now, note: null, ticket_hash: ticketHash })
    .where("id", "=", id)
    .where("status", "in", from)
    .where("expires_at", ">", now);
  if (collectHash) update = update.where("collect_hash", "=", collectHash);
  return (await update.returning("id").executeTakeFirst()) !== undefined;
}

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
  if (over.length > 0) await trx.deleteFrom("request_answer").where("request_id", "in", over).execute();
  return over.length;
}

/** Closes the requests whose time is over, and deletes old receipts; answers how many of each. */
export async function sweepRequests(
  db: Database,
  options: Receipts & Sweeping,
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
