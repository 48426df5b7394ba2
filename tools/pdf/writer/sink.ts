import { ByteParts, joinParts } from "../../../wire/byte-parts.ts";
import { type Allowance, spend } from "../limits.ts";

/** The first block; each one after is as long as all before it, up to the last. */
const LEAST_BLOCK = 512;
const MOST_BLOCK = 64 * 1024;
/** From here on a piece is worth a call of its own when it is sent on. */
const WORTH_SHARING = 32 * 1024;

/** Bytes being written: small pieces are gathered in blocks, large ones kept as they are until the end. */
export interface Sink {
  readonly parts: Uint8Array[];
  readonly allowance: Allowance;
  block: Uint8Array;
  /** Bytes used in the block. */
  used: number;
  /** Bytes in all the parts before the block. */
  before: number;
}

export function openSink(allowance: Allowance): Sink {
  return { parts: [], allowance, block: new Uint8Array(LEAST_BLOCK), used: 0, before: 0 };
}

export function sizeOf(sink: Sink): number {
  return sink.before + sink.used;
}

/** Writes text of one byte a character. */
export function putText(sink: Sink, text: string): void {
  if (sink.used + text.length > sink.block.length) flush(sink, text.length);
  const { block } = sink;
  let at = sink.used;
  for (let i = 0; i < text.length; i++) block[at++] = text.charCodeAt(i);
  sink.used = at;
}

/** Writes bytes `from` … `to`. */
export function putBytes(sink: Sink, bytes: Uint8Array, { from = 0, to = bytes.length } = {}): void {
  const length = to - from;
  if (length >= WORTH_SHARING) {
    flush(sink, 0);
    share(sink, bytes.subarray(from, to));
    return;
  }
  if (sink.used + length > sink.block.length) flush(sink, length);
  const { block } = sink;
  // Short copies in a loop: set() with a view costs an object each, and most pieces are a few bytes.
  if (length < 64) for (let i = 0; i < length; i++) block[sink.used + i] = bytes[from + i]!;
  else block.set(bytes.subarray(from, to), sink.used);
  sink.used += length;
}

function share(sink: Sink, part: Uint8Array): void {
  spend(sink.allowance, part.length);
  sink.parts.push(part);
  sink.before += part.length;
}

function flush(sink: Sink, room: number): void {
  if (sink.used > 0) {
    share(sink, sink.block.subarray(0, sink.used));
    sink.block = sink.block.subarray(sink.used);
  }
  sink.used = 0;
  if (sink.block.length >= Math.max(room, LEAST_BLOCK / 2)) return;
  sink.block = new Uint8Array(Math.max(room, Math.min(MOST_BLOCK, sink.before)));
}

/** Everything written so far, in pieces. */
export function piecesOf(sink: Sink): ByteParts {
  flush(sink, 0);
  return new ByteParts(sink.parts);
}

/** Everything written so far as one array. */
export function gather(sink: Sink): Uint8Array {
  return joinParts(piecesOf(sink));
}
