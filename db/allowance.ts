import type { ExpressionBuilder } from "kysely";
import { compileOnce } from "./compiled.ts";
import type { Database } from "./open.ts";
import type { Bytes, Tables } from "./schema.ts";
import { sweepInSteps, type Sweeping } from "./sweep-steps.ts";

/** A window of `windowSeconds` in which one rate key may call `limit` times, at least once. */
export interface Window {
  /** What is counted, such as `tools`; the windows of different buckets know nothing of each other. */
  bucket: string;
  /** The caller's rate key, already an HMAC. */
  key: Bytes;
  limit: number;
  windowSeconds: number;
  now: number;
}

/** By how much the clocks of instances may differ, and a call may overtake one that came a second later. */
const SKEW_SECONDS = 5;

export interface Allowance {
  allowed: boolean;
  /** Calls left in the window after this one. */
  remaining: number;
  /** Seconds until the window ends. */
  resetSeconds: number;
}

/**
 * Counts one call, in one statement, so that parallel calls of any number of processes never exceed the
 * limit. The window starts with its first call and has a fixed length; a refused call changes nothing.
 */
export async function takeAllowance(db: Database, window: Window): Promise<Allowance> {
  const { bucket, key, limit, windowSeconds, now } = window;
  const resetsAt = now + windowSeconds;
  const latest = resetsAt + SKEW_SECONDS;
  const { rows } = await take(db, { bucket, key, limit, now, resetsAt, latest, first: 1 });
  const [taken] = rows;
  if (!taken) return { ...(await peekAllowance(db, window)), allowed: false };
  return {
    allowed: true,
    remaining: Math.max(limit - taken.count, 0),
    resetSeconds: secondsLeft(taken, window),
  };
}

interface Taking extends Pick<Window, "bucket" | "key" | "limit" | "now"> {
  readonly resetsAt: number;
  readonly latest: number;
  readonly first: number;
}

const take = compileOnce((query, { bucket, key, limit, now, latest, resetsAt, first }: Taking) =>
  query
    .insertInto("allowance")
    .values({ bucket, key, count: first, resets_at: resetsAt })
    .onConflict((conflict) =>
      conflict
        .columns(["bucket", "key"])
        .doUpdateSet((row) => ({
          count: row
            .case()
            .when(isRunning(row, { now, latest }))
            .then(row("allowance.count", "+", first))
            .else(row.val(first))
            .end(),
          resets_at: row
            .case()
            .when(isRunning(row, { now, latest }))
            .then(row.ref("allowance.resets_at"))
            .else(row.val(resetsAt))
            .end(),
        }))
        .where((row) =>
          row.or([row.not(isRunning(row, { now, latest })), row("allowance.count", "<", limit)]),
        ),
    )
    .returning(["count", "resets_at"]),
);

function secondsLeft({ resets_at }: { resets_at: number }, { now, windowSeconds }: Window): number {
  return Math.min(resets_at - now, windowSeconds);
}

// A clock that was ahead and was set right has left windows that end later than any that begins now. Those count as
// over, or people would wait for as long as the clock was wrong.
function isRunning(
  row: ExpressionBuilder<Tables, "allowance">,
  { now, latest }: { now: number; latest: number },
) {
  return row.and([row("allowance.resets_at", ">", now), row("allowance.resets_at", "<=", latest)]);
}

/** What a call now would meet, without counting one. */
export async function peekAllowance(db: Database, window: Window): Promise<Allowance> {
  const { bucket, key, limit, windowSeconds, now } = window;
  const { rows } = await peek(db, { bucket, key, now, latest: now + windowSeconds + SKEW_SECONDS });
  const [row] = rows;
  const remaining = Math.max(limit - (row?.count ?? 0), 0);
  return { allowed: remaining > 0, remaining, resetSeconds: row ? secondsLeft(row, window) : windowSeconds };
}

const peek = compileOnce(
  (query, { bucket, key, now, latest }: Omit<Taking, "limit" | "resetsAt" | "first">) =>
    query
      .selectFrom("allowance")
      .select(["count", "resets_at"])
      .where("bucket", "=", bucket)
      .where("key", "=", key)
      .where((row) => isRunning(row, { now, latest })),
);

/** Deletes windows that have ended; answers how many. */
export async function sweepAllowance(
  db: Database,
  { now, signal }: { now: number } & Sweeping,
): Promise<number> {
  const step = async (rows: number) => {
    const { numDeletedRows } = await db.writeSoon((trx) =>
      trx
        .deleteFrom("allowance")
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple("bucket", "key"),
            "in",
            selectFrom("allowance")
              .select(["bucket", "key"])
              .where("resets_at", "<=", now)
              .limit(rows)
              .$asTuple("bucket", "key"),
          ),
        )
        .executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  };
  return sweepInSteps(db, { step, signal });
}
