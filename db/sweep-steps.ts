import type { Database } from "./open.ts";

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

export interface Sweeping {
  /** Ends the sweep after the step that runs. */
  signal?: AbortSignal | undefined;
}

/**
 * Repeats a step, which sweeps at most so many rows and answers how many it has, until few are left; answers how
 * many in all. Between two steps the others have the database for longer than a step has taken, so that nobody
 * waits long and nothing takes more than twice as long as without a sweep.
 */
export async function sweepInSteps(
  db: Database,
  { step, signal }: { step: (rows: number) => Promise<number> } & Sweeping,
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
