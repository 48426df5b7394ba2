import type { Dirent } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { utf8, type Bytes } from "../../wire/bytes.ts";
import { warn, type Io } from "../terminal/io.ts";
import { NOWHERE, readFolder } from "./folder.ts";
import { inputName, readInput } from "./input.ts";

/** A file below a folder, or a symbolic link, whose content is its target: none is followed, as in git. */
export interface FolderEntry {
  readonly mode: "100644" | "100755" | "120000";
  readonly read: () => Promise<Bytes>;
}

const OWNER_MAY_RUN = 0o100;

/** All files and links below a folder, by their path in it; none below `/dev/null`. */
export async function listEntries(io: Io, folder: string): Promise<Map<string, FolderEntry>> {
  const entries = new Map<string, FolderEntry>();
  if (folder !== NOWHERE) await addEntries(io, { folder, within: "", entries });
  return entries;
}

interface ListedFolder {
  readonly folder: string;
  /** With a slash at its end; empty for the folder itself. */
  readonly within: string;
  readonly entries: Map<string, FolderEntry>;
}

async function addEntries(io: Io, { folder, within, entries }: ListedFolder): Promise<void> {
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
    const isProgram = ((await lstat(place)).mode & OWNER_MAY_RUN) !== 0;
    entries.set(path, { mode: isProgram ? "100755" : "100644", read: () => readInput(io, from) });
  } else await warn(io, [`${inputName(from)}: left out, since this is neither a file nor a folder.`]);
}
