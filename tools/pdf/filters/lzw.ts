import { byteAt } from "../../../wire/bytes.ts";
import { type Budget, spendInflated } from "../limits.ts";
import type { DecodedStream } from "./flate.ts";

const CLEAR = 256;
const END = 257;
const TABLE = 4096;

/**
 * Undoes LZW (ISO 32000-1, 7.4.4) as far as the data is sound; `early` is the usual change of code width
 * one code early. A code is a piece of what was already written: where it starts and how long it is.
 */
export function unlzw(data: Uint8Array, early: boolean, budget: Budget): DecodedStream {
  const starts = new Uint32Array(TABLE + 1);
  const lengths = new Uint32Array(TABLE + 1);
  let out = new Uint8Array(Math.max(4096, data.length * 4));
  let size = 0;
  let next = END + 1;
  let width = 9;
  let bits = 0;
  let held = 0;
  let previous = -1;
  let isComplete = false;
  for (const byte of data) {
    held = ((held << 8) | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === END) {
      isComplete = true;
      break;
    }
    if (code === CLEAR) {
      next = END + 1;
      width = 9;
      previous = -1;
      continue;
    }
    if (code >= next + (previous >= 0 ? 1 : 0)) break;
    const isNew = previous >= 0 && next < TABLE;
    const length =
      code < CLEAR ? 1 : code === next && previous >= 0 ? previousLength() + 1 : (lengths[code] ?? 0);
    if (size + length > out.length) out = grown(out);
    if (isNew) {
      starts[next] = size - previousLength();
      lengths[next] = previousLength() + 1;
    }
    if (code < CLEAR) out[size] = code;
    else copyWithin(starts[code] ?? 0, length);
    spendInflated(budget, length);
    size += length;
    if (isNew) next++;
    previous = length;
    if (next + (early ? 1 : 0) >= 1 << width && width < 12) width++;
  }
  return { bytes: out.subarray(0, size), isComplete };

  function previousLength(): number {
    return previous;
  }

  /** Byte by byte, since a new code may run into what it is just writing. */
  function copyWithin(start: number, length: number): void {
    for (let i = 0; i < length; i++) out[size + i] = byteAt(out, start + i);
  }
}

/**
 * Where the data ends, and how many bytes it becomes; undefined where it is damaged. Only codes are read, whose lengths
 * grow as in `unlzw`.
 */
export function findLzwEnd(data: Uint8Array, early: boolean): { end: number; length: number } | undefined {
  const lengths = new Uint32Array(TABLE + 1);
  let [next, width, bits, held, previous, length] = [END + 1, 9, 0, 0, -1, 0];
  for (let at = 0; at < data.length; at++) {
    held = ((held << 8) | byteAt(data, at)) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === END) return { end: at + 1, length };
    if (code === CLEAR) {
      [next, width, previous] = [END + 1, 9, -1];
      continue;
    }
    if (code >= next + (previous >= 0 ? 1 : 0)) return undefined;
    if (previous >= 0 && next < TABLE) lengths[next++] = previous + 1;
    previous = code < CLEAR ? 1 : (lengths[code] ?? 0);
    length += previous;
    if (next + (early ? 1 : 0) >= 1 << width && width < 12) width++;
  }
  return { end: data.length, length };
}

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2);
  larger.set(bytes);
  return larger;
}
