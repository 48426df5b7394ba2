import type SqliteFile from "better-sqlite3";
import type { CompiledQuery, QueryResult } from "kysely";
import type { Actor } from "../outbox/actor.ts";
import { reportUnavailable, waitsUntil } from "../running-call.ts";
import { failure, isBusy, LONGEST_PAUSE_MS, ServedFile, sleep, type Parts } from "./sqlite-file.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * More than there are different statements here; without a bound, texts with changing numbers would fill the memory.
 */
const STATEMENTS = 256;

/** Looking at the log's length takes a few microseconds. */
const TURNS_PER_LOOK = 16;

/** How long a shared transaction accepts more work; everybody else waits for it. */
const LONGEST_SHARED_MS = 8;

/** How many turns of the event loop it stays open for more: a create counts twice before it stores. */
const MOST_STAYS = 2;

/** How often to check for callers who have waited too long; the last one to come may have to give up first. */
const LOOK_MS = 250;

interface Write {
  readonly work: () => Promise<unknown>;
  readonly deadline: number;
  /** Whether its caller may go on before the commit. */
  readonly isCounter: boolean;
  /** Whether it gets a transaction alone, after a shared one has failed. */
  readonly isAlone: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * This process's connection to a SQLite file. Its users hold its lock in turn: for one statement, or for a whole
 * transaction. A user that waits for another process lets others try meanwhile, and gives up at its own deadline.
 */
export class SqliteConnection {
  readonly file: ServedFile;
  readonly lock: Lock;
  readonly #report: Parts["report"];
  /** Waiting for the next shared transaction. */
  readonly #waiting: Write[] = [];
  #isAwake = false;
  #turnsTaken = 0;

  private constructor(file: ServedFile, lock: Lock, report: Parts["report"]) {
    this.file = file;
    this.lock = lock;
    this.#report = report;
  }

  /** Opens a file, or `:memory:`. @throws {DatabaseUnavailable} */
  static async open(path: string, parts: Omit<Parts, "alone">): Promise<SqliteConnection> {
    const lock = new Lock();
    const alone = async <T>(work: () => Promise<T>, deadline: number) => {
      await lock.take(deadline);
      return work().finally(() => lock.release());
    };
    return new SqliteConnection(await ServedFile.open(path, { ...parts, alone }), lock, parts.report);
  }

  /** Lets a caller in, and returns until when it may wait. @throws {DatabaseUnavailable} */
  async admit(): Promise<number> {
    const deadline = waitsUntil();
    const { identity, isSound } = this.file;
    if (performance.now() >= identity.lookAgainAt) identity.verify();
    if (!isSound) await this.file.renew(deadline);
    return deadline;
  }

  /** Runs a single statement. @throws {DatabaseUnavailable} */
  runAlone<Row>(query: CompiledQuery, deadline: number): Promise<QueryResult<Row>> {
    return this.#inTurn(() => this.#run<Row>(query), deadline);
  }

  /** Runs a counter in the next shared transaction, and returns before the commit. @throws {DatabaseUnavailable} */
  readonly count = <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    const counted = this.#share(async () => this.runInside<Row>(query), { isCounter: true });
    return reportUnavailable(counted, this.#report);
  };

  /**
   * Runs work in the next shared transaction for `actor`; it may run again. It may wait for nothing but its own
   * statements.
   * @throws {DatabaseUnavailable}
   */
  transact<T>(actor: Actor | undefined, work: () => Promise<T>): Promise<T> {
    const acting = actor ? () => this.file.acting.run(actor, work) : work;
    return this.#share(acting, { isCounter: false });
  }

  /** Begins a writing transaction; nobody else has a turn until it ends. @throws {DatabaseUnavailable} */
  begin(deadline: number): Promise<void> {
    return this.#inTurn(() => void this.#prepare("begin immediate").run(), deadline, true);
  }

  /** Runs a statement of the open transaction. @throws {DatabaseUnavailable} */
  runInside<Row>(query: CompiledQuery): QueryResult<Row> {
    return this.#judged(() => this.#run(query));
  }

  /** Commits the open transaction; if that fails, a rollback must follow. */
  commit(): void {
    this.#judged(() => this.#prepare("commit").run());
    this.lock.release();
    this.#lookAtLog();
  }

  rollback(): void {
    const { open } = this.file;
    try {
      // After some errors, such as a full disk, SQLite has already rolled back.
      if (open.inTransaction) this.#judged(() => open.exec("rollback"));
    } finally {
      this.lock.release();
    }
  }

  #prepare(text: string): SqliteFile.Statement {
    const { statements, open } = this.file;
    const known = statements.get(text);
    if (known) return known;
    const statement = open.prepare(text);
    if (statements.size >= STATEMENTS) statements.clear();
    statements.set(text, statement);
    return statement;
  }

