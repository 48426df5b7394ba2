import { compileOnce } from "./compiled.ts";
import type { Database } from "./open.ts";
import type { Bytes } from "./schema.ts";
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
  const { rows } = await take(db, { bucket, key, limit, now, resetsAt: now + windowSeconds, first: 1 });
  const [taken] = rows;
  if (!taken) return { ...(await peekAllowance(db, window)), allowed: false };
  return { allowed: true, remaining: Math.max(limit - taken.count, 0), resetSeconds: taken.resets_at - now };
}

interface Taking extends Pick<Window, "bucket" | "key" | "limit" | "now"> {
  readonly resetsAt: number;
  readonly first: number;
}

const take = compileOnce((query, { bucket, key, limit, now, resetsAt, first }: Taking) =>
  query
    .insertInto("allowance")
    .values({ bucket, key, count: first, resets_at: resetsAt })
    .onConflict((conflict) =>
      conflict
        .columns(["bucket", "key"])
        .doUpdateSet((row) => ({
          count: row
            .case()
            .when("allowance.resets_at", "<=", now)
            .then(row.val(first))
            .else(row("allowance.count", "+", first))
            .end(),
          resets_at: row
            .case()
            .when("allowance.resets_at", "<=", now)
            .then(row.val(resetsAt))
            .else(row.ref("allowance.resets_at"))
            .end(),
        }))
        .where((row) => row.or([row("allowance.resets_at", "<=", now), row("allowance.count", "<", limit)])),
    )
    .returning(["count", "resets_at"]),
);

/** What a call now would meet, without counting one. */
export async function peekAllowance(db: Database, window: Window): Promise<Allowance> {
  const { bucket, key, limit, windowSeconds, now } = window;
  const { rows } = await peek(db, { bucket, key, now });
  const [row] = rows;
  const remaining = Math.max(limit - (row?.count ?? 0), 0);
  return { allowed: remaining > 0, remaining, resetSeconds: row ? row.resets_at - now : windowSeconds };
}

const peek = compileOnce((query, { bucket, key, now }: Pick<Window, "bucket" | "key" | "now">) =>
  query
    .selectFrom("allowance")
    .select(["count", "resets_at"])
    .where("bucket", "=", bucket)
    .where("key", "=", key)
    .where("resets_at", ">", now),
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
