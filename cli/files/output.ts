import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { link, open, realpath, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Bytes } from "../../wire/bytes.ts";
import { CliError, EXIT } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { STANDARD } from "./input.ts";

export interface OutputOptions {
  /** Whether a file that exists may be replaced. */
  readonly force?: boolean | undefined;
  /** For whoever owns it alone. */
  readonly isPrivate?: boolean;
  /** Text may go to a terminal, the bytes of a file may not. */
  readonly isText?: boolean;
}

/** Something to write to that is there as a whole in the end, or not at all. */
export interface Writing {
  readonly write: (bytes: Bytes) => Promise<void>;
  readonly finish: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

/** Writes all of it, or leaves nothing behind. */
export async function writeOutput(
  io: Io,
  { path, bytes, ...options }: OutputOptions & { path: string; bytes: Bytes | AsyncIterable<Bytes> },
): Promise<void> {
  const writing = await startOutput(io, { path, ...options });
  try {
    for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) await writing.write(piece);
    await writing.finish();
  } catch (error) {
    await writing.drop();
    throw error;
  }
}

/**
 * Makes sure that a result can be written, before the work is done: a secret that was read cannot be read again.
 * @throws CliError usage where there is a file already, or none can be made
 */
export async function startOutput(
  io: Io,
  { path, ...options }: OutputOptions & { path: string },
): Promise<Writing> {
  if (path === STANDARD) return toStandardOutput(io, options);
  const target = await findTarget(resolve(io.cwd, path), { path, force: options.force });
  if (target.isDevice) return toDevice(target.path);
  return writeBeside(target.path, { shown: path, ...options }).catch((error: unknown) => refuse(path, error));
}

/** @throws CliError usage where a file is there already that must not be replaced */
export async function checkOutput(io: Io, { path, force }: { path: string; force?: boolean | undefined }) {
  if (path === STANDARD) toStandardOutput(io, {});
  else await findTarget(resolve(io.cwd, path), { path, force });
}

function toStandardOutput({ stdout }: Io, { isText = false }: OutputOptions): Writing {
  if (stdout.isTerminal && !isText) {
    throw new CliError(EXIT.usage, "The result is a file and no text for a terminal; name one with -o FILE.");
  }
  return { write: (bytes) => stdout.write(bytes), finish: async () => {}, drop: async () => {} };
}

interface Target {
  readonly path: string;
  /** A device or a pipe, which is written to and never replaced. */
  readonly isDevice: boolean;
}

async function findTarget(
  absolute: string,
  { path, force }: { path: string; force: boolean | undefined },
): Promise<Target> {
  const found = await stat(absolute).catch(() => undefined);
  if (!found) return { path: absolute, isDevice: false };
  if (found.isDirectory()) throw new CliError(EXIT.usage, `${path}: this is a folder.`);
  if (!found.isFile()) return { path: absolute, isDevice: true };
  if (!force) throw alreadyThere(path);
  // A link stays, and what it leads to is replaced.
  return { path: await realpath(absolute), isDevice: false };
}

async function toDevice(path: string): Promise<Writing> {
  const file = await open(path, "w");
  const end = () => file.close();
  return { write: async (bytes) => void (await file.writeFile(bytes)), finish: end, drop: end };
}

interface Beside extends OutputOptions {
  /** The path as it was given. */
  readonly shown: string;
}

async function writeBeside(path: string, { shown, force, isPrivate }: Beside): Promise<Writing> {
  const draft = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID().slice(0, 8)}.part`);
  // Before there is anything to delete: a signal may come at once.
  const forget = dropOnSignal(draft);
  const file = await open(draft, "wx", isPrivate ? 0o600 : 0o666).catch((error: unknown) => {
    forget();
    throw error;
  });
  const drop = async () => {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    forget();
  };
  const finish = async () => {
    await file.close();
    await publish(draft, { path, force }).catch((error: unknown) => refuse(shown, error));
    forget();
  };
  return { write: (bytes) => writeAll(file, bytes), finish, drop };
}

// FileHandle.write may write a part only.
async function writeAll(file: FileHandle, bytes: Bytes): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten;
}

// A link fails where the name was taken meanwhile; a rename would replace what is there. Some file systems have
// no links.
async function publish(
  draft: string,
  { path, force }: { path: string; force: boolean | undefined },
): Promise<void> {
  if (force) return rename(draft, path);
  try {
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    return rename(draft, path);
  }
  await rm(draft);
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Deletes a draft when the program is ended from outside, and then ends it as it would have ended. */
function dropOnSignal(draft: string): () => void {
  const end = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true });
    forget();
    process.kill(process.pid, signal);
  };
  const forget = () => SIGNALS.forEach((signal) => process.off(signal, end));
  for (const signal of SIGNALS) process.on(signal, end);
  return forget;
}

function refuse(path: string, error: unknown): never {
  const code = codeOf(error);
  if (error instanceof CliError) throw error;
  if (code === "EEXIST") throw alreadyThere(path);
  const reason = { ENOENT: "there is no such folder", EACCES: "you may not write there" }[code];
  throw new CliError(EXIT.usage, `${path}: ${reason ?? `it cannot be written (${code})`}.`);
}

function alreadyThere(path: string): CliError {
  return new CliError(EXIT.usage, `${path}: there is a file of this name already; --force replaces it.`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
