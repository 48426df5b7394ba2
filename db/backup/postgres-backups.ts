import { existsSync } from "node:fs";
import { Kysely, sql } from "kysely";
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from "kysely/migration";
import { connectPostgres } from "../connection/postgres.ts";
import { recognise, TABLES } from "../upgrade/migrate.ts";
import { DatabaseRefused } from "../connection/unavailable.ts";
import { LONGEST_WAIT_MS } from "../running-call.ts";
import type { Tables } from "../schema.ts";
import {
  BackupRefused,
  DAMAGED,
  explainRefusals,
  unsound,
  type Backups,
  type CheckOptions,
} from "./backups.ts";
import { count, prepareRestored, verifyMigrations, verifyNewest, verifyTables } from "./contents.ts";
import { publish, withFileBeside } from "./files.ts";
import { findVacuum, findWrong } from "./findings.ts";
import { optionsOf, readTarget, type RunProgram } from "./postgres-programs.ts";

/** Of a file that should be one, and may be of the other kind of database. */
const NO_BACKUP = "The file is not a whole backup of Hushkit on PostgreSQL.";

/** A dump takes long, and a restore deletes many rows. */
const LIMITS = { connections: 1, statementMilliseconds: 0 };

/** All tables of ours in a database, which may contain others. */
const ALL_TABLES = [...TABLES, DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE];

/** Tables that are emptied anyway, and the list of migrations: see `restore`. */
const LEFT_OUT = ["session", "token", "allowance", DEFAULT_MIGRATION_TABLE];

const HALF_DONE =
  "The backup is in the database, but what it has to forget is not forgotten; no server starts on it. Restore it again.";

/** Backups of a PostgreSQL database, made by PostgreSQL's own programs. */
export function postgresBackups(url: string, run: RunProgram): Backups {
  return {
    kind: "postgres",
    backUp: (file, { now }) => explainRefusals(DAMAGED, () => backUp({ url, run }, file, now)),
    restore: (file, options) => explainRefusals(NO_BACKUP, () => restore({ url, run }, { file, ...options })),
    check: (options) => explainRefusals(DAMAGED, () => check(url, options)),
    readShared: (work) => explainRefusals(DAMAGED, () => withQuery(url, work)),
    readAlone: (work) =>
      explainRefusals(DAMAGED, () =>
        withOwnQuery(url, async (query, own) => {
          await refuseOthers(query, own);
          return work(query);
        }),
      ),
    changeAlone: (work) =>
      explainRefusals(DAMAGED, () => withOwnQuery(url, (query, own) => changeAlone(query, own, work))),
    write: (work) =>
      explainRefusals(DAMAGED, () => withQuery(url, (query) => query.transaction().execute(work))),
  };
}

interface BackupSource {
  url: string;
  run: RunProgram;
}

async function backUp({ url, run }: BackupSource, file: string, now: number) {
  if (existsSync(file)) throw Object.assign(new Error("The name is taken."), { code: "EEXIST", path: file });
  return withFileBeside(file, async (part) => {
    const counts = await withOwnQuery(url, (query) =>
      query
        .transaction()
        .setIsolationLevel("repeatable read")
        .execute(async (trx) => {
          await writeDump(trx, { url, run, part });
          // The count matches the dump: both read the same snapshot.
          return count(trx, now);
        }),
    );
    await readWhole(run, part);
    publish(part, file);
    return counts;
  });
}

async function writeDump(
  trx: Kysely<Tables>,
  { url, run, part }: BackupSource & { part: string },
): Promise<void> {
  await verifyTables(trx, "postgres");
  const { schema, snapshot } = await readPlace(trx);
  const tables = ALL_TABLES.map((table) => `--table="${schema}"."${table}"`);
  const how = ["--format=custom", "--no-owner", "--no-privileges", `--snapshot=${snapshot}`];
  const limit = `--lock-wait-timeout=${LONGEST_WAIT_MS}`;
  const dumped = await run("pg_dump", [...how, limit, ...tables, `--file=${part}`], await optionsOf(url));
  if (dumped === undefined)
    throw new BackupRefused("pg_dump failed; nothing was kept. Is it as new as the server?");
}

async function readPlace(trx: Kysely<Tables>): Promise<{ schema: string; snapshot: string }> {
  const { rows } = await sql<{ schema: string; snapshot: string }>`
    select current_schema() as schema, pg_export_snapshot() as snapshot`.execute(trx);
  if (!rows[0]) throw unsound();
  return rows[0];
}

