import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import { reportUnavailable } from "../running-call.ts";
import type { DatabaseUnavailable } from "./unavailable.ts";

/** Observes what happens on a database. */
export interface Watcher {
  /** Called each time that it could not be reached. */
  readonly report: (error: DatabaseUnavailable) => void;
  /** Called for calls that succeeded. */
  readonly observe: (call: DatabaseCall) => void;
  /** Called after anything that may have written. */
  readonly wrote: () => void;
}

/** A query with its values; measured unless it says otherwise. */
export interface BoundQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly isMeasured?: boolean;
}

/** A client of a database for one statement or transaction. */
export interface DatabaseClient {
  execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): void;
}

/** Kysely's driver for the clients that `admit` lets in. Their statements count as waits of the running call. */
export function driverOf(
  admit: () => Promise<DatabaseClient>,
  close: () => Promise<void>,
  watcher: Watcher,
): Driver {
  const { report } = watcher;
  return {
    init: async () => {},
    acquireConnection: async () => new Connection(await reportUnavailable(admit(), report), watcher),
    beginTransaction: (handed) => {
      const connection = ours(handed);
      connection.isInside = true;
      return reportUnavailable(connection.client.begin(), report);
    },
    commitTransaction: (handed) => reportUnavailable(ours(handed).client.commit(), report),
    rollbackTransaction: (handed) => reportUnavailable(ours(handed).client.rollback(), report),
    releaseConnection: async (handed) => ours(handed).client.release(),
    destroy: close,
  };
}

/** A connection as Kysely sees it. */
class Connection implements DatabaseConnection {
  readonly client: DatabaseClient;
  readonly #watcher: Watcher;
  isInside = false;

  constructor(client: DatabaseClient, watcher: Watcher) {
    this.client = client;
    this.#watcher = watcher;
  }

  async executeQuery<Row>(query: BoundQuery): Promise<QueryResult<Row>> {
    const { report, observe, wrote } = this.#watcher;
    const started = performance.now();
    const result = await reportUnavailable(this.client.execute<Row>(query), report);
    if (this.isInside || query.isMeasured === false) return result;
    observe({ kind: "read", milliseconds: performance.now() - started });
    if (!query.sql.startsWith("select")) wrote();
    return result;
  }

  streamQuery = refuseStream;
}

export function refuseStream(): never {
  throw new Error("Rows are read all at once: a result read by and by would hold the connection.");
}

function ours(handed: DatabaseConnection): Connection {
  if (handed instanceof Connection) return handed;
  throw new TypeError("Kysely hands back a connection that it got here.");
}

/**
 * A successful database call. Chunks are not measured, nor are counters, of which an upload makes some per megabyte:
 * their number would tell the size of a single file.
 */
export interface DatabaseCall {
  /** A statement that reads, or a transaction that is on the disk. */
  kind: "read" | "write";
  milliseconds: number;
}

/** Connections of this process. */
export interface ConnectionCounts {
  open: number;
  busy: number;
  /** Callers that wait for a connection. */
  waiting: number;
}

/** What is known of a database without a query. */
export interface DatabaseNumbers {
  connections: ConnectionCounts;
  disk?: DiskNumbers | undefined;
}

/** The disk of a SQLite file. */
export interface DiskNumbers {
  /** The size of the write-ahead log. */
  logBytes: number;
  /** What is free for the server's user. */
  freeBytes: number;
  /** What may still be stored, so that there is always room to open and to delete. */
  roomBytes: number;
}
