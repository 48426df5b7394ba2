import { Inflate, inflateSync } from "fflate";
import { joinBytes, byteAt } from "../../../wire/bytes.ts";
import { type NativeZlib, nativeZlib } from "../../file/native.ts";
import { type Budget, spend, spendInflated } from "../limits.ts";

/** The data of a stream without its filters. */
export interface DecodedStream {
  readonly bytes: Uint8Array;
  /** False if the data broke off or was wrong somewhere, so that other programs may read more or less of it. */
  readonly isComplete: boolean;
  /** What follows the end of the data; absent where that is not known. */
  readonly rest?: Uint8Array | undefined;
}

/** Deflate grows at most 1,032 times, so a chunk this small exceeds the budget by 8 MB at worst. */
const CHUNK = 8 * 1024;
/** Up to this length data is inflated in one call: 32 MB at worst. */
const AT_ONCE = 32 * 1024;
/** A zlib stream begins with two bytes and ends with a checksum of four. */
const HEADER_LENGTH = 2;
const CHECKSUM_LENGTH = 4;
const MODULUS = 65_521;
/** As many bytes as can be added before the sums have to be reduced (RFC 1950, as in zlib). */
const UNREDUCED = 3_800;

/**
 * Inflates zlib data as far as it goes: a cut or broken stream gives what comes before the break.
 * @throws ToolFailure too_complex when the call's budget is used up
 */
export function inflate(data: Uint8Array, budget: Budget): DecodedStream {
  if (data.length === 0) return { bytes: data, isComplete: true };
  const isZlib = hasZlibHeader(data);
  const body = data.subarray(isZlib ? HEADER_LENGTH : 0);
  return nativeZlib
    ? inflateNatively(data, { zlib: nativeZlib, body, isZlib, budget })
    : inflateInPage(body, { isZlib, budget });
}

interface Input {
  /** The data without the zlib header. */
  readonly body: Uint8Array;
  readonly isZlib: boolean;
  readonly budget: Budget;
}

function inflateNatively(data: Uint8Array, input: Input & { zlib: NativeZlib }): DecodedStream {
  const { zlib, body, isZlib, budget } = input;
  const checked = isZlib ? attempt(zlib.inflateSync, data, budget) : "cut";
  if (typeof checked !== "string") return { ...checked, isComplete: true };
  // Complete but for its checksum, as where /Length is a few bytes short.
  const unchecked = checked === "cut" ? attempt(zlib.inflateRawSync, body, budget) : checked;
  if (typeof unchecked !== "string") return { bytes: unchecked.bytes, isComplete: true };
  // Runtimes differ in what they give of damaged data.
  return { bytes: inflateInChunks(body, budget), isComplete: false };
}

/** The highest limit that every runtime's zlib takes; workerd's refuses a higher one for any data. */
const SURE_LIMIT = 128 * 1024 * 1024;
const EMPTY = Uint8Array.of(0x78, 0x9c, 3, 0, 0, 0, 0, 1);
let highestLimit: number | undefined;
const LEAST_CHUNK = 256;
const MOST_CHUNK = 64 * 1024;

/** Says instead of the bytes whether the data is only cut off or wrong. */
function attempt(
  unzip: NativeZlib["inflateSync"],
  data: Uint8Array,
  budget: Budget,
): Omit<DecodedStream, "isComplete"> | "cut" | "wrong" {
  const { inflated } = budget;
  const left = Math.max(0, inflated.value - inflated.spent) + 1;
  // Text grows four times. A result keeps the whole of its last chunk, and by default that has 16 KB.
  const chunkSize = Math.min(MOST_CHUNK, Math.max(LEAST_CHUNK, 4 * data.length));
  try {
    const maxOutputLength = left > SURE_LIMIT ? Math.min(left, findHighestLimit()) : left;
    const unzipped = unzip(data, { maxOutputLength, chunkSize, info: true });
    // workerd does not tell how much it has read.
    const [bytes, rest] = ArrayBuffer.isView(unzipped)
      ? [unzipped]
      : [unzipped.buffer, data.subarray(unzipped.engine.bytesWritten)];
    spendInflated(budget, bytes.length);
    return { bytes, rest };
  } catch (error) {
    if (error instanceof RangeError) spend(inflated, left);
    return error instanceof Error && "code" in error && error.code === "Z_BUF_ERROR" ? "cut" : "wrong";
  }
}

