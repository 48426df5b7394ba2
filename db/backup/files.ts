// Files of backups.
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";

/** Of a SQLite file: what is not written back yet, the index of that, and what a transaction has begun to change. */
const COMPANIONS = ["-wal", "-shm", "-journal"];

/** Runs work on a new file beside another, for the owner only; whatever is left of it afterwards is deleted. */
export async function withFileBeside<T>(file: string, work: (part: string) => Promise<T>): Promise<T> {
  const part = `${file}.${crypto.randomUUID().slice(0, 8)}.part`;
  closeSync(openSync(part, "wx", 0o600));
  try {
    return await work(part);
  } finally {
    for (const suffix of ["", ...COMPANIONS]) rmSync(part + suffix, { force: true });
  }
}

/** Copies a file over another that is for the owner only, and stays so. */
export function copyInto(file: string, part: string): void {
  // Each runtime has another code for what is no file.
  if (!statSync(file).isFile()) throw Object.assign(new Error("No file."), { code: "EISDIR" });
  copyFileSync(file, part);
  chmodSync(part, 0o600);
}

/** Makes a file belong to whom another belongs to. */
export function giveOwner(part: string, file: string): void {
  const { uid, gid } = statSync(file);
  if (statSync(part).uid !== uid) chownSync(part, uid, gid);
}

/** Brings a file to the disk. */
export function sync(file: string): void {
  const opened = openSync(file, "r+");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Brings the names of a folder to the disk; not every system can. */
function syncFolderOf(file: string): void {
  try {
    const opened = openSync(dirname(file), "r");
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch {
    // Windows opens no folders.
  }
}

/** Gives a file its name, unless something else has it. */
export function publish(part: string, file: string): void {
  sync(part);
  giveName(part, file);
  syncFolderOf(file);
}

/**
 * Another name for a file, never one that is taken. Some file systems know no second names: a copy then, and reading
 * it gives up the locks on it. A server that comes between acknowledges nothing once its file is another one.
 */
function giveName(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch {
    copyFileSync(file, name, constants.COPYFILE_EXCL);
    sync(name);
  }
}

/**
 * Puts a new database in the place of one that has no companions to it, or is not whole without them. Killed at any
 * point this leaves the old one or the new one under the name, and the old one under the other name once it is gone
 * from there. After an error everything is as it was.
 */
export function replace(path: string, { by, aside }: { by: string; aside: string }): void {
  const undo: (() => void)[] = [];
  try {
    // First, because beside another database they would be written into that.
    for (const suffix of COMPANIONS.filter((each) => existsSync(path + each))) {
      renameSync(path + suffix, aside + suffix);
      undo.unshift(() => renameSync(aside + suffix, path + suffix));
    }
    if (existsSync(path)) {
      giveName(path, aside);
      undo.unshift(() => rmSync(aside));
    }
    syncFolderOf(path);
    renameSync(by, path);
  } catch (error) {
    for (const step of undo) step();
    throw error;
  }
  syncFolderOf(path);
}
