import { sql, type Kysely } from "kysely";
import { formatReason } from "../connection/unavailable.ts";
import { openDatabase } from "../open.ts";
import type { Tables } from "../schema.ts";
import { BackupRefused } from "./backups.ts";

/** Unique columns, in whose order rows are copied; tables that others refer to come first. */
const KEYS = {
  member: ["id"],
  session: ["id"],
  token: ["id"],
  identity: ["issuer", "subject"],
  passkey: ["id"],
  hook: ["id"],
  outbox: ["position", "id"],
  secret: ["id"],
  secret_content: ["secret_id"],
  secret_file: ["secret_id"],
  secret_chunk: ["secret_id", "position"],
  request: ["id"],
  request_answer: ["request_id", "position"],
  allowance: ["bucket", "key"],
  idempotency_key: ["key_hash"],
  usage: ["hour", "tool", "succeeded", "address"],
  installation: ["name"],
} satisfies Record<keyof Tables, readonly string[]>;

/** Numbers that each database counts for itself, in the order of the rows: copied ones would come again. */
const COUNTED: Readonly<Record<string, string>> = { outbox: "position" };

/** Rows at a time, a few megabytes at most. */
const ROWS = 500;
const LARGE_ROWS: Readonly<Record<string, number>> = {
  secret_content: 4,
  request_answer: 4,
  secret_chunk: 32,
};

/** How many rows of a table were moved. */
export interface RowCount {
  table: string;
  rows: number;
}

/** Makes the tables of the database to move to. @throws {BackupRefused} where it has rows */
export async function makeTarget(url: string): Promise<void> {
  const db = await openDatabase(url).catch((cause: unknown) => {
    const reason = formatReason(cause);
    const why = reason === undefined ? "" : `: ${reason}`;
    throw new BackupRefused(`The database to move to cannot be opened${why}.`, { cause });
  });
  try {
    for (const table of Object.keys(KEYS))
      if ((await countRows(db.query, table)) > 0)
        throw new BackupRefused("The database to move to is not empty; nothing was moved.");
  } finally {
    await db.close();
  }
}

/** Copies every row, and compares their number. */
export async function copyRows(from: Kysely<Tables>, to: Kysely<Tables>): Promise<RowCount[]> {
  const moved: RowCount[] = [];
  for (const [table, keys] of Object.entries(KEYS)) {
    await copyTable({ from, to }, table, keys);
    const rows = await countRows(from, table);
    if (rows !== (await countRows(to, table)))
      throw new BackupRefused("Rows are missing on the other side; nothing was moved.");
    moved.push({ table, rows });
  }
  return moved;
}

type Row = Readonly<Record<string, unknown>>;

async function copyTable(
  { from, to }: { from: Kysely<Tables>; to: Kysely<Tables> },
  table: string,
  keys: readonly string[],
): Promise<void> {
  const order = sql.join(keys.map((key) => sql.ref(key)));
  const most = LARGE_ROWS[table] ?? ROWS;
  for (let last: Row | undefined; ;) {
    const after = last ? sql`where (${order}) > (${sql.join(keys.map((key) => last?.[key]))})` : sql``;
    const { rows } =
      await sql<Row>`select * from ${sql.table(table)} ${after} order by ${order} limit ${most}`.execute(
        from,
      );
    await insertRows(to, table, rows);
    last = rows.at(-1);
    if (rows.length < most) return;
  }
}

async function insertRows(to: Kysely<Tables>, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first).filter((column) => column !== COUNTED[table]);
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(to);
}

async function countRows(query: Kysely<Tables>, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    query,
  );
  return Number(rows[0]?.count ?? 0);
}
