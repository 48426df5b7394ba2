import type { Database } from "./open.ts";
import { run, statement, type Of } from "./statement.ts";
import { sweepInSteps, type Sweeping } from "./sweep-steps.ts";

/** One call as it is remembered: the address with its last part zero, the hour as the unix seconds of its start. */
export interface Use {
  tool: string;
  succeeded: boolean;
  address: string;
  hour: number;
}

/** Counts one call of a tool; calls that agree in everything share one row. */
export async function countUse(db: Database, { succeeded, ...use }: Use): Promise<void> {
  await run(db, COUNT, { ...use, succeeded: succeeded ? 1 : 0, first: 1 });
}

type Counted = Omit<Use, "succeeded"> & { succeeded: number; first: number };

const COUNT = statement(
  (query, of: Of<Counted>) =>
    query
      .insertInto("usage")
      .values({
        ...{ tool: of("tool"), succeeded: of("succeeded"), address: of("address") },
        ...{ hour: of("hour"), count: of("first") },
      })
      .onConflict((conflict) =>
        conflict
          .columns(["hour", "tool", "succeeded", "address"])
          .doUpdateSet((row) => ({ count: row("usage.count", "+", of("first")) })),
      ),
  { runs: "counter" },
);

/** Deletes what is older than the hour that starts at `before`; answers how many rows. */
export async function sweepUsage(
  db: Database,
  { before, signal }: { before: number } & Sweeping,
): Promise<number> {
  const step = async (rows: number) => {
    const { numDeletedRows } = await db.writeSoon((trx) =>
      trx
        .deleteFrom("usage")
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple("hour", "tool", "succeeded", "address"),
            "in",
            selectFrom("usage")
              .select(["hour", "tool", "succeeded", "address"])
              .where("hour", "<", before)
              .limit(rows)
              .$asTuple("hour", "tool", "succeeded", "address"),
          ),
        )
        .executeTakeFirstOrThrow(),
    );
    return Number(numDeletedRows);
  };
  return sweepInSteps(db, { step, signal });
}
