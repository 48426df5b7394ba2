import { sql, type Kysely } from "kysely";
import { MIGRATIONS } from "../upgrade/migrations.ts";
import { findDifference, recognise } from "../upgrade/recognise.ts";
import type { Tables } from "../schema.ts";
import { confirmClock, findClockDoubt, type ClockDoubt } from "../sweep-clock.ts";
import type { CheckOptions, CheckResult } from "./backups.ts";
import { readMigrations } from "./contents.ts";

/** So far may clocks of instances differ. */
const SKEW_SECONDS = 5;

/**
 * What is wrong with schema, sizes and clock, on either kind of database. A clock that sweeps doubt is confirmed.
 * @throws {DatabaseRefused}
 */
export async function findWrong(
  query: Kysely<Tables>,
  { kind, now, confirm }: CheckOptions & { kind: "sqlite" | "postgres" },
): Promise<CheckResult[]> {
  await recognise(query, kind);
  const schema = await findSchema(query, kind);
  const clock = await findClock(query, { now, confirm });
  return schema.isWrong ? [schema, clock] : [schema, await findSizes(query), clock];
}

async function findSchema(query: Kysely<Tables>, kind: "sqlite" | "postgres"): Promise<CheckResult> {
  const number = (await readMigrations(query)).length;
  const expected = Object.keys(MIGRATIONS).length;
  const difference =
    number === expected ? await findDifference(query, kind) : `this program's is ${expected}`;
  const found = difference === undefined ? String(number) : `${number}, and ${difference}`;
  return { what: "schema", found, isWrong: difference !== undefined };
}

// Limits and the numbers add up the sizes that rows tell, and never look at the bytes themselves.
async function findSizes(query: Kysely<Tables>): Promise<CheckResult> {
  const { rows } = await DIFFERING.execute(query);
  const differing = Number(rows[0]?.differing ?? 0);
  const found = differing === 0 ? "ok" : `differ in ${differing} rows`;
  return { what: "stored bytes", found, isWrong: differing > 0 };
}

const DIFFERING = sql<{ differing: number }>`select count(*) as differing from (
  select size, length(sealed) + (select coalesce(sum(length(chunk.sealed)), 0) from secret_chunk as chunk
      where chunk.secret_id = content.secret_id) as stored
    from secret_content as content
  union all select size, length(sealed) from request_answer
  union all select size, (select coalesce(sum(length(chunk.sealed)), 0) from secret_chunk as chunk
      where chunk.secret_id = file.secret_id)
    -- One that is being deleted loses its chunks by and by.
    from secret_file as file where sweep_at is null or sweep_at > 0) as sizes
  where size <> stored`;

// A clock that was set back revives what had ended. SQLite has no other one to compare with than its own rows.
async function findClock(query: Kysely<Tables>, { now, confirm }: CheckOptions): Promise<CheckResult> {
  const { rows } = await LATEST.execute(query);
  const ahead = Number(rows[0]?.latest ?? 0) - now;
  const isBehind = ahead > SKEW_SECONDS;
  const doubt = await findClockDoubt(query);
  if (doubt && confirm) await confirmClock(query);
  const found = [
    ...(doubt ? [tellDoubt(doubt, { now, confirm })] : []),
    ...(isBehind ? [`${ahead} s behind the newest row`] : []),
  ];
  return { what: "clock", found: found.join("; ") || "ok", isWrong: isBehind || Boolean(doubt && !confirm) };
}

// Whoever confirms a clock has to see what it says.
function tellDoubt({ at, ahead }: ClockDoubt, { now, confirm }: CheckOptions): string {
  const jumped = `jumped ${Math.abs(ahead)} s ${ahead > 0 ? "forward" : "back"} by ${iso(at)}`;
  return `${jumped}, is ${iso(now)} now: ${confirm ? "confirmed" : "nothing expires until it is confirmed"}`;
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

const LATEST = sql<{ latest: number | null }>`select max(latest) as latest from (
  select max(created_at) as latest from secret union all select max(closed_at) from secret where status <> 'expired'
  union all select max(created_at) from request
  union all select max(created_at) from member union all select max(last_used_at) from session) as times`;
