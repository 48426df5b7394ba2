import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { AdminError } from "../../../router/administration.ts";
import { databaseUrl } from "../../config/values.ts";
import { tellOpenToOthers } from "../private-file.ts";

/**
 * The database that everything is copied to: its URL from a setting, or from a file that is its owner's alone. Neither
 * stands among the arguments of a program, which everybody on the machine can read.
 * @throws AdminError
 */
export function readMoveTarget({ url, file }: { url: string | undefined; file: string | undefined }): string {
  if (url !== undefined && file !== undefined)
    throw new AdminError(
      "MOVE_TO_DATABASE_URL and --to-file are both given; one of them names the other database.",
    );
  if (url !== undefined) return url;
  if (file !== undefined) return readUrlFile(file);
  throw new AdminError(
    "The other database is missing: set MOVE_TO_DATABASE_URL, or name a file that holds its URL with --to-file FILE.",
  );
}

function readUrlFile(file: string): string {
  const { data } = databaseUrl.schema.safeParse(readPrivate(file).trim());
  if (data) return data;
  throw new AdminError(`--to-file: ${file} must hold ${databaseUrl.legal}.`);
}

function readPrivate(file: string): string {
  let opened: number | undefined;
  try {
    opened = openSync(file, "r");
    const fault = tellOpenToOthers(file, fstatSync(opened).mode);
    if (fault !== undefined) throw new AdminError(`--to-file: ${file} ${fault}`);
    return readFileSync(opened, "utf8");
  } catch (error) {
    if (error instanceof AdminError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new AdminError(`--to-file: ${file} cannot be read (${code}).`);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
