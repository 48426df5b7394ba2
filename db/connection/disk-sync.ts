// With open.ts and what is in backup/ the only file of this room that reaches for the disk by itself.
import { close, fdatasync, open } from "node:fs";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * Syncs at one time. A disk serves two of them nearly as fast as one, and the callers of the second do not wait for
 * the first. A runtime has four threads for such work, of which two may be hashing passwords.
 */
const LANES = 2;

/** Makes what was committed survive a power cut. */
export interface DiskSync {
  /**
   * Resolves when everything that was written before this call is on the disk. Once it has failed, it always does.
   * @throws {DatabaseUnavailable}
   */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Syncs the write-ahead log of a SQLite file, off this thread and once for all who wait. SQLite's own
 * `synchronous = FULL` does the same after each commit, but with the whole process waiting for the disk.
 */
export function createDiskSync(path: string): DiskSync {
  const files: number[] = [];
  const running: Promise<void>[] = [];
  let failure: unknown;
  // The log is there from the first write until the last connection closes, and ours is open. Windows syncs only what
  // is open for writing. Each lane opens it for itself: of a write that failed, Linux tells every open file once.
  const sync = async (lane: number) => {
    const log = (files[lane] ??= await callback<number>((done) => open(`${path}-wal`, "r+", done)));
    await callback<void>((done) => fdatasync(log, done));
  };
  const flush = shareRuns(
    async (lane) => {
      // The system reports a failure once and then takes the pages for written.
      if (failure !== undefined) throw failure;
      await (running[lane] = sync(lane));
      if (failure !== undefined) throw failure;
    },
    { lanes: LANES },
  );
  return {
    flush: () =>
      flush().catch((error: unknown) => {
        failure = error;
        throw new DatabaseUnavailable(error);
      }),
    close: async () => {
      await Promise.allSettled(running);
      const open = files.splice(0).filter((log) => log !== undefined);
      for (const log of open) await callback<void>((done) => close(log, done));
    },
  };
}

function callback<Result>(
  call: (done: (error: Error | null, result: Result) => void) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => call((error, result) => (error ? reject(error) : resolve(result))));
}

/**
 * Runs `work` for many callers at once, in so many lanes, of which each run has one for itself; a run that has begun
 * before a call does not count for it.
 */
export function shareRuns(
  work: (lane: number) => Promise<void>,
  { lanes }: { lanes: number },
): () => Promise<void> {
  const free = Array.from({ length: lanes }, (_, lane) => lane);
  let passOn: ((lane: number) => void) | undefined;
  let next: Promise<void> | undefined;
  const run = async () => {
    const lane = await (free.shift() ?? new Promise<number>((resolve) => (passOn = resolve)));
    next = undefined;
    try {
      await work(lane);
    } finally {
      if (passOn) passOn(lane);
      else free.push(lane);
      passOn = undefined;
    }
  };
  return () => (next ??= run());
}
