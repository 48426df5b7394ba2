// Opening a SQLite file includes making its folder with the right modes, which no library used here does.
import { closeSync, existsSync, openSync } from "node:fs";
import { Kysely, type CompiledQuery, type Dialect, type QueryResult, type Transaction } from "kysely";
import type { DatabaseCall, DatabaseNumbers, Watcher } from "./connection/dialect.ts";
import { createDiskSync, type DiskSync } from "./connection/disk-sync.ts";
import { migrate } from "./upgrade/migrate.ts";
import { answerSoon, checkLimits, connectPostgres } from "./connection/postgres.ts";
import { repeatRolledBack } from "./connection/postgres-errors.ts";
import { DatabaseRefused, formatUnopened, DatabaseUnavailable } from "./connection/unavailable.ts";
import { ping } from "./connection/ping.ts";
import { checkSession } from "./accounts/lock-member.ts";
import { setActor } from "./outbox/actor.ts";
import type { Bytes } from "./columns.ts";
import type { Sink, Tables } from "./schema.ts";
import { SqliteConnection } from "./connection/sqlite-connection.ts";
import { makeFolderOf } from "./connection/sqlite-file.ts";
import { insideDialect, sqliteDialect } from "./connection/sqlite.ts";
import { currentActor, currentSession, reportUnavailable, waitWithin, withWaits } from "./running-call.ts";

export { DatabaseRefused, DatabaseUnavailable, formatUnopened };

/**
 * No statement of the service takes long, and the server ends one before its call gives up. Ten connections leave room
 * for several instances on one server.
 */
const POSTGRES_LIMITS = { connections: 10, statementMilliseconds: 9_000 };
/** A migration may take long, and the other instances wait for it. */
const MIGRATION_LIMITS = { connections: 1, statementMilliseconds: 0 };

/** A database that needs longer for a ping is not ready. */
const LONGEST_PING_MS = 2_000;
const EMPTYING_TRIES = 40;
const EMPTYING_PAUSE_MS = 25;

