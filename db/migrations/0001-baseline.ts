import { sql, type Kysely } from "kysely";

// A migration keeps its meaning when the rest of the room moves on, so it knows no tables and imports nothing of it.
type Kind = "sqlite" | "postgres";

/** Members, secrets and counters, as of the first release. Times are unix seconds. */
export async function up(db: Kysely<unknown>, kind: Kind): Promise<void> {
  await createMember(db, kind);
  await createSession(db, kind);
  await createToken(db, kind);
  await createSecret(db, kind);
  await createSecretContent(db, kind);
  await createSecretFile(db, kind);
  await createRequest(db, kind);
  await createRequestAnswer(db, kind);
  await createAllowance(db, kind);
  await createUsage(db);
  await createInstallation(db, kind);
}

function bytesOf(kind: Kind): "blob" | "bytea" {
  return kind === "sqlite" ? "blob" : "bytea";
}

async function createMember(db: Kysely<unknown>, kind: Kind): Promise<void> {
  await db.schema
    .createTable("member")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .addColumn("password", "text", (column) => column.notNull())
    .addColumn("recovery_hash", bytesOf(kind))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("created_from", bytesOf(kind))
    .execute();
  await db.schema
    .createIndex("member_created_from")
    .on("member")
    .columns(["created_from", "created_at"])
    .where(sql.ref("created_from"), "is not", null)
    .execute();
}

