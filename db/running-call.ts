import { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseUnavailable } from "./connection/unavailable.ts";
import type { Actor } from "./outbox/actor.ts";

/** How long a call may wait for the database, its locks and connections, and for lanes, all together. */
export const LONGEST_WAIT_MS = 10_000;

/**
 * Shorter waits within one step of a long file are not counted. Of longer ones, a tenth of the time that passes is
 * deducted again.
 */
const SHORT_STEP_MS = 1_000;
const FORGOTTEN_PART = 1 / 10;

/** The waits of one call. Waits at the same time count once. */
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

// AsyncLocalStorage, because otherwise nearly every function between a call and its statements would have to pass these
// on, and sooner or later one would forget.
const currentWaits = new AsyncLocalStorage<Waits>();
const acting = new AsyncLocalStorage<Actor | undefined>();

/** The session by which the running call changes an account. */
export interface MemberSession {
  member: string;
  session: string;
  /** Whether the call is for administrators. */
  isAdmin: boolean;
}

const inUse = new AsyncLocalStorage<MemberSession>();

/** Runs a call whose transactions store nothing once its session has ended. */
export function inSession<T>(session: MemberSession, work: () => T): T {
  return inUse.run(session, work);
}

/** The session of the running call, where it must not end before the call has stored what it does. */
export function currentSession(): MemberSession | undefined {
  return inUse.getStore();
}

/** Runs a call, or work of nobody in particular. */
export function actingAs<T>(actor: Actor | undefined, work: () => T): T {
  return acting.run(actor, work);
}

/** The actor of the running call. */
export function currentActor(): Actor | undefined {
  return acting.getStore();
}

/**
 * Runs a call, or a part of the work with its own deadline. The time since `arrived`, on the clock of
 * `performance.now`, counts as waited already.
 */
export function withWaits<T>(work: () => T, longestMs = LONGEST_WAIT_MS, arrived?: number): T {
  return currentWaits.run(new Waits(longestMs, arrived), work);
}

/** Until when the running call may wait, on the clock of `performance.now`, if it waits from now on. */
export function waitsUntil(): number {
  return currentWaits.getStore()?.deadline ?? performance.now() + LONGEST_WAIT_MS;
}

/** Whether the running call has waited as long as it may, so that anything it begins now comes too late. */
export function isLate(): boolean {
  return waitsUntil() <= performance.now();
}

/** Counts this as a wait of the running call. Outside of calls each wait has its own deadline. */
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
export async function reportUnavailable<T>(
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

/** Waits no longer than the call may; then rejects with the error that `late` returns. */
export async function waitWithin<T>(work: Promise<T>, late: () => unknown): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), Math.max(0, waitsUntil() - performance.now()));
  // Both promises are awaited, so that neither failure is unhandled.
  return waiting(Promise.race([work, promise])).finally(() => clearTimeout(timer));
}

/**
 * Ends a step of storing or reading a long file: its many short waits would add up to more than a call may wait. Long
 * ones go on counting, or a call that makes little progress in between would never end.
 */
export function endStep(): void {
  currentWaits.getStore()?.endStep();
}

/** When this turn of the loop began with a request, and the previous one, if that had a request too. */
let turn: number | undefined;
let turnBefore: number | undefined;

/**
 * The earliest time at which the current request can have arrived, on the clock of `performance.now`. Requests that
 * come together are handled one after the other in one turn of the loop, and those that come meanwhile in the next. So
 * each has waited at most since its turn began, or the one before it.
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
