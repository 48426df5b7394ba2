import { utf8, type Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { crc32 } from "../hash/crc32.ts";
import { cleanFileName } from "../file/file-name.ts";
import { UniqueNames } from "../file/derived-name.ts";
import { centralDirectory, FULL_16, localHeader, type ZipEntryHeader } from "./zip-records.ts";

/** A file to be put into a ZIP. It is read twice: its sum stands before it. */
export interface ZipFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** From its beginning, each time. */
  readonly read: () => AsyncIterable<Bytes> | Iterable<Bytes>;
}

/**
 * Writes the records of a ZIP (APPNOTE 6.3.10) whose entries are stored. Their sizes and sums stand before them, so that
 * a reader that cannot go back reads it too. Zip64 is used where a size, an offset or the number of entries needs it.
 */
export class ZipWriter {
  readonly #entries: ZipEntryHeader[] = [];
  readonly #mode: number;
  #size = 0;

  /** With the permissions that each file has on Unix. */
  constructor({ mode = 0o644 }: { mode?: number } = {}) {
    this.#mode = mode;
  }

  /** Bytes of the records and contents so far. */
  get size(): number {
    return this.#size;
  }

  /**
   * The record of the next entry; exactly `size` bytes with this CRC-32 must follow it. The name is written unchanged.
   * @throws ToolFailure invalid_parameter for a name that is too long
   */
  add({ name, size, crc }: { name: string; size: number; crc: number }): Bytes {
    const entry = { name: utf8(name), size, crc, offset: this.#size, mode: this.#mode };
    if (entry.name.length > FULL_16) throw nameTooLong(entry.name.length);
    const header = localHeader(entry);
    this.#entries.push(entry);
    this.#size += header.length + size;
    return header;
  }

  /** The records after all entries. */
  end(): Bytes {
    const directory = centralDirectory(this.#entries, this.#size);
    this.#size += directory.length;
    return directory;
  }
}

/**
 * Puts files into a ZIP piece by piece, each read when its turn comes. Names are cleaned; of equal ones the later get a
 * number.
 * @throws ToolFailure damaged_file with the index of a `file` that was changed meanwhile
 */
export async function* zipFiles(
  files: Iterable<ZipFile> | AsyncIterable<ZipFile>,
): AsyncGenerator<Bytes, void> {
  const zip = new ZipWriter();
  const names = new UniqueNames();
  let index = 0;
  for await (const { name, ...file } of files) {
    const crc = await sumFile(file, index);
    yield zip.add({ name: names.give(cleanFileName(name)), size: file.size, crc });
    yield* readAgain({ ...file, crc }, index++);
  }
  yield zip.end();
}

/** The CRC-32 of a file. @throws ToolFailure damaged_file with the `file`'s index where it has another size */
export async function sumFile(source: ZipContent, file?: number): Promise<number> {
  let crc = 0;
  for await (const piece of wholeFile(source, file)) crc = crc32(piece, crc);
  return crc;
}

/**
 * Reads a file again after its checksum was written.
 * @throws ToolFailure damaged_file with the `file`'s index where it has changed: a reader would call the ZIP damaged
 */
export async function* readAgain(
  { crc, ...source }: ZipContent & { readonly crc: number },
  file?: number,
): AsyncGenerator<Bytes, void> {
  let sum = 0;
  for await (const piece of wholeFile(source, file)) {
    sum = crc32(piece, sum);
    yield piece;
  }
  if (sum !== crc) throw changed(file);
}

type ZipContent = Pick<ZipFile, "size" | "read">;

async function* wholeFile({ size, read }: ZipContent, file?: number): AsyncGenerator<Bytes, void> {
  let length = 0;
  for await (const piece of read()) {
    length += piece.length;
    if (length > size) throw changed(file);
    yield piece;
  }
  if (length !== size) throw changed(file);
}

function changed(file: number | undefined): ToolFailure {
  const message = "A file was changed while it was read";
  return new ToolFailure("damaged_file", message, file === undefined ? {} : { file });
}

function nameTooLong(length: number): ToolFailure {
  const message = `The name of a file has ${length} bytes; in a ZIP it has at most ${FULL_16}`;
  return new ToolFailure("invalid_parameter", message, { parameter: "filename", maximum: FULL_16 });
}
