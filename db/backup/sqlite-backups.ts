import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type SqliteFile from "better-sqlite3";
import { Kysely, SqliteDialect, SqliteDriver } from "kysely";
import { createSqliteAdapter } from "../connection/sqlite.ts";
import { connectSqlite, isBusy, makeFolderOf, openSqlite } from "../connection/sqlite-file.ts";
import { readMigrations, recognise } from "../upgrade/migrate.ts";
import { DatabaseRefused, DatabaseUnavailable } from "../connection/unavailable.ts";
import type { Tables } from "../schema.ts";
import {
  BackupRefused,
  DAMAGED,
  isForbidden,
  isUnsound,
  nameFileIn,
  explainRefusals,
  unsound,
  type Backups,
  type CheckOptions,
} from "./backups.ts";
import { count, prepareRestored, verifyMigrations, verifyNewest, verifyTables } from "./contents.ts";
import { findWrong } from "./findings.ts";
import { copyInto, followLink, giveOwner, publish, replace, sync, withFileBeside } from "./files.ts";

/** Of a file that should be one, and may be of the other kind of database. */
const NO_BACKUP = "The file is not a whole backup of Hushkit on SQLite.";

const IN_USE = "The database is in use: stop the server first, and whatever else has it open.";

/** How long to wait for a file that others have locked. */
const BUSY_TIMEOUT_MS = 5_000;
/** All pages in one step: a writer between two steps would restart it again and again. */
const ALL_PAGES = 0x7fff_ffff;
/** A full disk stops the service, and yesterday's log could fill one in a night. */
const LEAST_FREE_MIB = 256;
const MIB = 2 ** 20;

/** The backups of a SQLite file. */
export function sqliteBackups(path: string): Backups {
  return {
    kind: "sqlite",
    backUp: (file, { now }) => explainRefusals(DAMAGED, () => backUp(path, file, now)),
    restore: (file, options) => explainRefusals(NO_BACKUP, () => restore(path, { file, ...options })),
    check: (options) => explainRefusals(DAMAGED, () => check(path, options)),
    readShared: (work) => explainRefusals(DAMAGED, () => withDatabase(path, (file) => work(queryOf(file)))),
    readAlone: (work) => explainRefusals(DAMAGED, () => useAlone(path, work)),
    changeAlone: (work) => explainRefusals(DAMAGED, () => useAlone(path, changing(work))),
    write: (work) =>
      explainRefusals(DAMAGED, () => withFile(path, {}, (file) => queryOf(file).transaction().execute(work))),
  };
}

async function backUp(path: string, file: string, now: number) {
  // Checked before the work; a file that takes the name meanwhile is kept too.
  if (existsSync(file)) throw Object.assign(new Error("The name is taken."), { code: "EEXIST", path: file });
  return withFileBeside(file, async (part) => {
    await withDatabase(path, async (database) => {
      await nameFileIn(part, () => database.backup(part, { progress: () => ALL_PAGES }));
    });
    // The copy has the journal mode of its source, in which a reader would create a log beside it.
    await withFile(part, {}, async (copy) => void copy.pragma("journal_mode = delete"));
    const counts = await withFile(part, { readonly: true }, (copy) => verify(copy, now));
    publish(part, file);
    return counts;
  });
}

async function verify(copy: SqliteFile.Database, now: number) {
  if (!isWhole(copy)) throw unsound();
  const query = queryOf(copy);
  await verifyTables(query, "sqlite");
  return count(query, now);
}

function isWhole(file: SqliteFile.Database): boolean {
  // Of a last page that is cut off, SQLite reads the rest as zeros.
  const isCut = statSync(file.name).size % Number(file.pragma("page_size", { simple: true })) !== 0;
  return !isCut && file.pragma("integrity_check(1)", { simple: true }) === "ok";
}

type RestoreOptions = Parameters<Backups["restore"]>[1] & { file: string };

async function restore(named: string, { file, ...options }: RestoreOptions) {
  const path = followLink(named);
  makeFolderOf(path);
  return withFileBeside(path, async (part) => {
    copyInto(file, part);
    // For a database that was copied with its log, as in a snapshot of a folder.
    if (existsSync(`${file}-wal`)) copyInto(`${file}-wal`, `${part}-wal`);
    const counts = await withFile(part, {}, (copy) => makeNew(copy, options));
    if (existsSync(path)) await verifyReplaceable(path);
    return { ...counts, aside: await nameFileIn(path, async () => takePlace(path, part)) };
  });
}

/** Refuses to replace another program's file. Damaged, altered or newer databases are what backups are for. */
async function verifyReplaceable(path: string): Promise<void> {
  try {
    await withDatabase(path, async () => {});
  } catch (error) {
    const isOurs = error instanceof DatabaseRefused && error.code !== "database_foreign";
    if (!isOurs && !isUnsound(error)) throw error;
  }
}

