// File operations of backups.
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";

/** Of a SQLite file: its write-ahead log, the index of that, and the rollback journal. */
const COMPANIONS = ["-wal", "-shm", "-journal"];

/** Runs work on a new file beside another, readable for its owner only, and deletes what is left of it afterwards. */
export async function withFileBeside<T>(file: string, work: (part: string) => Promise<T>): Promise<T> {
  const part = `${file}.${crypto.randomUUID().slice(0, 8)}.part`;
  closeSync(openSync(part, "wx", 0o600));
  try {
    return await work(part);
  } finally {
    for (const suffix of ["", ...COMPANIONS]) rmSync(part + suffix, { force: true });
  }
}

/**
 * Where a symbolic link leads, to a file that may not be there yet; any other path as it is. A file that takes the place
 * of a link would be on another disk than the one that was chosen.
 */
export function followLink(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  return existsSync(path) ? realpathSync(path) : resolve(dirname(path), readlinkSync(path));
}

/** Copies a file over another, which stays readable for its owner only. */
export function copyInto(file: string, part: string): void {
  // Each runtime reports another code where this is not a file.
  if (!statSync(file).isFile()) throw Object.assign(new Error("No file."), { code: "EISDIR", path: file });
  copyFileSync(file, part);
  chmodSync(part, 0o600);
}

/** Gives a file the owner of another. */
export function giveOwner(part: string, file: string): void {
  const { uid, gid } = statSync(file);
  if (statSync(part).uid !== uid) chownSync(part, uid, gid);
}

/** Syncs a file to the disk. */
export function sync(file: string): void {
  const opened = openSync(file, "r+");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Syncs the names in a folder to the disk; not every system can. */
function syncFolderOf(file: string): void {
  try {
    const opened = openSync(dirname(file), "r");
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch {
    // Windows cannot open folders.
  }
}

/** Gives a file its name, unless that is taken. */
export function publish(part: string, file: string): void {
  sync(part);
  giveName(part, file);
  syncFolderOf(file);
}

/**
 * Adds another name to a file, never one that is taken. Some file systems have no second names: there it is copied, and
 * reading a file gives up its locks. A server that comes in between acknowledges nothing once its file has been
 * replaced.
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
 * Replaces a database by a new one, which has no companion files and needs none. Killed at any point, this leaves the
 * old or the new one under the name, and the old one under its other name once it has left the first. After an error
 * everything is as it was.
 */
export function replace(path: string, { by, aside }: { by: string; aside: string }): void {
  const undo: (() => void)[] = [];
  try {
    // First, because beside another database SQLite would write them into that.
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
