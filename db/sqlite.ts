import SqliteFile from "better-sqlite3";
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from "kysely";
import { DatabaseUnavailable } from "./unavailable.ts";

/** How long to try for a file that other processes write, and the longest pause between two tries. */
const LONGEST_WAIT_MS = 10_000;
const LONGEST_PAUSE_MS = 32;

/** Result codes, each with its extended ones (sqlite.org/rescode.html): another process; or disk and file. */
const BUSY = /^SQLITE_BUSY/;
const UNAVAILABLE = /^SQLITE_(BUSY|FULL|IOERR|CANTOPEN|READONLY)/;

/** More sentences than this room has; texts that hold a changing number would otherwise fill the memory. */
const STATEMENTS = 256;

/** SQLite waits asleep, with the whole process; beyond this we wait awake. Both come to the same throughput. */
const BUSY_TIMEOUT_MS = 1;

/** Opens a file, or `:memory:`, and sets what every connection must have. */
export async function openSqlite(path: string): Promise<SqliteFile.Database> {
  const file = new SqliteFile(path, { timeout: BUSY_TIMEOUT_MS });
  // Only one process at a time can change to WAL, and others may be starting too.
  await untilFree(file, () => file.pragma("journal_mode = WAL"));
  // A commit does not wait for the disk here: whoever needs that waits outside (disk-sync.ts), with others.
  file.pragma("synchronous = NORMAL");
  file.pragma("foreign_keys = ON");
  // Without it a deleted content stays readable in the file's free pages.
  file.pragma("secure_delete = ON");
  return file;
}

/**
 * Kysely's dialect for one open SQLite file, with three differences to its own: transactions begin
 * IMMEDIATE (a deferred one that reads and then writes fails when another process wrote in between,
 * however long it waits), statements stay prepared, and waiting for another process leaves the event
 * loop free.
 */
export function sqliteDialect(file: SqliteFile.Database): Dialect {
  return {
    createDriver: () => createDriver(file),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: createTransactionalAdapter,
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

// SQLite can make tables in a transaction. Told so, the Migrator uses one, and that is the migration lock.
function createTransactionalAdapter(): SqliteAdapter {
  return Object.defineProperty(new SqliteAdapter(), "supportsTransactionalDdl", { value: true });
}

function createDriver(file: SqliteFile.Database): Driver {
  const connection = createConnection(file);
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: () => untilFree(file, () => void file.exec("begin immediate")),
    commitTransaction: () => untilFree(file, () => void file.exec("commit")),
    // After some errors, a full disk for one, SQLite has rolled back by itself.
    rollbackTransaction: async () => void (file.inTransaction && file.exec("rollback")),
    releaseConnection: async () => {},
    destroy: async () => void file.close(),
  };
}

function createConnection(file: SqliteFile.Database): DatabaseConnection {
  const statements = new Map<string, SqliteFile.Statement>();
  const prepare = (text: string) => {
    const statement = statements.get(text) ?? file.prepare(text);
    if (statements.size >= STATEMENTS) statements.clear();
    statements.set(text, statement);
    return statement;
  };
  return {
    executeQuery: (query) => untilFree(file, () => run(prepare(query.sql), query)),
    streamQuery() {
      throw new Error("Rows are read all at once: a result read by and by would hold the connection.");
    },
  };
}

function run<Row>(statement: SqliteFile.Statement, query: CompiledQuery): QueryResult<Row> {
  // The rows are what Kysely's types say of the query; SQLite itself knows no such type.
  if (statement.reader) return { rows: statement.all(...query.parameters) as Row[] };
  return { rows: [], numAffectedRows: BigInt(statement.run(...query.parameters).changes) };
}

// Inside a transaction the lock is held already, and outside of one a statement that found the file busy
// has done nothing: trying again is always safe here.
async function untilFree<T>(file: SqliteFile.Database, work: () => T): Promise<T> {
  for (let waited = 0, pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return work();
    } catch (error) {
      const isWorthMore = BUSY.test(readCode(error)) && !file.inTransaction && waited < LONGEST_WAIT_MS;
      if (!isWorthMore) throw UNAVAILABLE.test(readCode(error)) ? new DatabaseUnavailable(error) : error;
    }
    const milliseconds = pause * (0.5 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    waited += milliseconds;
  }
}

function readCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
