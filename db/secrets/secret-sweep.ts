import { sql, type ExpressionBuilder, type Kysely } from "kysely";
import type { Database } from "../open.ts";
import type { Tables } from "../schema.ts";
import { countChanged } from "../columns.ts";
import { requestSize } from "../stored-bytes.ts";
import { sweepTable, type TableSweepOptions } from "../sweep/sweep-steps.ts";

/** Closes secrets past their time, and deletes old receipts; returns how many of each. */
export async function sweepSecrets(
  db: Database,
  options: TableSweepOptions,
): Promise<{ expired: number; purged: number }> {
  const { now } = options;
  return sweepTable(db, "secret", { ...options, expire: (rows) => expireSome(db, { now, rows }) });
}

/**
 * The bytes of all encrypted contents, answers and open requests together. Summing up a million of them blocks
 * everybody, so this returns the size of their files instead, which is never less, while that is not above `enough`.
 */
export async function storedBytes(db: Database, { enough = 0 }: { enough?: number } = {}): Promise<number> {
  const taken = enough > 0 ? await takenBytes(db) : Infinity;
  return taken <= enough ? taken : sumBytes(db);
}

async function takenBytes({ kind, query }: Database): Promise<number> {
  const { rows } = await (kind === "sqlite" ? SQLITE_BYTES : POSTGRES_BYTES).execute(query);
  return Number(rows[0]?.bytes ?? Infinity);
}

const SQLITE_BYTES = sql<{ bytes: number }>`select page_count * page_size as bytes
  from pragma_page_count, pragma_page_size`;
// Encrypted bytes are stored without compression (keepCiphertext in the first migration).
const POSTGRES_BYTES = sql<{ bytes: number }>`select pg_total_relation_size('secret_content')
  + pg_total_relation_size('request_answer') + pg_total_relation_size('secret_chunk')
  + pg_total_relation_size('request') as bytes`;

async function sumBytes(db: Database): Promise<number> {
  const sizes = db.query
    .selectFrom("secret_content")
    .select("size")
    .unionAll(db.query.selectFrom("request_answer").select("size"))
    .unionAll(db.query.selectFrom("request").select(requestSize).where("closed_at", "is", null))
    // The size of an active secret's file counts with its content.
    .unionAll(db.query.selectFrom("secret_file").select("size").where("sweep_at", "is not", null));
  const { bytes } = await db.query
    .selectFrom(sizes.as("stored"))
    .select(({ fn }) => fn.sum<number | string | null>("size").as("bytes"))
    .executeTakeFirstOrThrow();
  // PostgreSQL sums 64-bit integers in an unbounded type, which its driver returns as a text.
  return Number(bytes ?? 0);
}

async function expireSome(db: Database, { now, rows }: { now: number; rows: number }): Promise<number> {
  return db.writeSoon(async (trx) => {
    const last = await findLastToExpire(trx, { now, rows });
    await trx
      .updateTable("secret_file")
      .set({ sweep_at: 0 })
      .where("secret_id", "in", (secrets) =>
        secrets.selectFrom("secret").select("id").where("closed_at", "is", null).where(isUpTo(last)),
      )
      .execute();
    const deleted = await trx
      .deleteFrom("secret_content")
      .where("sweep_at", "is", null)
      .where("secret_id", "in", (secrets) =>
        secrets.selectFrom("secret").select("id").where("closed_at", "is", null).where(isUpTo(last)),
      )
      .$call(countChanged);
    await trx
      .updateTable("secret")
      .set((secret) => ({ status: "expired", closed_at: secret.ref("expires_at") }))
      .where("closed_at", "is", null)
      .where(isUpTo(last))
      // A secret that an instance whose clock is behind has created since the last statement must wait.
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("secret_content").select("size").whereRef("secret_id", "=", "secret.id"))),
      )
      .execute();
    return deleted;
  });
}

interface IndexPosition {
  expires_at: number;
  id: string;
}

// In index order: the last of the next few that are over, or a position after all of them.
async function findLastToExpire(
  trx: Kysely<Tables>,
  { now, rows }: { now: number; rows: number },
): Promise<IndexPosition> {
  const last = await trx
    .selectFrom("secret")
    .select(["expires_at", "id"])
    .where("closed_at", "is", null)
    .where("expires_at", "<=", now)
    .orderBy("expires_at")
    .orderBy("id")
    .offset(rows - 1)
    .limit(1)
    .executeTakeFirst();
  return last ?? { expires_at: now + 1, id: "" };
}

function isUpTo({ expires_at, id }: IndexPosition) {
  return ({ eb, refTuple, tuple }: ExpressionBuilder<Tables, "secret">) =>
    eb(refTuple("expires_at", "id"), "<=", tuple(expires_at, id));
}
