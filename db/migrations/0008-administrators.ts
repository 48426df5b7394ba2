import type { Kysely } from "kysely";

/** Members who administer the instance, and members who may not do anything for a while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("member").addColumn("role", "text").execute();
  await db.schema.alterTable("member").addColumn("disabled_at", "bigint").execute();
}
