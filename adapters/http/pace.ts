/** How long a transfer may stand still, and what its average is taken over. */
export const WINDOW_MS = 30_000;
const LEAST_BYTES_PER_SECOND = 16 * 1024;

/**
 * The pace of one transfer, over the time in which the client was waited for: work of our own in between does not
 * count.
 */
export class Pace {
  #waitedMs = 0;
  #bytes = 0;

  /** How long to wait before looking at the pace again. */
  get patienceMs(): number {
    return Math.max(1, WINDOW_MS - this.#waitedMs);
  }

  /** Counts bytes that came, or went, after a wait; false when it was too slow over a whole window. */
  passed(waitedMs: number, bytes: number): boolean {
    this.#waitedMs += waitedMs;
    this.#bytes += bytes;
    if (this.#waitedMs < WINDOW_MS) return true;
    const isFast = this.#bytes >= (LEAST_BYTES_PER_SECOND * this.#waitedMs) / 1000;
    this.#waitedMs = 0;
    this.#bytes = 0;
    return isFast;
  }
}

/** Waits for the client; undefined when it is too slow. `sizeOf` tells what came. */
export async function waitAtPace<T>(
  pace: Pace,
  { result, sizeOf }: { result: Promise<T>; sizeOf: (value: T) => number },
): Promise<{ value: T } | undefined> {
  for (;;) {
    const start = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), pace.patienceMs);
    });
    const came = await Promise.race([result.then((value) => ({ value })), late]).finally(() =>
      clearTimeout(timer),
    );
    const isFast = pace.passed(performance.now() - start, came ? sizeOf(came.value) : 0);
    // What is there is taken, however late it is.
    if (came || !isFast) return came;
  }
}