/** An open database, the first parameter of this room's functions. */
export interface Database {
  kind: "sqlite" | "postgres";
  /** The sinks that events are recorded for, set by `recordEvents`; none before. */
  sinks: readonly Sink[];
  /** For reading, and for single statements whose loss in a power cut does no harm. */
  query: Kysely<Tables>;
  /** Runs a counting statement, as `run` of statement.ts passes it on. @throws {DatabaseUnavailable} */
  count<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
  /**
   * Runs one writing transaction, which is on the disk before it is acknowledged. On SQLite it is shared with others
   * that run at the same time. `work` may wait only for `trx`, since everybody else waits for it; with `query` it would
   * wait for itself. It may run more than once: it is repeated where the database has certainly stored nothing.
   * @throws {DatabaseUnavailable}
   */
  write<T>(work: (trx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Like `write`, for what may be lost in a power cut because it is done again, such as a sweep. */
  writeSoon<T>(work: (trx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /**
   * The rows of a query without parameters whose one column is bytes, where there is a faster way than `query`.
   * @throws {DatabaseUnavailable}
   */
  copyOut?: ((text: string) => Promise<Bytes[]>) | undefined;
  /**
   * Truncates the write-ahead log, where deleted content would outlive its row, unless another process is reading or
   * writing. Does nothing on PostgreSQL.
   * @throws {DatabaseUnavailable}
   */
  checkpoint(): Promise<void>;
  /** Writes the log back into the file while others go on writing. @throws {DatabaseUnavailable} */
  writeBack(): Promise<void>;
  /**
   * Writes as calls do, within two seconds, which reveals a full disk, a lost connection or a locked table.
   * @throws {DatabaseUnavailable}
   */
  ping(): Promise<void>;
  /** From now on calls `listener` for each call, of any caller, that found the database unavailable. */
  onUnavailable(listener: (error: DatabaseUnavailable) => void): void;
  /** From now on calls `listener` for each measured call that succeeded. */
  onCall(listener: (call: DatabaseCall) => void): void;
  /**
   * From now on calls `listener` when this process has written, except by counters. Returns a function that ends it.
   */
  onWrite(listener: () => void): () => void;
  numbers(): Promise<DatabaseNumbers>;
  close(): Promise<void>;
}

/**
 * Opens and migrates the database at a SQLite path (folder and file are made, for the owner only), `:memory:`, or a
 * `postgres://` URL. Several processes may do so at the same time.
 * @throws {DatabaseUnavailable}
 * @throws {DatabaseRefused}
 */
export async function openDatabase(
  url: string,
  { createDisk = createDiskSync }: { createDisk?: (path: string) => DiskSync } = {},
): Promise<Database> {
  return /^postgres(ql)?:\/\//.test(url) ? openPostgres(url) : openPath(url, createDisk);
}

/** Opens and migrates a PostgreSQL that is reached by other means than a URL; its statements are not observed. */
export async function openDialect(dialect: Dialect): Promise<Database> {
  return openMigrated(postgresParts(new Kysely<Tables>({ dialect })), createListeners());
}

/** An empty migrated database, kept for the next one in memory. */
let tables: Buffer | undefined;

async function openPath(url: string, createDisk: (path: string) => DiskSync): Promise<Database> {
  const isFile = url !== ":memory:";
  if (isFile) makeFile(url);
  const listeners = createListeners();
  const { watcher } = listeners;
  const connection = await SqliteConnection.open(url, {
    createDisk: isFile ? createDisk : () => NO_DISK,
    report: watcher.report,
    content: isFile ? undefined : tables,
  });
  const parts = sqliteParts(connection, watcher);
  if (!isFile) {
    if (tables) return makeDatabase({ ...parts, ...NO_LOG }, listeners);
    const db = await openMigrated({ ...parts, ...NO_LOG }, listeners);
    tables = connection.file.open.serialize();
    return db;
  }
  const numbers = async () => ({ ...(await parts.numbers()), disk: await connection.file.readDisk() });
  return openMigrated({ ...parts, numbers }, listeners);
}

async function openPostgres(url: string): Promise<Database> {
  const migrated = await openDialect((await connectPostgres(url, MIGRATION_LIMITS)).dialect);
  await migrated.close();
  const listeners = createListeners();
  const { dialect, connections, ...more } = await connectPostgres(url, POSTGRES_LIMITS, listeners.watcher);
  const numbers = async () => ({ connections: connections() });
  const query = new Kysely<Tables>({ dialect });
  try {
    await checkLimits(query, POSTGRES_LIMITS);
  } catch (error) {
    await query.destroy();
    throw error;
  }
  return makeDatabase({ ...postgresParts(query), ...more, numbers }, listeners);
}

type Work<T> = (trx: Kysely<Tables>) => Promise<T>;

/** What differs between the kinds of database. */
interface DatabaseParts extends Pick<
  Database,
  "kind" | "query" | "count" | "copyOut" | "writeBack" | "numbers"
> {
  transact: <T>(work: Work<T>) => Promise<T>;
  /** Like `transact`, for what may be lost in a power cut before `flush`. */
  transactSoon: <T>(work: Work<T>) => Promise<T>;
  flush: () => Promise<void>;
  /** False when another process is in the way. */
  emptyLog: () => Promise<boolean>;
}

/** A database in memory has no disk. */
const NO_DISK: DiskSync = { flush: async () => {}, close: async () => {} };
/** For PostgreSQL, which syncs before it acknowledges and keeps its own log, and for a database in memory. */
const NO_LOG = { flush: async () => {}, writeBack: async () => {}, emptyLog: async () => true };

function postgresParts(query: Kysely<Tables>): DatabaseParts {
  const transact = <T>(work: (trx: Transaction<Tables>) => Promise<T>) =>
    repeatRolledBack(() => query.transaction().execute(work));
  return {
    kind: "postgres",
    query,
    count: (counted) => query.executeQuery(counted),
    transact: (work) => {
      const actor = currentActor();
      return transact(async (trx) => {
        if (actor) await setActor(trx, actor);
        return work(trx);
      });
    },
    transactSoon: (work) =>
      transact(async (trx) => {
        await answerSoon(trx);
        return work(trx);
      }),
    ...NO_LOG,
    numbers: async () => ({ connections: { open: 1, busy: 0, waiting: 0 } }),
  };
}

function sqliteParts(connection: SqliteConnection, watcher: Watcher): DatabaseParts {
  const { file, lock } = connection;
  const inside = new Kysely<Tables>({ dialect: insideDialect(connection) });
  // The work may run on behalf of another call.
  const transact = <T>(work: Work<T>) => connection.transact(currentActor(), () => work(inside));
  return {
    kind: "sqlite",
    query: new Kysely<Tables>({ dialect: sqliteDialect(connection, watcher) }),
    count: connection.count,
    transact,
    transactSoon: transact,
    flush: () => file.flush(),
    writeBack: () => file.writeBack(),
    emptyLog: () => file.emptyLog(),
    numbers: async () => ({
      connections: { open: 1, busy: lock.isTaken ? 1 : 0, waiting: lock.waiting },
    }),
  };
}

async function openMigrated(parts: DatabaseParts, listeners: Listeners): Promise<Database> {
  const db = makeDatabase(parts, listeners);
  try {
    await migrate(db.query, parts.kind);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

type Listeners = ReturnType<typeof createListeners>;

function createListeners() {
  const [unavailable, calls, writes] = [
    listen<DatabaseUnavailable>(),
    listen<DatabaseCall>(),
    listen<void>(),
  ];
  const watcher: Watcher = { report: unavailable.tell, observe: calls.tell, wrote: writes.tell };
  return { watcher, on: { onUnavailable: unavailable.add, onCall: calls.add, onWrite: writes.add } };
}

function listen<Heard>() {
  const listeners = new Set<(heard: Heard) => void>();
  return {
    add: (listener: (heard: Heard) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (heard: Heard) => listeners.forEach((listener) => listener(heard)),
  };
}

function makeDatabase(parts: DatabaseParts, { watcher, on }: Listeners): Database {
  const { kind, query, count, transact, transactSoon, copyOut, numbers } = parts;
  const { report, observe, wrote } = watcher;
  const write = <T>(begin: (work: Work<T>) => Promise<T>, work: Work<T>) =>
    reportUnavailable(begin(work), report).finally(wrote);
  const writeDurably: Database["write"] = async (work) => {
    const started = performance.now();
    const session = currentSession();
    const checked: typeof work = async (trx) => {
      if (session) await checkSession(trx, session);
      return work(trx);
    };
    const result = await write(transact, session ? checked : work);
    // What was written may still reach the disk later.
    const late = () => new DatabaseUnavailable(new Error("The disk did not answer."));
    await reportUnavailable(waitWithin(parts.flush(), late), report);
    observe({ kind: "write", milliseconds: performance.now() - started });
    return result;
  };
  return {
    kind,
    sinks: [],
    query,
    count,
    write: writeDurably,
    writeSoon: (work) => write(transactSoon, work),
    copyOut: copyOut && ((text) => reportUnavailable(copyOut(text), report)),
    checkpoint: () => reportUnavailable(untilDone(parts.emptyLog), report),
    writeBack: () => reportUnavailable(parts.writeBack(), report),
    ping: () => withWaits(() => writeDurably(ping), LONGEST_PING_MS),
    ...on,
    numbers,
    close: () => query.destroy(),
  };
}

// SQLite gives the log and its index the modes of the file.
function makeFile(path: string): void {
  try {
    makeFolderOf(path);
    // Closing a file gives up all locks that this process has on it (POSIX), even those of an open connection.
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

// Another process is reading or writing at the moment; the next sweep comes anyway.
async function untilDone(work: () => Promise<boolean>): Promise<void> {
  for (let left = EMPTYING_TRIES; left > 0 && !(await work()); left--) {
    await new Promise((resolve) => setTimeout(resolve, EMPTYING_PAUSE_MS));
  }
}
