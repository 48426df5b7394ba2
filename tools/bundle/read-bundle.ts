import { createByteReader, type ByteReader, piecesOf, type FileSource } from "../../wire/byte-pieces.ts";
import { isSameData, joinBytes, type Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { crc32 } from "../hash/crc32.ts";
import { cleanFileName } from "../file/file-name.ts";
import {
  MAX_BUNDLE_ENTRIES,
  MAX_MESSAGE_BYTES,
  MESSAGE_NAME,
  messageTooLong,
  tooManyFiles,
} from "./bundle-format.ts";
import {
  cutOff,
  damaged,
  readCentralHeader,
  readLarge,
  readLocalHeader,
  takeRecord,
  type ReadHeader,
  unsupported,
} from "./read-header.ts";
import { END64_BYTES, FULL_16, FULL_32, SIGNATURES } from "../zip/zip-records.ts";

const END_BYTES = 22;
const LOCATOR64_BYTES = 20;

type BundlePart =
  | { readonly is: "message"; readonly text: string }
  | {
      readonly is: "file";
      /** Safe, and unique in the bundle. */
      readonly name: string;
      readonly size: number;
      /** Where its content begins: a page takes a slice of the bundle's Blob from there. */
      readonly start: number;
      /** Its checksum is verified with the last piece. Unread content is skipped, and verified too. */
      readonly pieces: AsyncGenerator<Bytes, void>;
    };

/**
 * Reads a bundle to its end: first the message, where there is one, and then the files one by one. What it returned is
 * genuine only when the last part was read and nothing was thrown: the list of entries is at the end.
 * @throws ToolFailure not_a_container; unsupported_feature, damaged_file, too_many_files, text_too_large
 */
export async function* readBundle(source: FileSource): AsyncGenerator<BundlePart, void> {
  const sent = piecesOf(source);
  try {
    yield* readParts(createByteReader(sent));
  } finally {
    await sent.return();
  }
}

async function* readParts(reader: ByteReader): AsyncGenerator<BundlePart, void> {
  if ((await peekSignature(reader)) !== SIGNATURES.local)
    throw new ToolFailure("not_a_container", "This is no bundle: it does not begin as a ZIP");
  const headers: ReadHeader[] = [];
  const taken = new Set<string>();
  let offset = 0;
  while ((await peekSignature(reader)) === SIGNATURES.local) {
    if (headers.length === MAX_BUNDLE_ENTRIES) throw tooManyFiles(headers.length + 1);
    const { header, length } = await readLocalHeader(reader, offset);
    const name = takeName(header, taken);
    const content = { ...header, left: header.size, sum: 0 };
    const pieces = readContent(reader, content);
    const isMessage = headers.length === 0 && header.text === MESSAGE_NAME;
    if (isMessage) yield { is: "message", text: await readMessage(pieces, header.size) };
    else yield { is: "file", name, size: header.size, start: offset + length, pieces };
    for await (const _ of readContent(reader, content));
    headers.push(header);
    offset += length + header.size;
  }
  await checkDirectory(reader, headers, offset);
}

async function peekSignature(reader: ByteReader): Promise<number> {
  const bytes = await reader.peek(4);
  return bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}

function takeName({ text }: ReadHeader, taken: Set<string>): string {
  const name = cleanFileName(text);
  // Names that differ only in case are the same file on many systems.
  const one = name.toLowerCase();
  if (taken.has(one)) throw damaged("two of its entries have one name");
  if (taken.size > 0 && text === MESSAGE_NAME) throw damaged("its message is not the first entry");
  taken.add(one);
  return name;
}

/** The rest of an entry's content, of which some may have been read already. */
async function* readContent(
  reader: ByteReader,
  content: { readonly crc: number; left: number; sum: number },
): AsyncGenerator<Bytes, void> {
  while (content.left > 0) {
    const piece = await reader.next(content.left);
    if (piece.length === 0) throw cutOff();
    content.sum = crc32(piece, content.sum);
    content.left -= piece.length;
    yield piece;
  }
  if (content.sum !== content.crc) throw damaged("the checksum of an entry is wrong");
}

async function readMessage(pieces: AsyncIterable<Bytes>, size: number): Promise<string> {
  if (size > MAX_MESSAGE_BYTES) throw messageTooLong(size);
  const parts: Bytes[] = [];
  for await (const piece of pieces) parts.push(piece);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(joinBytes(parts));
  } catch {
    throw damaged("its message is not UTF-8");
  }
}

// Everything that repeats what the entries have said: any difference would show another file to another program.
async function checkDirectory(
  reader: ByteReader,
  headers: readonly ReadHeader[],
  offset: number,
): Promise<void> {
  let size = 0;
  for (const local of headers) {
    if ((await peekSignature(reader)) !== SIGNATURES.central)
      throw damaged("its list of entries is not whole");
    const { header, length } = await readCentralHeader(reader);
    if (!isSame(header, local)) throw damaged("its list names other entries than it has");
    size += length;
  }
  await checkEnd(reader, { count: headers.length, size, offset });
  if ((await reader.peek(1)).length > 0) throw damaged("more bytes follow its end");
}

function isSame(a: ReadHeader, b: ReadHeader): boolean {
  return isSameData(a.name, b.name) && a.crc === b.crc && a.size === b.size && a.offset === b.offset;
}

interface DirectoryRecord {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

async function checkEnd(reader: ByteReader, place: DirectoryRecord): Promise<void> {
  const is64 = (await peekSignature(reader)) === SIGNATURES.end64;
  if (is64) await checkEnd64(reader, place);
  if ((await peekSignature(reader)) !== SIGNATURES.end) throw damaged("its end is missing");
  const end = await takeRecord(reader, END_BYTES);
  const is = (said: number, value: number, full: number) => said === value || (is64 && said === full);
  const fits =
    end.getUint32(4, true) === 0 &&
    is(end.getUint16(8, true), place.count, FULL_16) &&
    is(end.getUint16(10, true), place.count, FULL_16) &&
    is(end.getUint32(12, true), place.size, FULL_32) &&
    is(end.getUint32(16, true), place.offset, FULL_32);
  if (!fits) throw elsewhere();
  if (end.getUint16(20, true) > 0) throw unsupported("it has a comment");
}

/** The end record of Zip64 and what tells where it is (APPNOTE 4.3.14 and 4.3.15). */
async function checkEnd64(reader: ByteReader, { count, size, offset }: DirectoryRecord): Promise<void> {
  const end = await takeRecord(reader, 12 + END64_BYTES);
  if (readLarge(end, 4) !== END64_BYTES) throw unsupported("its end record has an extension");
  const said = [24, 32, 40, 48].map((at) => readLarge(end, at));
  const locator = await takeRecord(reader, LOCATOR64_BYTES);
  const isLocated =
    locator.getUint32(0, true) === SIGNATURES.locator64 && readLarge(locator, 8) === offset + size;
  if (!isLocated || said.join() !== [count, count, size, offset].join()) throw elsewhere();
}

function elsewhere(): ToolFailure {
  return damaged("its list of entries is elsewhere than it says");
}
