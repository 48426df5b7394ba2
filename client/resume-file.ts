import type { Bytes } from "../wire/bytes.ts";

/**
 * How long to wait after each attempt in a row that brings nothing: together a little less than the ten minutes that a
 * ticket lasts.
 */
const WAITS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000, ...Array<number>(58).fill(10_000)];

/** Reads a file from byte `at` on, and continues after interruptions; `size` is NaN where it is unknown. */
export async function* resumeFile(
  { pieces, at = 0, size }: { pieces?: AsyncIterable<Bytes> | undefined; at?: number; size: number },
  {
    reopen,
    isLost,
    signal,
    waitsMs = WAITS_MS,
    pause = sleep,
  }: {
    /** Requests the file from this byte on, with the same ticket. */
    readonly reopen: (at: number) => Promise<AsyncIterable<Bytes>>;
    /**
     * Whether an error comes from the network and is not the server's final answer, so that it is worth another attempt.
     */
    readonly isLost: (error: unknown) => boolean;
    /** Ends the waiting, with its reason. */
    readonly signal?: AbortSignal | null | undefined;
    readonly waitsMs?: readonly number[];
    readonly pause?: (ms: number, signal?: AbortSignal | null) => Promise<void>;
  },
): AsyncGenerator<Bytes, void> {
  let tries = 0;
  for (let part = pieces; part || at !== size; part = undefined) {
    let lost: unknown = new TypeError("The network failed before the end of the file");
    try {
      for await (const piece of part ?? (await reopen(at))) {
        at += piece.length;
        tries = 0;
        yield piece;
      }
      if (at === size || Number.isNaN(size)) return;
    } catch (error) {
      if (!isLost(error)) throw error;
      lost = error;
    }
    const wait = waitsMs[tries++];
    if (wait === undefined) throw lost;
    await pause(wait, signal);
    if (signal?.aborted) throw signal.reason;
  }
}

/** Whether a server that answers with this status would answer the same again. */
export function isFinal(status: number): boolean {
  return status < 500 && status !== 429 && status !== 408;
}

function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
