/** Steps, tokens or characters between two pauses: one or two milliseconds of work. */
export const STEPS_PER_TURN = 500_000;

/** Cooperative multitasking: work that yields after every millisecond or two, so that others can run. */
export type Cooperative<Result> = Generator<void, Result, void>;

/** Runs `work` over 0 … length, a part of it each turn. */
export function* inTurns(length: number, work: (from: number, to: number) => void): Cooperative<void> {
  for (let from = 0; from < length; from += STEPS_PER_TURN) {
    work(from, Math.min(length, from + STEPS_PER_TURN));
    yield;
  }
}

/** Runs the work to its end and awaits `pause` whenever it yields; what `pause` throws ends the work. */
export async function runCooperatively<Result>(
  work: Cooperative<Result>,
  pause: () => Promise<void>,
): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await pause();
  }
}

/**
 * Makes a pause of one macrotask. Servers have setImmediate; a chain of messages would not do there, since Node
 * delivers up to a thousand of them before anything else has its turn. Pages have messages, one a turn, and
 * stretch nested timers to four milliseconds. `close` frees the channel.
 */
export function makePause(): { pause: () => Promise<void>; close: () => void } {
  // Pages do not have it, so their types do not know it.
  const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => void };
  if (setImmediate) return { pause: () => new Promise((resolve) => setImmediate(resolve)), close: () => {} };
  const { port1, port2 } = new MessageChannel();
  port1.start();
  const pause = () =>
    new Promise<void>((resolve) => {
      port1.addEventListener("message", () => resolve(), { once: true });
      port2.postMessage(null);
    });
  return { pause, close: () => port1.close() };
}
