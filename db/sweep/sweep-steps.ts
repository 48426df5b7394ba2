import type { Database } from "../open.ts";

/**
 * How long one step is to hold the database, and how long the others have it then, in times of what the step took.
 * A step on PostgreSQL holds up nobody but its own connection.
 */
const PACE = { sqlite: { stepMs: 8, pauses: 4 }, postgres: { stepMs: 50, pauses: 1 } };
/** The first step, and the least: with fewer rows a step costs as much and does less. */
const LEAST_ROWS = 25;
const MOST_ROWS = 1_000;
/** The sweep waits for the disk too, and never writes more than it can take. */
const STEPS_PER_WRITE_BACK = 4;

export interface SweepOptions {
  /** Ends the sweep after the step that runs. */
  signal?: AbortSignal | undefined;
}

/** Sweeps at most so many rows, and answers how many it has. */
type Step = (rows: number) => Promise<number>;

/**
 * Repeats a step until few rows are left; answers how many it has swept in all. Between two steps the others have the
 * database for longer than a step has taken, so that nobody waits long and nothing takes more than twice as long as
 * without a sweep.
 */
export async function sweepInSteps(
  db: Database,
  { step, signal }: { step: Step } & SweepOptions,
): Promise<number> {
  const { stepMs, pauses } = PACE[db.kind];
  let [total, rows] = [0, LEAST_ROWS];
  for (let count = 1; !signal?.aborted; count++) {
    const started = performance.now();
    const swept = await step(rows);
    total += swept;
    if (swept < rows) break;
    const took = performance.now() - started;
    rows = Math.max(LEAST_ROWS, Math.ceil(Math.min(MOST_ROWS, 2 * rows, (rows * stepMs) / took)));
    const pause = new Promise((resolve) => setTimeout(resolve, pauses * took));
    await Promise.all([pause, count % STEPS_PER_WRITE_BACK === 0 && db.writeBack()]);
  }
  return total;
}

export interface Receipts {
  now: number;
  /** So old a receipt may become. */
  receiptSeconds: number;
}

/**
 * Closes the rows of a table whose time is over, by a step of its own, and deletes those that have been closed for
 * too long, in bounded steps; answers how many of each.
 */
export async function sweepTable(
  db: Database,
  table: "secret" | "request",
  { now, receiptSeconds, signal, expire }: Receipts & SweepOptions & { expire: Step },
): Promise<{ expired: number; purged: number }> {
  const before = now - receiptSeconds;
  const expired = await sweepInSteps(db, { step: expire, signal });
  const purged = await sweepInSteps(db, { step: (rows) => purge(db, table, { before, rows }), signal });
  return { expired, purged };
}

async function purge(
  db: Database,
  table: "secret" | "request",
  { before, rows }: { before: number; rows: number },
): Promise<number> {
  const { numDeletedRows } = await db.writeSoon((trx) =>
    trx
      .deleteFrom(table)
      .where("id", "in", trx.selectFrom(table).select("id").where("closed_at", "<", before).limit(rows))
      .executeTakeFirstOrThrow(),
  );
  return Number(numDeletedRows);
}
