import { concatBytes, joinBytes, type Bytes } from "../../wire/bytes.ts";

// The records of a ZIP whose entries are stored, in the words of APPNOTE 6.3.10; numbers are little-endian.

export const SIGNATURES = {
  local: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
} as const;

/** A field of 16 or 32 bits that is full: the value is in a record of Zip64. */
export const FULL_16 = 0xffff;
export const FULL_32 = 0xffff_ffff;

/** General purpose bit 11: the name is UTF-8. */
export const UTF8_NAME = 0x0800;
export const STORED = 0;
/** The kind of extra field that holds sizes and offset of 64 bits. */
export const ZIP64_EXTRA = 0x0001;
/** The length of Zip64's end record, after its own length field. */
export const END64_BYTES = 44;

const VERSION = 20;
const VERSION_ZIP64 = 45;
/** Version 4.5 on Unix: Info-ZIP 6.0 takes a name for one of DOS otherwise, whatever bit 11 says. */
const MADE_BY = 0x0300 | VERSION_ZIP64;
/** A regular file of Unix, in the upper half of the external attributes. */
const REGULAR_FILE = 0o100000;
/** 1980-01-01 00:00, the earliest date: a ZIP reveals neither when a file was made nor in which time zone. */
const DATE = 0x0021;
const TIME = 0;

/** An entry of the central directory. */
export interface ZipEntryHeader {
  /** In UTF-8. */
  readonly name: Bytes;
  readonly crc: number;
  /** Bytes of the content. */
  readonly size: number;
  /** The offset of its local header from the beginning. */
  readonly offset: number;
  /** Permissions as on Unix, such as 0o644. */
  readonly mode: number;
}

type StoredFile = Pick<ZipEntryHeader, "name" | "crc" | "size">;
type Field = readonly [bytes: 2 | 4 | 8, value: number];

/** The record before a content (APPNOTE 4.3.7). */
export function localHeader({ name, crc, size }: StoredFile): Bytes {
  const extra = size < FULL_32 ? pack() : zip64Extra(size, size);
  const fields = pack([4, SIGNATURES.local], ...storedFields({ name, crc, size }, extra));
  return concatBytes(fields, name, extra);
}

/** The central directory and the records that end the archive (APPNOTE 4.3.12 to 4.3.16). */
export function centralDirectory(entries: readonly ZipEntryHeader[], offset: number): Bytes {
  const headers = joinBytes(entries.map(centralHeader));
  return concatBytes(headers, endRecords(entries.length, headers.length, offset));
}

function centralHeader({ name, crc, size, offset, mode }: ZipEntryHeader): Bytes {
  const large = [...(size < FULL_32 ? [] : [size, size]), ...(offset < FULL_32 ? [] : [offset])];
  const extra = large.length === 0 ? pack() : zip64Extra(...large);
  const fields = pack(
    [4, SIGNATURES.central],
    [2, MADE_BY],
    ...storedFields({ name, crc, size }, extra),
    // No comment, the first disk, not marked as text.
    [2, 0],
    [2, 0],
    [2, 0],
    [4, (REGULAR_FILE | mode) * 0x10000],
    [4, Math.min(offset, FULL_32)],
  );
  return concatBytes(fields, name, extra);
}

/** What both headers of a file have in common. */
function storedFields({ name, crc, size }: StoredFile, extra: Bytes): Field[] {
  const shown = Math.min(size, FULL_32);
  return [
    [2, extra.length === 0 ? VERSION : VERSION_ZIP64],
    [2, UTF8_NAME],
    [2, STORED],
    [2, TIME],
    [2, DATE],
    [4, crc],
    [4, shown],
    [4, shown],
    [2, name.length],
    [2, extra.length],
  ];
}

function zip64Extra(...values: number[]): Bytes {
  return pack([2, ZIP64_EXTRA], [2, values.length * 8], ...values.map((value) => [8, value] as const));
}

function endRecords(count: number, size: number, offset: number): Bytes {
  const end = pack(
    [4, SIGNATURES.end],
    [2, 0],
    [2, 0],
    [2, Math.min(count, FULL_16)],
    [2, Math.min(count, FULL_16)],
    [4, Math.min(size, FULL_32)],
    [4, Math.min(offset, FULL_32)],
    [2, 0],
  );
  if (count < FULL_16 && size < FULL_32 && offset < FULL_32) return end;
  const end64 = pack(
    [4, SIGNATURES.end64],
    [8, END64_BYTES],
    [2, VERSION_ZIP64],
    [2, VERSION_ZIP64],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, offset],
  );
  const locator = pack([4, SIGNATURES.locator64], [4, 0], [8, offset + size], [4, 1]);
  return concatBytes(end64, locator, end);
}

function pack(...fields: readonly Field[]): Bytes {
  const bytes = new Uint8Array(fields.reduce((sum, [length]) => sum + length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [length, value] of fields) {
    if (length === 2) view.setUint16(at, value, true);
    else if (length === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += length;
  }
  return bytes;
}
