import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { PGliteDialect } from "kysely";
import pg from "pg";
import { openDatabase, openDialect, type Database } from "../../db/open.ts";

export const POSTGRES_URL = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

/** A database of a test's own, for as many processes as like to open `url`; `drop` ends it. */
export interface TestDatabase {
  url: string;
  open(): Promise<Database>;
  drop(): Promise<void>;
}

export const hasPostgres = await answers(POSTGRES_URL);
if (!hasPostgres) console.log(`skipped: PostgreSQL itself, which does not answer at ${POSTGRES_URL}`);

/** Both databases; where no PostgreSQL answers, PGlite stands in for what one process can see. */
export const DATABASES: Record<string, () => Promise<TestDatabase>> = hasPostgres
  ? { SQLite: makeSqlite, PostgreSQL: makePostgres }
  : { SQLite: makeSqlite, PGlite: makePglite };

/** The databases that several processes can open. */
export const SHARED_DATABASES = hasPostgres
  ? { SQLite: makeSqlite, PostgreSQL: makePostgres }
  : { SQLite: makeSqlite };

export async function makeSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-db-"));
  const url = join(folder, "service.db");
  return {
    url,
    open: () => openDatabase(url),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function makePostgres(): Promise<TestDatabase> {
  const name = `hushkit_${crypto.randomUUID().replaceAll("-", "")}`;
  await runOnServer(`create database ${name}`);
  const url = new URL(POSTGRES_URL);
  url.pathname = name;
  return {
    url: url.href,
    open: () => openDatabase(url.href),
    drop: () => runOnServer(`drop database ${name} with (force)`),
  };
}

async function makePglite(): Promise<TestDatabase> {
  return {
    url: "pglite",
    open: () => openDialect(new PGliteDialect({ pglite: new PGlite() })),
    drop: async () => {},
  };
}

/** Runs one statement on the PostgreSQL server, outside of any test's own database. */
export async function runOnServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
