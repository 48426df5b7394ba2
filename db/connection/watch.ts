import type { DatabaseConnection, Dialect, Driver } from "kysely";
import { isMeasured } from "../numbers.ts";
import { waiting } from "../waits.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

export interface Watcher {
  /** Hears of every time that the database could not be reached. */
  readonly report: (error: DatabaseUnavailable) => void;
  /** Hears how long a statement outside of transactions has taken. */
  readonly observe: (milliseconds: number) => void;
  /** Hears of each statement outside of transactions that may have written. */
  readonly wrote: () => void;
}

/** The same dialect, which somebody watches, and whose statements are waits of the call that makes them. */
export function watchDialect(dialect: Dialect, watcher: Watcher): Dialect {
  return {
    createDriver: () => watchDriver(dialect.createDriver(), watcher),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

function watchDriver(driver: Driver, { report, observe, wrote }: Watcher): Driver {
  const [known, inside] = [new WeakSet<DatabaseConnection>(), new WeakSet<DatabaseConnection>()];
  const watchConnection = (connection: DatabaseConnection) => {
    if (known.has(connection)) return connection;
    known.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = <R>(...[query, options]: Parameters<typeof execute>) => {
      const ran = () => reporting(execute<R>(query, options), report);
      if (inside.has(connection) || !isMeasured(query.sql)) return ran();
      return observing(ran, (milliseconds) => {
        observe(milliseconds);
        if (!query.sql.startsWith("select")) wrote();
      });
    };
    return connection;
  };
  return {
    init: (options) => driver.init(options),
    acquireConnection: async (options) =>
      watchConnection(await reporting(driver.acquireConnection(options), report)),
    beginTransaction: (connection, settings) => {
      inside.add(connection);
      return reporting(driver.beginTransaction(connection, settings), report);
    },
    commitTransaction: (...args) => reporting(driver.commitTransaction(...args), report),
    rollbackTransaction: (...args) => reporting(driver.rollbackTransaction(...args), report),
    releaseConnection: (connection, options) => {
      inside.delete(connection);
      return driver.releaseConnection(connection, options);
    },
    destroy: (options) => driver.destroy(options),
  };
}

/** Waits for the work, and tells how long it has taken where it ended well. */
export async function observing<T>(
  work: () => Promise<T>,
  observe: (milliseconds: number) => void,
): Promise<T> {
  const started = performance.now();
  const result = await work();
  observe(performance.now() - started);
  return result;
}

/** A wait for the database, which reports when that could not be reached. */
export async function reporting<T>(work: Promise<T>, report: Watcher["report"]): Promise<T> {
  try {
    return await waiting(work);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) report(error);
    throw error;
  }
}
