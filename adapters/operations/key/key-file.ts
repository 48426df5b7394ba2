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
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { encodeBase64 } from "../../../wire/base64.ts";
import { readInstanceKey } from "../../config/instance-values.ts";
import process from "node:process";

type Bytes = Uint8Array<ArrayBuffer>;

/** Why an instance is not served with its key, in one sentence that has no key in it. */
export class KeyRefused extends Error {
  override readonly name = "KeyRefused";
}

/** The key in a file; undefined where there is no file. @throws KeyRefused for a file that is not its owner's alone, or not whole */
export function readKeyFile(file: string): Bytes | undefined {
  const opened = openKeyFile(file);
  if (opened === undefined) return undefined;
  try {
    refuseOthers(file, fstatSync(opened).mode);
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

function refuseOthers(file: string, mode: number): void {
  const fault = tellOpenToOthers(file, mode);
  if (fault !== undefined) throw new KeyRefused(`The key file ${file} ${fault}`);
}

/**
 * Puts a key into a file, unless another process has just put one there; answers which one it has. The file gets its
 * name when all of it is on the disk. @throws KeyRefused
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
 * Puts the key of one file in the place of another, whose key stays beside; answers where. Killed at any point this
 * leaves the old key or the new one under the name.
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

// Some file systems know no second names. Whoever reads a copy before all of it is there ends with a sentence.
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

// The server may run as somebody else than whoever administers.
function giveOwner(part: string, file: string): void {
  const { uid, gid } = statSync(file);
  if (statSync(part).uid !== uid) chownSync(part, uid, gid);
}

// Brings the names of a folder to the disk. Windows opens no folders, and not every file system can.
function syncFolderOf(file: string): void {
  try {
    const opened = openSync(dirname(file), "r");
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch {
    // The name comes to the disk a little later.
  }
}

function unreadable(file: string, error: unknown): KeyRefused {
  return new KeyRefused(`The key file ${file} cannot be read (${codeOf(error)}).`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}

/**
 * What is wrong with the mode of a file that holds a secret, behind its name in a sentence; undefined where it is its
 * owner's alone.
 */
export function tellOpenToOthers(file: string, mode: number): string | undefined {
  // Windows has no such modes.
  if (process.platform === "win32" || (mode & 0o077) === 0) return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  return `is open to others (its mode is ${shown}); mend that with: chmod 600 ${quoted(file)}`;
}

// A shell takes what is between these as it stands.
function quoted(file: string): string {
  return /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", String.raw`'\''`)}'`;
}
