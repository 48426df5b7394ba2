import { sql, type Kysely } from "kysely";

/** The value of a session before its last proof, until when that still counts, and as what. */
export async function up(db: Kysely<unknown>, kind: "sqlite" | "postgres"): Promise<void> {
  const session = db.schema.alterTable("session");
  await session.addColumn("former_hash", kind === "sqlite" ? "blob" : "bytea").execute();
  await session.addColumn("former_until", "bigint").execute();
  await session.addColumn("former_rights", "text").execute();
  await db.schema
    .createIndex("session_former_hash")
    .on("session")
    .column("former_hash")
    .where(sql.ref("former_hash"), "is not", null)
    .execute();
}
