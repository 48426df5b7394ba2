import { createReadStream, readFileSync, statSync } from "node:fs";
import { open, readFile, stat, type FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import { joinBytes, type Bytes } from "../../wire/bytes.ts";
import { showName } from "../../wire/escaped-name.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { CliError, codeOf, EXIT, isClosedPipe, usageError } from "../exit.ts";
import { type Io, tellFailure } from "../terminal/io.ts";

/** Means standard input or standard output. */
export const STANDARD = "-";

/** A Buffer as plain bytes: a Buffer's own `slice` returns views where the tools expect copies. */
export function plainBytes(buffer: Uint8Array): Bytes {
  // Streams and files of a process are never in shared memory.
  return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.length);
}

/** Bytes in memory as something that is read. */
export async function* once(bytes: Bytes): AsyncGenerator<Bytes, void> {
  yield bytes;
}

/** A whole file. @throws CliError usage where it cannot be read, limit where it is too long to be held */
export async function readInput(io: Io, path: string): Promise<Bytes> {
  const absolute = resolve(io.cwd, path);
  try {
    if (path !== STANDARD && !io.checkPlace) {
      const small = readSmall(absolute);
      if (small) return small;
      if (statSync(absolute).isFile()) return plainBytes(await readFile(absolute));
    }
  } catch (error) {
    refuseInput(path, error);
  }
  return joinBytes((await holdInput(io, path)).pieces);
}

const SMALL_BYTES = 2 ** 18;

/** A small file, at once: where there are thousands, turns of the loop would take longer than all else. */
function readSmall(path: string): Bytes | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  const isSmall = found?.isFile() && found.size > 0 && found.size <= SMALL_BYTES;
  return isSmall ? plainBytes(readFileSync(path)) : undefined;
}

/** A file piece by piece, which a reader may keep. @throws CliError usage where it cannot be read */
export async function* streamInput(io: Io, path: string): AsyncGenerator<Bytes> {
  if (path === STANDARD) return yield* io.stdin.read();
  const absolute = resolve(io.cwd, path);
  try {
    if (io.checkPlace) return yield* readPlaced(absolute, io.checkPlace);
    const small = readSmall(absolute);
    if (small) return yield small;
    for await (const piece of createReadStream(absolute, { highWaterMark: 1 << 18 })) {
      yield plainBytes(piece);
    }
  } catch (error) {
    refuseInput(path, error);
  }
}

/** Reads what is open, so that nothing can take its place after the check. */
async function* readPlaced(path: string, check: NonNullable<Io["checkPlace"]>): AsyncGenerator<Bytes, void> {
  const file = await open(path);
  try {
    await check(path, "read", await file.stat());
    for (;;) {
      const piece = await fill(file, new Uint8Array(1 << 18));
      if (piece.length === 0) return;
      yield piece;
    }
  } finally {
    await file.close();
  }
}

/** Read at a time: smaller pieces cost more turns of the loop than they save. */
const PASSED_BYTES = 2 ** 20;
const PASSED_PIECES = 3;

/**
 * A file piece by piece, for callers that keep none: one is read while another is worked on, and each is valid until the
 * next but one is asked for. None has a buffer of its own, and nothing of them is copied.
 * @throws CliError usage where it cannot be read
 */
export async function* passInput(io: Io, path: string): AsyncGenerator<Bytes, void> {
  if (path === STANDARD || io.checkPlace) return yield* streamInput(io, path);
  const absolute = resolve(io.cwd, path);
  try {
    const small = readSmall(absolute);
    if (small) return yield small;
    // A pipe gives what it has when it has it.
    const isFile = (await stat(absolute).catch(() => undefined))?.isFile();
    yield* isFile ? readAhead(await open(absolute)) : streamInput(io, path);
  } catch (error) {
    refuseInput(path, error);
  }
}

async function* readAhead(file: FileHandle): AsyncGenerator<Bytes, void> {
  const room = new Uint8Array(PASSED_PIECES * PASSED_BYTES);
  const read = (turn: number) => {
    const at = (turn % PASSED_PIECES) * PASSED_BYTES;
    const reading = fill(file, room.subarray(at, at + PASSED_BYTES));
    // A failure is thrown when its turn comes; without a handler until then, it would end the process.
    reading.catch(() => undefined);
    return reading;
  };
  let reading = read(0);
  try {
    for (let turn = 1; ; turn++) {
      const piece = await reading;
      if (piece.length === 0) return;
      reading = read(turn);
      yield piece;
    }
  } finally {
    await reading.catch(() => undefined);
    await file.close();
  }
}

/** Fills the place, but for the end of the file. */
async function fill(file: FileHandle, place: Bytes): Promise<Bytes> {
  for (let used = 0; used < place.length;) {
    const { bytesRead } = await file.read(place, used, place.length - used);
    if (bytesRead === 0) return place.subarray(0, used);
    used += bytesRead;
  }
  return place;
}

/** How much of an input that can be read only once is held in memory. */
const MAX_HELD_BYTES = 2 ** 30;

/**
 * An input that can be read several times from its beginning. Standard input and pipes are held in memory for that.
 * @throws CliError usage where it cannot be read, limit where it is too long to be held
 */
