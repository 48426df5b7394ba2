import type { ExpressionBuilder, Kysely } from "kysely";
import type { Database } from "../open.ts";
import { joinHashes, splitHashes } from "../request-records.ts";
import type { Bytes } from "../columns.ts";
import type { Tables } from "../schema.ts";
import type { TransactionSteps } from "../stored-bytes.ts";
import type { Ticket } from "../secrets/secret-rows.ts";

/**
 * Stores an answer of an open request, up to the number that it takes: later ones are refused and change nothing. Each
 * answer is encrypted with its own key, so equal bytes are the same answer, which is known where it was stored before.
 */
export async function answerRequest(
  db: Database,
  of: TransactionSteps & { id: string; gateHash: Bytes; sealed: Bytes; now: number },
): Promise<"stored" | "known" | "refused"> {
  const { id, gateHash, sealed, now, claim, keep } = of;
  return db.write(async (trx) => {
    await lock(trx, id, db.kind);
    if (await hasAnswer(trx, id, sealed)) return "known";
    const claimed = await trx
      .updateTable("request")
      .set(({ eb, case: choose, val, ref }) => {
        const isLast = eb("answers", "<=", eb("answered", "+", 1));
        return {
          answered: eb("answered", "+", 1),
          status: choose()
            .when(isLast)
            .then(val("answered" as const))
            .else(val("open" as const))
            .end(),
          answered_at: choose().when(isLast).then(val(now)).else(ref("answered_at")).end(),
        };
      })
      .where("id", "=", id)
      .where("gate_hash", "=", gateHash)
      .where("status", "=", "open")
      .where("expires_at", ">", now)
      .returning("answered")
      .executeTakeFirst();
    if (!claimed) return "refused";
    await claim?.(trx);
    const row = { request_id: id, position: claimed.answered, size: sealed.length, sealed };
    await trx.insertInto("request_answer").values(row).execute();
    await keep?.(trx);
    return "stored";
  });
}

/** Whether a request has this same answer, while nobody has received it. */
async function hasAnswer(query: Kysely<Tables>, id: string, sealed: Bytes): Promise<boolean> {
  const same = await query
    .selectFrom("request_answer")
    .select("position")
    .where("request_id", "=", id)
    .where("size", "=", sealed.length)
    .where("sealed", "=", sealed)
    .executeTakeFirst();
  return same !== undefined;
}

// Two transactions that want the same request meet at its row. On SQLite a transaction locks the whole database.
function lock(trx: Kysely<Tables>, id: string, kind: Database["kind"]) {
  return trx
    .selectFrom("request")
    .select("ticket_hash")
    .where("id", "=", id)
    .$if(kind === "postgres", (query) => query.forUpdate())
    .executeTakeFirst();
}

interface CollectOptions {
  id: string;
  collectHash: Bytes;
  now: number;
  /** Without one the answer is deleted at once. */
  ticket?: Ticket | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Takes the oldest uncollected answer for the one caller with the right token; others get the next one, or undefined,
 * and change nothing. A ticket takes one answer. Nothing is taken for a caller who leaves, by `signal`, before the
 * commit; `left` is how many answers remain.
 * @throws the reason of the signal
 */
export async function collectAnswer(
  db: Database,
  { id, collectHash, now, ticket, signal }: CollectOptions,
): Promise<{ sealed: Bytes; left: number } | undefined> {
  return db.write(async (trx) => {
    signal?.throwIfAborted();
    const hashes = splitHashes((await lock(trx, id, db.kind))?.ticket_hash ?? null);
    if (ticket && hashes.some((hash) => hash.every((byte, at) => byte === ticket.hash[at]))) return undefined;
    const ticketHash = joinHashes(ticket ? [...hashes, ticket.hash] : hashes);
    const claimed = await claimOldest(trx, { id, collectHash, now, ticketHash });
    if (!claimed) return undefined;
    const taken = await takeSealed(trx, { id, ticket, now });
    // Waiting for the row may have taken time. Throwing rolls everything back.
    signal?.throwIfAborted();
    return { sealed: new Uint8Array(taken.sealed), left: claimed.answered - claimed.collected };
  });
}

// The last answer of a request that takes no more ends it.
function claimOldest(
  trx: Kysely<Tables>,
  of: { id: string; collectHash: Bytes; now: number; ticketHash: Bytes | null },
) {
  const { id, collectHash, now, ticketHash } = of;
  return trx
    .updateTable("request")
    .set(({ eb, and, case: choose, val, ref }) => {
      const isLast = and([eb("status", "=", "answered"), eb("answered", "<=", eb("collected", "+", 1))]);
      return {
        collected: eb("collected", "+", 1),
        ticket_hash: ticketHash,
        status: choose()
          .when(isLast)
          .then(val("collected" as const))
          .else(ref("status"))
          .end(),
        closed_at: choose().when(isLast).then(val(now)).else(ref("closed_at")).end(),
        note: choose().when(isLast).then(null).else(ref("note")).end(),
      };
    })
    .where("id", "=", id)
    .where("collect_hash", "=", collectHash)
    .where("status", "in", ["open", "answered"])
    .where("expires_at", ">", now)
    .where("collected", "<", ({ ref }) => ref("answered"))
    .returning(["answered", "collected"])
    .executeTakeFirst();
}

function takeSealed(
  trx: Kysely<Tables>,
  { id, ticket, now }: { id: string; ticket: Ticket | undefined; now: number },
) {
  const isOldest = ({ eb, selectFrom }: ExpressionBuilder<Tables, "request_answer">) =>
    eb(
      "position",
      "=",
      selectFrom("request_answer")
        .select(({ fn }) => fn.min("position").as("oldest"))
        .where("request_id", "=", id)
        .where("ticket_hash", "is", null),
    );
  const taken = ticket
    ? trx
        .updateTable("request_answer")
        .set({ sweep_at: ticket.sweepAt, ticket_hash: ticket.hash, collected_at: now })
        .where("request_id", "=", id)
        .where(isOldest)
        .returning("sealed")
    : trx.deleteFrom("request_answer").where("request_id", "=", id).where(isOldest).returning("sealed");
  return taken.executeTakeFirstOrThrow();
}
