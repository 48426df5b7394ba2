// Opening a SQLite file means making its folder with the right modes, which no library that is used here does.
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely, type Dialect } from "kysely";
import { createDiskSync, type DiskSync } from "./connection/disk-sync.ts";
import { migrate } from "./upgrade/migrate.ts";
import { answerSoon, connectPostgres } from "./connection/postgres.ts";
import { isRolledBack } from "./connection/postgres/errors.ts";
import { DatabaseRefused, tellUnopened } from "./upgrade/refused.ts";
import { ping } from "./ping.ts";
import { readDisk, type DatabaseCall, type DatabaseNumbers } from "./numbers.ts";
import { currentActor, tellActor } from "./outbox/actor.ts";
import type { Bytes, Sink, Tables } from "./schema.ts";
import { SqliteConnection } from "./connection/sqlite-connection.ts";
import { insideDialect, sharedDialect, sqliteDialect } from "./connection/sqlite.ts";
import { SharedWrites } from "./connection/shared-writes.ts";
import { DatabaseUnavailable } from "./connection/unavailable.ts";
import { observing, reporting, watchDialect, type Watcher } from "./connection/watch.ts";
import { waitingWithin, waitsUntil, withWaits } from "./waits.ts";

export { DatabaseRefused, DatabaseUnavailable, tellUnopened };

/**
 * No statement of the service takes long, and the server ends one before its call gives up. Ten connections leave room
 * for several instances on one server.
 */
const POSTGRES_LIMITS = { connections: 10, statementMilliseconds: 9_000 };
/** A migration may take its time, and the other instances wait for it. */
const MIGRATION_LIMITS = { connections: 1, statementMilliseconds: 0 };

const WRITE_TRIES = 5;
/** A database that takes longer for a ping is not ready. */
const LONGEST_PING_MS = 2_000;
const EMPTYING_TRIES = 40;
const EMPTYING_PAUSE_MS = 25;

