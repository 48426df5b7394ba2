import { DEFAULT_MIGRATION_TABLE } from "kysely/migration";
import { CurrentActor } from "../outbox/actor.ts";
import { judge as judgeTables, LIST_MIGRATIONS, SQLITE_TABLES } from "../upgrade/migrate.ts";
import { LONGEST_WAIT_MS, waitWithin } from "../running-call.ts";
import type { DiskSync } from "./disk-sync.ts";
import { FileIdentity } from "./file-identity.ts";
import { LogKeeper } from "./log-keeper.ts";
import type { DiskNumbers } from "./dialect.ts";
import { DatabaseUnavailable, readCode } from "./unavailable.ts";
import { existsSync, mkdirSync, promises as files, statSync } from "node:fs";
import { dirname } from "node:path";
import SqliteFile from "better-sqlite3";

/** Between two attempts on a busy file. */
export const LONGEST_PAUSE_MS = 32;

/** SQLite waits by blocking the whole process; after this we wait without blocking. The throughput is the same. */
const BUSY_TIMEOUT_MS = 1;

/** More than a busy server's log has, for what is opened and deleted; of a small disk at most a quarter. */
const SPARE_BYTES = 64 * 1024 * 1024;

/** Result codes, each with its extended ones (sqlite.org/rescode.html): another process, or disk and file. */
const BUSY = /^SQLITE_BUSY/;
const UNAVAILABLE = /^SQLITE_(BUSY|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB)/;
const SYNC_FAILED = "SQLITE_IOERR_FSYNC";

/** What a served file needs. */
export interface Parts {
  /** Makes the object that syncs its log. */
  readonly createDisk: (path: string) => DiskSync;
  /** Called when a counter, or a task that nobody waits for, finds the file unavailable. */
  readonly report: (error: DatabaseUnavailable) => void;
  /** Runs work while nobody else in this process writes. */
  readonly alone: <T>(work: () => Promise<T>, deadline: number) => Promise<T>;
  /** The initial content of `:memory:`, as SQLite writes it to a file. */
  readonly content?: Buffer | undefined;
}

/**
 * A SQLite file that is being served: checks that it is still the file that was opened, syncs its log and watches the
 * log's length. After a failed sync the system may show data that is not on the disk, and lets the next sync succeed
 * (danluu.com/fsyncgate); so nothing is done before the file is reopened.
 */
export class ServedFile {
  readonly #path: string;
  readonly #parts: Parts;
  readonly identity: FileIdentity;
  readonly log: LogKeeper;
  readonly acting = new CurrentActor();
  /** The statements that `open` has compiled, by their text. */
  readonly statements: Map<string, SqliteFile.Statement> = new Map();
  open: SqliteFile.Database;
  isSound = true;
  #disk: DiskSync;
  #renewal: Promise<void> | undefined;

  private constructor(path: string, open: SqliteFile.Database, parts: Parts) {
    this.#path = path;
    this.#parts = parts;
    this.open = open;
    this.acting.addFunctionTo(open);
    this.#disk = parts.createDisk(path);
    this.identity = new FileIdentity(path);
    this.log = new LogKeeper(path, (work) => parts.alone(work, performance.now() + LONGEST_WAIT_MS));
  }

  /** Opens a file, or `:memory:`. @throws {DatabaseUnavailable} */
  static async open(path: string, parts: Parts): Promise<ServedFile> {
    return new ServedFile(path, await openFile(path, parts.content), parts);
  }