/** Replaces the old database by a new one; returns the path of the old one, if there was one. */
function takePlace(path: string, part: string): string | undefined {
  const aside = `${path}.before-restore-${new Date().toISOString().replace(/[-:.]/g, "")}`;
  const isThere = existsSync(path);
  // The server may run as another user than the one who restores.
  if (isThere) giveOwner(part, path);
  sync(part);
  const lock = isThere ? lockDatabase(path) : undefined;
  try {
    // Windows cannot rename an open file.
    if (process.platform === "win32") lock?.close();
    replace(path, { by: part, aside });
  } finally {
    lock?.close();
  }
  return isThere ? aside : undefined;
}

async function makeNew(copy: SqliteFile.Database, options: Omit<RestoreOptions, "file">) {
  copy.pragma("journal_mode = delete");
  if (!isWhole(copy)) throw unsound();
  copy.pragma("foreign_keys = on");
  // What is forgotten must not remain in free pages either.
  copy.pragma("secure_delete = on");
  const query = queryOf(copy);
  verifyMigrations(await readMigrations(query));
  return query.transaction().execute((trx) => prepareRestored(trx, { kind: "sqlite", ...options }));
}

/**
 * Locks the old database against other processes of any runtime, once its log is written back: SQLite leaves WAL mode
 * only when there is no other connection, not even an idle one, and an exclusive transaction then keeps others out.
 * Undefined for a file that is too damaged for SQLite to open.
 */
function lockDatabase(path: string): SqliteFile.Database | undefined {
  const file = connectSqlite(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    file.pragma("journal_mode = delete");
    file.exec("begin exclusive");
    // Another process may have come between the two.
    if (file.pragma("journal_mode", { simple: true }) === "delete") return file;
    throw Object.assign(new Error("The database is open."), { code: "SQLITE_BUSY" });
  } catch (error) {
    file.close();
    if (isUnsound(error)) return undefined;
    throw isBusy(error) ? new BackupRefused(IN_USE, { cause: error }) : error;
  }
}

/** Runs work in an exclusive transaction, which is rolled back unless the work commits it. */
async function useAlone<T>(
  path: string,
  work: (query: Kysely<Tables>, file: SqliteFile.Database) => Promise<T>,
): Promise<T> {
  // Before the lock, which writes to the file.
  await withDatabase(path, async () => {});
  return nameFileIn(path, async () => {
    const file = lockDatabase(path);
    if (!file) throw unsound();
    return work(queryOf(file), file).finally(() => file.close());
  });
}

function changing<T>(work: (query: Kysely<Tables>) => Promise<T>) {
  return async (query: Kysely<Tables>, file: SqliteFile.Database): Promise<T> => {
    await verifyNewest(query, "sqlite");
    // What is replaced must not remain in free pages either.
    file.pragma("secure_delete = on");
    const result = await work(query);
    file.exec("commit");
    return result;
  };
}

async function check(path: string, options: CheckOptions) {
  return withDatabase(path, async (file) => {
    const integrity = isWhole(file) ? "ok" : "damaged";
    const { bavail, bsize } = statfsSync(dirname(path));
    const free = Math.floor((bavail * bsize) / MIB);
    return [
      { what: "integrity", found: integrity, isWrong: integrity !== "ok" },
      ...(await findWrong(queryOf(file), { kind: "sqlite", ...options })),
      { what: "free space", found: `${free} MiB`, isWrong: free < LEAST_FREE_MIB },
    ];
  });
}

function requireFile(path: string): void {
  // This throws where a path cannot be followed, so that there may be a file.
  if (statSync(path, { throwIfNoEntry: false })) return;
  // The whole path, because DATABASE_URL is often relative, or not set in the shell of an operator.
  throw new BackupRefused(`There is no database at ${resolve(path)}; DATABASE_URL names the one to work on.`);
}

/**
 * Uses the served database as it is: an older one is not migrated, because its server may be running.
 * @throws {BackupRefused}
 * @throws {DatabaseRefused}
 */
async function withDatabase<T>(path: string, work: (file: SqliteFile.Database) => Promise<T>): Promise<T> {
  requireFile(path);
  const file = openSqlite(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  return nameFileIn(path, async () => {
    await recognise(queryOf(file), "sqlite").catch((error: unknown) => {
      throw isForbidden(error) ? new DatabaseUnavailable(error) : error;
    });
    return work(file);
  }).finally(() => file.close());
}

async function withFile<T>(
  path: string,
  { readonly = false }: { readonly?: boolean },
  work: (file: SqliteFile.Database) => Promise<T>,
): Promise<T> {
  return nameFileIn(path, async () => {
    const file = connectSqlite(path, { readonly, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    return work(file).finally(() => file.close());
  });
}

function queryOf(database: SqliteFile.Database): Kysely<Tables> {
  // After some errors, such as a full disk, SQLite has already rolled back.
  const rollbackTransaction = async () => void (database.inTransaction && database.exec("rollback"));
  return new Kysely({
    dialect: Object.assign(new SqliteDialect({ database }), {
      createAdapter: createSqliteAdapter,
      createDriver: () => Object.assign(new SqliteDriver({ database }), { rollbackTransaction }),
    }),
  });
}
