/**
 * The database cannot answer now: the connection is lost or refused, or another process has locked it.
 * Worth trying again later; nothing has to be restarted for it. Whether a write that was under way has
 * happened is not known.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super("The database cannot be reached now.", { cause });
    this.name = "DatabaseUnavailable";
  }
}
