import { sql, type Kysely } from "kysely";

/** A secret of nobody stands no longer in the index of accounts, which each create and each reading had to write. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("secret_owner_active").execute();
  await db.schema
    .createIndex("secret_owner_active")
    .on("secret")
    .columns(["owner", "id"])
    .where(sql.ref("closed_at"), "is", null)
    .where(sql.ref("owner"), "is not", null)
    .execute();
}
