import type { Database } from "./open.ts";
import type { Bytes } from "./schema.ts";
import { STEP_ROWS, sweepInSteps } from "./sweep-steps.ts";

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
  const taken = await db.query
    .insertInto("allowance")
    .values({ bucket, key, count: 1, reset: now + windowSeconds })
    .onConflict((conflict) =>
      conflict
        .columns(["bucket", "key"])
        .doUpdateSet((row) => ({
          count: row
            .case()
            .when("allowance.reset", "<=", now)
            .then(row.val(1))
            .else(row("allowance.count", "+", 1))
            .end(),
          reset: row
            .case()
            .when("allowance.reset", "<=", now)
            .then(row.val(now + windowSeconds))
            .else(row.ref("allowance.reset"))
            .end(),
        }))
        .where((row) => row.or([row("allowance.reset", "<=", now), row("allowance.count", "<", limit)])),
    )
    .returning(["count", "reset"])
    .executeTakeFirst();
  if (!taken) return { ...(await peekAllowance(db, window)), allowed: false };
  return { allowed: true, remaining: Math.max(limit - taken.count, 0), resetSeconds: taken.reset - now };
}

/** What a call now would meet, without counting one. */
export async function peekAllowance(db: Database, window: Window): Promise<Allowance> {
  const { bucket, key, limit, windowSeconds, now } = window;
  const row = await db.query
    .selectFrom("allowance")
    .select(["count", "reset"])
    .where("bucket", "=", bucket)
    .where("key", "=", key)
    .where("reset", ">", now)
    .executeTakeFirst();
  const remaining = Math.max(limit - (row?.count ?? 0), 0);
  return { allowed: remaining > 0, remaining, resetSeconds: row ? row.reset - now : windowSeconds };
}

/** Deletes windows that have ended; answers how many. */
export async function sweepAllowance(db: Database, { now }: { now: number }): Promise<number> {
  return sweepInSteps(async () => {
    const { numDeletedRows } = await db.query
      .deleteFrom("allowance")
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("bucket", "key"),
          "in",
          selectFrom("allowance")
            .select(["bucket", "key"])
            .where("reset", "<=", now)
            .limit(STEP_ROWS)
            .$asTuple("bucket", "key"),
        ),
      )
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
}
