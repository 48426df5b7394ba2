import type { Database } from "./open.ts";

/** One call as it is remembered: the address with its last part zero, the hour as the unix seconds of its start. */
export interface Use {
  tool: string;
  succeeded: boolean;
  address: string;
  hour: number;
}

/** Counts one call of a tool; calls that agree in everything share one row. */
export async function countUse(db: Database, { tool, succeeded, address, hour }: Use): Promise<void> {
  await db.query
    .insertInto("usage")
    .values({ tool, succeeded: succeeded ? 1 : 0, address, hour, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["hour", "tool", "succeeded", "address"])
        .doUpdateSet((row) => ({ count: row("usage.count", "+", 1) })),
    )
    .execute();
}

/** Deletes what is older than the hour that starts at `before`; answers how many rows. */
export async function sweepUsage(db: Database, { before }: { before: number }): Promise<number> {
  const { numDeletedRows } = await db.query
    .deleteFrom("usage")
    .where("hour", "<", before)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