  #run<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const statement = this.#prepare(sql);
    // Kysely's types describe the rows; SQLite itself knows no such types.
    if (statement.reader) return { rows: statement.all(...parameters) as Row[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
  }

  #judged<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.file.judge(error);
    }
  }

  // Always safe to repeat: inside a transaction the lock is held already, and outside of one a statement that found the
  // file busy has done nothing.
  async #inTurn<T>(work: () => T, deadline: number, isLasting = false): Promise<T> {
    for (let pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      await this.lock.take(deadline);
      let isHeld = false;
      try {
        if (!this.file.isSound) throw failure("SQLITE_IOERR_FSYNC");
        if (this.file.log.isEmpty) await this.file.log.begin();
        const result = work();
        isHeld = isLasting;
        return result;
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw this.file.judge(error);
      } finally {
        if (!isHeld) this.lock.release();
        if (!isLasting) this.#lookAtLog();
      }
      await sleep(Math.max(0, Math.min(pause * (0.5 + Math.random()), deadline - performance.now())));
    }
  }

  #lookAtLog(): void {
    if (this.#turnsTaken++ % TURNS_PER_LOOK === 0) this.file.lookAtLog();
  }

  // A transaction that several callers share: a page that all of them change is written once, and there is one commit.
  // Nobody is told of success before it, except counters, so that what their callers write next can join the same one.
  // If it fails, each caller gets a transaction alone.
  async #share<T>(work: () => Promise<T>, { isCounter }: { isCounter: boolean }): Promise<T> {
    const deadline = await this.admit();
    return new Promise<T>((resolve, reject) => {
      // The promise resolves with what `work` returns.
      const answer = resolve as Write["resolve"];
      this.#waiting.push({ work, deadline, isCounter, isAlone: false, resolve: answer, reject });
      this.#wake();
    });
  }

  // Runs after everything that has arrived was read, so that as many callers as possible come together.
  #wake(): void {
    if (this.#isAwake || this.#waiting.length === 0) return;
    this.#isAwake = true;
    setImmediate(async () => {
      if (await this.#beginShared()) await this.#runGroup();
      this.#isAwake = false;
      this.#wake();
    });
  }

  /** False when that was not possible; callers who cannot wait any longer have been told. */
  async #beginShared(): Promise<boolean> {
    const deadlines = this.#waiting.map((write) => write.deadline);
    const until = Math.min(performance.now() + LOOK_MS, ...deadlines);
    try {
      await this.begin(until);
      return true;
    } catch (error) {
      // A timer may end a wait up to a millisecond early, so the time does not tell whether it has come to its end.
      const isFailed = !(error instanceof DatabaseUnavailable && isBusy(error.cause));
      const now = performance.now();
      const refused = this.#waiting.filter(({ deadline }) => isFailed || deadline <= now);
      for (const write of refused) this.#waiting.splice(this.#waiting.indexOf(write), 1);
      for (const { reject } of refused) reject(error);
      return false;
    }
  }

  async #runGroup(): Promise<void> {
    const last = performance.now() + LONGEST_SHARED_MS;
    const group: Write[] = [];
    const values: unknown[] = [];
    try {
      for (let stays = 0; ; stays++) {
        const from = group.length;
        await this.#runWaiting(group, values, last);
        const isFollowed = group.slice(from).some(({ isCounter, isAlone }) => isCounter && !isAlone);
        if (!isFollowed || stays === MOST_STAYS || performance.now() > last) break;
        await new Promise((resolve) => setImmediate(resolve));
      }
      this.commit();
    } catch (error) {
      return this.#undo(group, error);
    }
    for (const [i, { resolve }] of group.entries()) resolve(values[i]);
  }

  // Accepts no more once `performance.now` is past `last`.
  async #runWaiting(group: Write[], values: unknown[], last: number): Promise<void> {
    for (let write = this.#waiting.shift(); write; write = this.#waiting.shift()) {
      group.push(write);
      const value = await write.work();
      values.push(value);
      if (write.isCounter) write.resolve(value);
      if (write.isAlone || performance.now() > last) return;
    }
  }

  #undo(group: readonly Write[], error: unknown): void {
    try {
      this.rollback();
    } catch (failed) {
      for (const { reject } of group) reject(failed);
      return;
    }
    // What the database could not do is not repeated: whether a failed commit has happened is unknown.
    const isFinal = group.length === 1 || error instanceof DatabaseUnavailable;
    if (isFinal) for (const { reject } of group) reject(error);
    else this.#waiting.unshift(...group.map((write) => ({ ...write, isAlone: true })));
  }
}

/** A lock that callers get in the order in which they came; each waits no longer than its deadline. */
class Lock {
  isTaken = false;
  readonly #waiting: (() => void)[] = [];

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes the lock. @throws {DatabaseUnavailable} where that is impossible before `deadline` */
  async take(deadline: number): Promise<void> {
    if (!this.isTaken) return void (this.isTaken = true);
    return new Promise((resolve, reject) => {
      const accept = () => {
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(
        () => {
          this.#waiting.splice(this.#waiting.indexOf(accept), 1);
          reject(new DatabaseUnavailable(failure("SQLITE_BUSY")));
        },
        Math.max(0, deadline - performance.now()),
      );
      this.#waiting.push(accept);
    });
  }

  /** Releases the lock to the next caller, if any. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.isTaken = false;
  }
}
