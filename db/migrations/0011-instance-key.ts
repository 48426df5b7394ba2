import { sql, type Kysely } from "kysely";

/** The key of an instance stands outside its database: the old one goes, and the digests that were made with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from installation where name = 'key'`.execute(db);
  await sql`delete from allowance`.execute(db);
  await sql`update member set created_from = null where created_from is not null`.execute(db);
}
