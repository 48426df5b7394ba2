import { existsSync, statSync } from "node:fs";
import SqliteFile from "better-sqlite3";
import { Acting } from "../outbox/actor.ts";
import { DatabaseUnavailable } from "./unavailable.ts";

/**
 * Every connection to a file begins here, whatever it is for: triggers ask each of them who acts (db/outbox/actor.ts), and
 * a connection that does not know the question can write nothing that they hear of. Here the answer is: nobody.
 */
export function connectSqlite(path: string | Buffer, options: SqliteFile.Options): SqliteFile.Database {
  const file = new SqliteFile(path, options);
  new Acting().answer(file);
  return file;
}

/** Opens a file, `:memory:`, or the bytes of one in memory; reads nothing of it yet. @throws {DatabaseUnavailable} */
export function openSqlite(path: string | Buffer, options: SqliteFile.Options): SqliteFile.Database {
  try {
    // SQLite says the same of a folder as of a file that it may not read.
    if (typeof path === "string" && existsSync(path) && statSync(path).isDirectory())
      throw Object.assign(new Error("A folder."), { code: "EISDIR" });
    return connectSqlite(path, options);
  } catch (error) {
    throw new DatabaseUnavailable(error);
  }
}
