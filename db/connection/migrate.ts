import { sql, type Kysely } from "kysely";
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from "kysely/migration";
import * as baseline from "../migrations/0001-baseline.ts";
import * as ownerIndex from "../migrations/0002-owner-index.ts";
import * as deliveries from "../migrations/0003-deliveries.ts";

type Step = (db: Kysely<unknown>, kind: "sqlite" | "postgres") => Promise<void>;

/** By the name of their file. Only ever added to: what was released is never changed, renamed or moved. */
export const MIGRATIONS: Readonly<Record<string, Step>> = {
  "0001-baseline": baseline.up,
  "0002-owner-index": ownerIndex.up,
  "0003-deliveries": deliveries.up,
};

/** A newer version of this program has changed the tables in a way that this one does not know. */
export class DatabaseTooNew extends Error {
  constructor(migration: string) {
    super(
      `The database is of a newer version of this program (it has the migration ${migration}); start that ` +
        "version, or restore the backup that was made before the upgrade.",
    );
    this.name = "DatabaseTooNew";
  }
}

/** Brings the tables up to date; other processes that start now wait for it. @throws {DatabaseTooNew} */
export async function migrate<Tables>(query: Kysely<Tables>, kind: "sqlite" | "postgres"): Promise<void> {
  const provider = { getMigrations: async () => listMigrations(kind) };
  // The Migrator looks for its own tables in every schema, unless it is told in which one it works.
  const place = kind === "sqlite" ? {} : { migrationTableSchema: await readSchemaName(query) };
  const { error } = await new Migrator({ db: query, provider, ...place }).migrateToLatest();
  if (error === undefined) return;
  const unknown = await findUnknown(query);
  throw unknown === undefined ? error : new DatabaseTooNew(unknown);
}

async function findUnknown<Tables>(query: Kysely<Tables>): Promise<string | undefined> {
  const table = sql.table(DEFAULT_MIGRATION_TABLE);
  const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(query);
  return rows.find(({ name }) => !Object.hasOwn(MIGRATIONS, name))?.name;
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
