import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { joinBytes, type Bytes } from "../../wire/bytes.ts";
import { showName } from "../../wire/escaped-name.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { CliError, EXIT } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import type { TextEncoding } from "../../wire/given-text.ts";

/** Stands for standard input and standard output. */
export const STANDARD = "-";

/** A Buffer as plain bytes: its own `slice` would give views where tools expect copies. */
export function plainBytes(buffer: Uint8Array): Bytes {
  // What streams and files of a process give is never on shared memory.
  return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.length);
}

/** A whole file. @throws CliError usage where it cannot be read */
export async function readInput(io: Io, path: string): Promise<Bytes> {
  if (path === STANDARD) {
    const pieces: Bytes[] = [];
    for await (const piece of io.stdin.read()) pieces.push(piece);
    return joinBytes(pieces);
  }
  const found = await readFile(resolve(io.cwd, path)).catch((error: unknown) => refuseInput(path, error));
  return plainBytes(found);
}

/** A file piece by piece. @throws CliError usage where it cannot be read */
export async function* streamInput(io: Io, path: string): AsyncGenerator<Bytes> {
  if (path === STANDARD) return yield* io.stdin.read();
  try {
    for await (const piece of createReadStream(resolve(io.cwd, path), { highWaterMark: 1 << 18 })) {
      yield plainBytes(piece);
    }
  } catch (error) {
    refuseInput(path, error);
  }
}

/** The most that is held of what can be read only once. */
const MAX_HELD_BYTES = 2 ** 30;

/**
 * A file that is read more than once, each time from its beginning. Standard input and pipes are held in memory for that.
 * @throws CliError usage where it cannot be read, limit where it is too long to be held
 */
export async function repeatableInput(
  io: Io,
  path: string,
): Promise<{ readonly size: number; readonly read: () => AsyncIterable<Bytes> | Iterable<Bytes> }> {
  const found = path === STANDARD ? undefined : await stat(resolve(io.cwd, path)).catch(() => undefined);
  // Files of /proc have no size and a content.
  if (found?.isFile() && found.size > 0) return { size: found.size, read: () => streamInput(io, path) };
  const pieces: Bytes[] = [];
  let size = 0;
  for await (const piece of streamInput(io, path)) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAX_HELD_BYTES) throw tooLongToHold(path);
  }
  return { size, read: () => pieces };
}

/** The bytes that a tool makes of files, of which it can only say by its index which one was changed meanwhile. */
export async function* nameChanged(
  pieces: AsyncIterable<Bytes>,
  paths: readonly string[],
): AsyncGenerator<Bytes, void> {
  try {
    yield* pieces;
  } catch (error) {
    const path = error instanceof ToolFailure && paths[Number(error.fields.file)];
    if (typeof path !== "string") throw error;
    throw new CliError(EXIT.usage, `${inputName(path)}: it was changed while it was read.`);
  }
}

function tooLongToHold(path: string): CliError {
  const message = `${inputName(path)}: this is no file on a disk, and beside other files at most ${MAX_HELD_BYTES} bytes of it can be read. Save it to a file first, or name it alone.`;
  return new CliError(EXIT.limit, message);
}

/**
 * A file that is read as text, as `readGivenText` reads it.
 * @throws CliError usage where it cannot be read, or is in another encoding
 */
export async function readTextInput(io: Io, path: string): Promise<string> {
  const { readGivenText } = await import("../../wire/given-text.ts");
  const text = readGivenText(await readInput(io, path));
  if (text !== undefined) return text;
  throw notText(path, "this is not UTF-8 text, nor UTF-16 with a byte order mark; save it as UTF-8");
}

/** A file as the text that it is byte for byte, to be handed over. @throws CliError usage */
export async function readExactText(io: Io, path: string): Promise<string> {
  const text = decodeTextFile(await readInput(io, path));
  if (text !== undefined) return text;
  throw notText(path, "this is not UTF-8 text");
}

function notText(path: string, why: string): CliError {
  return new CliError(EXIT.usage, `${inputName(path)}: ${why}.`);
}

/** UTF-8 with every character kept, a byte order mark too; undefined for other bytes. */
export function decodeTextFile(bytes: Bytes): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** @throws CliError usage where standard input is named twice, of which only one could read it */
export function checkInputs(paths: readonly string[]): void {
  if (paths.filter((path) => path === STANDARD).length < 2) return;
  throw new CliError(EXIT.usage, 'Only one of the files can be "-", which is standard input.');
}

export async function isFile(io: Io, path: string): Promise<boolean> {
  const found = await stat(resolve(io.cwd, path)).catch(() => undefined);
  return found?.isFile() ?? false;
}

/** Whether nothing is there, other than something that cannot be read. */
export async function isMissing(io: Io, path: string): Promise<boolean> {
  if (path === STANDARD) return false;
  const failure: unknown = await stat(resolve(io.cwd, path)).then(
    () => undefined,
    (error: unknown) => error,
  );
  return failure instanceof Error && "code" in failure && failure.code === "ENOENT";
}

/** How a file is called in messages; a line break in its name would begin a line that nobody wrote. */
export function inputName(path: string): string {
  if (path === STANDARD) return "Standard input";
  return showName(path);
}

/** What the runtime puts in the place of bytes that are no UTF-8: the file of that name is another one. */
const REPLACEMENT = "\ufffd";

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "you may not read it",
  EPERM: "you may not read it",
  EISDIR: "this is a folder",
};

function refuseInput(path: string, error: unknown): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isGarbled = code === "ENOENT" && path.includes(REPLACEMENT);
  const reason = isGarbled ? "its name is not UTF-8" : (REASONS[code] ?? `it cannot be read (${code})`);
  throw new CliError(EXIT.usage, `${inputName(path)}: ${reason}.`);
}

/** A file's text, and the encoding in which it was found. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: TextEncoding | "Latin-1";
}

/**
 * UTF-16 by its byte order mark, UTF-8 where it is that, else Latin-1; undefined for what is binary, as NUL tells git. The
 * mark of UTF-8 stays: a file with it is another file, and a patch has to fit it.
 */
export async function decodeText(bytes: Bytes): Promise<DecodedText | undefined> {
  const { encodingOfMark, readGivenText } = await import("../../wire/given-text.ts");
  const encoding = encodingOfMark(bytes);
  const utf16 = encoding === "UTF-8" ? undefined : readGivenText(bytes);
  if (utf16 !== undefined) return { text: utf16, encoding };
  if (bytes.includes(0)) return undefined;
  const text = decodeTextFile(bytes);
  return text === undefined
    ? { text: decodeLatin1(bytes), encoding: "Latin-1" }
    : { text, encoding: "UTF-8" };
}

/** Each byte as the character of its number. TextDecoder takes "latin1" for Windows-1252, which is not that. */
export function decodeLatin1(bytes: Bytes): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
