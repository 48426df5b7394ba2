/**
 * The database cannot answer now: the connection is lost or refused, or another process has locked it. It can be tried
 * again later without a restart. Whether a write that was under way has happened is unknown.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super("The database cannot be reached now.", { cause });
    this.name = "DatabaseUnavailable";
  }
}

/** Why this version will never open a database. */
type DatabaseRefusedCode = `database_${"newer" | "foreign" | "altered" | "unfinished" | "url" | "limits"}`;

/** The message continues "cannot be opened:", says what to do, and shows nothing of the URL. */
export class DatabaseRefused extends Error {
  override readonly name = "DatabaseRefused";
  readonly code: DatabaseRefusedCode;

  constructor(code: DatabaseRefusedCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** What PgBouncer refuses, by its messages, and the settings of it that help. */
const POOLER: readonly (readonly [RegExp, string])[] = [
  [
    /^unsupported startup parameter/,
    "ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout",
  ],
  [/statement pooling mode/, "pool_mode = transaction"],
];

/** By error codes of the system and of SQLite. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /^SQLITE_NOTADB/,
    "the file is not one of SQLite, or its head is damaged; name another file, or restore a backup",
  ],
  [/^SQLITE_CORRUPT/, "the file is cut off or damaged; restore a backup"],
  [/^EISDIR/, "it is a folder; name a file in it"],
  [/^ENAMETOOLONG/, "its path, or a name in it, is too long"],
  [/^ELOOP/, "links in its path lead in a circle"],
  [/^(EMFILE|ENFILE)/, "too many files are open; allow more (ulimit -n)"],
  [/^(ENOENT|ENOTDIR|EEXIST)/, "its folder is not there and cannot be made"],
  [
    /^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN)/,
    "the file or its folder cannot be read and written",
  ],
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)/, "there is not enough room on the disk"],
  [/^(EIO|SQLITE_IOERR)/, "its disk is full, or fails"],
  [/^SQLITE_BUSY/, "another process keeps the file locked"],
  [/^55P03/, "another session keeps one of its tables locked; pg_blocking_pids tells which"],
];

/** Why a database could not be opened, in a sentence for its owner; undefined for other errors. */
export function formatUnopened(error: unknown): string | undefined {
  const reason = formatReason(error);
  return reason === undefined ? undefined : `The database of DATABASE_URL cannot be opened: ${reason}.`;
}

/** Why a database could not be opened, as the end of a sentence; undefined for other errors. */
export function formatReason(error: unknown): string | undefined {
  if (error instanceof DatabaseRefused) return error.message;
  // PostgreSQL's own message, for example about a wrong password.
  if (error instanceof Error && "severity" in error) return error.message;
  return error instanceof DatabaseUnavailable ? formatCause(error.cause) : undefined;
}

function formatCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = readCode(cause);
  const setting = POOLER.find(([said]) => said.test(cause.message))?.[1];
  if (setting !== undefined) return `${cause.message}; set in PgBouncer: ${setting}`;
  // Several addresses that all refuse cause an error without a message.
  return REASONS.find(([codes]) => codes.test(code))?.[1] ?? (cause.message || code || cause.name);
}

/** The code of an error of SQLite, PostgreSQL or the system; "" where it has none. */
export function readCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
