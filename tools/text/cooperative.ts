/** Work between two pauses: about a millisecond or two of steps, tokens or characters. */
export const SLICE = 500_000;

/** A piece of work that yields after each slice, so that whoever runs it can let others run. */
export type Sliced<Result> = Generator<void, Result, void>;

/** Runs `work` over 0 … length in slices. */
export function* inSlices(length: number, work: (from: number, to: number) => void): Sliced<void> {
  for (let from = 0; from < length; from += SLICE) {
    work(from, Math.min(length, from + SLICE));
    yield;
  }
}

/** Runs sliced work to its end and awaits `pause` between slices; what `pause` throws ends the work. */
export async function runSliced<Result>(work: Sliced<Result>, pause: () => Promise<void>): Promise<Result> {
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
