import SqliteFile from "better-sqlite3";
import pg from "pg";

/** Runs statements on a database without opening it as the server does. */
export async function execute(url: string, statements: string): Promise<void> {
  if (isPostgres(url)) await runOn(url, statements);
  else usingFile(url, (file) => file.exec(statements));
}

/** The tables and views of a database, sorted. */
export async function listTables(url: string): Promise<string[]> {
  if (!isPostgres(url)) return usingFile(url, (file) => file.prepare<[], string>(SQLITE).pluck().all());
  return (await runOn<{ name: string }>(url, POSTGRES)).map(({ name }) => name);
}

const SQLITE = "select name from sqlite_master where type in ('table', 'view') order by name";
const POSTGRES = `select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'v') order by relname`;

function isPostgres(url: string): boolean {
  return url.startsWith("postgres");
}

function usingFile<T>(path: string, work: (file: SqliteFile.Database) => T): T {
  const file = new SqliteFile(path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

async function runOn<Row extends pg.QueryResultRow>(
  connectionString: string,
  statements: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<Row>(statements).finally(() => client.end());
  return rows;
}
