import type { Database } from "../db/open.ts";
import { noteSweep } from "../db/sweep-clock.ts";
import { createClockGuard, type ClockGuard, type Clocks } from "./clock.ts";
import { sweep, sweepEnded, type SweepOptions } from "./sweep.ts";

/** So seldom a doubt is told, though a sweep looks more often after a start. */
const TELL_MS = 59_000;

/** The sweeps of one server. */
export interface ServerSweep {
  readonly clock: Pick<ClockGuard, "isDoubted" | "difference">;
  /** Rows that were closed or deleted. */
  readonly rows: number;
  /** Since the last sweep that came to its end, or since the start. */
  readonly lagSeconds: number;
  /** Deletes what has expired, unless the clock is doubted. */
  readonly sweep: (options: SweepOptions) => Promise<void>;
}

/** Stands in the log while the clock is doubted. */
export class ClockJumped extends Error {
  override readonly name = "ClockJumped";
  readonly code = "clock_jumped";
}

export function createSweeping({
  db,
  onDoubt,
  ...clocks
}: Clocks & { db: Database; onDoubt: (error: ClockJumped) => void }): ServerSweep {
  const guard = createClockGuard(db, clocks);
  const { monotonic } = clocks;
  let [rows, doneAt, toldAt] = [0, monotonic(), -Infinity];
  const tell = () => {
    if (monotonic() - toldAt < TELL_MS) return;
    toldAt = monotonic();
    onDoubt(new ClockJumped("The clock has jumped."));
  };
  return {
    clock: guard,
    get rows() {
      return rows;
    },
    get lagSeconds() {
      return Math.max(Math.round((monotonic() - doneAt) / 1000), 0);
    },
    async sweep(options) {
      const now = await guard.believedTime();
      if (now === undefined) {
        tell();
        return sweepEnded(db, options);
      }
      rows += await sweep(db, { ...options, now });
      if (options.signal?.aborted) return;
      await noteSweep(db, { now });
      doneAt = monotonic();
    },
  };
}
