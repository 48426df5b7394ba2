import { sql, type ExpressionBuilder, type Kysely } from "kysely";
import { DAY_SECONDS } from "./allowance.ts";
import { changesRow, type Bytes } from "./columns.ts";
import type { Database } from "./open.ts";
import type { Tables } from "./schema.ts";
import { workInSteps } from "./sweep/sweep-steps.ts";

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
  /** Whether `recountMany` has just counted the stored bytes, so that a claim that does not fit is refused. */
  isCounted?: boolean;
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
  if (claim.isCounted) return false;
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

/** So many rows are added up in the transaction that stores; more would block everybody on SQLite. */
const MOST_AT_ONCE = 1_000;
/** Those that are under way, by the key of the counter: claims that come meanwhile wait for the same. */
const recountsOf = new WeakMap<Database, Map<string, Promise<void>>>();

/**
 * Before a claim that the counter does not let in, adds up what an account with many secrets or requests has, in steps;
 * true where it did. What is stored meanwhile has raised the counter and counts in addition.
 */
export async function recountMany(db: Database, claim: RoomClaim): Promise<boolean> {
  if (claim.bytes > claim.limit || (await hasRoom(db, claim)) || !(await hasMany(db, claim))) return false;
  const recounts = recountsOf.get(db) ?? new Map<string, Promise<void>>();
  recountsOf.set(db, recounts);
  const key = claim.key.join();
  const recounted = recounts.get(key) ?? recountInSteps(db, claim).finally(() => recounts.delete(key));
  recounts.set(key, recounted);
  await recounted;
  return true;
}

async function hasRoom({ query }: Database, { key, bytes, limit, now }: RoomClaim): Promise<boolean> {
  const row = await selectCounter(query, key).executeTakeFirst();
  if (!row || row.resets_at <= now || row.resets_at > now + DAY_SECONDS) return false;
  return row.count <= limit - bytes;
}

function selectCounter(query: Kysely<Tables>, key: Bytes) {
  return query
    .selectFrom("allowance")
    .select(["count", "resets_at"])
    .where("bucket", "=", BUCKET)
    .where("key", "=", key);
}

async function hasMany({ query }: Database, claim: RoomClaim): Promise<boolean> {
  const owners = selectOwners(query, claim);
  const secrets = query
    .selectFrom("secret")
    .select("id")
    .where("owner", "in", owners)
    .where("closed_at", "is", null)
    .offset(MOST_AT_ONCE)
    .limit(1);
  if (await secrets.executeTakeFirst()) return true;
  // No index has open requests alone, so that their receipts are read too.
  const requests = query.selectFrom("request").select("id").where("owner", "in", owners);
  return (await requests.offset(MOST_AT_ONCE).limit(1).executeTakeFirst()) !== undefined;
}

// In the order in which rows move on, so that none is missed: what arrives becomes active, and then it is delivered.
async function recountInSteps(db: Database, claim: RoomClaim): Promise<void> {
  const before = await db.write(async (trx) => {
    await lockCounter(trx, claim);
    return selectCounter(trx, claim.key).executeTakeFirstOrThrow();
  });
  const owners = await selectOwners(db.query, claim).execute();
  let stored = await sumOf(selectArriving(db.query, claim));
  for (const { id } of owners) stored += await sumSecrets(db, id);
  stored += await sumOf(selectDelivered(db.query, claim));
  for (const { id } of owners) stored += await sumRequests(db, id);
  await db.write(async (trx) =>
    trx
      .updateTable("allowance")
      .set((row) => ({ count: row("count", "+", stored - before.count), resets_at: claim.now + DAY_SECONDS }))
      .where("bucket", "=", BUCKET)
      .where("key", "=", claim.key)
      // Otherwise another instance has counted meanwhile.
      .where("resets_at", "=", before.resets_at)
      .where("count", ">=", before.count)
      .execute(),
  );
}

