import type { Kysely } from "kysely";
import { readCode } from "../connection/unavailable.ts";
import type { Tables } from "../schema.ts";

/** What a backup or a database contains. */
export interface Counts {
  accounts: number;
  /** Secrets that somebody can still open. */
  unread: number;
}

/** Whether secrets that could be opened when the backup was made can be opened again. */
export type RestoredSecrets = "keep" | "revoke";

export interface CheckOptions {
  now: number;
  /** Whether to accept the clock as it is, where sweeps have stopped because of it. */
  confirm?: boolean | undefined;
}

/** The result of one check. */
export interface CheckResult {
  what: string;
  found: string;
  isWrong: boolean;
}

/** Runs work on a whole database. */
export type DatabaseAccess = <T>(work: (query: Kysely<Tables>) => Promise<T>) => Promise<T>;

/** Copies of one database, which a server may have open meanwhile. */
export interface Backups {
  readonly kind: "sqlite" | "postgres";
  /** Reads it as it is, also an older one, while others may have it open. @throws {BackupRefused} */
  readShared: DatabaseAccess;
  /** Reads it while nobody else has it open. @throws {BackupRefused} */
  readAlone: DatabaseAccess;
  /**
   * Reads and writes in one transaction while nobody else has it open; its tables are those of this version.
   * @throws {BackupRefused}
   */
  changeAlone: DatabaseAccess;
  /** Writes to it in one transaction. @throws {BackupRefused} */
  write: DatabaseAccess;
  /** Writes a whole copy to a file that does not exist yet. @throws {BackupRefused} */
  backUp(file: string, at: { now: number }): Promise<Counts>;
  /**
   * Replaces the database by a copy, or leaves everything as it was. `aside` is the path of the previous database, if
   * there was one and it was kept.
   * @throws {BackupRefused}
   */
  restore(
    file: string,
    options: { now: number; secrets: RestoredSecrets },
  ): Promise<Counts & { aside?: string | undefined }>;
  /** Checks what could be wrong, and accepts a clock that sweeps doubt, if told so. @throws {BackupRefused} */
  check(options: CheckOptions): Promise<CheckResult[]>;
}

/** The reason why nothing was done, in one sentence that may be shown to anybody. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}

/** About the served database. */
export const DAMAGED = "The database of DATABASE_URL is damaged, or not one of Hushkit.";
const FORBIDDEN = "The file or its folder cannot be read or written.";

/** SQLITE_ERROR and PostgreSQL's 42P01 and 42703 mean missing tables and columns. */
const UNSOUND = /^(SQLITE_NOTADB|SQLITE_CORRUPT|SQLITE_ERROR|42P01|42703)/;
const NO_ROOM = /^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)/;
/** By error codes of the system and of SQLite. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [NO_ROOM, "There is not enough room on the disk."],
  [/^(ENOENT|ENOTDIR)/, "There is no such file or folder."],
  [/^ENAMETOOLONG/, "The path, or a name in it, is too long."],
  [/^ELOOP/, "Links in the path lead in a circle."],
  [/^(EMFILE|ENFILE)/, "Too many files are open; allow more (ulimit -n)."],
  [/^EISDIR/, "This is not a file, but a folder or a device."],
  [/^EEXIST/, "The file exists already, and a backup overwrites nothing."],
  [/^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_IOERR_LOCK)/, FORBIDDEN],
  // A server that is running keeps nobody out for so long.
  [/^SQLITE_BUSY/, "Another process keeps the file locked; end it, or try again later."],
  [/^(EIO|SQLITE_IOERR)/, "The disk is full, or fails."],
];

/** The error that SQLite would report for such a file after reading all of it. */
export function unsound(): Error {
  return Object.assign(new Error("The database is not sound."), { code: "SQLITE_CORRUPT" });
}

/**
 * Runs work, and replaces an error of the system or the database by a sentence that begins with the file, where one is
 * known; `damaged` is the one for a damaged database.
 */
export async function explainRefusals<T>(damaged: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = readCode(error);
    const reason = isUnsound(error) ? damaged : REASONS.find(([codes]) => codes.test(code))?.[1];
    throw reason === undefined ? error : new BackupRefused(nameFile(error) + reason, { cause: error });
  }
}

/** More would hide the sentence. */
const LONGEST_SHOWN = 200;

/** A new file that is not complete has a name of its own until then. */
const PART = /\.[0-9a-f]{8}\.part$/;

// A disk or folder can be that of the database or that of the backup. A copy names both, and it is the new file that
// finds no room.
function nameFile(error: unknown): string {
  if (isUnsound(error) || !(error instanceof Error && "path" in error)) return "";
  const path = NO_ROOM.test(readCode(error)) && "dest" in error ? error.dest : error.path;
  const shown = String(path).replace(PART, "");
  return `${shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown}: `;
}

/** Adds the file to an error of SQLite, which names none. */
export async function nameFileIn<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error && "code" in error && !("path" in error)
      ? Object.assign(error, { path })
      : error;
  }
}

export function isUnsound(error: unknown): boolean {
  return UNSOUND.test(readCode(error));
}

/** SQLite opens a file that it may not write to, and reports that when it is read. */
export function isForbidden(error: unknown): boolean {
  return /^SQLITE_(READONLY|CANTOPEN)/.test(readCode(error));
}