function findHighestLimit(): number {
  if (highestLimit !== undefined) return highestLimit;
  try {
    nativeZlib?.inflateSync(EMPTY, { maxOutputLength: SURE_LIMIT + 1, chunkSize: LEAST_CHUNK, info: false });
    return (highestLimit = Infinity);
  } catch {
    return (highestLimit = SURE_LIMIT);
  }
}

function inflateInPage(body: Uint8Array, { isZlib, budget }: Omit<Input, "body">): DecodedStream {
  const bytes = body.length <= AT_ONCE ? inflateAtOnce(body) : undefined;
  if (!bytes) return inflateInChunksChecked(body, { isZlib, budget });
  spendInflated(budget, bytes.length);
  return { bytes, isComplete: !isZlib || hasChecksum(body, bytes) || endsInChecksum(body, bytes.length) };
}

/** Three times as fast as in chunks, but all or nothing. */
function inflateAtOnce(body: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(body);
  } catch {
    // Cut or broken: inflateInChunks gives what comes before the break.
    return undefined;
  }
}

/** fflate does not tell where the data ended in chunks, so a checksum has to prove that it did. */
function inflateInChunksChecked(body: Uint8Array, { isZlib, budget }: Omit<Input, "body">): DecodedStream {
  const bytes = inflateInChunks(body, budget);
  const isComplete = isZlib && (hasChecksum(body, bytes) || endsInChecksum(body, bytes.length));
  return { bytes, isComplete };
}

/** Whether the data is whole, and what is missing is of the checksum only. */
function endsInChecksum(body: Uint8Array, length: number): boolean {
  return isWhole(body, length) && !isWhole(body.subarray(0, -CHECKSUM_LENGTH), length);
}

function isWhole(body: Uint8Array, length: number): boolean {
  try {
    return inflateSync(body, { out: new Uint8Array(length) }).length === length;
  } catch {
    return false;
  }
}

/** A line end or two may follow the checksum where /Length counts them. */
function hasChecksum(body: Uint8Array, bytes: Uint8Array): boolean {
  const expected = adler32(bytes);
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  for (let after = 0; after <= 2; after++) {
    const at = body.length - CHECKSUM_LENGTH - after;
    if (at >= 0 && view.getUint32(at) === expected) return true;
  }
  return false;
}

function inflateInChunks(body: Uint8Array, budget: Budget): Uint8Array {
  const first = inflateUntilBroken(body, body.length, budget);
  // fflate gives nothing of the chunk that it breaks off in, so that one is repeated in small ones.
  const { parts } = first.end < body.length ? inflateUntilBroken(body, first.end, budget) : first;
  const [only, second] = parts;
  return only && !second ? only : joinBytes(parts);
}

const SMALL_CHUNK = 16;

/** The parts that could be inflated, and where the chunk that could not begins; from `slowFrom` in small chunks. */
function inflateUntilBroken(
  body: Uint8Array,
  slowFrom: number,
  budget: Budget,
): { parts: Uint8Array[]; end: number } {
  const parts: Uint8Array[] = [];
  const stream = new Inflate((part) => parts.push(part));
  let at = 0;
  while (at < body.length) {
    const before = parts.length;
    const next = at < slowFrom ? Math.min(at + CHUNK, slowFrom) : at + SMALL_CHUNK;
    // Never final: fflate drops everything it has when the last chunk is cut.
    if (!pushUnlessBroken(stream, body.subarray(at, next))) break;
    for (const part of parts.slice(before)) spendInflated(budget, part.length);
    at = next;
  }
  return { parts, end: at };
}

function hasZlibHeader(data: Uint8Array): boolean {
  const [method = 0, flags = 0] = data;
  return (method & 15) === 8 && ((method << 8) | flags) % 31 === 0;
}

/** As in other PDF programs, data ends at a broken block. */
function pushUnlessBroken(stream: Inflate, chunk: Uint8Array): boolean {
  try {
    stream.push(chunk, false);
    return true;
  } catch {
    return false;
  }
}

/** The checksum at the end of a zlib stream (RFC 1950). */
function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let start = 0; start < bytes.length; start += UNREDUCED) {
    const end = Math.min(bytes.length, start + UNREDUCED);
    for (let at = start; at < end; at++) b += a += byteAt(bytes, at);
    a %= MODULUS;
    b %= MODULUS;
  }
  return b * 65_536 + a;
}
