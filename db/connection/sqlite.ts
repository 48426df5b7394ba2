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
import { driverOf, refuseStream, type DatabaseClient, type Watcher } from "./dialect.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";

/**
 * Kysely's dialect for one SQLite connection, which differs from Kysely's own in three ways: transactions begin
 * IMMEDIATE (a deferred one that reads and then writes fails when another process has written in between, however long
 * it waits), statements stay prepared, and waiting for another process does not block the event loop.
 */
export function sqliteDialect(connection: SqliteConnection, watcher: Watcher): Dialect {
  const admit = async () => new SqliteClient(connection, await connection.admit());
  return dialectOf(() => driverOf(admit, () => connection.file.close(), watcher));
}

/** For the statements of a shared transaction, which others begin and end. */
export function insideDialect(connection: SqliteConnection): Dialect {
  const inside: DatabaseConnection = {
    executeQuery: async (query) => connection.runInside(query),
    streamQuery: refuseStream,
  };
  const refuse = async () => {
    throw new Error("There is a transaction already.");
  };
  return dialectOf(() => ({
    init: async () => {},
    acquireConnection: async () => inside,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: async () => {},
    destroy: async () => {},
  }));
}

function dialectOf(createDriver: () => Driver): Dialect {
  return {
    createDriver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: createSqliteAdapter,
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

// SQLite can create tables in a transaction. When the adapter says so, the Migrator uses one, which is also the
// migration lock. The connection itself gives its callers their turns, each with its own deadline.
export function createSqliteAdapter(): SqliteAdapter {
  return Object.defineProperties(new SqliteAdapter(), {
    supportsTransactionalDdl: { value: true },
    supportsMultipleConnections: { value: true },
  });
}

class SqliteClient implements DatabaseClient {
  readonly #connection: SqliteConnection;
  readonly #deadline: number;
  #isInside = false;

  constructor(connection: SqliteConnection, deadline: number) {
    this.#connection = connection;
    this.#deadline = deadline;
  }

  async execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#isInside
      ? this.#connection.runInside(query)
      : this.#connection.runAlone(query, this.#deadline);
  }

  async begin(): Promise<void> {
    await this.#connection.begin(this.#deadline);
    this.#isInside = true;
  }

  async commit(): Promise<void> {
    this.#connection.commit();
    this.#isInside = false;
  }

  async rollback(): Promise<void> {
    this.#isInside = false;
    this.#connection.rollback();
  }

  release(): void {}
}
