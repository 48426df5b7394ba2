import type { Database } from "../open.ts";
import { waiting, waitsUntil, withWaits } from "../running-call.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/** A second statement runs while the first is under way; more would only make them smaller. */
const STATEMENTS_AT_ONCE = 2;
const MOST_CALLS = 32;

interface BatchRules<Call, Answer> {
  /** Calls with the same key never share a statement. */
  readonly keyOf: (call: Call) => string;
  /** Returns the answers in the order of the calls. The statement locks rows in the order of the keys. */
  readonly run: (db: Database, calls: readonly Call[]) => Promise<readonly Answer[]>;
  /** Aborts when the caller has left; a call that has not begun is then dropped. */
  readonly signalOf?: (call: Call) => AbortSignal | undefined;
}

interface WaitingCall<Call, Answer> {
  readonly call: Call;
  readonly key: string;
  readonly deadline: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines simultaneous calls into one statement for PostgreSQL, for which a round trip with a commit takes as long as
 * a dozen rows. If a statement fails, each of its calls gets one of its own.
 */
export function inBatches<Call, Answer>(
  batchRules: BatchRules<Call, Answer>,
): (db: Database, call: Call) => Promise<Answer> {
  const known = new WeakMap<Database, Batches<Call, Answer>>();
  return (db, call) => {
    const batches = known.get(db) ?? new Batches(db, batchRules);
    known.set(db, batches);
    return batches.ask(call);
  };
}

class Batches<Call, Answer> {
  readonly #db: Database;
  readonly #batchRules: BatchRules<Call, Answer>;
  #waiting: WaitingCall<Call, Answer>[] = [];
  #running = 0;
  #isAwake = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;

  constructor(db: Database, batchRules: BatchRules<Call, Answer>) {
    this.#db = db;
    this.#batchRules = batchRules;
  }

  ask(call: Call): Promise<Answer> {
    const [key, deadline] = [this.#batchRules.keyOf(call), waitsUntil()];
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ call, key, deadline, resolve, reject });
    this.#wake();
    if (deadline < this.#due) this.#watch();
    return waiting(promise);
  }

  // Runs after everything that has arrived was read, so that as many calls as possible come together.
  #wake(): void {
    if (this.#isAwake || this.#running === STATEMENTS_AT_ONCE || this.#waiting.length === 0) return;
    this.#isAwake = true;
    setImmediate(() => {
      this.#isAwake = false;
      void this.#runNext();
    });
  }

  // One timer, for the caller who has to give up first: no statement may be free before.
  #watch(): void {
    clearTimeout(this.#timer);
    this.#due = firstDeadline(this.#waiting);
    if (this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => this.#refuseLate(), Math.max(0, this.#due - performance.now()));
  }

  #refuseLate(): void {
    const now = performance.now();
    const late = this.#waiting.filter(({ deadline }) => deadline <= now);
    this.#waiting = this.#waiting.filter(({ deadline }) => deadline > now);
    for (const { reject } of late) reject(new DatabaseUnavailable(new Error("No statement was free.")));
    this.#watch();
  }

  async #runNext(): Promise<void> {
    this.#running++;
    const batch = this.#takeBatch();
    this.#wake();
    await this.#run(batch);
    this.#running--;
    this.#wake();
  }

  #takeBatch(): WaitingCall<Call, Answer>[] {
    const batch = new Map<string, WaitingCall<Call, Answer>>();
    const left: WaitingCall<Call, Answer>[] = [];
    for (const each of this.#waiting) {
      const signal = this.#batchRules.signalOf?.(each.call);
      if (signal?.aborted) each.reject(signal.reason);
      else if (batch.size === MOST_CALLS || batch.has(each.key)) left.push(each);
      else batch.set(each.key, each);
    }
    this.#waiting = left;
    this.#watch();
    return [...batch.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  async #run(batch: readonly WaitingCall<Call, Answer>[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const calls = batch.map(({ call }) => call);
      // Bound by the deadline of the first caller that has to give up, since all share the result.
      const left = firstDeadline(batch) - performance.now();
      const answers = await withWaits(() => this.#batchRules.run(this.#db, calls), left);
      // There is one answer for each call.
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i]!);
    } catch (error) {
      // It is unknown whether a statement whose answer was lost has happened, so it is not repeated.
      const isFinal = batch.length === 1 || error instanceof DatabaseUnavailable;
      if (isFinal) for (const { reject } of batch) reject(error);
      else for (const each of batch) await this.#run([each]);
    }
  }
}

function firstDeadline(waits: readonly { readonly deadline: number }[]): number {
  return waits.reduce((first, { deadline }) => Math.min(first, deadline), Infinity);
}