/** Refuses a file that pg_restore cannot read to its end. */
async function readWhole(run: RunProgram, file: string): Promise<void> {
  const read = await run("pg_restore", ["--file=/dev/null", file], {});
  if (read === undefined) throw unsound();
}

/** A line of pg_restore's list: numbers, kind, schema, name. */
const ENTRY = /^\d+; \d+ \d+ (TABLE DATA|TABLE) (\S+) (\S+) /;

const TRIGGER = /^\d+; \d+ \d+ TRIGGER /;

type RestoreOptions = Parameters<Backups["restore"]>[1] & { file: string };

/**
 * pg_restore restores the tables in one transaction, and one of ours after it does the rest. Until then the list of
 * migrations is empty: a server that starts in between tries to create existing tables, and fails. So nothing that
 * should be forgotten is served, even after a crash at that point.
 */
async function restore({ url, run }: BackupSource, { file, ...options }: RestoreOptions) {
  const dump = await readDump(run, file);
  return withOwnQuery(url, async (query, own) => {
    const { schema } = await query.transaction().execute(readPlace);
    if (dump.entries.some((entry) => entry.schema !== schema || !ALL_TABLES.includes(entry.table)))
      throw new BackupRefused("The backup has tables of another program, or of another schema.");
    // pg_restore would drop tables of another program that have the same names.
    await recognise(query, "postgres").catch((error: unknown) => {
      if (error instanceof DatabaseRefused && error.code === "database_foreign") throw error;
    });
    await refuseOthers(query, own);
    await refuseLocked(query, "access exclusive");
    const { database } = await readTarget(url);
    const how = ["--clean", "--if-exists", "--single-transaction", "--no-owner", "--no-privileges"];
    const to = { ...(await optionsOf(url)), list: dump.list };
    const restored = await run("pg_restore", [...how, `--dbname=${database}`, file], to);
    if (restored === undefined) throw new BackupRefused("pg_restore failed; the database is as it was.");
    return query
      .transaction()
      .execute((trx) => finish(trx, { dump, ...options }))
      .catch((error: unknown) => {
        throw new BackupRefused(HALF_DONE, { cause: error });
      });
  });
}

interface Dump {
  entries: { schema: string; table: string }[];
  /** The entries to restore, for pg_restore. */
  list: string;
  migrations: string[];
}

async function readDump(run: RunProgram, file: string): Promise<Dump> {
  if (!existsSync(file)) throw Object.assign(new Error("There is no file."), { code: "ENOENT", path: file });
  await readWhole(run, file);
  const lines = ((await run("pg_restore", ["--list", file], {})) ?? "").split("\n");
  const entries = lines.flatMap((line) => {
    const [found, kind, schema = "", table = ""] = ENTRY.exec(line) ?? [];
    return found
      ? [{ line, schema, table, isLeftOut: kind === "TABLE DATA" && LEFT_OUT.includes(table) }]
      : [];
  });
  // A backup lacks the functions that triggers call; a server that wants events creates both again.
  const triggers = lines.filter((line) => TRIGGER.test(line));
  const leftOut = [...triggers, ...entries.filter(({ isLeftOut }) => isLeftOut).map(({ line }) => line)];
  const migrations = await readDumpedMigrations(run, file);
  verifyMigrations(migrations);
  return { entries, list: lines.filter((line) => !leftOut.includes(line)).join("\n"), migrations };
}

async function finish(
  trx: Kysely<Tables>,
  { dump, now, secrets }: Omit<RestoreOptions, "file"> & { dump: Dump },
) {
  const held = dump.entries.map(({ table }) => table);
  // Tables of later versions: their migrations create them again.
  for (const table of ALL_TABLES.filter((name) => !held.includes(name)))
    await sql`drop table if exists ${sql.table(table)}`.execute(trx);
  const rows = dump.migrations.map((name) => sql`(${name}, ${new Date(now * 1000).toISOString()})`);
  const table = sql.table(DEFAULT_MIGRATION_TABLE);
  await sql`insert into ${table} (name, timestamp) values ${sql.join(rows)}`.execute(trx);
  return prepareRestored(trx, { kind: "postgres", now, secrets });
}

