import type { Backups } from "./backups.ts";
import { verifyNewest } from "./contents.ts";
import { copyRows, makeTarget, type RowCount } from "./move.ts";
import { postgresBackups } from "./postgres-backups.ts";
import type { RunProgram } from "./postgres-programs.ts";
import { sqliteBackups } from "./sqlite-backups.ts";

/** Moves everything to another database, which must be empty; the old one stays as it is. @throws {BackupRefused} */
export async function moveDatabase(
  from: Backups,
  target: { url: string; backups: Backups },
): Promise<RowCount[]> {
  return from.read(async (rows) => {
    await verifyNewest(rows, from.kind);
    await makeTarget(target.url);
    return target.backups.write((trx) => copyRows(rows, trx));
  });
}

/** The backups of the database at a URL, as for `openDatabase`; `run` starts PostgreSQL's programs. */
export function openBackups(url: string, run: RunProgram): Backups {
  return isPostgres(url) ? postgresBackups(url, run) : sqliteBackups(url);
}

/**
 * Checks that a database is there and of this version: opening it would make one in an empty place, and change the
 * tables of an older one under its server.
 * @throws {BackupRefused}
 */
export function requireNewest(backups: Backups): Promise<void> {
  return backups.look((query) => verifyNewest(query, backups.kind));
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}
