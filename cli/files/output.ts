import { open, realpath, stat, statfs, rmdir } from "node:fs/promises";
import { dirname, extname, join, resolve, basename, sep } from "node:path";
import type { Bytes } from "../../wire/bytes.ts";
import { CliError, codeOf, usageError } from "../exit.ts";
import { print, type Io } from "../terminal/io.ts";
import { startDraft, type WritePieces } from "./draft.ts";
import { STANDARD } from "./input.ts";
import { isFolder, makeFolders } from "./folder.ts";

interface OutputOptions {
  /** Whether an existing file may be replaced. */
  readonly force?: boolean | undefined;
  /** Readable for its owner only, and on the disk before it counts as written. */
  readonly isPrivate?: boolean;
  /** The size, where it is known: the disk must have room for it. */
  readonly sizeBytes?: number | undefined;
  /** Text may go to a terminal, the bytes of a file may not. */
  readonly isText?: boolean | undefined;
}

/** An output that in the end is complete, or is not there at all. */
interface WholeOutput {
  readonly write: WritePieces;
  readonly finish: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

/** Writes all of it, or leaves nothing behind. */
export async function writeOutput(
  io: Io,
  { path, bytes, ...options }: OutputOptions & { path: string; bytes: Bytes | AsyncIterable<Bytes> },
): Promise<void> {
  await fillOutput(await startOutput(io, { path, ...options }), async (write) => {
    for await (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) await write(piece);
  });
}

/** Finishes an output when the work is done, and drops it where that fails. */
export async function fillOutput<Result>(
  { write, finish, drop }: WholeOutput,
  work: (write: WritePieces) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work(write);
    await finish();
    return result;
  } catch (error) {
    await drop();
    throw error;
  }
}

/**
 * Checks that a result can be written before the work begins: a secret can be read only once.
 * @throws CliError usage where the file exists, cannot be made, or does not fit
 */
export async function startOutput(
  io: Io,
  { path, ...options }: OutputOptions & { path: string },
): Promise<WholeOutput> {
  if (path === STANDARD) return toStandardOutput(io, options);
  const absolute = resolve(io.cwd, path);
  await io.checkPlace?.(absolute, "write");
  const target = await findTarget(absolute, path, options.force);
  if (target.isDevice) return toDevice(target.path);
  return writeBeside(io, target.path, { shown: path, ...options }).catch((error: unknown) =>
    refuse(path, error),
  );
}

/** Whether a result at this path is a draft until it is complete, so that nobody sees a part of it. */
export async function isDrafted(io: Io, path: string): Promise<boolean> {
  return path !== STANDARD && !(await findTarget(resolve(io.cwd, path), path, true)).isDevice;
}

/** @throws CliError usage where a file exists that must not be replaced */
export async function checkOutput(
  io: Io,
  { path, force, isText }: Pick<OutputOptions, "force" | "isText"> & { path: string },
) {
  if (path === STANDARD) toStandardOutput(io, { isText });
  else await findTarget(resolve(io.cwd, path), path, force);
}

function toStandardOutput(io: Io, { isText = false }: OutputOptions): WholeOutput {
  if (io.stdout.isTerminal && !isText) {
    throw usageError("The result is a file, which a terminal cannot show; name a file for it with -o FILE.");
  }
  const writeOne = (bytes: Bytes) => (io.stdout.isTerminal ? print(io, bytes) : io.stdout.write(bytes));
  return { write: oneByOne(writeOne), finish: async () => {}, drop: async () => {} };
}

// A device or a pipe is written to and never replaced.
async function findTarget(
  absolute: string,
  path: string,
  force: boolean | undefined,
): Promise<{ path: string; isDevice: boolean }> {
  const found = await stat(absolute).catch(() => undefined);
  if (!found && !/[/\\]$/.test(path)) return { path: absolute, isDevice: false };
  if (!found || found.isDirectory()) throw usageError(`${path}: this is a folder.`);
  if (!found.isFile()) return { path: absolute, isDevice: true };
  if (!force) throw alreadyThere(path);
  // A symbolic link stays, and its target is replaced.
  return { path: await realpath(absolute), isDevice: false };
}

async function toDevice(path: string): Promise<WholeOutput> {
  const file = await open(path, "w");
  const end = () => file.close();
  return { write: oneByOne((bytes) => file.writeFile(bytes)), finish: end, drop: end };
}

function oneByOne(write: (bytes: Bytes) => Promise<void>): WritePieces {
  return async (...pieces) => {
    for (const piece of pieces) await write(piece);
  };
}

async function writeBeside(
  io: Io,
  path: string,
  { shown, force, isPrivate, sizeBytes }: OutputOptions & { shown: string },
): Promise<WholeOutput> {
  await checkRoom(dirname(path), { shown, sizeBytes });
  // What replaces a file is open to nobody from whom that file was kept.
  const found = force ? await stat(path).catch(() => undefined) : undefined;
  const { write, publish, drop } = await startDraft(path, { isPrivate, mode: found?.mode });
  const finish = async () => {
    await io.checkPlace?.(path, "write");
    await publish(path, { force }).catch((error: unknown) => refuse(shown, error));
  };
  return { write, finish, drop };
}

