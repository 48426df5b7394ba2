import { sql, type RawBuilder } from "kysely";
import { inBatches } from "./connection/batches.ts";
import type { Database } from "./open.ts";
import type { AllowanceTable } from "./schema.ts";
import { countChanged, type Bytes } from "./columns.ts";
import { run, statement, statementOfRows, type ParameterOf } from "./statement.ts";
import { workInSteps, type SweepOptions } from "./sweep/sweep-steps.ts";

/** A window of `windowSeconds` in which one rate key may make `limit` calls. */
export interface Window {
  /** What is counted, such as `tools`; windows of different buckets are independent. */
  bucket: string;
  /** The caller's rate key, already an HMAC. */
  key: Bytes;
  limit: number;
  windowSeconds: number;
  now: number;
  /** How much one call takes: 1, unless bytes are counted. */
  amount?: number;
}

/** The windows that one call counts in. */
export type Windows = readonly [Window, ...Window[]];

export interface Allowance {
  allowed: boolean;
  /** What is left after this call in the fullest window. */
  remaining: number;
  /** Seconds until that window ends; never more than its length. */
  resetSeconds: number;
}

/** The length of the longest window. */
export const DAY_SECONDS = 86_400;

/** How far the clocks of instances may differ, and the second may turn while a statement waits. */
const SKEW_SECONDS = 5;

/**
 * Counts one call in all windows, or in none when one is full. It is one statement, so that parallel calls of any
 * number of processes never exceed a limit. A window starts with its first call and has a fixed length; one that would
 * end later than a whole window from now was made before the clock was set back, and counts as ended. Where calls on
 * several PostgreSQL connections compete for the last place of a window, a refused one may have counted in another
 * window.
 */
export async function takeAllowance(db: Database, ...windows: Windows): Promise<Allowance> {
  const mayFit = windows.every(({ limit, amount = 1 }) => amount <= limit);
  const rows = mayFit ? await takeRows(db, windows) : [];
  if (rows.length < windows.length) return { ...(await peekAllowance(db, ...windows)), allowed: false };
  const states = windows.map((window) => ({ window, row: rows.find((row) => isRowOf(row, window)) }));
  return { ...tightest(states), allowed: true };
}

async function takeRows(db: Database, windows: Windows): Promise<TakenRow[]> {
  const [window] = windows;
  // On PostgreSQL, calls with one window are counted together with those of others.
  if (db.kind === "postgres" && windows.length === 1) return takeInBatch(db, window);
  // On PostgreSQL, a statement of several rows can deadlock with the sweep, which locks them in another order; the one
  // of the two that is rolled back is repeated.
  return (await run(db, TAKE_ALL, windows.map(toCountRow))).rows;
}

const takeInBatch = inBatches<Window, TakenRow[]>({
  keyOf: ({ bucket, key }) => `${bucket} ${key.join()}`,
  run: async (db, windows) => {
    const { rows } = await run(db, TAKE_EACH, windows.map(toCountRow));
    return windows.map((window) => rows.filter((row) => isRowOf(row, window)));
  },
});

/** Gives back what `takeAllowance` has counted, while its window lasts. */
export async function giveAllowanceBack(
  db: Database,
  { bucket, key, now, amount = 1 }: Window,
): Promise<void> {
  await run(db, GIVE_BACK, { bucket, key, now, amount });
}

const GIVE_BACK = statement(
  (query, of: ParameterOf<Pick<Required<Window>, "bucket" | "key" | "now" | "amount">>) =>
    query
      .updateTable("allowance")
      .set((row) => ({ count: row("count", "-", of("amount")) }))
      .where("bucket", "=", of("bucket"))
      .where("key", "=", of("key"))
      .where("resets_at", ">", of("now"))
      .where("count", ">=", of("amount")),
  { runs: "counter" },
);

/** What a call would find now, without counting it. */
export async function peekAllowance(db: Database, ...windows: Windows): Promise<Allowance> {
  const states = windows.map(async (window) => {
    const { bucket, key, now, windowSeconds } = window;
    const { rows } = await run(db, PEEK, { bucket, key, now, latest: now + windowSeconds + SKEW_SECONDS });
    return { window, row: rows[0] };
  });
  const least = tightest(await Promise.all(states));
  return { ...least, allowed: least.remaining >= Math.max(...windows.map(({ amount = 1 }) => amount)) };
}