// As a join, PostgreSQL may begin each step with the contents of everybody.
function contentSize({ selectFrom }: ExpressionBuilder<Tables, "secret">) {
  return selectFrom("secret_content").select(secretSize).whereRef("secret_id", "=", "secret.id").as("size");
}

async function sumSecrets(db: Database, owner: string): Promise<number> {
  let [sum, after] = [0, ""];
  const step = async (count: number) => {
    const rows = await db.query
      .selectFrom("secret")
      .select(["id", contentSize])
      .where("owner", "=", owner)
      .where("closed_at", "is", null)
      .where("id", ">", after)
      .orderBy("id")
      .limit(count)
      .execute();
    for (const { size } of rows) sum += Number(size ?? 0);
    after = rows.at(-1)?.id ?? after;
    return rows.length;
  };
  await workInSteps(db, { step, isAwaited: true });
  return sum;
}

async function sumRequests(db: Database, owner: string): Promise<number> {
  let [sum, at, after] = [0, 0, ""];
  const step = async (count: number) => {
    const rows = await db.query
      .selectFrom("request")
      .select(["id", "created_at", "closed_at", requestSize])
      .where("owner", "=", owner)
      .where(({ eb, refTuple, tuple }) => eb(refTuple("created_at", "id"), ">", tuple(at, after)))
      .orderBy("created_at")
      .orderBy("id")
      .limit(count)
      .execute();
    for (const { closed_at: closedAt, size } of rows) sum += closedAt === null ? Number(size) : 0;
    const last = rows.at(-1);
    if (last) [at, after] = [last.created_at, last.id];
    return rows.length;
  };
  await workInSteps(db, { step, isAwaited: true });
  return sum;
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

async function sumActive(trx: Transaction, claim: RoomClaim): Promise<number> {
  const owners = selectOwners(trx, claim);
  const active = trx
    .selectFrom("secret")
    .select("id")
    .where("owner", "in", owners)
    .where("closed_at", "is", null);
  // In the order in which rows move on, as in a recount in steps.
  const contents = trx.selectFrom("secret_content").select(secretSize).where("secret_id", "in", active);
  const requests = trx
    .selectFrom("request")
    .select(requestSize)
    .where("owner", "in", owners)
    .where("closed_at", "is", null);
  const parts = [selectArriving(trx, claim), contents, selectDelivered(trx, claim), requests];
  let sum = 0;
  for (const part of parts) sum += await sumOf(part);
  return sum;
}

function selectOwners(query: Kysely<Tables>, { owner, young }: RoomClaim) {
  return query
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
}

// Uploads under way have claimed room too, and what is being delivered is given back when its rows are deleted.
function selectArriving(query: Kysely<Tables>, claim: RoomClaim) {
  return query
    .selectFrom("secret_file")
    .select("size")
    .where("owner", "in", selectOwners(query, claim))
    .where("sweep_at", ">", 0);
}

// Few contents are being delivered, but SQLite would begin with all secrets of the owners.
function selectDelivered(query: Kysely<Tables>, claim: RoomClaim) {
  return query
    .selectFrom("secret_content")
    .select(secretSize)
    .where("sweep_at", "is not", null)
    .where(
      (content) => content.selectFrom("secret").select("owner").whereRef("id", "=", "secret_id"),
      "in",
      selectOwners(query, claim),
    );
}

async function sumOf(sizes: Sizes): Promise<number> {
  const rows = await sizes.execute();
  return rows.reduce((sum, { size }) => sum + Number(size), 0);
}

interface Sizes {
  execute(): Promise<{ size: number }[]>;
}

async function setCounter(trx: Transaction, { key, now }: RoomClaim, count: number): Promise<void> {
  await trx
    .updateTable("allowance")
    .set({ count, resets_at: now + DAY_SECONDS })
    .where("bucket", "=", BUCKET)
    .where("key", "=", key)
    .execute();
}
