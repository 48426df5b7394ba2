import type { Kysely } from "kysely";

type Kind = "sqlite" | "postgres";

/** More ways to log in than a password. */
export async function up(db: Kysely<unknown>, kind: Kind): Promise<void> {
  const bytes = kind === "sqlite" ? "blob" : "bytea";
  const member = db.schema.alterTable("member");
  await member.addColumn("totp_key", bytes).execute();
  await member.addColumn("totp_since", "bigint").execute();
  await member.addColumn("totp_step", "bigint").execute();
  await db.schema.alterTable("session").addColumn("is_strong", "integer").execute();
  await createIdentity(db);
  await createPasskey(db, bytes);
}

async function createIdentity(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("identity")
    .addColumn("issuer", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("member", "text", (column) => column.notNull().references("member.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("last_used_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("identity_key", ["issuer", "subject"])
    .execute();
  await db.schema.createIndex("identity_member").on("identity").column("member").execute();
}

async function createPasskey(db: Kysely<unknown>, bytes: "blob" | "bytea"): Promise<void> {
  await db.schema
    .createTable("passkey")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("member", "text", (column) => column.notNull().references("member.id").onDelete("cascade"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("public_key", bytes, (column) => column.notNull())
    .addColumn("counter", "bigint", (column) => column.notNull())
    .addColumn("transports", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("last_used_at", "bigint")
    .execute();
  await db.schema.createIndex("passkey_member").on("passkey").column("member").execute();
}
