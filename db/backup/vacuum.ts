import { sql, type Kysely } from "kysely";
import type { Tables } from "../schema.ts";
import type { CheckResult } from "./backups.ts";

/** Tables whose rows hold ciphertext: what is deleted from them stays in their files until vacuum has been there. */
const SEALED = ["secret_content", "secret_chunk", "request_answer"] as const;
/** A table may have grown for a day of many secrets; less than this is nobody's concern. */
const LEAST_BYTES = 16 * 1024 * 1024;
const MOST_TIMES = 10;

/** Whether PostgreSQL cleans up behind what was deleted, and what to do where it does not. */
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
