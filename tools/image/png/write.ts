import { zlibSync } from "fflate";
import { type Bytes, joinBytes, utf8 } from "../../../wire/bytes.ts";
import { crc32 } from "../../hash/crc32.ts";

/** The beginning of every PNG. */
export const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Color types of PNG (W3C PNG, third edition, 11.2.1). */
export const COLOR_TYPE = { gray: 0, rgb: 2, palette: 3, grayAlpha: 4, rgba: 6 } as const;

/** Writes one chunk: length, type, data, CRC. */
export function pngChunk(type: string, data: Uint8Array): Bytes {
  const chunk = new Uint8Array(12 + data.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(utf8(type), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}

/** The chunk with an ICC profile. */
export function iccChunk(profile: Uint8Array): Bytes {
  return pngChunk("iCCP", joinBytes([utf8("icc\0\0"), zlibSync(profile)]));
}

/**
 * Writes a PNG of rows that already have their filter bytes; `chunks` come before the pixels. The level 0 stores, 9
 * compresses most.
 */
export function writePng(
  header: { width: number; height: number; bitDepth: number; colorType: number },
  { chunks = [], rows, level }: { chunks?: readonly Bytes[]; rows: Uint8Array; level: 0 | 9 },
): Bytes {
  const ihdr = new Uint8Array(13);
  const view = new DataView(ihdr.buffer);
  view.setUint32(0, header.width);
  view.setUint32(4, header.height);
  ihdr.set([header.bitDepth, header.colorType], 8);
  const parts = [SIGNATURE, pngChunk("IHDR", ihdr), ...chunks, pngChunk("IDAT", zlibSync(rows, { level }))];
  return joinBytes([...parts, pngChunk("IEND", new Uint8Array(0))]);
}
