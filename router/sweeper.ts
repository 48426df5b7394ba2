import { noteSweep } from "../db/sweep/sweep-clock.ts";
import { createClockGuard, type ClockGuard, type Clocks } from "./clock.ts";
import { sweepAllowance } from "../db/allowance.ts";
import { forgetOrigins } from "../db/accounts/members.ts";
import { sweepSessions } from "../db/accounts/sessions.ts";
import { sweepDeliveries } from "../db/deliveries/contents.ts";
import { sweepKeys } from "../db/idempotency-keys.ts";
import type { Database } from "../db/open.ts";
import { sweepRequests } from "../db/requests.ts";
import { sweepFiles } from "../db/secrets/secret-files.ts";
import { sweepSecrets } from "../db/secrets/secrets.ts";
import { returnDeadClaims } from "../db/uploads/claimed-room.ts";
import { sweepUsage } from "../db/usage.ts";
import { SESSION_IDLE_SECONDS, YOUNG_SECONDS } from "./limits.ts";
import { STORED_BYTES } from "./policy/count.ts";

/** The shortest time between two reports of a doubt; after a start, sweeps look more often. */
const TELL_MS = 59_000;

/** The sweeps of one server. */
export interface Sweeper {
  readonly clock: Pick<ClockGuard, "isDoubted" | "difference">;
  /** Rows that were closed or deleted. */
  readonly rows: number;
  /** Since the last sweep that came to its end, or since the start. */
  readonly lagSeconds: number;
  /** Deletes what has expired, unless the clock is doubted. */
  readonly sweep: (options: SweepOptions) => Promise<void>;
}

/** Stands in the log while the clock is doubted. */
class ClockJumped extends Error {
  override readonly name = "ClockJumped";
  readonly code = "clock_jumped";
}

export function createSweeper({
  db,
  onDoubt,
  ...clocks
}: Clocks & { db: Database; onDoubt: (error: ClockJumped) => void }): Sweeper {
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
      await noteSweep(db, now);
      doneAt = monotonic();
    },
  };
}

const DAY_SECONDS = 86_400;

/** How long things are remembered; the signal ends a sweep early. */
export interface SweepOptions {
  receiptDays: number;
  usageDays: number;
  signal?: AbortSignal | undefined;
}

/**
 * Deletes expired contents, receipts, counts, windows and sessions, then empties the write-ahead log; answers how many
 * rows it has closed or deleted.
 */
export async function sweep(
  db: Database,
  { now, receiptDays, usageDays, signal }: SweepOptions & { now: number },
): Promise<number> {
  const receiptSeconds = receiptDays * DAY_SECONDS;
  let rows = await sweepDeliveries(db, { now, signal });
  const secrets = await sweepSecrets(db, { now, receiptSeconds, signal });
  rows += await sweepFiles(db, { now, signal });
  const requests = await sweepRequests(db, { now, receiptSeconds, signal });
  for (const { expired, purged } of [secrets, requests]) rows += expired + purged;
  rows += await sweepUsage(db, { before: now - usageDays * DAY_SECONDS, signal });
  rows += await returnDeadClaims(db, { now, bucket: STORED_BYTES, signal });
  rows += await sweepAllowance(db, { now, signal });
  rows += await sweepKeys(db, { now, signal });
  await forgetOrigins(db, now - YOUNG_SECONDS);
  rows += await sweepSessions(db, { now, idleSeconds: SESSION_IDLE_SECONDS, signal });
  await db.checkpoint();
  return rows;
}

/** Deletes what does not depend on the time: the rest of files that somebody has ended, and the content of the log. */
async function sweepEnded(db: Database, { signal }: Pick<SweepOptions, "signal">): Promise<void> {
  await sweepFiles(db, { now: 0, signal });
  await db.checkpoint();
}
