import type { SqliteConnection } from "./sqlite-connection.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/** So long a transaction takes in more; everybody else waits for it. */
const LONGEST_MS = 8;

/** So often it stays open for a turn of the event loop: a create counts twice before it stores. */
const MOST_STAYS = 2;

/** So often it is looked who has waited too long; who came last may have to give up first. */
const LOOK_MS = 250;

interface Write {
  readonly work: () => Promise<unknown>;
  readonly deadline: number;
  /** Whether its caller may go on before the commit. */
  readonly isCounter: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Transactions of a SQLite connection that several callers share: a page that all of them change is written once,
 * and so is the commit. Nobody hears of success before it; where one fails, each of them gets a transaction alone.
 */
export class SharedWrites {
  readonly #connection: SqliteConnection;
  readonly #waiting: Write[] = [];
  #isAwake = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /**
   * Runs work in the next transaction; it may run again. It waits for nothing but statements inside of it. What a
   * counter answers comes before the commit, so that what its caller writes next can be in the same transaction.
   * @throws {DatabaseUnavailable}
   */
  async run<T>(work: () => Promise<T>, { isCounter = false }: { isCounter?: boolean } = {}): Promise<T> {
    const deadline = await this.#connection.admit();
    return new Promise<T>((resolve, reject) => {
      // What `work` answers is what `resolve` gets.
      this.#waiting.push({ work, deadline, isCounter, reject, resolve: resolve as Write["resolve"] });
      this.#wake();
    });
  }

  // After everything that has arrived by now was read, so that as many as possible come together.
  #wake(): void {
    if (this.#isAwake) return;
    this.#isAwake = true;
    setImmediate(() => void this.#runNext());
  }

  async #runNext(): Promise<void> {
    try {
      if (await this.#begin()) await this.#runGroup();
    } finally {
      this.#isAwake = false;
      if (this.#waiting.length > 0) this.#wake();
    }
  }

  /** False when that was not possible; those who cannot wait any longer have heard of it. */
  async #begin(): Promise<boolean> {
    const deadlines = this.#waiting.map((write) => write.deadline);
    const until = Math.min(performance.now() + LOOK_MS, ...deadlines);
    try {
      await this.#connection.begin(until);
      return true;
    } catch (error) {
      const now = performance.now();
      const isOver = now >= until;
      const refused = this.#waiting.filter(({ deadline }) => !isOver || deadline <= now);
      for (const write of refused) this.#waiting.splice(this.#waiting.indexOf(write), 1);
      for (const { reject } of refused) reject(error);
      return false;
    }
  }

  async #runGroup(): Promise<void> {
    const last = performance.now() + LONGEST_MS;
    const group: Write[] = [];
    const values: unknown[] = [];
    try {
      for (let stays = 0; ; stays++) {
        const from = group.length;
        await this.#runWaiting(group, values, last);
        const isFollowed = group.slice(from).some(({ isCounter }) => isCounter);
        if (!isFollowed || stays === MOST_STAYS || performance.now() > last) break;
        await new Promise((resolve) => setImmediate(resolve));
      }
      this.#connection.commit();
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
      if (performance.now() > last) return;
    }
  }

  async #undo(group: readonly Write[], error: unknown): Promise<void> {
    try {
      this.#connection.rollback();
    } catch (failure) {
      for (const { reject } of group) reject(failure);
      return;
    }
    // What the database could not do it is not asked again: whether a commit that failed has happened is not known.
    const isFinal = group.length === 1 || error instanceof DatabaseUnavailable;
    if (isFinal) for (const { reject } of group) reject(error);
    else for (const write of group) await this.#runAlone(write);
  }

  async #runAlone(write: Write): Promise<void> {
    const { work, deadline, resolve, reject } = write;
    try {
      await this.#connection.begin(deadline);
    } catch (error) {
      return reject(error);
    }
    try {
      const value = await work();
      this.#connection.commit();
      resolve(value);
    } catch (error) {
      await this.#undo([write], error);
    }
  }
}
