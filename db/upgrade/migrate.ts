import { sql, type Kysely } from "kysely";
import {
  Migrator,
  type Migration,
  DEFAULT_MIGRATION_LOCK_TABLE,
  DEFAULT_MIGRATION_TABLE,
} from "kysely/migration";
import { MIGRATIONS } from "./migrations.ts";
import type { Tables } from "../schema.ts";
import { DatabaseRefused } from "../connection/unavailable.ts";

/**
 * The codes of SQLite and PostgreSQL for a table, column or index that is missing or already exists. PostgreSQL manual,
 * appendix A: undefined table, column and object, duplicate table and column.
 */
const OTHER_TABLES = /^(SQLITE_ERROR|42P01|42703|42704|42P07|42701)$/;

/**
 * Brings the tables up to date, and checks that they are those of this version; other processes that start now wait for
 * it.
 * @throws {DatabaseRefused}
 */
export async function migrate<Tables>(query: Kysely<Tables>, kind: "sqlite" | "postgres"): Promise<void> {
  // Without a schema the Migrator looks for its own tables in all of them.
  const place = kind === "sqlite" ? {} : { migrationTableSchema: await readSchemaName(query) };
  await recognise(query, kind);
  const provider = { getMigrations: async () => listMigrations(kind) };
  const migrateIn = async (db: Kysely<Tables>) => {
    const { error } = await new Migrator({ db, provider, ...place }).migrateToLatest();
    if (error !== undefined) throw error;
  };
  try {
    await (kind === "sqlite" ? migrateIn(query) : alone(query, migrateIn));
  } catch (error) {
    throw await explain(error, query, kind);
  }
  const difference = await findDifference(query, kind);
  if (difference !== undefined) throw altered(difference);
}

/** The number of the Migrator's own lock, for which earlier versions wait. */
const MIGRATION_LOCK = 3853314791062309107n;

/**
 * Runs work in one transaction, and every other start waits until that ends. Behind a PgBouncer a lock of the session,
 * as the Migrator takes it, would stay behind on a connection of somebody else. What the role's `statement_timeout`
 * says is for calls; a migration and waiting for one may take longer.
 */
