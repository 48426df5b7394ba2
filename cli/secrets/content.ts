import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Bytes } from "../../wire/bytes.ts";
import { ANONYMOUS_LIMITS } from "../../wire/limits.ts";
import { CliError, EXIT } from "../exit.ts";
import { decodeTextFile, inputName, readInput, STANDARD, streamInput } from "../files/input.ts";
import { note, warn, type Io } from "../terminal/io.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A file to be handed over. */
export interface FileContent {
  readonly is: "file";
  /** Empty for one without a name. */
  readonly name: string;
  /** Of several in one, the type that says so. */
  readonly type?: string;
  readonly size: number;
  /** From its beginning, each time. */
  readonly read: () => AsyncIterable<Bytes>;
}

/** What somebody hands over. */
export type Content = { readonly is: "text"; readonly text: string } | FileContent;

interface ContentOptions {
  /** Gives what this caller may send as a text, in characters. */
  readonly askLimit: () => Promise<number>;
  /** Whether the line end of a text is left out. */
  readonly trim?: boolean | undefined;
}

/**
 * Takes what is to be handed over: FILE as a file with its name; standard input as a text, or as a file where it is
 * no text or too long for one.
 * @throws CliError usage where there is nothing
 */
export async function readSecretContent(
  io: Io,
  operand: string | undefined,
  { askLimit, trim = false }: ContentOptions,
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
 * Standard input: what it is as a file, and its text where it is one. A person is told how to type it.
 * @throws CliError usage where there is nothing in it
 */
export async function readStandard(
  io: Io,
  { trim = false }: { trim?: boolean | undefined } = {},
): Promise<FileContent & { text: string | undefined }> {
  const isTyped = io.stdin.isTerminal;
  if (isTyped) await note(io, "Type the text; Ctrl-D on a line of its own ends it.");
  const read = await readInput(io, STANDARD);
  // The line end before Ctrl-D was not meant; in a pipe every byte counts.
  const bytes = isTyped || trim ? withoutLineEnd(read) : read;
  const text = decodeTextFile(bytes);
  if (bytes.length === 0 || text === "") throw nothingIn(STANDARD);
  return { ...fromMemory(text === undefined ? "" : "secret.txt", bytes), text };
}

function withoutLineEnd(bytes: Bytes): Bytes {
  if (bytes.at(-1) !== LINE_FEED) return bytes;
  return bytes.subarray(0, bytes.at(-2) === CARRIAGE_RETURN ? -2 : -1);
}

/** Says that the line end of a single line, which `echo` adds to a password, is part of what was sent. */
export async function tellLineEnd(io: Io, content: Content): Promise<void> {
  if (content.is === "text" && /^[^\n]*\n$/.test(content.text))
    await warn(io, ["the line feed at the end of the text was sent too; --trim leaves it out"]);
}

// The server sees a sealed text only, whose length tells it little. How much a member may send, it is asked.
async function fits(text: string, askLimit: () => Promise<number>): Promise<boolean> {
  if (text.length <= ANONYMOUS_LIMITS.secretCharacters) return true;
  let length = 0;
  for (const _ of text) length++;
  return length <= ANONYMOUS_LIMITS.secretCharacters || length <= (await askLimit());
}

/** A file with its name, read when it is sent. @throws CliError usage where it cannot be read */
export async function readFileContent(io: Io, path: string): Promise<FileContent> {
  const found = await stat(resolve(io.cwd, path)).catch(() => undefined);
  // Of a pipe nobody knows how long it is, and the length is sealed before the content.
  if (!found?.isFile()) return fromMemory(basename(path), await readInput(io, path));
  const { size } = found;
  return {
    is: "file",
    name: basename(path),
    size,
    read: () => unchanged(streamInput(io, path), { path, size }),
  };
}

function fromMemory(name: string, bytes: Bytes): FileContent {
  return { is: "file", name, size: bytes.length, read: () => once(bytes) };
}

async function* once(bytes: Bytes): AsyncGenerator<Bytes, void> {
  yield bytes;
}

// Whoever opens it would take it for damaged.
async function* unchanged(
  pieces: AsyncIterable<Bytes>,
  { path, size }: { path: string; size: number },
): AsyncGenerator<Bytes, void> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > size) break;
    yield piece;
  }
  if (length !== size)
    throw new CliError(EXIT.usage, `${inputName(path)}: it was changed while it was sent.`);
}

function refuseEmpty(file: FileContent, path: string): FileContent {
  if (file.size === 0) throw nothingIn(path);
  return file;
}

export function nothingToTrim(): CliError {
  return new CliError(EXIT.usage, "--trim is for a text from standard input; a file is sent as it is.");
}

export function nothingIn(path: string): CliError {
  return new CliError(EXIT.usage, `${inputName(path)}: there is nothing in it.`);
}