export async function repeatableInput(
  io: Io,
  path: string,
): Promise<{ readonly size: number; readonly read: () => AsyncIterable<Bytes> | Iterable<Bytes> }> {
  const found = path === STANDARD ? undefined : await stat(resolve(io.cwd, path)).catch(() => undefined);
  // Files of /proc have content although their size is 0.
  if (found?.isFile() && found.size > 0) return { size: found.size, read: () => streamInput(io, path) };
  const { size, pieces } = await holdInput(io, path);
  return { size, read: () => pieces };
}

async function holdInput(io: Io, path: string): Promise<{ size: number; pieces: Bytes[] }> {
  const pieces: Bytes[] = [];
  let size = 0;
  for await (const piece of streamInput(io, path)) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAX_HELD_BYTES) throw tooLong(path, MAX_HELD_BYTES);
  }
  return { size, pieces };
}

/**
 * Passes on the bytes that a tool makes of several files, and names the file that changed meanwhile, which the tool
 * knows only by its index.
 */
export async function* nameChanged(
  pieces: AsyncIterable<Bytes>,
  paths: readonly string[],
): AsyncGenerator<Bytes, void> {
  try {
    yield* pieces;
  } catch (error) {
    const path = error instanceof ToolFailure && paths[Number(error.fields.file)];
    if (typeof path !== "string") throw error;
    throw usageError(`${inputName(path)}: it was changed while it was read.`);
  }
}

function tooLong(path: string, most: number): CliError {
  return new CliError(EXIT.limit, `${inputName(path)}: at most ${most} bytes of it can be read here.`);
}

/**
 * Reads a file as text, as `readGivenText` decodes it.
 * @throws CliError usage where it cannot be read, or has another encoding
 */
export async function readTextInput(io: Io, path: string): Promise<string> {
  const { readGivenText } = await import("../../wire/given-text.ts");
  return asText(path, readGivenText(await readInput(io, path)));
}

/** Reads a file with checksums as text. @throws CliError usage */
export async function readChecksumList(io: Io, path: string): Promise<string> {
  const { decodeChecksums } = await import("../../tools/hash/checksum-text.ts");
  return asText(path, decodeChecksums(await readInput(io, path)));
}

function asText(path: string, text: string | undefined): string {
  if (text !== undefined) return text;
  throw notText(path, "this is not UTF-8 text, nor UTF-16 with a byte order mark; save it as UTF-8");
}

/** Reads a file as text, byte for byte, to be sent on. @throws CliError usage */
export async function readExactText(io: Io, path: string): Promise<string> {
  const text = decodeTextFile(await readInput(io, path));
  if (text !== undefined) return text;
  throw notText(path, "this is not UTF-8 text");
}

function notText(path: string, why: string): CliError {
  return usageError(`${inputName(path)}: ${why}.`);
}

/** Decodes UTF-8 and keeps every character, a byte order mark too; undefined for other bytes. */
export function decodeTextFile(bytes: Bytes): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** @throws CliError usage where standard input is named twice: it can be read only once */
export function checkInputs(paths: readonly string[]): void {
  if (paths.filter((path) => path === STANDARD).length < 2) return;
  throw usageError('Only one of the files can be "-", which is standard input.');
}

/**
 * Works on one file after the other. As with `cat`, one that cannot be worked on is reported and the others go on; the exit
 * code is that of the first. What concerns them all, such as the network or a password, ends the command.
 */
export async function forEachFile(
  io: Io,
  paths: readonly string[],
  work: (path: string, index: number) => Promise<void>,
): Promise<void> {
  for (const [index, path] of paths.entries()) {
    try {
      await work(path, index);
    } catch (error) {
      const { describeFailure } = await import("../failure.ts");
      const { exitCode, message } = describeFailure(error);
      const isOwnFault = exitCode === EXIT.usage || exitCode === EXIT.limit;
      if (paths.length === 1 || !isOwnFault || isClosedPipe(error)) throw error;
      await tellFailure(
        io,
        message.startsWith(`${inputName(path)}: `) ? message : `${inputName(path)}: ${message}`,
      );
      io.exitCode ||= exitCode;
    }
  }
}

export async function isFile(io: Io, path: string): Promise<boolean> {
  const found = await stat(resolve(io.cwd, path)).catch(() => undefined);
  return found?.isFile() ?? false;
}

/** Whether there is no such file; false for a file that cannot be read. */
export async function isMissing(io: Io, path: string): Promise<boolean> {
  if (path === STANDARD) return false;
  return (await stat(resolve(io.cwd, path)).catch(codeOf)) === "ENOENT";
}

/** A file's name for messages; control characters are escaped, since a line break would start another line. */
export function inputName(path: string): string {
  if (path === STANDARD) return "Standard input";
  return showName(path);
}

/** The runtime puts this in the place of bytes that are not UTF-8; the resulting name is that of another file. */
const REPLACEMENT = "\ufffd";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "you may not read it",
  EPERM: "you may not read it",
  EISDIR: "this is a folder",
};

function refuseInput(path: string, error: unknown): never {
  if (error instanceof CliError) throw error;
  const code = codeOf(error);
  // Node and Deno read no more at once.
  if (code === "ERR_FS_FILE_TOO_LARGE") throw tooLong(path, 2 ** 31 - 1);
  const isGarbled = code === "ENOENT" && path.includes(REPLACEMENT);
  const reason = isGarbled ? "its name is not UTF-8" : (REASONS[code] ?? `it cannot be read (${code})`);
  throw usageError(`${inputName(path)}: ${reason}.`);
}