async function alone<Tables>(
  query: Kysely<Tables>,
  work: (trx: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  const locked = async (trx: Kysely<Tables>) => {
    await sql`select set_config('statement_timeout', '0', true)`.execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(trx);
    await checkNew(trx);
    await work(trx);
  };
  // A backup is restored in a transaction.
  await (query.isTransaction ? locked(query) : query.transaction().execute(locked));
}

/** Every text fits in these; SQL_ASCII stores bytes as they come. */
const ENCODINGS = ["UTF8", "SQL_ASCII"];

/**
 * Checks that all tables can be made and every text stored, in a database that has no tables yet.
 * @throws DatabaseRefused, and PostgreSQL's own error where its role may not create tables
 */
async function checkNew<Tables>(trx: Kysely<Tables>): Promise<void> {
  if ((await readNames(trx, POSTGRES_NAMES)).includes(DEFAULT_MIGRATION_TABLE)) return;
  const { rows } = await sql<{ name: string }>`select current_setting('server_encoding') as name`.execute(
    trx,
  );
  const name = rows[0]?.name ?? "";
  if (!ENCODINGS.includes(name))
    throw new DatabaseRefused(
      "database_url",
      `its encoding is ${name}, in which not every text can be stored; make it with: encoding 'UTF8' template template0`,
    );
  // The Migrator asks once more after the first failure, and a transaction that has failed answers only that it has.
  await sql`create table hushkit_probe ()`.execute(trx);
  await sql`drop table hushkit_probe`.execute(trx);
}

async function explain<Tables>(
  error: unknown,
  query: Kysely<Tables>,
  kind: "sqlite" | "postgres",
): Promise<unknown> {
  if (error instanceof Error && "code" in error)
    return OTHER_TABLES.test(String(error.code)) ? altered(error.message) : error;
  // An error of the Migrator itself: a newer version may have been here since.
  return recognise(query, kind).then(
    () => error,
    (refused: unknown) => refused,
  );
}

function listMigrations(kind: "sqlite" | "postgres"): Record<string, Migration> {
  const entries = Object.entries(MIGRATIONS);
  return Object.fromEntries(
    entries.map(([name, up]) => [name, { up: (db: Kysely<unknown>) => up(db, kind) }]),
  );
}

async function readSchemaName<Tables>(query: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(query);
  const name = rows[0]?.name;
  if (name == null)
    throw new DatabaseRefused(
      "database_url",
      "no schema of the search_path exists, or its role may use none of them; create one, or name another",
    );
  return name;
}

type Kind = "sqlite" | "postgres";

/** The columns that this version works with, which are those that its migrations make. */
const COLUMNS = {
  member: [
    ...(["id", "name", "password", "recovery_hash", "created_at", "created_from"] as const),
    ...(["totp_key", "totp_since", "totp_step", "role", "disabled_at"] as const),
    ...(["password_until", "recovered_at", "enrol_from"] as const),
  ],
  identity: ["issuer", "subject", "member", "created_at", "last_used_at", "name", "confirmed_at"],
  passkey: ["id", "member", "name", "public_key", "counter", "transports", "created_at", "last_used_at"],
  session: [
    ...(["id", "hash", "member", "created_at", "expires_at", "last_used_at", "is_strong"] as const),
    ...(["proved_at", "provider_session", "login"] as const),
    ...(["former_hash", "former_until", "former_rights"] as const),
  ],
  token: ["id", "hash", "member", "name", "prefix", "created_at", "expires_at", "last_used_at"],
  hook: ["id", "member", "form", "host", "events", "sealed", "created_at", "ended_at"],
  secret: [
    ...(["id", "verifier", "pass_verifier", "revoke_hash", "status", "created_at", "expires_at"] as const),
    ...(["closed_at", "is_encrypted", "file_size", "attempts", "owner", "label", "ticket_hash"] as const),
    "is_quiet",
  ],
  secret_content: ["secret_id", "size", "sealed", "sweep_at"],
  secret_file: ["secret_id", "owner", "size", "sweep_at", "ticket_hash", "head", "reader"],
  secret_chunk: ["secret_id", "position", "sealed"],
  request: [
    ...(["id", "gate_hash", "collect_hash", "note", "status", "created_at", "expires_at"] as const),
    ...(["answered_at", "closed_at", "owner", "label", "ticket_hash"] as const),
    ...(["answers", "answered", "collected", "is_quiet"] as const),
  ],
  request_answer: ["request_id", "position", "size", "sealed", "sweep_at", "ticket_hash", "collected_at"],
  allowance: ["bucket", "key", "count", "resets_at"],
  usage: ["tool", "succeeded", "address", "hour", "count"],
  outbox: [
    ...(["position", "id", "sink", "event", "subject", "kind", "account"] as const),
    ...(["token", "address", "login", "happened_at", "next_at", "tries", "hook"] as const),
  ],
  idempotency_key: ["key_hash", "claim", "body_hash", "sealed", "sweep_at"],
  installation: ["name", "value"],
} satisfies { [Table in keyof Tables]: readonly (keyof Tables[Table])[] };

/** Every table but the two of the migrations. */
export const TABLES: readonly string[] = Object.keys(COLUMNS);

const MIGRATION_TABLES = [DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE];

/** The tables of a SQLite file; names of SQLite's own tables begin with `sqlite_`. */
export const SQLITE_TABLES =
  "select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!'";
/** All names in the schema: a view or an index of another program conflicts with a table, too. */
const POSTGRES_NAMES = `select relname as name from pg_class
  join pg_namespace on pg_namespace.oid = relnamespace where nspname = current_schema()`;

export const LIST_MIGRATIONS = `select name from ${DEFAULT_MIGRATION_TABLE} order by name`;

/** Why this version cannot migrate a database or work with it, if so. */
export function judge(
  { names, migrations }: { names: readonly string[]; migrations: readonly string[] },
  kind: Kind,
): DatabaseRefused | undefined {
  if (migrations.length > 0) return judgeMigrations(migrations, kind);
  const isInTheWay = (name: string) =>
    // A file belongs to one program; a schema of PostgreSQL may be shared with others.
    kind === "sqlite" ? !MIGRATION_TABLES.includes(name) : TABLES.includes(name);
  const [inTheWay] = names.filter(isInTheWay);
  if (inTheWay === undefined) return undefined;
  // This is the state that `admin restore` leaves if it ends after pg_restore and before its own work.
  const isRestored = TABLES.every((name) => names.includes(name)) && names.includes(DEFAULT_MIGRATION_TABLE);
  return kind === "postgres" && isRestored ? unfinished() : foreign(inTheWay, kind);
}

function judgeMigrations(migrations: readonly string[], kind: Kind): DatabaseRefused | undefined {
  const known = Object.keys(MIGRATIONS);
  if (!migrations.includes(known[0] ?? "")) return foreign(DEFAULT_MIGRATION_TABLE, kind);
  const unknown = migrations.find((name) => !known.includes(name));
  if (unknown !== undefined)
    return unknown > (known.at(-1) ?? "")
      ? newer(unknown)
      : altered(`no release has the migration ${unknown}`);
  const missing = known.slice(0, migrations.length).find((name) => !migrations.includes(name));
  return missing === undefined ? undefined : altered(`its list lacks the migration ${missing}`);
}

function newer(migration: string): DatabaseRefused {
  return new DatabaseRefused(
    "database_newer",
    `it is of a newer version of this program (it has the migration ${migration}); start that version, or restore ` +
      "the backup that was made before the upgrade",
  );
}

function foreign(table: string, kind: Kind): DatabaseRefused {
  const where =
    kind === "sqlite" ? "name a file that does not exist yet" : "name an empty database or schema";
  return new DatabaseRefused(
    "database_foreign",
    `its table ${table} is of another program, or of a build from before 0.1.0; ${where}`,
  );
}

/** The tables differ from those of every release. */
export function altered(difference: string): DatabaseRefused {
  return new DatabaseRefused(
    "database_altered",
    `its tables are not those of any release (${difference}); start the build that made them, or restore a backup`,
  );
}

function unfinished(): DatabaseRefused {
  return new DatabaseRefused(
    "database_unfinished",
    "a backup was restored into it, and what that has to forget is not forgotten; restore the backup again",
  );
}

/** Refuses what `judge` refuses; returns the migrations of what is left, none for an empty one. @throws {DatabaseRefused} */
export async function recognise<T>(query: Kysely<T>, kind: Kind): Promise<string[]> {
  // The tables first: a server that is creating them commits them and the list together.
  const names = await readNames(query, kind === "sqlite" ? SQLITE_TABLES : POSTGRES_NAMES);
  const migrations = names.includes(DEFAULT_MIGRATION_TABLE) ? await readMigrations(query) : [];
  const refused = judge({ names, migrations }, kind);
  if (refused) throw refused;
  return migrations;
}

/** The migrations that made the tables of a database. @throws an error of the driver where there are none */
export function readMigrations<T>(query: Kysely<T>): Promise<string[]> {
  return readNames(query, LIST_MIGRATIONS);
}

async function readNames<T>(query: Kysely<T>, text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`${sql.raw(text)}`.execute(query);
  return rows.map(({ name }) => name);
}

const SQLITE_COLUMNS = `select tables.name as "table", columns.name as "column"
  from sqlite_master as tables join pragma_table_info(tables.name) as columns where tables.type = 'table'`;
const POSTGRES_COLUMNS = `select relname as "table", attname as "column" from pg_attribute
  join pg_class on pg_class.oid = attrelid join pg_namespace on pg_namespace.oid = relnamespace
  where nspname = current_schema() and attnum > 0 and not attisdropped`;

/** How the tables differ from those of this version, after all of its migrations; undefined if they do not. */
export async function findDifference<T>(query: Kysely<T>, kind: Kind): Promise<string | undefined> {
  const text = kind === "sqlite" ? SQLITE_COLUMNS : POSTGRES_COLUMNS;
  const { rows } = await sql<{ table: string; column: string }>`${sql.raw(text)}`.execute(query);
  for (const [table, expected] of Object.entries<readonly string[]>(COLUMNS)) {
    const columns = rows.filter((row) => row.table === table).map(({ column }) => column);
    const missing = expected.find((column) => !columns.includes(column));
    if (missing !== undefined) return `${table} has no column ${missing}`;
    const unknown = columns.find((column) => !expected.includes(column));
    if (unknown !== undefined) return `${table} has a column ${unknown}`;
  }
  return undefined;
}
