import { sql, type Kysely } from "kysely";
import { DAY_SECONDS } from "./allowance.ts";
import { changesRow, type Bytes } from "./columns.ts";
import type { Tables } from "./schema.ts";

/** The object with which a transaction of the database writes. */
export type Transaction = Kysely<Tables>;

/** More work within the transaction that stores something; if either throws, nothing is stored. */
export interface TransactionSteps {
  /** Runs before it. */
  claim?: ((trx: Transaction) => Promise<void>) | undefined;
  /** Runs after it, where it was stored. */
  keep?: ((trx: Transaction) => Promise<void>) | undefined;
}

/** An account that wants to store more. */
interface RoomClaim {
  /** The rate key of the account, or of the young accounts that share one account's room. */
  key: Bytes;
  owner: string;
  /** Accounts created from one place after a time count together. */
  young?: { createdFrom: Bytes; after: number } | undefined;
  bytes: number;
  limit: number;
  now: number;
}

const BUCKET = "storedBytes";

/**
 * What the row of an open request counts in addition to its note: its columns, including a label with up to 400 bytes,
 * and its index entries, rounded up.
 */
export const REQUEST_ROW_BYTES = 1024;

/**
 * The least that a secret counts: its row and its index entries. This bounds the number of an account's secrets too.
 */
export const LEAST_SECRET_BYTES = 1024;

const secretSize = sql<number>`case when size < ${sql.lit(LEAST_SECRET_BYTES)}
  then ${sql.lit(LEAST_SECRET_BYTES)} else size end`.as("size");

/** What an open or answered request counts; its note is ASCII. */
export const requestSize = sql<number>`${sql.lit(REQUEST_ROW_BYTES)} + coalesce(length(note), 0)`.as("size");

/**
 * Claims room for bytes in the transaction that stores them. False when the account's active secrets and open requests
 * would exceed `limit` bytes together. Summing them up each time would cost more than the create itself, so a counter
 * holds at least what is stored. It only grows; when it reaches the limit, and once a day, the true sum replaces it,
 * while others of the account wait for the counter's row.
 */
export async function claimStoredBytes(trx: Transaction, claim: RoomClaim): Promise<boolean> {
  const { bytes, limit } = claim;
  if (bytes > limit) return false;
  if (await raiseCounter(trx, claim)) return true;
  await lockCounter(trx, claim);
  const stored = await sumActive(trx, claim);
  const fits = stored + bytes <= limit;
  await setCounter(trx, claim, fits ? stored + bytes : stored);
  return fits;
}

async function raiseCounter(trx: Transaction, { key, bytes, limit, now }: RoomClaim): Promise<boolean> {
  return trx
    .updateTable("allowance")
    .set((row) => ({ count: row("count", "+", bytes) }))
    .where("bucket", "=", BUCKET)
    .where("key", "=", key)
    .where("resets_at", ">", now)
    .where("resets_at", "<=", now + DAY_SECONDS)
    .where("count", "<=", limit - bytes)
    .$call(changesRow);
}

// Locks the row by writing it unchanged: other claims of the same account wait.
async function lockCounter(trx: Transaction, { key, now }: RoomClaim): Promise<void> {
  await trx
    .insertInto("allowance")
    .values({ bucket: BUCKET, key, count: 0, resets_at: now })
    .onConflict((conflict) =>
      conflict.columns(["bucket", "key"]).doUpdateSet((row) => ({ count: row.ref("allowance.count") })),
    )
    .execute();
}

async function sumActive(trx: Transaction, { owner, young }: RoomClaim): Promise<number> {
  const owners = trx
    .selectFrom("member")
    .select("id")
    .where(({ eb, or, and }) =>
      young
        ? or([
            eb("id", "=", owner),
            and([eb("created_from", "=", young.createdFrom), eb("created_at", ">", young.after)]),
          ])
        : eb("id", "=", owner),
    );
  const active = trx
    .selectFrom("secret")
    .select("id")
    .where("owner", "in", owners)
    .where("closed_at", "is", null);
  // Uploads under way have claimed room too, and what is being delivered is given back when its rows are deleted.
  const arriving = trx
    .selectFrom("secret_file")
    .select("size")
    .where("owner", "in", owners)
    .where("sweep_at", ">", 0);
  const delivered = trx
    .selectFrom("secret_content")
    .innerJoin("secret", "id", "secret_id")
    .select(secretSize)
    .where("sweep_at", "is not", null)
    .where("owner", "in", owners);
  const sizes = trx
    .selectFrom("secret_content")
    .select(secretSize)
    .where("secret_id", "in", active)
    .unionAll(arriving)
    .unionAll(delivered)
    .unionAll(
      trx
        .selectFrom("request")
        .select(requestSize)
        .where("owner", "in", owners)
        .where("closed_at", "is", null),
    );
  const { bytes } = await trx
    .selectFrom(sizes.as("stored"))
    .select(({ fn }) => fn.sum<number | string | null>("size").as("bytes"))
    .executeTakeFirstOrThrow();
  // PostgreSQL sums 64-bit integers in an unbounded type, which its driver returns as a text.
  return Number(bytes ?? 0);
}

async function setCounter(trx: Transaction, { key, now }: RoomClaim, count: number): Promise<void> {
  await trx
    .updateTable("allowance")
    .set({ count, resets_at: now + DAY_SECONDS })
    .where("bucket", "=", BUCKET)
    .where("key", "=", key)
    .execute();
}