function tightest(
  states: { window: Window; row: Pick<AllowanceTable, "count" | "resets_at"> | undefined }[],
): Omit<Allowance, "allowed"> {
  const left = states.map(({ window: { limit, windowSeconds, now }, row }) => ({
    remaining: Math.max(limit - (row?.count ?? 0), 0),
    resetSeconds: row ? Math.min(row.resets_at - now, windowSeconds) : windowSeconds,
  }));
  const [least = { remaining: 0, resetSeconds: 0 }] = left.sort(
    (a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds,
  );
  return least;
}

function isRowOf(row: { bucket: string; key: Uint8Array }, { bucket, key }: Window): boolean {
  return row.bucket === bucket && row.key.every((byte, index) => byte === key[index]);
}

/** One row of the statement. */
interface CountRow {
  bucket: string;
  key: Bytes;
  amount: number;
  /** How much may have been counted before. */
  room: number;
  now: number;
  resetsAt: number;
  /** A row that ends later dates from before the clock was set back. */
  latest: number;
}

function toCountRow({ bucket, key, limit, windowSeconds, now, amount = 1 }: Window): CountRow {
  const resetsAt = now + windowSeconds;
  return { bucket, key, amount, room: limit - amount, now, resetsAt, latest: resetsAt + SKEW_SECONDS };
}

type TakenRow = Pick<AllowanceTable, "bucket" | "count" | "resets_at"> & { key: Uint8Array };

type Counts = readonly [ParameterOf<CountRow>, ...ParameterOf<CountRow>[]];

/** Counts all rows or none of them. */
const TAKE_ALL = statementOfRows((_, counts: Counts) => takeStatement(counts, newRowsTogether(counts)), {
  runs: "counter",
});

/** Counts each row that fits. */
const TAKE_EACH = statementOfRows((_, counts: Counts) => takeStatement(counts, newRows(counts)), {
  runs: "counter",
});

function takeStatement(counts: Counts, rows: RawBuilder<unknown>): RawBuilder<TakenRow> {
  const fits = counts.map(
    (of) => sql`(allowance.bucket = ${of("bucket")} and allowance.key = ${of("key")}
      and allowance.count <= ${of("room")})`,
  );
  const ended = sql`(allowance.resets_at <= ${counts[0]("now")}
    or allowance.resets_at > excluded.resets_at + ${sql.lit(SKEW_SECONDS)})`;
  return sql<TakenRow>`
    insert into allowance (bucket, key, count, resets_at) ${rows}
    on conflict (bucket, key) do update set
      count = case when ${ended} then excluded.count else allowance.count + excluded.count end,
      resets_at = case when ${ended} then excluded.resets_at else allowance.resets_at end
    where ${ended} or ${sql.join(fits, sql` or `)}
    returning bucket, key, count, resets_at`;
}

function newRows(counts: Counts): RawBuilder<unknown> {
  const rows = counts.map((of) => sql`(${of("bucket")}, ${of("key")}, ${of("amount")}, ${of("resetsAt")})`);
  return sql`values ${sql.join(rows)}`;
}

// With several rows, a full window must keep the others from being counted. Parallel calls that both pass here compete
// at the row itself. The branch without rows gives the others their types, which PostgreSQL does not infer.
function newRowsTogether(counts: Counts): RawBuilder<unknown> {
  if (counts.length === 1) return newRows(counts);
  const rows = counts.map((of) => sql`${of("bucket")}, ${of("key")}, ${of("amount")}, ${of("resetsAt")}`);
  const full = counts.map(
    (of) => sql`(bucket = ${of("bucket")} and key = ${of("key")} and count > ${of("room")}
      and resets_at > ${of("now")} and resets_at <= ${of("latest")})`,
  );
  return sql`select bucket, key, count, resets_at from (
      select bucket, key, count, resets_at from allowance where 1 = 0
      union all select ${sql.join(rows, sql` union all select `)}) as fresh
    where not exists (select 1 from allowance where ${sql.join(full, sql` or `)})`;
}

const PEEK = statement(
  (query, of: ParameterOf<Pick<Window, "bucket" | "key" | "now"> & { latest: number }>) =>
    query
      .selectFrom("allowance")
      .select(["count", "resets_at"])
      .where("bucket", "=", of("bucket"))
      .where("key", "=", of("key"))
      .where("resets_at", ">", of("now"))
      .where("resets_at", "<=", of("latest")),
);

/** Deletes windows that have ended, and those from before the clock was set back; returns how many. */
export async function sweepAllowance(
  db: Database,
  { now, signal }: { now: number } & SweepOptions,
): Promise<number> {
  const step = (rows: number) =>
    db.writeSoon((trx) =>
      trx
        .deleteFrom("allowance")
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple("bucket", "key"),
            "in",
            selectFrom("allowance")
              .select(["bucket", "key"])
              .where(({ or, eb: row }) =>
                or([row("resets_at", "<=", now), row("resets_at", ">", now + DAY_SECONDS + SKEW_SECONDS)]),
              )
              .limit(rows)
              .$asTuple("bucket", "key"),
          ),
        )
        .$call(countChanged),
    );
  return workInSteps(db, { step, signal });
}
