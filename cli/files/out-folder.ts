import { mkdir, rmdir } from "node:fs/promises";
import { basename, join, resolve, sep, dirname, extname } from "node:path";
import type { Io } from "../terminal/io.ts";
import { isFolder } from "./folder.ts";
import { refuse } from "./output.ts";
import { STANDARD } from "./input.ts";

/** Whether -o names a folder: one that exists, or by the slash at its end one that is to be made. */
export async function namesFolder(io: Io, output: string): Promise<boolean> {
  return output.endsWith("/") || output.endsWith(sep) || isFolder(io, output);
}

/** Makes a folder where there is none, and gives what takes it away again while it is empty. */
export async function makeFolder(io: Io, path: string): Promise<() => Promise<void>> {
  const absolute = resolve(io.cwd, path);
  const made = await mkdir(absolute, { recursive: true }).catch((error: unknown) => refuse(path, error));
  return async () => {
    if (made !== undefined) await rmdir(absolute).catch(() => {});
  };
}

/** Where a result goes: to -o, into the folder that it names, or beside its input as it would be called there. */
export async function resultPath(
  io: Io,
  { output, beside }: { output: string | undefined; beside: string },
): Promise<string> {
  if (output === undefined) return beside;
  // What comes from standard input has no name that it could have there.
  if (beside === STANDARD || !(await namesFolder(io, output))) return output;
  await makeFolder(io, output);
  return join(output, basename(beside));
}

/** The name of a result without -o: beside the input, `scan.pdf` with "-rotated" is `scan-rotated.pdf`. */
export function besideInput(
  input: string,
  { suffix = "", extension }: { suffix?: string; extension: string },
) {
  if (input === STANDARD) return STANDARD;
  const stem = basename(input, extname(input));
  return join(dirname(input), `${stem}${suffix}.${extension}`);
}