async function createSession(db: Kysely<unknown>, kind: Kind): Promise<void> {
  await db.schema
    .createTable("session")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("hash", bytesOf(kind), (column) => column.notNull().unique())
    .addColumn("member", "text", (column) => column.notNull().references("member.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("last_used_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("session_member").on("session").column("member").execute();
}

async function createToken(db: Kysely<unknown>, kind: Kind): Promise<void> {
  await db.schema
    .createTable("token")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("hash", bytesOf(kind), (column) => column.notNull().unique())
    .addColumn("member", "text", (column) => column.notNull().references("member.id").onDelete("cascade"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("prefix", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .execute();
  await db.schema.createIndex("token_member").on("token").column("member").execute();
}

async function createSecret(db: Kysely<unknown>, kind: Kind): Promise<void> {
  await db.schema
    .createTable("secret")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("verifier", bytesOf(kind), (column) => column.notNull())
    .addColumn("pass_verifier", bytesOf(kind))
    .addColumn("revoke_hash", bytesOf(kind), (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("closed_at", "bigint")
    .addColumn("is_encrypted", "integer", (column) => column.notNull())
    .addColumn("file_size", "bigint")
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("owner", "text", (column) => column.references("member.id").onDelete("set null"))
    .addCheckConstraint("secret_closed", sql`(status = 'active') = (closed_at is null)`)
    .execute();
  await indexSecret(db);
}

// The partial indexes hold only what the sweep and the list look for, so that most secrets are in one of them.
async function indexSecret({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex("secret_expires_at")
    .on("secret")
    .columns(["expires_at", "id"])
    .where(sql.ref("closed_at"), "is", null)
    .execute();
  await schema
    .createIndex("secret_closed_at")
    .on("secret")
    .column("closed_at")
    .where(sql.ref("closed_at"), "is not", null)
    .execute();
  await schema
    .createIndex("secret_owner")
    .on("secret")
    .columns(["owner", "created_at", "id"])
    .where(sql.ref("owner"), "is not", null)
    .execute();
  await schema
    .createIndex("secret_owner_active")
    .on("secret")
    .columns(["owner", "id"])
    .where(sql.ref("closed_at"), "is", null)
    .execute();
}

async function createSecretContent(db: Kysely<unknown>, kind: Kind): Promise<void> {
  await db.schema
    .createTable("secret_content")
    .addColumn("secret_id", "text", (column) =>
      column.primaryKey().references("secret.id").onDelete("cascade"),
    )
    .addColumn("size", "integer", (column) => column.notNull())
    .addColumn("sealed", bytesOf(kind), (column) => column.notNull())
    .execute();
  // So that the sum of all sizes is read from the index, without touching a content.
  await db.schema.createIndex("secret_content_size").on("secret_content").column("size").execute();
  if (kind === "postgres") await keepCiphertext(db, "secret_content");
}

// Ciphertext does not compress, and a deleted one should leave the table's file soon.
async function keepCiphertext(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`alter table ${sql.table(table)} alter column sealed set storage external`.execute(db);
  await sql`alter table ${sql.table(table)} set (
    autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0,
    toast.autovacuum_vacuum_threshold = 50, toast.autovacuum_vacuum_scale_factor = 0)`.execute(db);
}

// No reference to the secret, which is made when the last chunk is stored.
async function createSecretFile(db: Kysely<unknown>, kind: Kind): Promise<void> {
  await db.schema
    .createTable("secret_file")
    .addColumn("secret_id", "text", (column) => column.primaryKey())
    .addColumn("size", "integer", (column) => column.notNull())
    .addColumn("sweep_at", "bigint")
    .addColumn("ticket_hash", bytesOf(kind))
    .addColumn("head", bytesOf(kind))
    .execute();
  await db.schema
    .createIndex("secret_file_sweep_at")
    .on("secret_file")
    .columns(["sweep_at", "size"])
    .where(sql.ref("sweep_at"), "is not", null)
    .execute();
  await db.schema
    .createTable("secret_chunk")
    .addColumn("secret_id", "text", (column) => column.notNull().references("secret_file.secret_id"))
    .addColumn("position", "integer", (column) => column.notNull())
    .addColumn("sealed", bytesOf(kind), (column) => column.notNull())
    .addPrimaryKeyConstraint("secret_chunk_key", ["secret_id", "position"])
    .execute();
  if (kind === "postgres") await keepCiphertext(db, "secret_chunk");
}

async function createRequest(db: Kysely<unknown>, kind: Kind): Promise<void> {
  await db.schema
    .createTable("request")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("gate_hash", bytesOf(kind), (column) => column.notNull())
    .addColumn("collect_hash", bytesOf(kind), (column) => column.notNull())
    .addColumn("note", "text")
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("answered_at", "bigint")
    .addColumn("closed_at", "bigint")
    .addColumn("owner", "text", (column) => column.references("member.id").onDelete("set null"))
    .addCheckConstraint("request_closed", sql`(status in ('open', 'answered')) = (closed_at is null)`)
    .execute();
  await indexRequest(db);
}

async function indexRequest({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex("request_expires_at")
    .on("request")
    .columns(["expires_at", "id"])
    .where(sql.ref("closed_at"), "is", null)
    .execute();
  await schema
    .createIndex("request_closed_at")
    .on("request")
    .column("closed_at")
    .where(sql.ref("closed_at"), "is not", null)
    .execute();
  await schema
    .createIndex("request_owner")
    .on("request")
    .columns(["owner", "created_at", "id"])
    .where(sql.ref("owner"), "is not", null)
    .execute();
}

async function createRequestAnswer(db: Kysely<unknown>, kind: Kind): Promise<void> {
  await db.schema
    .createTable("request_answer")
    .addColumn("request_id", "text", (column) =>
      column.primaryKey().references("request.id").onDelete("cascade"),
    )
    .addColumn("size", "integer", (column) => column.notNull())
    .addColumn("sealed", bytesOf(kind), (column) => column.notNull())
    .execute();
  await db.schema.createIndex("request_answer_size").on("request_answer").column("size").execute();
  if (kind === "postgres") await keepCiphertext(db, "request_answer");
}

async function createAllowance(db: Kysely<unknown>, kind: Kind): Promise<void> {
  await db.schema
    .createTable("allowance")
    .addColumn("bucket", "text", (column) => column.notNull())
    .addColumn("key", bytesOf(kind), (column) => column.notNull())
    .addColumn("count", "integer", (column) => column.notNull())
    .addColumn("resets_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("allowance_key", ["bucket", "key"])
    .execute();
  await db.schema.createIndex("allowance_resets_at").on("allowance").column("resets_at").execute();
}

async function createUsage(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("usage")
    .addColumn("tool", "text", (column) => column.notNull())
    .addColumn("succeeded", "integer", (column) => column.notNull())
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("hour", "bigint", (column) => column.notNull())
    .addColumn("count", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("usage_key", ["hour", "tool", "succeeded", "address"])
    .execute();
}

async function createInstallation(db: Kysely<unknown>, kind: Kind): Promise<void> {
  await db.schema
    .createTable("installation")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", bytesOf(kind), (column) => column.notNull())
    .execute();
}
