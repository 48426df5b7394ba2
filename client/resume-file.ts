import type { Bytes } from "../wire/bytes.ts";

/** Before each try in a row that brings no byte: somewhat less than the ten minutes that a ticket lasts. */
const WAITS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000, ...Array<number>(58).fill(10_000)];

interface ResumeOptions {
  /** Asks for the file from this byte on, with the same ticket. */
  readonly reopen: (at: number) => Promise<AsyncIterable<Bytes>>;
  /** Whether an error is of the way and not the server's last word, so that it is asked again. */
  readonly isLost: (error: unknown) => boolean;
  readonly waitsMs?: readonly number[];
  readonly pause?: (ms: number) => Promise<void>;
}

/** A file that is handed out once, of `size` bytes or NaN where that is not known; it goes on where it is cut. */
export async function* resumeFile(
  { pieces, at = 0, size }: { pieces?: AsyncIterable<Bytes> | undefined; at?: number; size: number },
  { reopen, isLost, waitsMs = WAITS_MS, pause = sleep }: ResumeOptions,
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
    await pause(wait);
  }
}

/** Whether a server that answers with this status will not answer otherwise when it is asked again. */
export function isFinal(status: number): boolean {
  return status < 500 && status !== 429 && status !== 408;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
