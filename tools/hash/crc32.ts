import { byteAt } from "../../wire/bytes.ts";
import { nativeZlib } from "../file/native.ts";

const TABLE = makeTable();

/** CRC-32 of ISO 3309, as in ZIP and PNG; continues from `crc`, the sum of the bytes before. */
export function crc32(bytes: Uint8Array, crc = 0): number {
  // Node 20, on which the command line may run, has no crc32.
  return nativeZlib?.crc32?.(bytes, crc) ?? sumByTable(bytes, crc);
}

function sumByTable(bytes: Uint8Array, crc: number): number {
  let value = ~crc;
  // The table has an entry for every byte.
  for (let i = 0; i < bytes.length; i++)
    value = (TABLE[(value ^ byteAt(bytes, i)) & 0xff] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
}

function makeTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
  });
}
