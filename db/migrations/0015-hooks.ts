import { sql, type Kysely } from "kysely";

/** Where members have themselves told what becomes of their secrets and requests, and of which they want to hear nothing. */
export async function up(db: Kysely<unknown>, kind: "sqlite" | "postgres"): Promise<void> {
  await db.schema
    .createTable("hook")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("member", "text", (column) => column.notNull().references("member.id").onDelete("cascade"))
    .addColumn("form", "text", (column) => column.notNull())
    .addColumn("host", "text", (column) => column.notNull())
    .addColumn("events", "text", (column) => column.notNull())
    .addColumn("sealed", sql.raw(kind === "sqlite" ? "blob" : "bytea"), (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("ended_at", "bigint")
    .execute();
  await db.schema.createIndex("hook_member").on("hook").column("member").execute();
  await db.schema
    .alterTable("outbox")
    .addColumn("hook", "text", (column) => column.references("hook.id").onDelete("cascade"))
    .execute();
  // Without it each hook that goes has the whole table read.
  await db.schema
    .createIndex("outbox_hook")
    .on("outbox")
    .column("hook")
    .where(sql.ref("hook"), "is not", null)
    .execute();
  for (const table of ["secret", "request"])
    await db.schema.alterTable(table).addColumn("is_quiet", "integer").execute();
}
