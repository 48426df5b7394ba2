import { setInterval } from "node:timers";

const EVERY_MS = 20;

/**
 * How long, in seconds, the event loop has kept a timer waiting at most since it was last asked. It is watched from
 * the first question on, so that it costs nothing where nobody asks. A timer, because monitorEventLoopDelay of
 * Deno 2.9 sees no delay.
 */
export function watchEventLoop(): () => number {
  let [last, longestMs] = [0, 0];
  const look = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last - EVERY_MS);
    last = now;
  };
  let timer: NodeJS.Timeout | undefined;
  return () => {
    if (timer) look();
    else last = performance.now();
    timer ??= setInterval(look, EVERY_MS).unref();
    const seconds = Math.round(longestMs) / 1000;
    longestMs = 0;
    return seconds;
  };
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
