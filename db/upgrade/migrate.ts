import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import { MIGRATIONS } from "./migrations.ts";
import { altered, findDifference, recognise } from "./recognise.ts";

/**
 * What SQLite and PostgreSQL say of a table, column or index that is not there, or there already. PostgreSQL manual,
 * appendix A: undefined table, column and object, duplicate table and column.
 */
const OTHER_TABLES = /^(SQLITE_ERROR|42P01|42703|42704|42P07|42701)$/;

/**
 * Brings the tables up to date, and looks whether they are those of this version; other processes that start now wait
 * for it. @throws {DatabaseRefused}
 */
export async function migrate<Tables>(query: Kysely<Tables>, kind: "sqlite" | "postgres"): Promise<void> {
  await recognise(query, kind);
  const provider = { getMigrations: async () => listMigrations(kind) };
  // The Migrator looks for its own tables in every schema, unless it is told in which one it works.
  const place = kind === "sqlite" ? {} : { migrationTableSchema: await readSchemaName(query) };
  const { error } = await new Migrator({ db: query, provider, ...place }).migrateToLatest();
  if (error !== undefined) throw await explain(error, { query, kind });
  const difference = await findDifference(query, kind);
  if (difference !== undefined) throw altered(difference);
}

async function explain<Tables>(
  error: unknown,
  { query, kind }: { query: Kysely<Tables>; kind: "sqlite" | "postgres" },
): Promise<unknown> {
  if (error instanceof Error && "code" in error)
    return OTHER_TABLES.test(String(error.code)) ? altered(error.message) : error;
  // Of the Migrator itself: a newer version may have been here since.
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
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(query);
  return rows[0]?.name ?? "public";
}
