import type { ByteReader } from "../../wire/byte-pieces.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { FULL_32, STORED, UTF8_NAME, ZIP64_EXTRA, type ZipEntryHeader } from "../zip/zip-records.ts";

/** Bytes of the records, with their signatures and without parts of variable length. */
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;

const ENCRYPTED = 0x0001;
const SIZE_FOLLOWS = 0x0008;

/** An entry by its header, as a bundle allows it. */
export interface ReadHeader extends Omit<ZipEntryHeader, "mode"> {
  /** As in the header; not safe yet for saving. */
  readonly text: string;
}

/** Reads what comes before a content. @throws ToolFailure unsupported_feature, damaged_file */
export async function readLocalHeader(reader: ByteReader, offset: number) {
  const fields = await takeRecord(reader, LOCAL_BYTES);
  const read = await readEntry(reader, { fields, from: 6, nameAt: 26, offset });
  return { ...read, length: LOCAL_BYTES + read.tail };
}

/** An entry of the central directory. @throws ToolFailure unsupported_feature, damaged_file */
export async function readCentralHeader(reader: ByteReader) {
  const fields = await takeRecord(reader, CENTRAL_BYTES);
  if (fields.getUint16(32, true) > 0) throw unsupported("an entry has a comment");
  if (fields.getUint16(34, true) > 0) throw unsupported("it is one of several parts");
  const read = await readEntry(reader, { fields, from: 8, nameAt: 28, offset: fields.getUint32(42, true) });
  return { ...read, length: CENTRAL_BYTES + read.tail };
}

/** @throws ToolFailure damaged_file where the bundle ends before */
export async function takeRecord(reader: ByteReader, length: number): Promise<DataView<ArrayBuffer>> {
  const bytes = await reader.take(length);
  if (bytes.length < length) throw cutOff();
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Both headers have the same fields from their flags on. */
async function readEntry(
  reader: ByteReader,
  of: { fields: DataView; from: number; nameAt: number; offset: number },
): Promise<{ header: ReadHeader; tail: number }> {
  const { fields, from, nameAt } = of;
  const [nameLength, extraLength] = [fields.getUint16(nameAt, true), fields.getUint16(nameAt + 2, true)];
  const name = bytesOf(await takeRecord(reader, nameLength));
  const extra = readZip64(await takeRecord(reader, extraLength));
  const flags = fields.getUint16(from, true);
  checkKind(flags, fields.getUint16(from + 2, true));
  const [size = 0, stored, offset = 0] = [
    fields.getUint32(from + 16, true),
    fields.getUint32(from + 12, true),
    of.offset,
  ].map((value) => (value === FULL_32 ? extra() : value));
  if (size !== stored) throw damaged("it says two sizes of one entry");
  const crc = fields.getUint32(from + 8, true);
  const header = { name, text: readName(name, flags), crc, size, offset };
  return { header, tail: nameLength + extraLength };
}

function checkKind(flags: number, method: number): void {
  if (flags & ENCRYPTED) throw unsupported("an entry is encrypted");
  if (method !== STORED) throw unsupported(`an entry is compressed by method ${method}`);
  if (flags & SIZE_FOLLOWS) throw unsupported("an entry tells its size only behind its content");
  if (flags & ~UTF8_NAME) throw unsupported(`an entry has the flags 0x${flags.toString(16)}`);
}

function readName(name: Bytes, flags: number): string {
  // Some programs omit the flag for ASCII names, for which it means nothing.
  const isText = flags & UTF8_NAME || name.every((byte) => byte < 0x80);
  const text = isText ? decode(name) : undefined;
  if (text === undefined) throw unsupported("a name is not UTF-8");
  if (text === "") throw damaged("an entry has no name");
  if (text.endsWith("/")) throw unsupported("it has folders");
  return text;
}

function decode(bytes: Bytes): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads the values of Zip64's extra field one by one (APPNOTE 4.5.3): those that do not fit into the header. */
function readZip64(extra: DataView): () => number {
  let values: number[] = [];
  for (let at = 0; at + 4 <= extra.byteLength;) {
    const [kind, length] = [extra.getUint16(at, true), extra.getUint16(at + 2, true)];
    at += 4;
    if (kind === ZIP64_EXTRA && at + length <= extra.byteLength)
      values = Array.from({ length: Math.floor(length / 8) }, (_, i) => readLarge(extra, at + 8 * i));
    at += length;
  }
  return () => {
    const value = values.shift();
    if (value === undefined) throw damaged("the size or place of an entry is missing");
    return value;
  };
}

/** A number of 64 bits. @throws ToolFailure damaged_file for one that no file reaches */
export function readLarge(view: DataView, at: number): number {
  const value = view.getBigUint64(at, true);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged("it says a size that no file has");
  return Number(value);
}

function bytesOf(view: DataView<ArrayBuffer>): Bytes {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

export function unsupported(why: string): ToolFailure {
  return new ToolFailure("unsupported_feature", `This is a ZIP, but not as a bundle is one: ${why}`);
}

export function damaged(why: string): ToolFailure {
  return new ToolFailure("damaged_file", `The bundle is damaged: ${why}`);
}

export function cutOff(): ToolFailure {
  return damaged("it ends too early");
}
