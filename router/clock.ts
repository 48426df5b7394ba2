import type { Database } from "../db/open.ts";
import { doubtClock, readSweepClock, type SweepClock } from "../db/sweep/sweep-clock.ts";

/** A clock of unix seconds, as the database stores them, from one of milliseconds. */
export function secondsOf(clock: () => number): () => number {
  return () => Math.floor(clock() / 1000);
}

/** Unix seconds as RFC 3339 in UTC. */
export function toTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString();
}

/** Unix seconds as RFC 3339 in UTC, or null for a missing time. */
export function toTimeOrNull(unixSeconds: number | null): string | null {
  return unixSeconds === null ? null : toTime(unixSeconds);
}

/** Seconds. Sweeps are a minute apart, and clocks of instances may differ a little. */
const MOST_AHEAD = 3_600;
const MOST_BEHIND = 300;

export interface Clocks {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds of a clock that cannot be set, from any starting point. */
  readonly monotonic: () => number;
}

/** Checks whether the clock can be trusted: what a sweep deletes cannot be restored by correcting the clock. */
export interface ClockGuard {
  readonly isDoubted: boolean;
  /** By how many seconds the clock has moved too far since the last sweep; negative where it moved back. */
  readonly difference: number;
  /** The time in unix seconds to sweep by; undefined while any instance doubts the clock. */
  believedTime(): Promise<number | undefined>;
}

/**
 * Compares the clock with a monotonic one, with the latest sweep of any instance, and with PostgreSQL's own. After a
 * start a jump cannot be told from a long stop, so then only a clock that is behind, or that differs from PostgreSQL's,
 * is doubted.
 */
export function createClockGuard(db: Database, { clock, monotonic }: Clocks): ClockGuard {
  const look = () => ({ wall: clock(), steady: monotonic() });
  let reference: ReturnType<typeof look> | undefined;
  let confirmation: string | undefined;
  let isDoubted = false;
  const drift = ({ wall, steady } = look()) =>
    reference ? Math.round((wall - reference.wall - (steady - reference.steady)) / 1000) : 0;
  return {
    get isDoubted() {
      return isDoubted;
    },
    get difference() {
      return drift();
    },
    async believedTime() {
      const known = await readSweepClock(db);
      // Somebody has accepted the clock as it is now, so earlier readings no longer count.
      if (known.confirmation !== confirmation) reference = undefined;
      confirmation = known.confirmation;
      const [seen, now] = [look(), Math.floor(clock() / 1000)];
      const ahead = [drift(seen), ...compare(now, known)].find(isWrong);
      isDoubted = known.doubt !== undefined || ahead !== undefined;
      if (!known.doubt && ahead !== undefined) await doubtClock(db, { at: now, ahead });
      if (isDoubted) return undefined;
      reference = seen;
      return now;
    },
  };
}

// The latest sweep may be long ago.
function compare(now: number, { sweptAt = now, serverTime = now }: SweepClock): number[] {
  return [Math.min(now - sweptAt, 0), now - serverTime];
}

function isWrong(ahead: number): boolean {
  return ahead > MOST_AHEAD || ahead < -MOST_BEHIND;
}