  /** Resolves when all earlier commits are on the disk. @throws {DatabaseUnavailable} */
  async flush(): Promise<void> {
    await this.#disk.flush().catch((error: unknown) => {
      // A deleted log could not be opened for the sync either.
      this.identity.verify();
      this.isSound = false;
      throw error;
    });
    // Last, because writes to a deleted file must not be acknowledged.
    this.identity.verify();
  }

  /** Writes the log back into the file, beside other writers. @throws {DatabaseUnavailable} */
  async writeBack(): Promise<void> {
    await this.#judged(this.log.writeBack());
  }

  /** Truncates the log; false when another process is in the way. @throws {DatabaseUnavailable} */
  async emptyLog(): Promise<boolean> {
    this.identity.verify();
    return this.#judged(this.log.empty());
  }

  /** Starts writing back a log that is long. No call waits for this, so what fails is only reported. */
  lookAtLog(): void {
    if (!this.isSound) return;
    void this.#judged(this.#writeBackLong()).catch((error: unknown) => {
      if (error instanceof DatabaseUnavailable) this.#parts.report(error);
    });
  }

  async #writeBackLong(): Promise<void> {
    // The pragma's columns: pages in the log, and how many of them are written back.
    const [length] = this.open.pragma("wal_checkpoint(noop)") as { log: number; checkpointed: number }[];
    if (length && this.log.isDue(length)) await this.log.writeBack();
  }

  /** Undefined where the disk does not respond, or does not say how large it is. */
  async readDisk(): Promise<DiskNumbers | undefined> {
    try {
      const { bavail, blocks, bsize } = await files.statfs(dirname(this.#path));
      if (blocks === 0) return undefined;
      const logBytes = await files.stat(`${this.#path}-wal`).then(
        ({ size }) => size,
        () => 0,
      );
      const freeBytes = bavail * bsize;
      // The pages of what was deleted stay in the file, and are used first.
      const unusedBytes = this.#read("freelist_count") * this.#read("page_size");
      const spareBytes = Math.min(SPARE_BYTES, (blocks * bsize) / 4);
      // But what is stored stands in the log first, which the disk must have room for too.
      const roomBytes = Math.min(freeBytes + unusedBytes, 2 * freeBytes) - spareBytes;
      return { logBytes, freeBytes, roomBytes };
    } catch {
      return undefined;
    }
  }

  #read(pragma: "freelist_count" | "page_size"): number {
    return Number(this.open.pragma(pragma, { simple: true }));
  }

  /** The error to throw for one of SQLite. */
  judge(error: unknown): unknown {
    const code = readCode(error);
    if (code === SYNC_FAILED) this.isSound = false;
    return UNAVAILABLE.test(code) ? new DatabaseUnavailable(error) : error;
  }

  /** Reopens the file, once for all who wait for it. @throws {DatabaseUnavailable} */
  async renew(deadline: number): Promise<void> {
    this.#renewal ??= this.#parts
      .alone(() => this.#renew(), deadline)
      .finally(() => (this.#renewal = undefined));
    await waitWithin(this.#renewal, () => new DatabaseUnavailable(failure("SQLITE_BUSY")));
  }

  async close(): Promise<void> {
    await this.log.settle();
    await this.#close();
  }

  // Writing the whole log into the file, with a sync, makes the file contain again what the system has shown.
  async #renew(): Promise<void> {
    try {
      // Checked before, or another database would be taken for this one.
      this.identity.verify();
      this.identity.forgetLog();
      await this.#close();
      // Again, because a flush may have looked at it meanwhile.
      this.identity.forgetLog();
      this.open = await openFile(this.#path);
      this.statements.clear();
      this.acting.addFunctionTo(this.open);
      this.#disk = this.#parts.createDisk(this.#path);
      const isLogBusy = this.open.pragma("wal_checkpoint(truncate)", { simple: true }) !== 0;
      if (isLogBusy) throw failure("SQLITE_BUSY");
      this.isSound = true;
    } catch (error) {
      throw new DatabaseUnavailable(error);
    }
  }

  async #close(): Promise<void> {
    await this.#disk.close();
    await this.log.close();
    this.open.close();
  }

  #judged<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      throw this.judge(error);
    });
  }
}

// Sets what every connection needs.
async function openFile(path: string, content?: Buffer): Promise<SqliteFile.Database> {
  const file = openSqlite(content ?? path, { timeout: BUSY_TIMEOUT_MS });
  await enterWal(file);
  // A commit does not wait for the disk: callers who need that wait together (disk-sync.ts).
  file.pragma("synchronous = NORMAL");
  // Nor does the caller who makes the log long: another thread writes it back (log-keeper.ts).
  file.pragma("wal_autocheckpoint = 0");
  file.pragma("foreign_keys = ON");
  // Without it deleted content stays readable in the file's free pages.
  file.pragma("secure_delete = ON");
  return file;
}

// Only one process at a time can switch to WAL, and others may be starting too.
async function enterWal(file: SqliteFile.Database): Promise<void> {
  for (const deadline = performance.now() + LONGEST_WAIT_MS; ;) {
    try {
      // The switch writes to the file, which may belong to another program.
      refuseOthers(file);
      return void file.pragma("journal_mode = WAL");
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) {
        file.close();
        throw UNAVAILABLE.test(readCode(error)) ? new DatabaseUnavailable(error) : error;
      }
    }
    await sleep(LONGEST_PAUSE_MS * Math.random());
  }
}

function refuseOthers(file: SqliteFile.Database): void {
  const read = (text: string) => file.prepare<[], string>(text).pluck().all();
  const names = read(SQLITE_TABLES);
  const migrations = names.includes(DEFAULT_MIGRATION_TABLE) ? read(LIST_MIGRATIONS) : [];
  const refused = judgeTables({ names, migrations }, "sqlite");
  if (refused) throw refused;
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Whether another process is in the way. */
export function isBusy(error: unknown): boolean {
  return BUSY.test(readCode(error));
}

/** The error that SQLite would report for a file that is in use, or whose sync has failed. */
export function failure(code: "SQLITE_BUSY" | typeof SYNC_FAILED): Error {
  return Object.assign(new Error("The database was not asked."), { code });
}

/**
 * Every connection to a file is made here: triggers ask each for the actor (db/outbox/actor.ts), and a connection
 * without that function cannot write anything that triggers watch. By default the answer is nobody.
 */
export function connectSqlite(path: string | Buffer, options: SqliteFile.Options): SqliteFile.Database {
  const file = new SqliteFile(path, options);
  new CurrentActor().addFunctionTo(file);
  return file;
}

/** Opens a file, `:memory:`, or the bytes of one in memory, without reading it yet. @throws {DatabaseUnavailable} */
export function openSqlite(path: string | Buffer, options: SqliteFile.Options): SqliteFile.Database {
  try {
    // SQLite reports the same for a folder as for a file that it may not read.
    if (typeof path === "string" && existsSync(path) && statSync(path).isDirectory())
      throw Object.assign(new Error("A folder."), { code: "EISDIR" });
    return connectSqlite(path, options);
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}

/**
 * Makes the folder of a file, for its owner only. One by one: where a folder cannot be made although its parent is
 * there, as below /proc, Node 24 never returns from a recursive `mkdirSync`.
 */
export function makeFolderOf(file: string): void {
  const folder = dirname(file);
  // A drive of Windows that is not there has itself as its parent.
  if (folder === file || existsSync(folder)) return;
  makeFolderOf(folder);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been first.
    if (!existsSync(folder)) throw error;
  }
}
