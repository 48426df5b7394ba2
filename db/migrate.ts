import { sql, type Kysely } from "kysely";
import { Migrator, type Migration } from "kysely/migration";
import * as baseline from "./migrations/0001-baseline.ts";

type Step = (db: Kysely<unknown>, kind: "sqlite" | "postgres") => Promise<void>;

/** By the name of their file. Only ever added to: what was released is never changed, renamed or moved. */
export const MIGRATIONS: Readonly<Record<string, Step>> = {
  "0001-baseline": baseline.up,
};

/** Brings the tables up to date; other processes that start now wait for it. */
export async function migrate<Tables>(query: Kysely<Tables>, kind: "sqlite" | "postgres"): Promise<void> {
  const provider = { getMigrations: async () => listMigrations(kind) };
  // The Migrator looks for its own tables in every schema, unless it is told in which one it works.
  const place = kind === "sqlite" ? {} : { migrationTableSchema: await readSchemaName(query) };
  const { error } = await new Migrator({ db: query, provider, ...place }).migrateToLatest();
  if (error !== undefined) throw error;
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
