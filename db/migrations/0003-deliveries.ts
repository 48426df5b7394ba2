import { sql, type Kysely } from "kysely";

type Table = "secret_content" | "request_answer";

/**
 * A text or an answer that was claimed with a ticket stays until `sweep_at`; the receipt knows the ticket's hash. Of
 * several readers of one file the last number may read on.
 */
export async function up(db: Kysely<unknown>, kind: "sqlite" | "postgres"): Promise<void> {
  for (const table of ["secret", "request"]) {
    const bytes = kind === "sqlite" ? "blob" : "bytea";
    await db.schema.alterTable(table).addColumn("ticket_hash", sql.raw(bytes)).execute();
  }
  for (const table of ["secret_content", "request_answer"] as const) await keepContent(db, table);
  await db.schema
    .alterTable("secret_file")
    .addColumn("reader", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}

async function keepContent(db: Kysely<unknown>, table: Table): Promise<void> {
  await db.schema.alterTable(table).addColumn("sweep_at", "bigint").execute();
  await db.schema
    .createIndex(`${table}_sweep_at`)
    .on(table)
    .columns(["sweep_at"])
    .where(sql.ref("sweep_at"), "is not", null)
    .execute();
}
