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
