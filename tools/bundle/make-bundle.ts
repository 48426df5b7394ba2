import { utf8, type Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { crc32 } from "../crypto/crc32.ts";
import { cleanFileName } from "../file/file-name.ts";
import { uniqueName } from "../file/unique-name.ts";
import {
  MAX_BUNDLE_FILES,
  MAX_MESSAGE_BYTES,
  MESSAGE_NAME,
  messageTooLong,
  tooManyFiles,
} from "./bundle-format.ts";
import { centralDirectory, localHeader, type ZipEntryHeader } from "./zip-records.ts";

/** A file to be put into a bundle, which is read twice: its sum stands before it. */
export interface BundleFile {
  readonly name: string;
  readonly size: number;
  /** From its beginning, each time. */
  readonly read: () => AsyncIterable<Bytes>;
}

export interface Bundle {
  /** Of all of it, in bytes. */
  readonly size: number;
  /** What its files are called in it, in their order. */
  readonly names: readonly string[];
  /** From its beginning, each time. */
  readonly pieces: () => AsyncGenerator<Bytes, void>;
}

/**
 * Puts a message and up to 20 files into one ZIP of stored entries (docs/formats.md, 8) that is made while it is read.
 * Names are cleaned; of equal ones the later get a number.
 * @throws ToolFailure too_many_files, text_too_large; damaged_file with the index of a `file` that was changed meanwhile
 */
export async function makeBundle(
  files: readonly BundleFile[],
  { message }: { message?: string | undefined } = {},
): Promise<Bundle> {
  if (files.length > MAX_BUNDLE_FILES) throw tooManyFiles(files.length);
  const names = nameFiles(files);
  const named = files.map((file, index) => ({ ...file, index, name: names[index] ?? "" }));
  const sources = message === undefined ? named : [messageFile(message), ...named];
  const entries: BundleEntry[] = [];
  let offset = 0;
  for (const source of sources) {
    const entry = { ...source, name: utf8(source.name), crc: await sumFile(source), offset };
    entries.push(entry);
    offset += localHeader(entry).length + entry.size;
  }
  const directory = centralDirectory(entries, offset);
  return { size: offset + directory.length, names, pieces: () => bundlePieces(entries, directory) };
}

interface IndexedFile extends BundleFile {
  /** Among the files; undefined for the message. */
  readonly index?: number;
}

type BundleEntry = ZipEntryHeader & Pick<IndexedFile, "index" | "read">;

function nameFiles(files: readonly BundleFile[]): string[] {
  const taken = new Set([MESSAGE_NAME]);
  return files.map(({ name }) => uniqueName(cleanFileName(name), taken));
}

function messageFile(message: string): IndexedFile {
  const data = utf8(message);
  if (data.length > MAX_MESSAGE_BYTES) throw messageTooLong(data.length);
  return { name: MESSAGE_NAME, size: data.length, read: () => once(data) };
}

async function* once(data: Bytes): AsyncGenerator<Bytes, void> {
  yield data;
}

async function sumFile({ index, size, read }: IndexedFile): Promise<number> {
  let crc = 0;
  let length = 0;
  for await (const piece of read()) {
    crc = crc32(piece, crc);
    length += piece.length;
    if (length > size) throw changed(index);
  }
  if (length !== size) throw changed(index);
  return crc;
}

async function* bundlePieces(entries: readonly BundleEntry[], directory: Bytes): AsyncGenerator<Bytes, void> {
  for (const entry of entries) {
    yield localHeader(entry);
    yield* unchanged(entry);
  }
  yield directory;
}

// Whoever opens it would take it for damaged.
async function* unchanged({ index, size, crc, read }: BundleEntry): AsyncGenerator<Bytes, void> {
  let sum = 0;
  let length = 0;
  for await (const piece of read()) {
    sum = crc32(piece, sum);
    length += piece.length;
    if (length > size) throw changed(index);
    yield piece;
  }
  if (length !== size || sum !== crc) throw changed(index);
}

function changed(index: number | undefined): ToolFailure {
  const message = "A file was changed while the bundle was made";
  return new ToolFailure("damaged_file", message, index === undefined ? {} : { file: index });
}
