import type SqliteFile from "better-sqlite3";
import { DEFAULT_MIGRATION_TABLE } from "kysely/migration";
import type { ConnectionCounts } from "../numbers.ts";
import type { DiskSync } from "./disk-sync.ts";
import { FileIdentity } from "./file-identity.ts";
import { LogKeeper } from "./log-keeper.ts";
import { openSqlite } from "./open-sqlite.ts";
import { Acting } from "../outbox/actor.ts";
import { judge, LIST_MIGRATIONS, SQLITE_TABLES } from "../upgrade/recognise.ts";
import { Turns } from "./turns.ts";
import { DatabaseUnavailable } from "./unavailable.ts";
import { LONGEST_WAIT_MS, waitingWithin, waitsUntil } from "../waits.ts";

/** Between two tries for a file that is busy. */
const LONGEST_PAUSE_MS = 32;

/** Result codes, each with its extended ones (sqlite.org/rescode.html): another process; or disk and file. */
const BUSY = /^SQLITE_BUSY/;
const UNAVAILABLE = /^SQLITE_(BUSY|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB)/;
const SYNC_FAILED = "SQLITE_IOERR_FSYNC";

/** More sentences than this room has; texts that hold a changing number would otherwise fill the memory. */
const STATEMENTS = 256;

/** Looking at the length of the log costs a few microseconds. */
const TURNS_PER_LOOK = 16;

/** SQLite waits asleep, with the whole process; beyond this we wait awake. Both come to the same throughput. */
const BUSY_TIMEOUT_MS = 1;

/** The file while it is open. */
interface OpenFile {
  readonly file: SqliteFile.Database;
  /** Compiles a statement, or takes the one that was compiled before. */
  readonly prepare: (text: string) => SqliteFile.Statement;
}

/**
 * This process's connection to a SQLite file. Those who use it take turns: a statement is a turn, and so is a
 * whole transaction. Whoever waits for another process lets the others try meanwhile and gives up at a deadline of
 * its own. After a failed sync the system may show data that the disk does not have, and answers the next sync with
 * a yes (danluu.com/fsyncgate); so nothing is done any more before the file was opened anew.
 */
export class SqliteConnection {
  readonly #path: string;
  readonly #createDisk: (path: string) => DiskSync;
  readonly #turns = new Turns();
  readonly #log: LogKeeper;
  readonly #identity: FileIdentity;
  #disk: DiskSync;
  #open: OpenFile;
  #turnsTaken = 0;
  #isSound = true;
  readonly acting = new Acting();
  /** Hears of what went wrong while nobody waited for it. */
  onFault: (error: unknown) => void = () => {};
  #renewal: Promise<void> | undefined;

  private constructor(path: string, open: OpenFile, createDisk: (path: string) => DiskSync) {
    this.#path = path;
    this.#open = open;
    this.acting.answer(open.file);
    this.#createDisk = createDisk;
    this.#disk = createDisk(path);
    this.#identity = new FileIdentity(path);
    this.#log = new LogKeeper(path, (work) => this.#alone(work));
  }

  /** Opens a file, or `:memory:`; `createDisk` makes what syncs its log. @throws {DatabaseUnavailable} */
  static async open(path: string, createDisk: (path: string) => DiskSync): Promise<SqliteConnection> {
    return new SqliteConnection(path, await openFile(path), createDisk);
  }

