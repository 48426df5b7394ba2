import { mkdir, readdir, readlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { CliError, codeOf, usageError } from "../exit.ts";
import { type Io, warn } from "../terminal/io.ts";
import { type Dirent, lstatSync, statSync } from "node:fs";
import { utf8, type Bytes } from "../../wire/bytes.ts";
import { inputName, readInput } from "./input.ts";

/** Stands for a missing file or folder, as in patches. */
export const NOWHERE = "/dev/null";

/** What is in a folder and below it. */
interface Folder {
  /** Regular files as paths relative to the working directory, sorted by their bytes, as `LC_ALL=C sort` does. */
  readonly files: readonly string[];
  /** Links, which are not followed, and everything that is not a file, such as sockets. */
  readonly others: readonly string[];
  /** Folders in it that cannot be read. */
  readonly unread: readonly string[];
}

export function isFolder(io: Io, path: string): boolean {
  try {
    // At once: lists name thousands, and a turn of the loop takes longer.
    return statSync(resolve(io.cwd, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/**
 * Makes a folder, and those that lead to it; returns whether it was missing. One by one: below /proc, Node 24 never
 * returns from a recursive `mkdir`.
 */
export async function makeFolders(path: string, mode?: number): Promise<boolean> {
  const failure = await tryMaking(path, mode);
  if (codeOf(failure) !== "ENOENT" || dirname(path) === path) return isMade(path, failure);
  await makeFolders(dirname(path), mode);
  return isMade(path, await tryMaking(path, mode));
}

function tryMaking(path: string, mode: number | undefined): Promise<unknown> {
  return mkdir(path, { mode }).catch((error: unknown) => error);
}

function isMade(path: string, failure: unknown): boolean {
  const isThere = codeOf(failure) === "EEXIST" && statSync(path).isDirectory();
  if (failure !== undefined && !isThere) throw failure;
  return !isThere;
}

/** Lists all that is below a folder. */
export async function listFolder(io: Io, path: string): Promise<Folder> {
  const [files, others, unread]: [string[], string[], string[]] = [[], [], []];
  const folders = [path];
  for (const folder of folders) {
    const entries = await tryFolder(io, folder);
    if (!entries) unread.push(folder);
    for (const entry of entries ?? []) {
      const inside = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(inside);
      else (entry.isFile() ? files : others).push(inside);
    }
  }
  return { files: files.toSorted(byBytes), others: others.toSorted(byBytes), unread };
}

function tryFolder(io: Io, path: string) {
  return readdir(resolve(io.cwd, path), { withFileTypes: true }).catch(() => undefined);
}

/** @throws CliError usage where it cannot be read */
async function readFolder(io: Io, path: string) {
  const entries = await tryFolder(io, path);
  if (entries) return entries;
  throw unreadFolder(path);
}

export function unreadFolder(path: string): CliError {
  return usageError(`${inputName(path)}: this folder cannot be read.`);
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Whether a path lies below a folder; both are absolute. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A file below a folder, or a symbolic link, whose content is its target: links are not followed, as in git. */
export interface FolderEntry {
  readonly mode: "100644" | "100755" | "120000";
  readonly read: () => Promise<Bytes>;
}

const OWNER_MAY_RUN = 0o100;

/** All files and links below a folder, by their path in it; none for `/dev/null`. */
export async function listEntries(io: Io, folder: string): Promise<Map<string, FolderEntry>> {
  const entries = new Map<string, FolderEntry>();
  if (folder !== NOWHERE) await addEntries(io, { folder, within: "", entries });
  return entries;
}

/** `within` ends with a slash; it is empty for the folder itself. */
async function addEntries(
  io: Io,
  { folder, within, entries }: { folder: string; within: string; entries: Map<string, FolderEntry> },
): Promise<void> {
  for (const dirent of await readFolder(io, join(folder, within))) {
    const path = within + dirent.name;
    if (dirent.isDirectory()) await addEntries(io, { folder, within: `${path}/`, entries });
    else await addEntry(io, { path, from: `${folder}/${path}`, dirent, entries });
  }
}

async function addEntry(
  io: Io,
  of: { path: string; from: string; dirent: Dirent; entries: Map<string, FolderEntry> },
): Promise<void> {
  const { path, from, dirent, entries } = of;
  const place = resolve(io.cwd, from);
  if (dirent.isSymbolicLink()) {
    entries.set(path, { mode: "120000", read: async () => utf8(await readlink(place)) });
  } else if (dirent.isFile()) {
    const isProgram = (lstatSync(place).mode & OWNER_MAY_RUN) !== 0;
    entries.set(path, { mode: isProgram ? "100755" : "100644", read: () => readInput(io, from) });
  } else await warn(io, [`${inputName(from)}: left out, since this is neither a file nor a folder.`]);
}