/** An output whose name is known only at the end. */
export interface NamelessOutput {
  readonly write: WritePieces;
  /** Gives it this name, or the next free one, because the content cannot be fetched again. Returns its path. */
  readonly finish: (name: string) => Promise<string>;
  readonly drop: () => Promise<void>;
}

/**
 * Begins a file that only its owner can read, in an existing folder ("" for the working directory).
 * @throws CliError usage where none can be made, or it does not fit
 */
export async function startNameless(
  io: Io,
  { folder, force, sizeBytes }: Pick<OutputOptions, "force" | "sizeBytes"> & { folder: string },
): Promise<NamelessOutput> {
  const shown = folder || "This folder";
  await io.checkPlace?.(resolve(io.cwd, folder, "hushkit"), "write");
  await checkRoom(resolve(io.cwd, folder), { shown, sizeBytes });
  const { write, publish, drop } = await startDraft(resolve(io.cwd, folder, "hushkit"), {
    isPrivate: true,
  }).catch((error: unknown) => refuse(shown, error));
  const finish = (name: string) =>
    giveFreeName(io, { path: join(folder, name), force, give: (path) => publish(path, { force }) });
  return { write, finish, drop };
}

/** Tries names until one is free, and returns it; with `force` the first one, unless a folder has it. */
export async function giveFreeName(
  io: Io,
  of: { path: string; force: boolean | undefined; give: (path: string) => Promise<void> },
): Promise<string> {
  for await (const free of freeNames(of.path)) {
    const path = resolve(io.cwd, free);
    const found = await stat(path).catch(() => undefined);
    if (found && !(of.force && found.isFile())) continue;
    const error = await of.give(path).catch((reason: unknown) => reason);
    if (error === undefined) return free;
    if (codeOf(error) !== "EEXIST") refuse(free, error);
  }
  throw alreadyThere(of.path);
}

// Others may fill the disk meanwhile. Where the system does not say how much is free, the write just begins.
async function checkRoom(
  folder: string,
  { shown, sizeBytes = 0 }: { shown: string; sizeBytes: number | undefined },
): Promise<void> {
  const disk = await statfs(folder).catch(() => undefined);
  if (!disk || disk.bavail * disk.bsize >= sizeBytes) return;
  throw usageError(`${shown}: the disk has no room for ${sizeBytes} bytes.`);
}

const MOST_NAMES = 1000;

async function* freeNames(path: string): AsyncGenerator<string, void> {
  yield path;
  const { addToStem } = await import("../../tools/file/file-name.ts");
  for (let i = 1; i < MOST_NAMES; i++) yield join(dirname(path), addToStem(basename(path), `-${i}`));
}

export function refuse(path: string, error: unknown): never {
  const code = codeOf(error);
  if (error instanceof CliError) throw error;
  if (code === "EEXIST") throw alreadyThere(path);
  const reason = { ENOENT: "there is no such folder", EACCES: "you may not write there" }[code];
  throw usageError(`${path}: ${reason ?? `it cannot be written (${code})`}.`);
}

function alreadyThere(path: string): CliError {
  return usageError(`${path}: there is a file of this name already; --force replaces it.`);
}

/** Whether -o names a folder: an existing one, or a new one by the slash at its end. */
export function namesFolder(io: Io, output: string): boolean {
  return output.endsWith("/") || output.endsWith(sep) || isFolder(io, output);
}

/** Makes a folder where there is none. If it is still empty when the command is over, it is removed. */
export async function makeFolder(io: Io, path: string, mode?: number): Promise<void> {
  const absolute = resolve(io.cwd, path);
  const isMade = await makeFolders(absolute, mode).catch((error: unknown) => refuse(path, error));
  if (isMade) (io.atEnd ??= []).push(() => rmdir(absolute).catch(() => {}));
}

/** Where a result goes: to -o, into the folder that -o names, or beside its input. */
export async function resultPath(io: Io, output: string | undefined, beside: string): Promise<string> {
  if (output === undefined) return beside;
  // Standard input has no name that the result could take in the folder.
  if (beside === STANDARD || !namesFolder(io, output)) return output;
  await makeFolder(io, output);
  return join(output, basename(beside));
}

/** Whether no result can be called after an input, as it is a pipe or a descriptor, such as that of `<(command)`. */
export function isNameless(input: string): boolean {
  return input === STANDARD || /^\/(?:dev\/(?:stdin$|fd\/)|proc\/[^/]+\/fd\/)/.test(input);
}

/**
 * The path of a result without -o, beside the input: `scan.pdf` with "-rotated" becomes `scan-rotated.pdf`. The rest of
 * the name is not cleaned, because this disk holds a file of that name already.
 */
export function besideInput(
  input: string,
  { suffix = "", extension }: { suffix?: string; extension: string },
) {
  if (isNameless(input)) return STANDARD;
  const stem = basename(input, extname(input));
  return join(dirname(input), `${stem}${suffix}.${extension}`);
}
