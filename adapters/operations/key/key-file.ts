import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  type Stats,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { encodeBase64 } from "../../../wire/base64.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { readInstanceKey } from "../../config/instance-values.ts";
import process from "node:process";

/** Why an instance is not served with its key, in one sentence without the key. */
export class KeyRefused extends Error {
  override readonly name = "KeyRefused";
}

/**
 * The key in a file; undefined where there is no file.
 * @throws KeyRefused for a file that others can read, or that is incomplete
 */
export function readKeyFile(file: string): Bytes | undefined {
  const opened = openKeyFile(file);
  if (opened === undefined) return undefined;
  try {
    const fault = formatUnfit(file, fstatSync(opened));
    if (fault !== undefined) throw new KeyRefused(`The key file ${file} ${fault}`);
    const key = readInstanceKey(readFileSync(opened, "utf8").trim());
    if (key) return key;
  } catch (error) {
    throw error instanceof KeyRefused ? error : unreadable(file, error);
  } finally {
    closeSync(opened);
  }
  throw new KeyRefused(`The key file ${file} must hold 32 bytes in base64; put the whole file back.`);
}

function openKeyFile(file: string): number | undefined {
  try {
    return openSync(file, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw unreadable(file, error);
  }
}

/**
 * Writes a key to a file, unless another process has just done so; returns the key in the file. The file gets its name
 * once all of it is on the disk.
 * @throws KeyRefused
 */
export function makeKeyFile(file: string, fresh: Bytes): Bytes {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const part = `${file}.${crypto.randomUUID().slice(0, 8)}.part`;
    try {
      write(part, fresh);
      giveName(part, file);
    } finally {
      rmSync(part, { force: true });
    }
    syncFolderOf(file);
  } catch (error) {
    throw new KeyRefused(
      `The key file ${file} cannot be made (${codeOf(error)}); make its folder writable, or set INSTANCE_KEY.`,
    );
  }
  const key = readKeyFile(file);
  if (key) return key;
  throw new KeyRefused(`The key file ${file} has just been taken away.`);
}

/**
 * Replaces the key in a file by that of another file, and keeps the old one beside it; returns where. Killed at any
 * point, this leaves the old or the new key under the name.
 */
export function replaceKeyFile(
  file: string,
  { by, aside }: { by: string; aside: string },
): string | undefined {
  const isThere = readKeyFile(file) !== undefined;
  if (isThere) {
    giveName(file, aside);
    giveOwner(by, file);
  }
  renameSync(by, file);
  syncFolderOf(file);
  return isThere ? aside : undefined;
}

function write(part: string, key: Bytes): void {
  const opened = openSync(part, "wx", 0o600);
  try {
    writeSync(opened, `${encodeBase64(key)}\n`);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

// Some file systems have no second names. A reader of an incomplete copy stops with an error.
function giveName(part: string, name: string): void {
  try {
    linkSync(part, name);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    try {
      copyFileSync(part, name, constants.COPYFILE_EXCL);
      chmodSync(name, 0o600);
    } catch (second) {
      if (codeOf(second) !== "EEXIST") throw second;
    }
  }
}

// The server may run as another user than the administrator.
function giveOwner(part: string, file: string): void {
  const { uid, gid } = statSync(file);
  if (statSync(part).uid !== uid) chownSync(part, uid, gid);
}

// Syncs the names in a folder to the disk. Windows cannot open folders, and not every file system can sync them.
function syncFolderOf(file: string): void {
  try {
    const opened = openSync(dirname(file), "r");
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch {
    // The name reaches the disk a little later.
  }
}

function unreadable(file: string, error: unknown): KeyRefused {
  return new KeyRefused(`The key file ${file} cannot be read (${codeOf(error)}).`);
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

/**
 * What is wrong with a file that contains a secret, to follow its name in a sentence; undefined where only its owner can
 * read it.
 */
export function formatUnfit(file: string, stats: Stats): string | undefined {
  // Whoever changed its mode as that of a file would keep everybody out of all that is in it.
  if (stats.isDirectory()) return "is a folder; name a file in it.";
  const { mode } = stats;
  // Windows has no such modes.
  if (process.platform === "win32" || (mode & 0o077) === 0) return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  return `is open to others (its mode is ${shown}); mend that with: chmod 600 ${quoted(file)}`;
}

// A shell takes what is between these quotes literally.
function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`;
}
