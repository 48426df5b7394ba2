import { sql, type Kysely } from "kysely";

/** First answers to calls that may be sent again. */
export async function up(db: Kysely<unknown>, kind: "sqlite" | "postgres"): Promise<void> {
  const bytes = sql.raw(kind === "sqlite" ? "blob" : "bytea");
  await db.schema
    .createTable("idempotency_key")
    .addColumn("key_hash", bytes, (column) => column.primaryKey().notNull())
    .addColumn("claim", "text", (column) => column.notNull())
    .addColumn("body_hash", bytes)
    .addColumn("sealed", bytes)
    .addColumn("sweep_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("idempotency_key_sweep_at").on("idempotency_key").column("sweep_at").execute();
}
