import { type Bytes, nextTurn } from "../../../wire/bytes.ts";

/** How long a transfer may pause, and the time over which its pace is averaged. */
export const WINDOW_MS = 30_000;
const LEAST_BYTES_PER_SECOND = 16 * 1024;

/** The pace of one transfer, over the time spent waiting for the client: our own work in between does not count. */
export class Pace {
  readonly #windowMs: number;
  #waitedMs = 0;
  #bytes = 0;

  constructor(windowMs = WINDOW_MS) {
    this.#windowMs = windowMs;
  }

  /** How long to wait before checking the pace again. */
  get patienceMs(): number {
    return Math.max(1, this.#windowMs - this.#waitedMs);
  }

  /** Counts bytes that came, or went, after a wait; false when they were too slow over a whole window. */
  passed(waitedMs: number, bytes: number): boolean {
    this.#waitedMs += waitedMs;
    this.#bytes += bytes;
    if (this.#waitedMs < this.#windowMs) return true;
    const isFast = this.#bytes >= (LEAST_BYTES_PER_SECOND * this.#waitedMs) / 1000;
    this.#waitedMs = 0;
    this.#bytes = 0;
    return isFast;
  }
}

/** Waits for the client's next bytes, or the end, which is undefined. @throws what `tooSlow` returns */
export async function waitAtPace<T extends { readonly length: number }>(
  pace: Pace,
  result: Promise<T | undefined>,
  tooSlow: () => Error,
): Promise<T | undefined> {
  for (;;) {
    const start = performance.now();
    const came = await soonOr(result, pace.patienceMs);
    const isFast = pace.passed(performance.now() - start, came?.value?.length ?? 0);
    // An end is never too late.
    if (came && (isFast || came.value === undefined)) return came.value;
    if (!isFast) throw tooSlow();
  }
}

function soonOr<T>(result: Promise<T>, milliseconds: number): Promise<{ value: T } | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), milliseconds);
    result.then((value) => resolve({ value }), reject).finally(() => clearTimeout(timer));
  });
}

/** For all transfers together, between two turns of the event loop. */
const BYTES_PER_TURN = 1024 * 1024;

let passedBytes = 0;
let turn: Promise<void> | undefined;

/**
 * Counts bytes that any transfer moves; beyond a megabyte, each waits for the next turn of the event loop. Reading rows
 * of SQLite, ciphers and writing to a fast socket are all synchronous on Node and Bun: a whole download would be one
 * chain of microtasks, and everybody else would wait for its end.
 */
export function loopTurn(bytes: number): Promise<void> | undefined {
  passedBytes += bytes;
  if (passedBytes < BYTES_PER_TURN) return undefined;
  return (turn ??= nextTurn().then(() => {
    passedBytes = 0;
    turn = undefined;
  }));
}

const SMALL_BYTES = 4096;
/** A body that is small altogether comes in so few; waiting for more would cost it a turn of the loop. */
const FEW_PIECES = 16;
const GATHERED_BYTES = 4 * SMALL_BYTES;
/** What the way of a small piece costs, in bytes of a large one. */
const PIECE_BYTES = 512;

/**
 * What `read` gives until its end, small pieces together as far as they have come: a megabyte in chunks of one byte would
 * otherwise be a million arrays, each passed on by itself.
 */
export async function* gatherSmall(
  read: () => Promise<Bytes | undefined> | Bytes | undefined,
): AsyncGenerator<Bytes, void> {
  let held: Bytes = new Uint8Array(0);
  let used = 0;
  const gathered = () => {
    const bytes = held.slice(0, used);
    used = 0;
    return bytes;
  };
  for (let count = 0; ; count++) {
    const reading = read();
    if (used > 0 && reading instanceof Promise && !(await isThere(reading))) yield gathered();
    const piece = await reading;
    if (!piece || piece.length >= SMALL_BYTES || used + piece.length > held.length)
      if (used > 0) yield gathered();
    if (!piece) return;
    await loopTurn(Math.max(piece.length, PIECE_BYTES));
    if (piece.length >= SMALL_BYTES || count < FEW_PIECES) yield piece;
    else {
      if (held.length === 0) held = new Uint8Array(GATHERED_BYTES);
      held.set(piece, used);
      used += piece.length;
    }
  }
}

/** Whether a promise is settled before the event loop turns. */
function isThere(reading: Promise<unknown>): Promise<boolean> {
  const settled = reading.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, nextTurn().then(() => false)]);
}
