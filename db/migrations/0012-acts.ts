import { sql, type Kysely } from "kysely";

/** Who did what, in the outbox beside the events: a row for each who is told of it, in the order in which they were written. */
export async function up(db: Kysely<unknown>, kind: "sqlite" | "postgres"): Promise<void> {
  // SQLite numbers rows by the primary key alone, which a table keeps. On PostgreSQL it is not the key: rows that were
  // moved from elsewhere have numbers that its sequence comes to again. Triggers find the new table by its name.
  const isSqlite = kind === "sqlite";
  await sql`create table outbox_before as select * from outbox`.execute(db);
  await db.schema.dropTable("outbox").execute();
  await db.schema
    .createTable("outbox")
    .addColumn("position", isSqlite ? "integer" : "bigserial", (column) =>
      isSqlite ? column.primaryKey() : column,
    )
    .addColumn("id", "text", (column) => (isSqlite ? column.notNull().unique() : column.primaryKey()))
    .addColumn("sink", "text", (column) => column.notNull().defaultTo("webhook"))
    .addColumn("event", "text", (column) => column.notNull())
    .addColumn("subject", "text")
    .addColumn("kind", "text")
    .addColumn("account", "text")
    .addColumn("token", "text")
    .addColumn("address", "text")
    .addColumn("login", "text")
    .addColumn("happened_at", "bigint", (column) => column.notNull())
    .addColumn("next_at", "bigint", (column) => column.notNull())
    .addColumn("tries", "integer", (column) => column.notNull())
    .execute();
  const columns = sql.raw("id, event, subject, kind, account, happened_at, next_at, tries");
  await sql`insert into outbox (${columns}) select ${columns} from outbox_before order by happened_at`.execute(
    db,
  );
  await db.schema.dropTable("outbox_before").execute();
  await db.schema
    .createIndex("outbox_next_at")
    .on("outbox")
    .columns(["sink", "next_at", "position"])
    .execute();
  // With what a session began.
  await db.schema.alterTable("session").addColumn("login", "text").execute();
}
