/**
 * The database cannot answer now: the connection is lost or refused, or another process keeps it locked.
 * Worth trying again later; nothing has to be restarted for it. Whether a write that was under way has
 * happened is not known.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super("The database cannot be reached at the moment.", { cause });
    this.name = "DatabaseUnavailable";
  }
}
