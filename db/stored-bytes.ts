import { sql, type Kysely } from "kysely";
import { DAY_SECONDS } from "./allowance.ts";
import type { Bytes } from "./columns.ts";
import type { Tables } from "./schema.ts";

/** What one transaction of the database writes by. */
export type Transaction = Kysely<Tables>;

/** What else belongs to the transaction that stores something; either may throw, and nothing is stored. */
export interface StoredWith {
  /** Runs before. */
  claim?: ((trx: Transaction) => Promise<void>) | undefined;
  /** Runs behind it, where it was stored. */
  keep?: ((trx: Transaction) => Promise<void>) | undefined;
}

/** An account that wants to store more. */
interface RoomClaim {
  /** The rate key of the account, or of the young accounts that share one account's room. */
  key: Bytes;
  owner: string;
  /** Accounts made from one place after a time count together. */
  young?: { createdFrom: Bytes; after: number } | undefined;
  bytes: number;
  limit: number;
  now: number;
}

const BUCKET = "storedBytes";

/**
 * What the row of an open request counts for beside its note: its columns, of which a sealed label has up to 400 bytes,
 * and its places in the indexes, rounded up.
 */
export const REQUEST_ROW_BYTES = 1024;

/**
 * What a secret counts for at least in the room of its owner: its row and its places in the indexes. So the number of an
 * account's secrets is bounded too.
 */
export const LEAST_SECRET_BYTES = 1024;

const secretSize = sql<number>`case when size < ${sql.lit(LEAST_SECRET_BYTES)}
  then ${sql.lit(LEAST_SECRET_BYTES)} else size end`.as("size");

/** What an open or answered request counts for; its note has ASCII alone. */
export const requestSize = sql<number>`${sql.lit(REQUEST_ROW_BYTES)} + coalesce(length(note), 0)`.as("size");

/**
 * Claims room for bytes in the transaction that stores them. False when the account's active secrets and open requests
 * would have more than `limit` bytes together. Adding them all up each time would cost more than the create itself, so
 * a counter holds at least what is stored. It only grows; when it comes to the limit, and once a day, the true sum
 * takes its place, while the row of the counter keeps others of the account waiting.
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
  const { numUpdatedRows } = await trx
    .updateTable("allowance")
    .set((row) => ({ count: row("count", "+", bytes) }))
    .where("bucket", "=", BUCKET)
    .where("key", "=", key)
    .where("resets_at", ">", now)
    .where("resets_at", "<=", now + DAY_SECONDS)
    .where("count", "<=", limit - bytes)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

// Writing the row, even unchanged, makes everybody wait who wants to claim room for the same account.
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
  // What still arrives has been claimed too, and what is delivered is given back when its rows go.
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
  // PostgreSQL adds up 64-bit integers in a type without a limit, which its driver gives as a text.
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