async function readDumpedMigrations(run: RunProgram, file: string): Promise<string[]> {
  const args = ["--data-only", `--table=${DEFAULT_MIGRATION_TABLE}`, "--file=-", file];
  const script = (await run("pg_restore", args, {})) ?? "";
  const [, rows = ""] = /^COPY [^\n]* FROM stdin;\n([^]*?)^\\\.$/m.exec(script) ?? [];
  return rows.split("\n").flatMap((row) => row.split("\t")[0] || []);
}

/** A server keeps at least one connection open, even while nobody calls it. */
async function refuseOthers(query: Kysely<Tables>, own: Processes): Promise<void> {
  const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
    and usename = current_user and pid <> all(${own}::int[])`.execute(query);
  if (rows.length > 0)
    throw new BackupRefused(
      "The database is in use: stop the server first, and whatever else is connected to it.",
    );
}

// A server reads its row of `installation` before it serves: one that starts now waits here, and is refused then.
async function changeAlone<T>(
  query: Kysely<Tables>,
  own: Processes,
  work: (query: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  await verifyNewest(query, "postgres");
  return query.transaction().execute(async (trx) => {
    await limitLocks(trx);
    await sql`lock table installation in access exclusive mode`.execute(trx);
    await refuseOthers(trx, own);
    return work(trx);
  });
}

async function check(url: string, options: CheckOptions) {
  return withQuery(url, async (query) => {
    const asked = sql<{ now: number }>`select extract(epoch from now())::bigint as now`;
    const ahead = Number((await asked.execute(query)).rows[0]?.now ?? options.now) - options.now;
    const findings = await findWrong(query, { kind: "postgres", ...options });
    const isWrong = Math.abs(ahead) > 5;
    return [
      ...findings,
      await findVacuum(query),
      { what: "clock of PostgreSQL", found: isWrong ? `${ahead} s ahead` : "ok", isWrong },
    ];
  });
}

async function withQuery<T>(url: string, work: (query: Kysely<Tables>) => Promise<T>): Promise<T> {
  const { dialect } = await connectPostgres(url, LIMITS);
  const query = new Kysely<Tables>({ dialect });
  try {
    await refuseLocked(query, "access share");
    return await work(query);
  } finally {
    await query.destroy();
  }
}

/**
 * Refuses tables that another session keeps locked, which statements without a time limit would wait for in silence;
 * so would PostgreSQL's programs, which set limits of their own.
 */
async function refuseLocked(query: Kysely<Tables>, mode: "access share" | "access exclusive"): Promise<void> {
  await query.transaction().execute(async (trx) => {
    await limitLocks(trx);
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and relname in (${sql.join(ALL_TABLES)}) and has_table_privilege(oid, 'select')`.execute(trx);
    const tables = rows.map(({ name }) => sql.table(name));
    if (tables.length > 0) await sql`lock table ${sql.join(tables)} in ${sql.raw(mode)} mode`.execute(trx);
  });
}

function limitLocks(trx: Kysely<Tables>): Promise<unknown> {
  return sql.raw(`set local lock_timeout = ${LONGEST_WAIT_MS}`).execute(trx);
}

const POOLED =
  "DATABASE_URL leads to PostgreSQL by a pooler such as PgBouncer; for this command it has to name PostgreSQL itself.";

/** Of our own connections, also of one that has just ended, which PostgreSQL may still list. */
type Processes = readonly (number | undefined)[];

/**
 * The same where each connection is its own. With PgBouncer in transaction mode servers that share it are not seen, and
 * what pg_dump and pg_restore set for themselves reaches them. Idle connections then lead to one process of PostgreSQL,
 * or one leads to several.
 */
function withOwnQuery<T>(
  url: string,
  work: (query: Kysely<Tables>, own: Processes) => Promise<T>,
): Promise<T> {
  return withQuery(url, async (query) => {
    const pids: Processes = await withQuery(url, async (other) => {
      const ask = async () => [await readProcess(query), await readProcess(other)];
      return [...(await ask()), ...(await ask()), ...(await ask())];
    });
    if (pids[0] === pids[1] || pids.some((pid, i) => pid !== pids[i % 2])) throw new BackupRefused(POOLED);
    return work(query, pids);
  });
}

async function readProcess(query: Kysely<Tables>): Promise<number | undefined> {
  return (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(query)).rows[0]?.pid;
}
