import { sql, type Kysely } from "kysely";

/** What somebody has proved and when, and what a provider has last confirmed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const member = db.schema.alterTable("member");
  await member.addColumn("password_until", "bigint").execute();
  await member.addColumn("recovered_at", "bigint").execute();
  await member.addColumn("enrol_from", "bigint").execute();
  const session = db.schema.alterTable("session");
  await session.addColumn("proved_at", "bigint").execute();
  await session.addColumn("provider_session", "text").execute();
  const identity = db.schema.alterTable("identity");
  await identity.addColumn("name", "text").execute();
  await identity.addColumn("confirmed_at", "bigint").execute();
  await sql`update identity set confirmed_at = last_used_at`.execute(db);
}
