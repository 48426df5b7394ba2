import type SqliteFile from "better-sqlite3";
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
import type { SharedWrites } from "./shared-writes.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/**
 * Kysely's dialect for one SQLite connection, with three differences to its own: transactions begin
 * IMMEDIATE (a deferred one that reads and then writes fails when another process wrote in between,
 * however long it waits), statements stay prepared, and waiting for another process leaves the event
 * loop free.
 */
export function sqliteDialect(connection: SqliteConnection): Dialect {
  return dialectOf(() => createDriver(connection));
}

type Execute = <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>;

/** For the statements of a shared transaction. */
export function insideDialect(connection: SqliteConnection): Dialect {
  return dialectOf(() => createPlainDriver(async (query) => runInside(connection, query)));
}

/** For counters: single statements that share a transaction with whatever else is written then. */
export function sharedDialect(connection: SqliteConnection, writes: SharedWrites): Dialect {
  const execute: Execute = (query) =>
    writes.run(async () => runInside(connection, query), { isCounter: true });
  return dialectOf(() => createPlainDriver(execute));
}

function dialectOf(makeDriver: () => Driver): Dialect {
  return {
    createDriver: makeDriver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter,
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

// SQLite can make tables in a transaction. When the adapter says so, the Migrator uses one, and that is the migration lock. And the
// connection serves its callers in turn itself: each of them waits with a deadline of its own.
export function createAdapter(): SqliteAdapter {
  return Object.defineProperties(new SqliteAdapter(), {
    supportsTransactionalDdl: { value: true },
    supportsMultipleConnections: { value: true },
  });
}

/** One who uses the connection for a statement or a transaction; Kysely takes it for a connection of its own. */
class Caller implements DatabaseConnection {
  readonly #connection: SqliteConnection;
  readonly #deadline: number;
  #isInside = false;

  constructor(connection: SqliteConnection, deadline: number) {
    this.#connection = connection;
    this.#deadline = deadline;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isInside) return runInside(this.#connection, query);
    return this.#connection.run(({ prepare }) => run<Row>(prepare(query.sql), query), this.#deadline);
  }

  streamQuery = refuseStream;

  async begin(): Promise<void> {
    await this.#connection.begin(this.#deadline);
    this.#isInside = true;
  }

  commit(): void {
    this.#connection.commit();
    this.#isInside = false;
  }

  rollback(): void {
    this.#isInside = false;
    this.#connection.rollback();
  }
}

function createDriver(connection: SqliteConnection): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => new Caller(connection, await connection.admit()),
    beginTransaction: (handed) => callerOf(handed).begin(),
    commitTransaction: async (handed) => callerOf(handed).commit(),
    rollbackTransaction: async (handed) => callerOf(handed).rollback(),
    releaseConnection: async () => {},
    destroy: () => connection.close(),
  };
}

/** A driver without transactions, whose connection is one for all and is closed by somebody else. */
function createPlainDriver(executeQuery: Execute): Driver {
  const connection: DatabaseConnection = { executeQuery, streamQuery: refuseStream };
  const refuse = async () => {
    throw new Error("There is a transaction already.");
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}

function refuseStream(): never {
  throw new Error("Rows are read all at once: a result read by and by would hold the connection.");
}

function callerOf(handed: DatabaseConnection): Caller {
  if (handed instanceof Caller) return handed;
  throw new TypeError("Kysely hands back a connection that it got here.");
}

function runInside<Row>(connection: SqliteConnection, query: CompiledQuery): QueryResult<Row> {
  return connection.runInside(({ prepare }) => run<Row>(prepare(query.sql), query));
}

function run<Row>(statement: SqliteFile.Statement, query: CompiledQuery): QueryResult<Row> {
  // The rows are what Kysely's types say of the query; SQLite itself knows no such type.
  if (statement.reader) return { rows: statement.all(...query.parameters) as Row[] };
  return { rows: [], numAffectedRows: BigInt(statement.run(...query.parameters).changes) };
}
