import type { Bytes } from "../../wire/bytes.ts";
import { ByteParts, joinParts } from "../../wire/byte-parts.ts";
import { packBytes, restoreBytes } from "../../wire/frame.ts";

// Between threads the buffers themselves travel, never views on them: one runtime copies a view byte by byte.
export type Message = {
  head: unknown;
  buffers: ArrayBuffer[];
  /** For each part: which buffer, from where, how long. */
  places: [buffer: number, offset: number, length: number][];
};

// From this size on, handing over a buffer with some unused bytes is better than copying the used ones: a file
// inside a frame is nearly all of it. Node's pool of small Buffers, which cannot be handed over, is far smaller.
const WORTH_GIVING = 1024 * 1024;

/**
 * Prepares a value for postMessage. The buffers under its byte arrays are to be transferred, which empties every
 * array on them at the sender's side; a small part of a larger buffer is copied first.
 */
export function packMessage(value: unknown): Message {
  const packed = packBytes(value);
  const { head } = packed;
  const parts = packed.parts.map((part) => (part instanceof ByteParts ? joinParts(part) : part));
  const covered = coverage(parts);
  const buffers: ArrayBuffer[] = [];
  const places = parts.map((part): Message["places"][number] => {
    const given = isWorthGiving(part, covered.get(part.buffer) ?? 0) ? part : new Uint8Array(part);
    const known = buffers.indexOf(given.buffer);
    const index = known < 0 ? buffers.push(given.buffer) - 1 : known;
    return [index, given.byteOffset, given.length];
  });
  return { head, buffers, places };
}

/** Reads a value that packMessage prepared, without a copy. */
export function unpackMessage({ head, buffers, places }: Message): unknown {
  const parts = places.map(([index, offset, length]) => new Uint8Array(buffers[index]!, offset, length));
  return restoreBytes({ head, parts });
}

/** Buffers that can be freed once their parts were sent, by the rule by which others are transferred. */
export function buffersGiven(parts: readonly Uint8Array[]): ArrayBuffer[] {
  const covered = coverage(parts);
  const given = parts.filter((part): part is Bytes => isWorthGiving(part, covered.get(part.buffer) ?? 0));
  return [...new Set(given.map(({ buffer }) => buffer))];
}

/** How many bytes of each buffer the parts name. */
function coverage(parts: readonly Uint8Array[]): Map<ArrayBufferLike, number> {
  const covered = new Map<ArrayBufferLike, number>();
  for (const { buffer, length } of parts) covered.set(buffer, (covered.get(buffer) ?? 0) + length);
  return covered;
}

function isWorthGiving(part: Uint8Array, covered: number): part is Bytes {
  const { buffer } = part;
  if (!(buffer instanceof ArrayBuffer)) return false;
  // Without this, an array that was given away before would arrive as an empty file.
  if (buffer.detached) throw new TypeError("Bytes to send were given away before");
  return (
    part.length === buffer.byteLength ||
    (buffer.byteLength >= WORTH_GIVING && covered * 2 >= buffer.byteLength)
  );
}
