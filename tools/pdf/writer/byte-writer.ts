import { ByteParts, joinParts } from "../../../wire/byte-pieces.ts";
import { byteAt } from "../../../wire/bytes.ts";
import { type WorkAllowance, spend } from "../limits.ts";

/** The size of the first block; each later one is as large as all before it, up to a limit. */
const LEAST_BLOCK = 512;
const MOST_BLOCK = 64 * 1024;
/** Bytes of at least this length become a part of their own instead of being copied. */
const LEAST_SHARED = 32 * 1024;

/** An output of bytes: short ones are copied into blocks, long ones are kept as parts. */
export interface ByteWriter {
  readonly parts: Uint8Array[];
  readonly allowance: WorkAllowance;
  block: Uint8Array;
  /** Bytes used in the block. */
  used: number;
  /** Bytes in all parts before the block. */
  before: number;
}

export function createByteWriter(allowance: WorkAllowance): ByteWriter {
  return { parts: [], allowance, block: new Uint8Array(LEAST_BLOCK), used: 0, before: 0 };
}

export function bytesWritten(output: ByteWriter): number {
  return output.before + output.used;
}

/** Writes text with one byte per character. */
export function writeText(output: ByteWriter, text: string): void {
  if (output.used + text.length > output.block.length) flush(output, text.length);
  const { block } = output;
  let at = output.used;
  for (let i = 0; i < text.length; i++) block[at++] = text.charCodeAt(i);
  output.used = at;
}

/** Writes the bytes from index `from` up to `to`. */
export function writeBytes(
  output: ByteWriter,
  bytes: Uint8Array,
  { from = 0, to = bytes.length } = {},
): void {
  const length = to - from;
  if (length >= LEAST_SHARED) {
    flush(output, 0);
    appendPart(output, bytes.subarray(from, to));
    return;
  }
  if (output.used + length > output.block.length) flush(output, length);
  const { block } = output;
  // A loop for short copies: set() allocates a view for each, and most calls write a few bytes.
  if (length < 64) for (let i = 0; i < length; i++) block[output.used + i] = byteAt(bytes, from + i);
  else block.set(bytes.subarray(from, to), output.used);
  output.used += length;
}

function appendPart(output: ByteWriter, part: Uint8Array): void {
  spend(output.allowance, part.length);
  output.parts.push(part);
  output.before += part.length;
}

function flush(output: ByteWriter, room: number): void {
  if (output.used > 0) {
    appendPart(output, output.block.subarray(0, output.used));
    output.block = output.block.subarray(output.used);
  }
  output.used = 0;
  if (output.block.length >= Math.max(room, LEAST_BLOCK / 2)) return;
  output.block = new Uint8Array(Math.max(room, Math.min(MOST_BLOCK, output.before)));
}

/** Everything written so far, in parts. */
export function writtenParts(output: ByteWriter): ByteParts {
  flush(output, 0);
  return new ByteParts(output.parts);
}

/** Everything written so far as one array. */
export function writtenBytes(output: ByteWriter): Uint8Array {
  return joinParts(writtenParts(output));
}