  /** One connection, which is taken in turns. */
  get connections(): ConnectionCounts {
    return { open: 1, busy: this.#turns.isTaken ? 1 : 0, waiting: this.#turns.waiting };
  }

  /** Lets a caller in, and answers until when it may wait. @throws {DatabaseUnavailable} */
  async admit(): Promise<number> {
    const deadline = waitsUntil();
    this.#identity.verifySometimes();
    if (!this.#isSound) {
      this.#renewal ??= this.#renew(deadline).finally(() => (this.#renewal = undefined));
      await waitingWithin(this.#renewal, () => new DatabaseUnavailable(failure("SQLITE_BUSY")));
    }
    return deadline;
  }

  /** Runs a statement on its own. @throws {DatabaseUnavailable} */
  async run<T>(work: (open: OpenFile) => T, deadline: number): Promise<T> {
    return this.#inTurn(work, { deadline, isLasting: false });
  }

  /** Begins a transaction as a writing one; nobody else has a turn before `end`. @throws {DatabaseUnavailable} */
  async begin(deadline: number): Promise<void> {
    await this.#inTurn(({ prepare }) => void prepare("begin immediate").run(), { deadline, isLasting: true });
  }

  /** Runs a statement of the transaction that has begun. @throws {DatabaseUnavailable} */
  runInside<T>(work: (open: OpenFile) => T): T {
    try {
      return work(this.#open);
    } catch (error) {
      throw this.#judge(error);
    }
  }

  /** Commits the transaction that has begun; a rollback has to follow where that fails. */
  commit(): void {
    this.runInside(({ prepare }) => prepare("commit").run());
    this.#turns.pass();
    this.#lookAtLog();
  }

  rollback(): void {
    try {
      // After some errors, a full disk for one, SQLite has rolled back by itself.
      if (this.#open.file.inTransaction) this.runInside(({ file }) => file.exec("rollback"));
    } finally {
      this.#turns.pass();
    }
  }

  /** Resolves when everything that was committed before is on the disk. @throws {DatabaseUnavailable} */
  async flush(): Promise<void> {
    await this.#disk.flush().catch((error: unknown) => {
      // A log that was deleted cannot be opened for the sync either.
      this.#identity.verify();
      this.#isSound = false;
      throw error;
    });
    // Last, because what was written to a file that is gone must not be acknowledged.
    this.#identity.verify();
  }

  /** Writes the log back into the file, beside everybody. @throws {DatabaseUnavailable} */
  async writeBack(): Promise<void> {
    await this.#judged(this.#log.writeBack());
  }

  /** Empties the log; false when another process is in the way. @throws {DatabaseUnavailable} */
  async emptyLog(): Promise<boolean> {
    this.#identity.verify();
    return this.#judged(this.#log.empty());
  }

  async close(): Promise<void> {
    await this.#log.settle();
    await this.#closeFiles();
  }

  async #closeFiles(): Promise<void> {
    await this.#disk.close();
    await this.#log.close();
    this.#open.file.close();
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (!(await this.#turns.take(performance.now() + LONGEST_WAIT_MS))) throw failure("SQLITE_BUSY");
    return work().finally(() => this.#turns.pass());
  }

  #judged<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => {
      throw this.#judge(error);
    });
  }

  #lookAtLog(): void {
    if (this.#turnsTaken++ % TURNS_PER_LOOK > 0 || !this.#isSound) return;
    // The pragma's columns: pages in the log, and how many of them have been written back.
    const [length] = this.#open.prepare("pragma wal_checkpoint(noop)").all() as {
      log: number;
      checkpointed: number;
    }[];
    if (length && this.#log.isDue(length)) void this.writeBack().catch((error) => this.onFault(error));
  }

  // Inside a transaction the lock is held already, and outside of one a statement that found the file busy has done
  // nothing: trying again is always safe here.
  async #inTurn<T>(
    work: (open: OpenFile) => T,
    { deadline, isLasting }: { deadline: number; isLasting: boolean },
  ): Promise<T> {
    for (let pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      if (!(await this.#turns.take(deadline))) throw new DatabaseUnavailable(failure("SQLITE_BUSY"));
      let isHeld = false;
      try {
        if (!this.#isSound) throw failure(SYNC_FAILED);
        const begun = this.#log.beforeWrite();
        if (begun) await begun;
        const result = work(this.#open);
        isHeld = isLasting;
        return result;
      } catch (error) {
        if (!BUSY.test(readCode(error)) || performance.now() >= deadline) throw this.#judge(error);
      } finally {
        if (!isHeld) this.#turns.pass();
        if (!isLasting) this.#lookAtLog();
      }
      await sleep(Math.min(pause * (0.5 + Math.random()), deadline - performance.now()));
    }
  }

  #judge(error: unknown): unknown {
    const code = readCode(error);
    if (code === SYNC_FAILED) this.#isSound = false;
    return UNAVAILABLE.test(code) ? new DatabaseUnavailable(error) : error;
  }

  // Writing the whole log into the file, with a sync of its own, makes the file hold again what the system has shown.
  async #renew(deadline: number): Promise<void> {
    if (!(await this.#turns.take(deadline))) throw new DatabaseUnavailable(failure("SQLITE_BUSY"));
    try {
      // Before, or another database would be taken for this one.
      this.#identity.verify();
      this.#identity.forgetLog();
      await this.#closeFiles();
      // Again, for somebody's flush may have looked meanwhile.
      this.#identity.forgetLog();
      this.#open = await openFile(this.#path);
      this.acting.answer(this.#open.file);
      this.#disk = this.#createDisk(this.#path);
      const isBusy = this.#open.file.pragma("wal_checkpoint(truncate)", { simple: true }) !== 0;
      if (isBusy) throw failure("SQLITE_BUSY");
      this.#isSound = true;
    } catch (error) {
      throw new DatabaseUnavailable(error);
    } finally {
      this.#turns.pass();
    }
  }
}

// Sets what every connection must have.
async function openFile(path: string): Promise<OpenFile> {
  const file = openSqlite(path, { timeout: BUSY_TIMEOUT_MS });
  await enterWal(file);
  // A commit does not wait for the disk here: whoever needs that waits outside (disk-sync.ts), with others.
  file.pragma("synchronous = NORMAL");
  // Nor does whoever happens to make the log long: it is written back on another thread (log-keeper.ts).
  file.pragma("wal_autocheckpoint = 0");
  file.pragma("foreign_keys = ON");
  // Without it a deleted content stays readable in the file's free pages.
  file.pragma("secure_delete = ON");
  return { file, prepare: cacheStatements(file) };
}

// Only one process at a time can change to WAL, and others may be starting too.
async function enterWal(file: SqliteFile.Database): Promise<void> {
  for (const deadline = performance.now() + LONGEST_WAIT_MS; ;) {
    try {
      // The change is written into the file, which may be one of another program.
      refuseOthers(file);
      return void file.pragma("journal_mode = WAL");
    } catch (error) {
      if (!BUSY.test(readCode(error)) || performance.now() >= deadline) {
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
  const refused = judge({ names, migrations }, "sqlite");
  if (refused) throw refused;
}

function cacheStatements(file: SqliteFile.Database): OpenFile["prepare"] {
  const statements = new Map<string, SqliteFile.Statement>();
  return (text) => {
    const statement = statements.get(text) ?? file.prepare(text);
    if (statements.size >= STATEMENTS) statements.clear();
    statements.set(text, statement);
    return statement;
  };
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** What SQLite would say if it were asked. */
function failure(code: string): Error {
  return Object.assign(new Error("The database was not asked."), { code });
}

function readCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
