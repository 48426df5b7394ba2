import { sql, type Kysely } from "kysely";

/** A request may take several answers, of which each is collected by itself and with a ticket of its own. */
export async function up(db: Kysely<unknown>, kind: "sqlite" | "postgres"): Promise<void> {
  for (const [column, value] of Object.entries({ answers: 1, answered: 0, collected: 0 }))
    await db.schema
      .alterTable("request")
      .addColumn(column, "integer", (each) => each.notNull().defaultTo(value))
      .execute();
  await sql`update request set answered = 1 where answered_at is not null`.execute(db);
  await sql`update request set collected = 1 where status = 'collected'`.execute(db);
  // SQLite cannot change a primary key.
  await db.schema.alterTable("request_answer").renameTo("former_answer").execute();
  await db.schema.dropIndex("request_answer_size").execute();
  await db.schema.dropIndex("request_answer_sweep_at").execute();
  await createAnswers(db, kind);
  await sql`insert into request_answer (request_id, position, size, sealed, sweep_at, ticket_hash, collected_at)
    select request_id, 1, size, sealed, sweep_at, ticket_hash, closed_at from former_answer join request on id = request_id`.execute(
    db,
  );
  await db.schema.dropTable("former_answer").execute();
}

async function createAnswers(db: Kysely<unknown>, kind: "sqlite" | "postgres"): Promise<void> {
  const bytes = sql.raw(kind === "sqlite" ? "blob" : "bytea");
  await db.schema
    .createTable("request_answer")
    .addColumn("request_id", "text", (column) =>
      column.notNull().references("request.id").onDelete("cascade"),
    )
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("size", "integer", (column) => column.notNull())
    .addColumn("sealed", bytes, (column) => column.notNull())
    .addColumn("sweep_at", "bigint")
    .addColumn("ticket_hash", bytes)
    .addColumn("collected_at", "bigint")
    // PostgreSQL has the name of before as long as the former table is there.
    .addPrimaryKeyConstraint("request_answer_position", ["request_id", "position"])
    .execute();
  await db.schema.createIndex("request_answer_size").on("request_answer").column("size").execute();
  await db.schema
    .createIndex("request_answer_sweep_at")
    .on("request_answer")
    .columns(["sweep_at"])
    .where(sql.ref("sweep_at"), "is not", null)
    .execute();
  if (kind === "postgres") await keepCiphertext(db);
}

// As migration 0001 has it: ciphertext does not compress, and a deleted one should leave the table's file soon.
async function keepCiphertext(db: Kysely<unknown>): Promise<void> {
  await sql`alter table request_answer alter column sealed set storage external`.execute(db);
  await sql`alter table request_answer set (
    autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0,
    toast.autovacuum_vacuum_threshold = 50, toast.autovacuum_vacuum_scale_factor = 0)`.execute(db);
}
