// Besides open.ts and backup/, the only file of this room that accesses the disk directly.
import { close, fdatasync, open } from "node:fs";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * Simultaneous syncs. A disk serves two nearly as fast as one, and callers of the second do not wait for the first. A
 * runtime has four threads for such work, two of which may be hashing passwords.
 */
const LANES = 2;

/** Makes commits survive a power cut. */
export interface DiskSync {
  /**
   * Resolves when everything that was written before this call is on the disk. Once it has failed, it always fails.
   * @throws {DatabaseUnavailable}
   */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Syncs the write-ahead log of a SQLite file in the background, once for all who wait. SQLite's own `synchronous =
 * FULL` does the same after each commit, but blocks the process meanwhile.
 */
export function createDiskSync(path: string): DiskSync {
  const files: number[] = [];
  const running: Promise<void>[] = [];
  let failure: unknown;
  // The log exists from the first write until the last connection closes, and ours is open. Windows syncs only files
  // that are open for writing. Each lane opens the file for itself, because Linux reports a failed write once to every
  // open file.
  const sync = async (lane: number) => {
    const log = (files[lane] ??= await callback<number>((done) => open(`${path}-wal`, "r+", done)));
    await callback<void>((done) => fdatasync(log, done));
  };
  const flush = shareRuns(async (lane) => {
    // The system reports a failure once, and considers the pages written afterwards.
    if (failure !== undefined) throw failure;
    await (running[lane] = sync(lane));
    if (failure !== undefined) throw failure;
  }, LANES);
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
 * Runs `work` for many callers together, in a number of lanes, each of which runs one at a time; a run that began
 * before a call does not count for it.
 */
export function shareRuns(work: (lane: number) => Promise<void>, lanes: number): () => Promise<void> {
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
