import { sql, type Kysely } from "kysely";

/** Without it each member who is deleted has the rows of all files read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("secret_file_owner")
    .on("secret_file")
    .column("owner")
    .where(sql.ref("owner"), "is not", null)
    .execute();
}
