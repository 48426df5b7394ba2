import type { Kysely } from "kysely";

/** Events that somebody is to be told of, until they have confirmed them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("outbox")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("event", "text", (column) => column.notNull())
    .addColumn("subject", "text")
    .addColumn("kind", "text")
    .addColumn("account", "text")
    .addColumn("happened_at", "bigint", (column) => column.notNull())
    .addColumn("next_at", "bigint", (column) => column.notNull())
    .addColumn("tries", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("outbox_next_at").on("outbox").column("next_at").execute();
}
