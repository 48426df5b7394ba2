import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

const POSTGRES = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

/** A database of a measurement's own. */
export interface Place {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** On SQLite. */
export async function makeFolder(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-bench-"));
  return {
    url: join(folder, "service.db"),
    drop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** On PostgreSQL. @throws where none can be used */
export async function makeDatabase(): Promise<Place> {
  const name = `hushkit_${crypto.randomUUID().replaceAll("-", "")}`;
  await runOnServer(`create database ${name}`);
  const url = new URL(POSTGRES);
  url.pathname = name;
  return { url: url.href, drop: () => runOnServer(`drop database ${name} with (force)`) };
}

async function runOnServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES, connectionTimeoutMillis: 2000 });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
