import type SqliteFile from "better-sqlite3";
import type { CompiledQuery, QueryResult } from "kysely";
import type { Actor } from "../outbox/actor.ts";
import { reporting, waitsUntil } from "../running-call.ts";
import { failure, isBusy, LONGEST_PAUSE_MS, ServedFile, sleep, type Parts } from "./sqlite-file.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/** More sentences than this room has; texts that hold a changing number would otherwise fill the memory. */
const STATEMENTS = 256;

/** Looking at the length of the log costs a few microseconds. */
const TURNS_PER_LOOK = 16;

/** So long a shared transaction takes in more; everybody else waits for it. */
const LONGEST_SHARED_MS = 8;

/** So often it stays open for a turn of the event loop: a create counts twice before it stores. */
const MOST_STAYS = 2;

/** So often it is looked who has waited too long; who came last may have to give up first. */
const LOOK_MS = 250;

interface Write {
  readonly work: () => Promise<unknown>;
  readonly deadline: number;
  /** Whether its caller may go on before the commit. */
  readonly isCounter: boolean;
  /** Whether nobody shares its transaction, after one that has failed. */
  readonly isAlone: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * This process's connection to a SQLite file. Those who use it take turns: a statement is a turn, and so is a
 * whole transaction. Whoever waits for another process lets the others try meanwhile and gives up at a deadline of
 * its own.
 */
export class SqliteConnection {
  readonly file: ServedFile;
  readonly turns: Turns;
  readonly #report: Parts["report"];
  /** For the next shared transaction. */
  readonly #waiting: Write[] = [];
  #isAwake = false;
  #turnsTaken = 0;

  private constructor(file: ServedFile, turns: Turns, report: Parts["report"]) {
    this.file = file;
    this.turns = turns;
    this.#report = report;
  }

  /** Opens a file, or `:memory:`. @throws {DatabaseUnavailable} */
  static async open(path: string, parts: Omit<Parts, "alone">): Promise<SqliteConnection> {
    const turns = new Turns();
    const alone = async <T>(work: () => Promise<T>, deadline: number) => {
      await turns.take(deadline);
      return work().finally(() => turns.pass());
    };
    return new SqliteConnection(await ServedFile.open(path, { ...parts, alone }), turns, parts.report);
  }

  /** Lets a caller in, and answers until when it may wait. @throws {DatabaseUnavailable} */
  async admit(): Promise<number> {
    const deadline = waitsUntil();
    const { identity, isSound } = this.file;
    if (performance.now() >= identity.lookAgainAt) identity.verify();
    if (!isSound) await this.file.renew(deadline);
    return deadline;
  }

  /** Runs a statement on its own. @throws {DatabaseUnavailable} */
  runAlone<Row>(query: CompiledQuery, deadline: number): Promise<QueryResult<Row>> {
    return this.#inTurn(() => this.#run<Row>(query), deadline);
  }

  /** Runs a counter in the next shared transaction, and answers before the commit. @throws {DatabaseUnavailable} */
  readonly count = <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    const counted = this.#share(async () => this.runInside<Row>(query), { isCounter: true });
    return reporting(counted, this.#report);
  };

  /**
   * Runs work in the next shared transaction, for `actor`; it may run again. It waits for nothing but statements inside
   * of it. @throws {DatabaseUnavailable}
   */
  transact<T>(actor: Actor | undefined, work: () => Promise<T>): Promise<T> {
    const acting = actor ? () => this.file.acting.run(actor, work) : work;
    return this.#share(acting, { isCounter: false });
  }

  /** Begins a transaction as a writing one; nobody else has a turn before its end. @throws {DatabaseUnavailable} */
  begin(deadline: number): Promise<void> {
    return this.#inTurn(() => void this.#prepare("begin immediate").run(), deadline, true);
  }

