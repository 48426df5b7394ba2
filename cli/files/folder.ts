import { readdir, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { CliError, EXIT } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { inputName } from "./input.ts";

/** In place of a file or a folder that is not there, as in patches. */
export const NOWHERE = "/dev/null";

/** What is in a folder, and below it. */
export interface Folder {
  /** Regular files as paths from where the command runs, sorted by their bytes, as `LC_ALL=C sort` does. */
  readonly files: readonly string[];
  /** Links, which are not followed, and what is no file, such as a socket. */
  readonly others: readonly string[];
}

export async function isFolder(io: Io, path: string): Promise<boolean> {
  const found = await stat(resolve(io.cwd, path)).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

/** All that is below a folder. @throws CliError usage where one cannot be read */
export async function listFolder(io: Io, path: string): Promise<Folder> {
  const [files, others]: [string[], string[]] = [[], []];
  const folders = [path];
  for (const folder of folders) {
    for (const entry of await readFolder(io, folder)) {
      const inside = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(inside);
      else (entry.isFile() ? files : others).push(inside);
    }
  }
  return { files: files.toSorted(byBytes), others: others.toSorted(byBytes) };
}

/** @throws CliError usage where it cannot be read */
export async function readFolder(io: Io, path: string) {
  try {
    return await readdir(resolve(io.cwd, path), { withFileTypes: true });
  } catch {
    throw new CliError(EXIT.usage, `${inputName(path)}: this folder cannot be read.`);
  }
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Whether a path leads into a folder; both from where the command runs. */
export function isInside(io: Io, { path, folder }: { path: string; folder: string }): boolean {
  const way = relative(resolve(io.cwd, folder), resolve(io.cwd, path));
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(way) !== way;
}
