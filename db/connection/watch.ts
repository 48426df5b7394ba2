import type { DatabaseConnection, Dialect, Driver } from "kysely";
import { DatabaseUnavailable } from "./unavailable.ts";

type Report = (error: DatabaseUnavailable) => void;

/** The same dialect, which also reports every time that the database could not be reached. */
export function watchDialect(dialect: Dialect, report: Report): Dialect {
  return {
    createDriver: () => watchDriver(dialect.createDriver(), report),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

function watchDriver(driver: Driver, report: Report): Driver {
  const known = new WeakSet<DatabaseConnection>();
  const watchConnection = (connection: DatabaseConnection) => {
    if (known.has(connection)) return connection;
    known.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (query, options) => reporting(execute(query, options), report);
    return connection;
  };
  return {
    init: (options) => driver.init(options),
    acquireConnection: async (options) =>
      watchConnection(await reporting(driver.acquireConnection(options), report)),
    beginTransaction: (...args) => reporting(driver.beginTransaction(...args), report),
    commitTransaction: (...args) => reporting(driver.commitTransaction(...args), report),
    rollbackTransaction: (...args) => reporting(driver.rollbackTransaction(...args), report),
    releaseConnection: (...args) => driver.releaseConnection(...args),
    destroy: (options) => driver.destroy(options),
  };
}

/** Waits for the work, and reports when it failed because the database could not be reached. */
export async function reporting<T>(work: Promise<T>, report: Report): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) report(error);
    throw error;
  }
}