  /** Runs a statement of the transaction that has begun. @throws {DatabaseUnavailable} */
  runInside<Row>(query: CompiledQuery): QueryResult<Row> {
    return this.#judged(() => this.#run(query));
  }

  /** Commits the transaction that has begun; a rollback has to follow where that fails. */
  commit(): void {
    this.#judged(() => this.#prepare("commit").run());
    this.turns.pass();
    this.#lookAtLog();
  }

  rollback(): void {
    const { open } = this.file;
    try {
      // After some errors, a full disk for one, SQLite has rolled back by itself.
      if (open.inTransaction) this.#judged(() => open.exec("rollback"));
    } finally {
      this.turns.pass();
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
    // The rows are what Kysely's types say of the query; SQLite itself knows no such type.
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

  // Inside a transaction the lock is held already, and outside of one a statement that found the file busy has done
  // nothing: trying again is always safe here.
  async #inTurn<T>(work: () => T, deadline: number, isLasting = false): Promise<T> {
    for (let pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      await this.turns.take(deadline);
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
        if (!isHeld) this.turns.pass();
        if (!isLasting) this.#lookAtLog();
      }
      await sleep(Math.min(pause * (0.5 + Math.random()), deadline - performance.now()));
    }
  }

  #lookAtLog(): void {
    if (this.#turnsTaken++ % TURNS_PER_LOOK === 0) this.file.lookAtLog();
  }

  // Transactions that several callers share: a page that all of them change is written once, and so is the commit.
  // Nobody hears of success before it, but for counters: what their callers write next can then be in the same one.
  // Where one fails, each of them gets a transaction alone.
  async #share<T>(work: () => Promise<T>, { isCounter }: { isCounter: boolean }): Promise<T> {
    const deadline = await this.admit();
    return new Promise<T>((resolve, reject) => {
      // What `work` answers is what it gets.
      const answer = resolve as Write["resolve"];
      this.#waiting.push({ work, deadline, isCounter, isAlone: false, resolve: answer, reject });
      this.#wake();
    });
  }

  // After everything that has arrived by now was read, so that as many as possible come together.
  #wake(): void {
    if (this.#isAwake || this.#waiting.length === 0) return;
    this.#isAwake = true;
    setImmediate(async () => {
      if (await this.#beginShared()) await this.#runGroup();
      this.#isAwake = false;
      this.#wake();
    });
  }

  /** False when that was not possible; those who cannot wait any longer have heard of it. */
  async #beginShared(): Promise<boolean> {
    const deadlines = this.#waiting.map((write) => write.deadline);
    const until = Math.min(performance.now() + LOOK_MS, ...deadlines);
    try {
      await this.begin(until);
      return true;
    } catch (error) {
      const now = performance.now();
      // Before the end something else has failed than the wait of one of them.
      const refused = this.#waiting.filter(({ deadline }) => now < until || deadline <= now);
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

  // Takes in no more once `performance.now` is past `last`.
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
    // What the database could not do it is not asked again: whether a commit that failed has happened is not known.
    const isFinal = group.length === 1 || error instanceof DatabaseUnavailable;
    if (isFinal) for (const { reject } of group) reject(error);
    else this.#waiting.unshift(...group.map((write) => ({ ...write, isAlone: true })));
  }
}

/** A lock that is given to callers in the order in which they came, each of whom waits no longer than it wants. */
class Turns {
  isTaken = false;
  readonly #waiting: (() => void)[] = [];

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Takes the lock. @throws {DatabaseUnavailable} where that was not possible before `deadline` */
  async take(deadline: number): Promise<void> {
    if (!this.isTaken) return void (this.isTaken = true);
    return new Promise((resolve, reject) => {
      const accept = () => {
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(accept), 1);
        reject(new DatabaseUnavailable(failure("SQLITE_BUSY")));
      }, deadline - performance.now());
      this.#waiting.push(accept);
    });
  }

  /** Gives the lock to the next one. */
  pass(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.isTaken = false;
  }
}
