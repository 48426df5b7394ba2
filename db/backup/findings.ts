import { sql, type Kysely } from "kysely";
import { MIGRATIONS } from "../upgrade/migrations.ts";
import { findDifference } from "../upgrade/migrate.ts";
import type { Tables } from "../schema.ts";
import { confirmClock, findClockDoubt, type ClockDoubt } from "../sweep/sweep-clock.ts";
import type { CheckOptions, CheckResult } from "./backups.ts";
import { requireMigrations } from "./contents.ts";

/** How far clocks of instances may differ. */
const SKEW_SECONDS = 5;

/**
 * What is wrong with tables, sizes and clock, on either kind of database. Can accept a clock that sweeps doubt.
 * @throws {DatabaseRefused} {BackupRefused}
 */
export async function findWrong(
  query: Kysely<Tables>,
  { kind, now, confirm }: CheckOptions & { kind: "sqlite" | "postgres" },
): Promise<CheckResult[]> {
  const schema = await findSchema(query, kind);
  const clock = await findClock(query, { now, confirm });
  return schema.isWrong ? [schema, clock] : [schema, await findSizes(query), clock];
}

async function findSchema(query: Kysely<Tables>, kind: "sqlite" | "postgres"): Promise<CheckResult> {
  const number = (await requireMigrations(query, kind)).length;
  const expected = Object.keys(MIGRATIONS).length;
  const difference =
    number === expected ? await findDifference(query, kind) : `this program's is ${expected}`;
  const found = difference === undefined ? String(number) : `${number}, and ${difference}`;
  return { what: "schema", found, isWrong: difference !== undefined };
}

// Limits and metrics add up the sizes stored in rows, and never look at the bytes themselves.
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

// A clock that was set back revives what had ended. SQLite has no other clock to compare with than its own rows.
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

// Says the time, which an administrator confirms by it.
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

/** Tables whose rows contain ciphertext: deleted rows stay in their files until they are vacuumed. */
const SEALED = ["secret_content", "secret_chunk", "request_answer"] as const;
/** A table may have grown on a day with many secrets; less than this does not matter. */
const LEAST_BYTES = 16 * 1024 * 1024;
const MOST_TIMES = 10;

/** Whether PostgreSQL vacuums deleted rows, and what to do where it does not. */
export async function findVacuum(query: Kysely<Tables>): Promise<CheckResult> {
  const faults = [...(await findOff(query)), ...(await findSwollen(query))];
  return { what: "vacuum", found: faults.join("; ") || "ok", isWrong: faults.length > 0 };
}

async function findOff(query: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string | null }>`
    select null as name where current_setting('autovacuum') = 'off'
    union all select relname from pg_class, unnest(reloptions) as option
      where relnamespace = current_schema()::regnamespace
        and option in ('autovacuum_enabled=false', 'autovacuum_enabled=off', 'autovacuum_enabled=0')`.execute(
    query,
  );
  return rows.map(({ name }) =>
    name === null
      ? "autovacuum is off, and deleted ciphertext stays in the files: set autovacuum = on"
      : `autovacuum is off for ${name}: alter table ${name} reset (autovacuum_enabled)`,
  );
}

async function findSwollen(query: Kysely<Tables>): Promise<string[]> {
  const faults: string[] = [];
  for (const table of SEALED) {
    const { rows } = await sql<{ stored: number; live: number }>`
      select pg_table_size(${sql.lit(table)}) as stored, coalesce(sum(length(sealed)), 0)::bigint as live
      from ${sql.table(table)}`.execute(query);
    const { stored, live } = rows[0] ?? { stored: 0, live: 0 };
    if (stored <= Math.max(LEAST_BYTES, MOST_TIMES * live)) continue;
    faults.push(`${table} takes ${inMib(stored)} for ${inMib(live)} of contents: vacuum full ${table}`);
  }
  return faults;
}

function inMib(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}
