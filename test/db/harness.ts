import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { PGliteDialect } from "kysely";
import pg from "pg";
import { afterAll } from "vitest";
import { openDatabase, openDialect, type Database } from "../../db/open.ts";

export const POSTGRES_URL = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

/** A database of a test's own, for as many processes as like to open `url`; `drop` ends it. */
export interface TestDatabase {
  url: string;
  open(): Promise<Database>;
  drop(): Promise<void>;
}

const left = new Set<() => Promise<void>>();
// A test that fails does not come to its own `drop`.
afterAll(async () => {
  for (const drop of left) await drop();
});

export const hasPostgres = await answers(POSTGRES_URL);
if (!hasPostgres)
  console.log(
    `skipped: PostgreSQL, for none can be used at ${new URL(POSTGRES_URL).host} (TEST_POSTGRES_URL)`,
  );

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
    drop: dropOnce(async () => rmSync(folder, { recursive: true, force: true })),
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
    drop: dropOnce(() => runOnServer(`drop database if exists ${name} with (force)`)),
  };
}

async function makePglite(): Promise<TestDatabase> {
  return {
    url: "pglite",
    open: () => openDialect(new PGliteDialect({ pglite: new PGlite() })),
    drop: async () => {},
  };
}

function dropOnce(drop: () => Promise<void>): () => Promise<void> {
  left.add(drop);
  return async () => {
    left.delete(drop);
    await drop();
  };
}

/** Runs one statement on the PostgreSQL server, outside of any test's own database. */
export async function runOnServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** Whether a server is there that lets us have databases of our own. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
  } catch {
    return false;
  }
  const right = "select 1 from pg_roles where rolname = current_user and (rolsuper or rolcreatedb)";
  const { rowCount } = await client.query(right).finally(() => client.end());
  return rowCount === 1;
}
