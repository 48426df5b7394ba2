import { existsSync, statSync } from "node:fs";
import SqliteFile from "better-sqlite3";
import { DatabaseUnavailable } from "./unavailable.ts";

/** Opens a file, or `:memory:`; reads nothing of it yet. @throws {DatabaseUnavailable} */
export function openSqlite(path: string, options: SqliteFile.Options): SqliteFile.Database {
  try {
    // SQLite says the same of a folder as of a file that it may not read.
    if (existsSync(path) && statSync(path).isDirectory())
      throw Object.assign(new Error("A folder."), { code: "EISDIR" });
    return new SqliteFile(path, options);
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}
