import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** The names under which the two databases know the same thing. */
interface Names {
  bytes: "blob" | "bytea";
  isPostgres: boolean;
}

// A migration keeps its meaning when schema.ts moves on, so it knows no tables.
type Step = (db: Kysely<unknown>, names: Names) => Promise<void>;

/** Only ever added to: what has once run somewhere is never changed, renamed or moved. */
const STEPS: Readonly<Record<string, Step>> = {
  "0001_members": createMembers,
  "0002_secrets": createSecrets,
  "0003_counters": createCounters,
};

/** The numbered migrations, for SQLite or PostgreSQL. */
export function listMigrations(kind: "sqlite" | "postgres"): Record<string, Migration> {
  const names: Names = { bytes: kind === "sqlite" ? "blob" : "bytea", isPostgres: kind === "postgres" };
  return Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [name, { up: (db: Kysely<unknown>) => step(db, names) }]),
  );
}

async function createMembers(db: Kysely<unknown>, names: Names): Promise<void> {
  await db.schema
    .createTable("member")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .addColumn("password", "text", (column) => column.notNull())
    .addColumn("recovery_hash", names.bytes)
    .addColumn("created", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("session")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("hash", names.bytes, (column) => column.notNull().unique())
    .addColumn("member", "text", (column) => column.notNull().references("member.id").onDelete("cascade"))
    .addColumn("created", "bigint", (column) => column.notNull())
    .addColumn("expiry", "bigint", (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("session_member").on("session").column("member").execute();
  await db.schema
    .createTable("token")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("hash", names.bytes, (column) => column.notNull().unique())
    .addColumn("member", "text", (column) => column.notNull().references("member.id").onDelete("cascade"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("prefix", "text", (column) => column.notNull())
    .addColumn("created", "bigint", (column) => column.notNull())
    .addColumn("expiry", "bigint")
    .addColumn("used", "bigint")
    .execute();
  await db.schema.createIndex("token_member").on("token").column("member").execute();
}

async function createSecrets(db: Kysely<unknown>, names: Names): Promise<void> {
  await db.schema
    .createTable("secret")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("verifier", names.bytes, (column) => column.notNull())
    .addColumn("pass_verifier", names.bytes)
    .addColumn("revoke_hash", names.bytes, (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("created", "bigint", (column) => column.notNull())
    .addColumn("expiry", "bigint", (column) => column.notNull())
    .addColumn("closed", "bigint")
    .addColumn("is_encrypted", "integer", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("owner", "text", (column) => column.references("member.id").onDelete("set null"))
    .addCheckConstraint("secret_closed", sql`(status = 'active') = (closed is null)`)
    .execute();
  // The partial indexes hold only what the sweep and the list look for, so that most secrets are in one of them.
  await db.schema
    .createIndex("secret_expiry")
    .on("secret")
    .columns(["expiry", "id"])
    .where(sql.ref("closed"), "is", null)
    .execute();
  await db.schema
    .createIndex("secret_closed_at")
    .on("secret")
    .column("closed")
    .where(sql.ref("closed"), "is not", null)
    .execute();
  await db.schema
    .createIndex("secret_owner")
    .on("secret")
    .columns(["owner", "created", "id"])
    .where(sql.ref("owner"), "is not", null)
    .execute();
  await createSecretContent(db, names);
}

async function createSecretContent(db: Kysely<unknown>, names: Names): Promise<void> {
  await db.schema
    .createTable("secret_content")
    .addColumn("secret_id", "text", (column) =>
      column.primaryKey().references("secret.id").onDelete("cascade"),
    )
    .addColumn("size", "integer", (column) => column.notNull())
    .addColumn("sealed", names.bytes, (column) => column.notNull())
    .execute();
  // So that the sum of all sizes is read from the index, without touching a content.
  await db.schema.createIndex("secret_content_size").on("secret_content").column("size").execute();
  if (!names.isPostgres) return;
  // Ciphertext does not compress, and a deleted one should leave the table's file soon.
  await sql`alter table secret_content alter column sealed set storage external`.execute(db);
  await sql`alter table secret_content set (
    autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0,
    toast.autovacuum_vacuum_threshold = 50, toast.autovacuum_vacuum_scale_factor = 0)`.execute(db);
}

async function createCounters(db: Kysely<unknown>, names: Names): Promise<void> {
  await db.schema
    .createTable("allowance")
    .addColumn("bucket", "text", (column) => column.notNull())
    .addColumn("key", names.bytes, (column) => column.notNull())
    .addColumn("count", "integer", (column) => column.notNull())
    .addColumn("reset", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("allowance_key", ["bucket", "key"])
    .execute();
  await db.schema.createIndex("allowance_reset").on("allowance").column("reset").execute();
  await db.schema
    .createTable("usage")
    .addColumn("tool", "text", (column) => column.notNull())
    .addColumn("succeeded", "integer", (column) => column.notNull())
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("hour", "bigint", (column) => column.notNull())
    .addColumn("count", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("usage_key", ["hour", "tool", "succeeded", "address"])
    .execute();
  await db.schema
    .createTable("installation")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", names.bytes, (column) => column.notNull())
    .execute();
}