/** One open database. Functions of this room take it first. */
export interface Database {
  kind: "sqlite" | "postgres";
  /** Who is told of what happens, as `recordEvents` has said it; nobody before. */
  sinks: readonly Sink[];
  /** Reading, and single statements whose loss in a power cut would hurt nobody. */
  query: Kysely<Tables>;
  /**
   * Such statements that write, many a second: counters. On SQLite they share a transaction with others of the same
   * moment, and what the caller writes next joins it. On PostgreSQL they are
   * answered before they are on the disk, and give their rows only.
   */
  counters: Kysely<Tables>;
  /**
   * One transaction, begun as a writing one and on the disk before it is acknowledged. On SQLite it is one with
   * others of the same moment. `work` waits for nothing but `trx`, for which everybody else waits; with `query` it
   * would wait for itself. It may run more than once: it is tried again where the database has certainly stored
   * nothing of it.
   * @throws {DatabaseUnavailable}
   */
  write<T>(work: (trx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** As `write`, for what may be lost in a power cut because it will be done again: a sweep. */
  writeSoon<T>(work: (trx: Kysely<Tables>) => Promise<T>): Promise<T>;
  /**
   * The rows of a query without parameters that has one column, of bytes, where there is a faster way than `query`.
   * @throws {DatabaseUnavailable}
   */
  copyOut?: ((text: string) => Promise<Bytes[]>) | undefined;
  /**
   * Empties the write-ahead log, where deleted content would outlive its row; not while another process reads or
   * writes just then. Nothing on PostgreSQL.
   * @throws {DatabaseUnavailable}
   */
  checkpoint(): Promise<void>;
  /** Writes back what is in that log, while others go on writing. @throws {DatabaseUnavailable} */
  writeBack(): Promise<void>;
  /**
   * Writes as calls do, within two seconds, so that a full disk, a lost connection or a locked table shows.
   * @throws {DatabaseUnavailable}
   */
  ping(): Promise<void>;
  /** From now on, `listener` hears of each call that found the database unavailable, whoever made it. */
  onUnavailable(listener: (error: DatabaseUnavailable) => void): void;
  /** From now on, `listener` hears of each call that ended well; see `isMeasured`. */
  onCall(listener: (call: DatabaseCall) => void): void;
  /** From now on, `listener` hears when this process has written, counters apart. */
  onWrite(listener: () => void): void;
  numbers(): Promise<DatabaseNumbers>;
  close(): Promise<void>;
}

/**
 * Opens and migrates the database at a SQLite path (folder and file are made, for the owner only),
 * `:memory:`, or a `postgres://` URL. Any number of processes may do so at the same time.
 * @throws {DatabaseUnavailable}
 * @throws {DatabaseRefused}
 */
export async function openDatabase(
  url: string,
  { createDisk = createDiskSync }: { createDisk?: (path: string) => DiskSync } = {},
): Promise<Database> {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url);
  if (url !== ":memory:") makeFile(url);
  const connection = await SqliteConnection.open(url, url === ":memory:" ? () => NO_DISK : createDisk);
  const disk = () => (url === ":memory:" ? undefined : readDisk(url));
  const parts = sqliteParts(connection, disk);
  return openMigrated(sqliteDialect(connection), url === ":memory:" ? { ...parts, ...NO_LOG } : parts);
}

/** Opens and migrates a PostgreSQL that is reached in another way than by a URL. */
export async function openDialect(dialect: Dialect): Promise<Database> {
  return openMigrated(dialect, POSTGRES);
}

async function openPostgres(url: string): Promise<Database> {
  const migrated = await openMigrated((await connectPostgres(url, MIGRATION_LIMITS)).dialect, POSTGRES);
  await migrated.close();
  const { dialect, connections, ...more } = await connectPostgres(url, POSTGRES_LIMITS);
  return makeDatabase(dialect, {
    ...POSTGRES,
    ...more,
    numbers: async () => ({ connections: connections() }),
  });
}

type Work<T> = (trx: Kysely<Tables>) => Promise<T>;

interface DatabaseParts {
  kind: Database["kind"];
  /** Where it is not that of everything else. */
  counters?: Dialect;
  transact: <T>(query: Kysely<Tables>, work: Work<T>) => Promise<T>;
  /** What may be lost in a power cut, where that makes a difference before `flush`. */
  transactSoon?: <T>(query: Kysely<Tables>, work: Work<T>) => Promise<T>;
  flush: () => Promise<void>;
  writeBack: () => Promise<void>;
  /** See `Database`. */
  copyOut?: (text: string) => Promise<Bytes[]>;
  /** False when another process is in the way. */
  emptyLog: () => Promise<boolean>;
  onFault: (listener: (error: unknown) => void) => void;
  numbers: () => Promise<DatabaseNumbers>;
}

/** A database in memory writes nothing to a disk. */
const NO_DISK: DiskSync = { flush: async () => {}, close: async () => {} };
/** The server syncs by itself before it acknowledges, and keeps its log itself. */
const NO_LOG = {
  flush: async () => {},
  writeBack: async () => {},
  emptyLog: async () => true,
  onFault: () => {},
};
const POSTGRES: DatabaseParts = {
  kind: "postgres",
  transact: (query, work) => {
    const actor = currentActor();
    return query.transaction().execute(async (trx) => {
      if (actor) await tellActor(trx, actor);
      return work(trx);
    });
  },
  transactSoon: (query, work) =>
    query.transaction().execute(async (trx) => {
      await answerSoon(trx);
      return work(trx);
    }),
  ...NO_LOG,
  numbers: async () => ({ connections: { open: 1, busy: 0, waiting: 0 } }),
};

function sqliteParts(
  connection: SqliteConnection,
  disk: () => Promise<DatabaseNumbers["disk"]> | undefined,
): DatabaseParts {
  const writes = new SharedWrites(connection);
  const inside = new Kysely<Tables>({ dialect: insideDialect(connection) });
  return {
    kind: "sqlite",
    counters: sharedDialect(connection, writes),
    transact: (_, work) => {
      // The next lines may run on behalf of another call.
      const actor = currentActor();
      return writes.run(() => connection.acting.run(actor, () => work(inside)));
    },
    flush: () => connection.flush(),
    writeBack: () => connection.writeBack(),
    emptyLog: () => connection.emptyLog(),
    onFault: (listener) => void (connection.onFault = listener),
    numbers: async () => ({ connections: connection.connections, disk: await disk() }),
  };
}

async function openMigrated(dialect: Dialect, parts: DatabaseParts): Promise<Database> {
  const db = makeDatabase(dialect, parts);
  try {
    await migrate(db.query, parts.kind);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function makeDatabase(dialect: Dialect, parts: DatabaseParts): Database {
  const { kind, flush, writeBack, emptyLog, copyOut } = parts;
  const listeners: ((error: DatabaseUnavailable) => void)[] = [];
  const report = (error: DatabaseUnavailable) => listeners.forEach((listener) => listener(error));
  parts.onFault((error) => error instanceof DatabaseUnavailable && report(error));
  const called: ((call: DatabaseCall) => void)[] = [];
  const observe = (kind: DatabaseCall["kind"]) => (milliseconds: number) =>
    called.forEach((listener) => listener({ kind, milliseconds }));
  const writing: (() => void)[] = [];
  const wrote = () => writing.forEach((listener) => listener());
  const open = (on: Dialect, told: Omit<Watcher, "report">) =>
    new Kysely<Tables>({ dialect: watchDialect(on, { report, ...told }) });
  const query = open(dialect, { observe: observe("read"), wrote });
  const { transact, transactSoon = transact } = parts;
  const run = <T>(begin: DatabaseParts["transact"], work: Work<T>) =>
    reporting(
      write(() => begin(query, work)),
      report,
    );
  const writeDurably: Database["write"] = (work) =>
    observing(async () => {
      const result = await run(transact, work).finally(wrote);
      await reporting(waitingWithin(flush(), hangingDisk), report);
      return result;
    }, observe("write"));
  return {
    kind,
    sinks: [],
    query,
    counters: parts.counters ? open(parts.counters, { observe: () => {}, wrote: () => {} }) : query,
    write: writeDurably,
    writeSoon: (work) => run(transactSoon, work).finally(wrote),
    copyOut: copyOut && ((text) => reporting(copyOut(text), report)),
    checkpoint: () => reporting(untilDone(emptyLog), report),
    writeBack: () => reporting(writeBack(), report),
    ping: () => withWaits(() => writeDurably(ping), LONGEST_PING_MS),
    onUnavailable: (listener) => void listeners.push(listener),
    onCall: (listener) => void called.push(listener),
    onWrite: (listener) => void writing.push(listener),
    numbers: parts.numbers,
    close: () => query.destroy(),
  };
}

// SQLite gives the log and its index the modes of the file.
function makeFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Closing a file gives up all locks that this process has on it (POSIX), also those of an open connection.
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

async function write<T>(transact: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transact();
    } catch (error) {
      if (!isRolledBack(error) || tries === WRITE_TRIES || performance.now() >= waitsUntil()) throw error;
    }
  }
}

// What was written may come to the disk later.
function hangingDisk(): DatabaseUnavailable {
  return new DatabaseUnavailable(new Error("The disk did not answer."));
}

// Another process that is just reading or writing is in the way; the next sweep comes anyway.
async function untilDone(work: () => Promise<boolean>): Promise<void> {
  for (let left = EMPTYING_TRIES; left > 0 && !(await work()); left--) {
    await new Promise((resolve) => setTimeout(resolve, EMPTYING_PAUSE_MS));
  }
}
