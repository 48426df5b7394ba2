import { sql } from "kysely";
import type { Database } from "./open.ts";
import { workInSteps, type SweepOptions } from "./sweep/sweep-steps.ts";
import { countChanged } from "./columns.ts";

/** One recorded call: the address with its last part set to zero, the hour as unix seconds of its start. */
export interface Use {
  tool: string;
  succeeded: boolean;
  address: string;
  hour: number;
}

/** Identical calls. */
export interface CountedUse extends Use {
  count: number;
}

/** Adds calls of the tools to the counts in one statement. Identical calls share a row. */
export async function countUses(db: Database, uses: readonly CountedUse[]): Promise<void> {
  const json = JSON.stringify(uses.map((use) => ({ ...use, succeeded: use.succeeded ? 1 : 0 })));
  // As JSON, so that the statement is the same for any number of rows. Instances take the rows in the same order, since
  // two of PostgreSQL could deadlock otherwise.
  const rows =
    db.kind === "postgres"
      ? sql`select * from json_to_recordset(${json}::json)
          as use (hour bigint, tool text, succeeded integer, address text, count bigint)`
      : sql`select value ->> 'hour', value ->> 'tool', value ->> 'succeeded', value ->> 'address', value ->> 'count'
          from json_each(${json})`;
  const statement = sql`insert into usage (hour, tool, succeeded, address, count) ${rows} where true order by 1, 2, 3, 4
    on conflict (hour, tool, succeeded, address) do update set count = usage.count + excluded.count`;
  await db.writeSoon((trx) => statement.execute(trx));
}

/** Deletes what is older than the hour that starts at `before`; returns how many rows. */
export async function sweepUsage(
  db: Database,
  { before, signal }: { before: number } & SweepOptions,
): Promise<number> {
  const step = (rows: number) =>
    db.writeSoon((trx) =>
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
        .$call(countChanged),
    );
  return workInSteps(db, { step, signal });
}
