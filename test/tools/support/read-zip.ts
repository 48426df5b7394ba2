import { crc32 } from "node:zlib";
import { FULL_16, FULL_32, SIGNATURES } from "../../../tools/zip/zip-records.ts";

// Readers of ZIPs that take nothing for granted, in the words of APPNOTE 6.3.10.

export interface ReadEntry {
  readonly name: string;
  readonly data: Buffer;
}

interface Fields {
  readonly flags: number;
  readonly method: number;
  readonly time: number;
  readonly date: number;
  readonly crc: number;
  readonly stored: number;
  readonly size: number;
  readonly name: string;
  readonly extra: Buffer;
}

/** A ZIP as a program reads it that cannot go back: each entry by what stands before it, up to the central directory. */
export function readForward(zip: Buffer): { entries: ReadEntry[]; length: number } {
  const entries: ReadEntry[] = [];
  let at = 0;
  while (zip.readUInt32LE(at) === SIGNATURES.local) {
    const fields = readFields(zip, at + 6, at + 30);
    if (fields.flags !== 0x0800) throw new Error(`flags 0x${fields.flags.toString(16)}`);
    if (fields.method !== 0 || fields.stored !== fields.size) throw new Error("not stored");
    at += 30 + Buffer.byteLength(fields.name) + fields.extra.length;
    const data = zip.subarray(at, at + fields.size);
    if (crc32(data) !== fields.crc) throw new Error(`${fields.name}: wrong sum`);
    entries.push({ name: fields.name, data });
    at += fields.size;
  }
  return { entries, length: at };
}

export interface ListedEntry {
  readonly name: string;
  readonly madeBy: number;
  readonly attributes: number;
  readonly date: number;
  readonly time: number;
  readonly offset: number;
}

/** A ZIP by the list at its end, all of whose numbers must fit, also with Zip64. */
export function readDirectory(zip: Buffer): ListedEntry[] {
  const end = zip.length - 22;
  if (zip.readUInt32LE(end) !== SIGNATURES.end) throw new Error("no end");
  const short = {
    count: zip.readUInt16LE(end + 10),
    size: zip.readUInt32LE(end + 12),
    at: zip.readUInt32LE(end + 16),
  };
  const is64 = short.count === FULL_16 || short.size === FULL_32 || short.at === FULL_32;
  const place = is64 ? readEnd64(zip, end - 20) : { ...short, end };
  const entries: ListedEntry[] = [];
  let at = place.at;
  for (let i = 0; i < place.count; i++) {
    if (zip.readUInt32LE(at) !== SIGNATURES.central) throw new Error("no entry of the list");
    const fields = readFields(zip, at + 8, at + 46);
    const offset = zip.readUInt32LE(at + 42);
    if (offset !== FULL_32 && zip.readUInt32LE(offset) !== SIGNATURES.local) throw new Error("no such entry");
    const { name, date, time } = fields;
    entries.push({
      ...{ name, date, time, offset },
      madeBy: zip.readUInt8(at + 5),
      attributes: zip.readUInt32LE(at + 38),
    });
    at += 46 + Buffer.byteLength(name) + fields.extra.length;
  }
  if (at !== place.at + place.size || at !== place.end) throw new Error("the list has another length");
  return entries;
}

function readEnd64(zip: Buffer, locator: number) {
  if (zip.readUInt32LE(locator) !== SIGNATURES.locator64) throw new Error("no locator of Zip64");
  const end = Number(zip.readBigUInt64LE(locator + 8));
  if (zip.readUInt32LE(end) !== SIGNATURES.end64) throw new Error("no end of Zip64");
  const [count = 0, size = 0, at = 0] = [32, 40, 48].map((from) => Number(zip.readBigUInt64LE(end + from)));
  return { count, size, at, end };
}

function readFields(zip: Buffer, from: number, nameAt: number): Fields {
  const isLocal = nameAt - from === 24;
  const lengths = from + 20;
  const name = zip.subarray(nameAt, nameAt + zip.readUInt16LE(lengths));
  const extraAt = nameAt + name.length;
  const extra = zip.subarray(extraAt, extraAt + zip.readUInt16LE(lengths + 2));
  const [stored, size] = [zip.readUInt32LE(from + 12), zip.readUInt32LE(from + 16)];
  if (isLocal && size === FULL_32 && extra.readUInt16LE(0) !== 1) throw new Error("no field of Zip64");
  const large = (at: number) => Number(extra.readBigUInt64LE(at));
  return {
    ...{ flags: zip.readUInt16LE(from), method: zip.readUInt16LE(from + 2) },
    ...{
      time: zip.readUInt16LE(from + 4),
      date: zip.readUInt16LE(from + 6),
      crc: zip.readUInt32LE(from + 8),
    },
    size: size === FULL_32 ? large(4) : size,
    stored: stored === FULL_32 ? large(12) : stored,
    name: new TextDecoder("utf-8", { fatal: true }).decode(name),
    extra,
  };
}
