import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Bytes } from "../../wire/bytes.ts";
import { ANONYMOUS_LIMITS } from "../../wire/limits.ts";
import { CliError, usageError } from "../exit.ts";
import { decodeTextFile, inputName, once, readInput, STANDARD, streamInput } from "../files/input.ts";
import { note, warn, type Io } from "../terminal/io.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A file to send. */
export interface FileContent {
  readonly is: "file";
  /** Empty for a file without a name. */
  readonly name: string;
  /** The media type of a bundle of several files. */
  readonly type?: string;
  readonly size: number;
  /** Starts from the beginning each time. */
  readonly read: () => AsyncIterable<Bytes>;
}

/** What is sent: a text or a file. */
export type Content = { readonly is: "text"; readonly text: string } | FileContent;

/**
 * Reads what is to be sent: FILE as a file with its name; standard input as a text, or as a file where it is not text
 * or too long: `askLimit` returns how many characters this caller may send. `trim` leaves out the line end of a text.
 * @throws CliError usage where there is nothing
 */
export async function readSecretContent(
  io: Io,
  operand: string | undefined,
  { askLimit, trim = false }: { askLimit: () => Promise<number>; trim?: boolean | undefined },
): Promise<Content> {
  if (operand !== undefined && operand !== STANDARD) {
    if (trim) throw nothingToTrim();
    return refuseEmpty(await readFileContent(io, operand), operand);
  }
  const { text, ...file } = await readStandard(io, { trim });
  if (text !== undefined && (await fits(text, askLimit))) return { is: "text", text };
  return file;
}

/**
 * Reads standard input as a file, and as a text where it is one. Tells a person how to type it.
 * @throws CliError usage where it is empty
 */
export async function readStandard(
  io: Io,
  { trim = false }: { trim?: boolean | undefined } = {},
): Promise<FileContent & { text: string | undefined }> {
  const isTyped = io.stdin.isTerminal;
  if (isTyped) await note(io, "Type the text; Ctrl-D on a line of its own ends it.");
  const read = await readInput(io, STANDARD);
  // The line end typed before Ctrl-D is not part of the text; in a pipe every byte counts.
  const bytes = isTyped || trim ? withoutLineEnd(read) : read;
  const text = decodeTextFile(bytes);
  if (bytes.length === 0 || text === "") throw nothingIn(STANDARD);
  return { ...fromMemory(text === undefined ? "" : "secret.txt", bytes), text };
}

function withoutLineEnd(bytes: Bytes): Bytes {
  if (bytes.at(-1) !== LINE_FEED) return bytes;
  return bytes.subarray(0, bytes.at(-2) === CARRIAGE_RETURN ? -2 : -1);
}

/** Warns that the line end of a single line, which `echo` adds to a password, is part of what was sent. */
export async function tellLineEnd(io: Io, content: Content): Promise<void> {
  if (content.is === "text" && /^[^\n]*\n$/.test(content.text))
    await warn(io, ["the line feed at the end of the text was sent too; --trim leaves it out"]);
}

// The server sees only the encrypted text, so the sender asks how much a member may send.
async function fits(text: string, askLimit: () => Promise<number>): Promise<boolean> {
  if (text.length <= ANONYMOUS_LIMITS.secretCharacters) return true;
  let length = 0;
  for (const _ of text) length++;
  return length <= ANONYMOUS_LIMITS.secretCharacters || length <= (await askLimit());
}

/** A file with its name, read while it is sent. @throws CliError usage where it cannot be read */
export async function readFileContent(io: Io, path: string): Promise<FileContent> {
  const found = await stat(resolve(io.cwd, path)).catch(() => undefined);
  // The length is encrypted before the content; that of a pipe is unknown, and files of /proc say 0.
  if (!found?.isFile() || found.size === 0) return fromMemory(basename(path), await readInput(io, path));
  const { size } = found;
  return {
    is: "file",
    name: basename(path),
    size,
    read: () => unchanged(streamInput(io, path), path, size),
  };
}

function fromMemory(name: string, bytes: Bytes): FileContent {
  return { is: "file", name, size: bytes.length, read: () => once(bytes) };
}

// A changed file would look damaged to its recipient.
async function* unchanged(
  pieces: AsyncIterable<Bytes>,
  path: string,
  size: number,
): AsyncGenerator<Bytes, void> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > size) break;
    yield piece;
  }
  if (length !== size) throw usageError(`${inputName(path)}: it was changed while it was sent.`);
}

function refuseEmpty(file: FileContent, path: string): FileContent {
  if (file.size === 0) throw nothingIn(path);
  return file;
}

export function nothingToTrim(): CliError {
  return usageError("--trim is for a text from standard input; a file is sent as it is.");
}

export function nothingIn(path: string): CliError {
  return usageError(`${inputName(path)}: there is nothing in it.`);
}
