import { existsSync } from "node:fs";
import type { Backups } from "./backups.ts";
import { verifyNewest } from "./contents.ts";
import { makeFolderOf } from "../connection/sqlite-file.ts";
import { followLink, publish, withFileBeside } from "./files.ts";
import { copyRows, makeTarget, type RowCount } from "./move.ts";
import { postgresBackups } from "./postgres-backups.ts";
import type { RunProgram } from "./postgres-programs.ts";
import { sqliteBackups } from "./sqlite-backups.ts";

/** Moves everything to another database, which must be empty; the old one stays as it is. @throws {BackupRefused} */
export async function moveDatabase(
  from: Backups,
  target: { url: string; backups: Backups },
): Promise<RowCount[]> {
  return from.readAlone(async (rows) => {
    await verifyNewest(rows, from.kind);
    const fill = async ({ url, backups }: typeof target) => {
      await makeTarget(url);
      return backups.write((trx) => copyRows(rows, trx));
    };
    return isPostgres(target.url) || existsSync(target.url) ? fill(target) : fillNewFile(target.url, fill);
  });
}

/** A file that is not there yet gets its name once everything is in it. */
async function fillNewFile(
  named: string,
  fill: (part: { url: string; backups: Backups }) => Promise<RowCount[]>,
): Promise<RowCount[]> {
  const path = followLink(named);
  makeFolderOf(path);
  return withFileBeside(path, async (part) => {
    const moved = await fill({ url: part, backups: sqliteBackups(part) });
    publish(part, path);
    return moved;
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
  return backups.readShared((query) => verifyNewest(query, backups.kind));
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}
