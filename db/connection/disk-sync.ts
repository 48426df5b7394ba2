// With open.ts the only file of this room that reaches for the disk by itself.
import { close, fdatasync, open } from "node:fs";
import { DatabaseUnavailable } from "./unavailable.ts";

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
  let file: number | undefined;
  let failure: unknown;
  // The log is there from the first write until the last connection closes, and ours is open. Windows syncs
  // only what is open for writing.
  const flush = shareRuns(async () => {
    // The system reports a failure once and then takes the pages for written.
    if (failure !== undefined) throw failure;
    file ??= await callback<number>((done) => open(`${path}-wal`, "r+", done));
    const log = file;
    await callback<void>((done) => fdatasync(log, done));
  });
  return {
    flush: () =>
      flush().catch((error: unknown) => {
        failure = error;
        throw new DatabaseUnavailable(error);
      }),
    close: async () => {
      const log = file;
      file = undefined;
      if (log !== undefined) await callback<void>((done) => close(log, done));
    },
  };
}

function callback<Result>(
  call: (done: (error: Error | null, result: Result) => void) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => call((error, result) => (error ? reject(error) : resolve(result))));
}

/** Runs `work` for many callers at once; a run that has begun before a call does not count for it. */
export function shareRuns(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  const run = () => {
    next = undefined;
    return work();
  };
  return () => {
    // Those who waited for a run have seen its failure; the next one is tried all the same.
    next ??= running = running.then(run, run);
    return next;
  };
}
