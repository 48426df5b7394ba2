import { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseUnavailable } from "./connection/unavailable.ts";
import type { Actor } from "./outbox/actor.ts";

/** So long a call waits for the database, its locks and connections, and for lanes: all of it together. */
export const LONGEST_WAIT_MS = 10_000;

/** A step of a long file that has waited less costs nothing. What one has waited longer is forgotten in ten times as long. */
const SHORT_STEP_MS = 1_000;
const FORGOTTEN_PART = 1 / 10;

/** The waits of one call. Where several run at a time, that time counts once. */
class Waits {
  readonly #longest: number;
  #spent: number;
  #running = 0;
  #since = performance.now();
  /** What was spent, and when, at the end of the last step. */
  #step = { spent: 0, at: performance.now() };

  constructor(longest: number, arrived = this.#since) {
    this.#longest = longest;
    this.#spent = this.#since - arrived;
  }

  get deadline(): number {
    this.#add();
    return this.#since + this.#longest - this.#spent;
  }

  begin(): void {
    this.#add();
    this.#running++;
  }

  end(): void {
    this.#add();
    this.#running--;
  }

  endStep(): void {
    this.#add();
    const { spent, at } = this.#step;
    if (this.#spent - spent < SHORT_STEP_MS) this.#spent = spent;
    this.#spent = Math.max(0, this.#spent - (this.#since - at) * FORGOTTEN_PART);
    this.#step = { spent: this.#spent, at: this.#since };
  }

  #add(): void {
    const now = performance.now();
    if (this.#running > 0) this.#spent += now - this.#since;
    this.#since = now;
  }
}

// Nearly every function between a call and its statements would have to pass these on, and one would forget it.
const currentWaits = new AsyncLocalStorage<Waits>();
const acting = new AsyncLocalStorage<Actor | undefined>();

/** Runs a call, or what nobody in particular does. */
export function actingAs<T>(actor: Actor | undefined, work: () => T): T {
  return acting.run(actor, work);
}

/** Who acts in the call that is running. */
export function currentActor(): Actor | undefined {
  return acting.getStore();
}

/**
 * Runs a call, or a part of the work that has a deadline of its own. What has passed since `arrived`, on the clock of
 * `performance.now`, it has waited already.
 */
export function withWaits<T>(work: () => T, longestMs = LONGEST_WAIT_MS, arrived?: number): T {
  return currentWaits.run(new Waits(longestMs, arrived), work);
}

/** Until when the call that is running may wait, on the clock of `performance.now`, if it waits from now on. */
export function waitsUntil(): number {
  return currentWaits.getStore()?.deadline ?? performance.now() + LONGEST_WAIT_MS;
}

/** Whether the call that is running has waited as long as it may: what it would begin now comes too late. */
export function isLate(): boolean {
  return waitsUntil() <= performance.now();
}

/** Counts this as a wait of the call that is running. What is no call's has each time a deadline of its own. */
export async function waiting<T>(work: Promise<T>): Promise<T> {
  const waits = currentWaits.getStore();
  waits?.begin();
  try {
    return await work;
  } finally {
    waits?.end();
  }
}

/** A wait for the database, which reports when that could not be reached. */
export async function reporting<T>(
  work: Promise<T>,
  report: (error: DatabaseUnavailable) => void,
): Promise<T> {
  try {
    return await waiting(work);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) report(error);
    throw error;
  }
}

/** Waits no longer than the call may; then it is over with what `late` gives. */
export async function waitingWithin<T>(work: Promise<T>, late: () => unknown): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), Math.max(0, waitsUntil() - performance.now()));
  // Both are waited for, so that neither failure is an unhandled one.
  return waiting(Promise.race([work, promise])).finally(() => clearTimeout(timer));
}

/**
 * A step of a long file is stored or read: its many short waits would come to more than a call may. Long ones count on,
 * or a call that gets on a little between them would never end.
 */
export function endStep(): void {
  currentWaits.getStore()?.endStep();
}

/** When this turn of the loop began with a request, and the one before it, where that had one too. */
let turn: number | undefined;
let turnBefore: number | undefined;

/**
 * The earliest that the request that is handled now can have arrived, on the clock of `performance.now`. Requests that
 * come together are handled in one turn of the loop, one after the other, and those that come meanwhile in the next. So
 * each has waited since its turn began at most, or the one before it.
 */
export function arrivedAt(): number {
  if (turn === undefined) {
    turn = performance.now();
    if (turnBefore === undefined) setImmediate(endTurn);
  }
  return turnBefore ?? turn;
}

function endTurn(): void {
  turnBefore = turn;
  turn = undefined;
  if (turnBefore !== undefined) setImmediate(endTurn);
}
