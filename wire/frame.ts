import { concatBytes, joinBytes, utf8, type Bytes } from "./bytes.ts";
import { ByteParts } from "./byte-parts.ts";
import { markBytes, unmarkBytes } from "./byte-tree.ts";

// frame = u32 length of the head, big-endian || head, JSON in UTF-8 || all bytes, one part after the other
// In the head a part is {"$bytes":[offset,length]}, counted from the end of the head.
const LENGTH_BYTES = 4;

/** A value taken apart: a tree that JSON can carry, and its bytes in the order in which the tree names them. */
export type Packed = { head: unknown; parts: (Uint8Array | ByteParts)[] };

/**
 * Takes the bytes out of a tree of plain objects and arrays. The parts are the arrays themselves, not copies.
 * @throws TypeError for what JSON cannot carry (see markBytes).
 */
export function packBytes(value: unknown): Packed {
  const parts: Packed["parts"] = [];
  let offset = 0;
  const head = markBytes(value, (bytes) => {
    const place = [offset, bytes.length];
    offset += bytes.length;
    parts.push(bytes);
    return place;
  });
  return { head, parts };
}

/**
 * Puts parts back into the tree they were taken from: the inverse of packBytes, without a copy.
 * @throws TypeError when tree and parts do not belong together.
 */
export function restoreBytes({ head, parts }: { head: unknown; parts: readonly Bytes[] }): unknown {
  let next = 0;
  let offset = 0;
  const value = unmarkBytes(head, (mark) => {
    const place = readPlace(mark);
    const part = parts[next++];
    if (part?.length !== place.length || offset !== place.offset) throw new TypeError("A part is missing");
    offset += place.length;
    return part;
  });
  if (next !== parts.length) throw new TypeError("A part is left over");
  return value;
}

/**
 * Writes a value as one frame, in parts: length and head first, then each part uncopied. For a stream. `encode`
 * turns the head's JSON into UTF-8, where some of it is UTF-8 already.
 * @throws TypeError for what JSON cannot carry, and for undefined.
 */
export function frameParts(
  value: unknown,
  { encode = (json: string): Uint8Array[] => [utf8(json)] } = {},
): Uint8Array[] {
  const { head, parts } = packBytes(value);
  const [first = new Uint8Array(), ...rest] = encode(JSON.stringify(head));
  const length = new Uint8Array(LENGTH_BYTES);
  const bytes = rest.reduce((sum, part) => sum + part.length, first.length);
  new DataView(length.buffer).setUint32(0, bytes);
  const bodies = parts.flatMap((part) => (part instanceof ByteParts ? part.parts : [part]));
  return [concatBytes(length, first), ...rest, ...bodies];
}

/**
 * Writes a value as one frame: a u32 length, a JSON head of that length, then the bytes.
 * @throws TypeError for what JSON cannot carry, and for undefined.
 */
export function encodeFrame(value: unknown): Bytes {
  return joinBytes(frameParts(value));
}

/**
 * Reads one frame. Restored arrays are views on the frame, so they live as long as it does and share its buffer.
 * Every byte after the head belongs to exactly one part: overlapping parts would let a small frame pass for a
 * large one, and bytes that nothing names would escape every check.
 * @throws TypeError when it is not exactly one well-formed frame.
 */
export function decodeFrame(frame: Bytes): unknown {
  const bytes = headOf(frame);
  const head = readHead(bytes);
  const body = frame.subarray(LENGTH_BYTES + bytes.length);
  const places: Place[] = [];
  const value = unmarkBytes(head, (mark) => {
    const place = readPlace(mark);
    if (place.offset + place.length > body.length)
      throw new TypeError("A part of the frame ends after the frame");
    places.push(place);
    return body.subarray(place.offset, place.offset + place.length);
  });
  checkCover(places, body.length);
  return value;
}

/** The JSON at the head of a frame, as bytes. @throws TypeError when the frame is shorter */
export function headOf(frame: Bytes): Bytes {
  return frame.subarray(LENGTH_BYTES, LENGTH_BYTES + readHeadLength(frame));
}

function readHeadLength(frame: Bytes): number {
  if (frame.length < LENGTH_BYTES) throw new TypeError("The frame is shorter than its four bytes of length");
  const length = new DataView(frame.buffer, frame.byteOffset, LENGTH_BYTES).getUint32(0);
  if (length > frame.length - LENGTH_BYTES) throw new TypeError("The head of the frame ends after the frame");
  return length;
}

function readHead(bytes: Bytes): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    // The engine's own sentence quotes what it could not read.
    throw new TypeError("The head of the frame is not JSON in UTF-8");
  }
}

type Place = { offset: number; length: number };

function readPlace(mark: unknown): Place {
  if (!Array.isArray(mark) || mark.length !== 2)
    throw new TypeError(`"$bytes" in a frame must be [offset, length]`);
  const [offset, length]: unknown[] = mark;
  if (!isCount(offset) || !isCount(length))
    throw new TypeError(`"$bytes" in a frame must hold two whole numbers`);
  return { offset, length };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function checkCover(places: readonly Place[], length: number): void {
  let end = 0;
  // An empty part sorts before the part that starts at the same place.
  for (const place of places.toSorted((a, b) => a.offset - b.offset || a.length - b.length)) {
    if (place.offset !== end) throw new TypeError("The parts of the frame overlap or leave a gap");
    end += place.length;
  }
  if (end !== length) throw new TypeError("The frame holds bytes that its head does not name");
}
