import { sql } from "kysely";
import type { Transaction } from "../stored-bytes.ts";

/** Of this program alone among the advisory locks of a database: "hush" in ASCII. */
const START_LOCK = 0x68_75_73_68;

/**
 * Waits, until the transaction ends, for every other start that looks what there is and makes what is missing. PostgreSQL
 * refuses the second of two that make the same function, trigger or table at once, even with "or replace" and "if not
 * exists". The Migrator has such a lock of its own; on SQLite one transaction writes at a time anyway. A lock of the
 * transaction, because one of the session would stay behind a PgBouncer.
 */
export async function startAlone(trx: Transaction, kind: "sqlite" | "postgres"): Promise<void> {
  if (kind === "postgres") await sql`select pg_advisory_xact_lock(${sql.lit(START_LOCK)})`.execute(trx);
}
