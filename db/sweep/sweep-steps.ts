import { sql } from "kysely";
import type { Database } from "../open.ts";
import { countChanged } from "../columns.ts";
import { endStep } from "../running-call.ts";

/**
 * How long a step may take, and how long others then have the database, as a multiple of what the step took. On
 * PostgreSQL a step blocks only its own connection.
 */
const PACE = { sqlite: { stepMs: 8, pauses: 4 }, postgres: { stepMs: 50, pauses: 1 } };
/** The rows of the first step, and the fewest: a smaller step costs as much and does less. */
const LEAST_ROWS = 25;
const MOST_ROWS = 1_000;
/** So often the sweep waits for the disk, so that it never writes more than the disk can take. */
const STEPS_PER_WRITE_BACK = 4;

export interface SweepOptions {
  /** Ends the sweep after the running step. */
  signal?: AbortSignal | undefined;
}

interface SteppedOptions extends SweepOptions {
  step: Step;
  /** A caller waits for the end: others then have the database for as long as a step takes. */
  isAwaited?: boolean;
}

/** Sweeps, counts or ends at most `rows` rows, and returns how many there were. */
type Step = (rows: number) => Promise<number>;

/**
 * Repeats a step until few rows are left; returns how many there were in all. Between steps others have the database for
 * longer than a step takes, so that nobody waits long, and nothing takes more than twice as long as without it.
 */
export async function workInSteps(
  db: Database,
  { step, signal, isAwaited = false }: SteppedOptions,
): Promise<number> {
  const { stepMs, pauses: usual } = PACE[db.kind];
  const pauses = isAwaited ? 1 : usual;
  let [total, rows] = [0, LEAST_ROWS];
  for (let count = 1; !signal?.aborted; count++) {
    const started = performance.now();
    const swept = await step(rows);
    if (isAwaited) endStep();
    total += swept;
    if (swept < rows) break;
    const took = performance.now() - started;
    rows = Math.max(LEAST_ROWS, Math.ceil(Math.min(MOST_ROWS, 2 * rows, (rows * stepMs) / took)));
    const pause = new Promise((resolve) => setTimeout(resolve, pauses * took));
    await Promise.all([pause, count % STEPS_PER_WRITE_BACK === 0 && db.writeBack()]);
  }
  return total;
}

/**
 * Deletes the rows whose `sweep_at` has come, of the table with this key; returns how many. A row that was extended
 * since it was selected stays.
 */
export async function sweepRows(
  db: Database,
  key: "secret_content.secret_id" | "request_answer.request_id" | "idempotency_key.key_hash",
  { now, signal }: { now: number } & SweepOptions,
): Promise<number> {
  const table = sql.table(key.replace(/\..*/, ""));
  const due = sql`sweep_at <= ${now}`;
  const step = async (rows: number) => {
    const selected = sql`select ${sql.ref(key)} from ${table} where ${due} limit ${rows}`;
    const statement = sql`delete from ${table} where ${due} and ${sql.ref(key)} in (${selected})`;
    const { numAffectedRows = 0n } = await db.writeSoon((trx) => statement.execute(trx));
    return Number(numAffectedRows);
  };
  return workInSteps(db, { step, signal });
}

export interface TableSweepOptions extends SweepOptions {
  now: number;
  /** The greatest age of a receipt. */
  receiptSeconds: number;
}

/**
 * Closes a table's rows that are past their time, by a step of the table's own, and deletes those that were closed long
 * ago, in bounded steps; returns how many of each.
 */
export async function sweepTable(
  db: Database,
  table: "secret" | "request",
  { now, receiptSeconds, signal, expire }: TableSweepOptions & { expire: Step },
): Promise<{ expired: number; purged: number }> {
  const before = now - receiptSeconds;
  const expired = await workInSteps(db, { step: expire, signal });
  const purged = await workInSteps(db, { step: (rows) => purge(db, table, { before, rows }), signal });
  return { expired, purged };
}

async function purge(
  db: Database,
  table: "secret" | "request",
  { before, rows }: { before: number; rows: number },
): Promise<number> {
  return db.writeSoon((trx) =>
    trx
      .deleteFrom(table)
      .where("id", "in", trx.selectFrom(table).select("id").where("closed_at", "<", before).limit(rows))
      .$call(countChanged),
  );
}
