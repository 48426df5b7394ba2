import { readSync, writeSync } from "node:fs";
import { type Bytes, freeBytes } from "../../wire/bytes.ts";
import { decodeFrame, frameParts } from "../../wire/frame.ts";

// On a pipe each frame follows its own length, because only its head tells the length of its bytes.
const LENGTH_BYTES = 8;
/** Also of what a reply stands for. */
export const MAX_FRAME = 2 ** 31;

/** A value as parts for a pipe: the length, then the frame. */
export function pipeParts(value: unknown): Uint8Array[] {
  const parts = frameParts(value);
  const length = new Uint8Array(LENGTH_BYTES);
  const total = parts.reduce((sum, part) => sum + part.length, 0);
  new DataView(length.buffer).setBigUint64(0, BigInt(total));
  return [length, ...parts];
}

/** Makes a reader that takes chunks of any length from a pipe, and returns each value once it is complete. */
export function createPipeReader(onValue: (value: unknown) => void): (chunk: Uint8Array) => void {
  let target = new Uint8Array(LENGTH_BYTES);
  let filled = 0;
  let isLength = true;
  return (chunk) => {
    for (let rest = chunk; rest.length > 0;) {
      const taken = rest.subarray(0, target.length - filled);
      target.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
      if (filled < target.length) break;
      const whole = target;
      target = new Uint8Array(isLength ? readLength(whole) : LENGTH_BYTES);
      if (!isLength) onValue(decodeFrame(whole));
      isLength = !isLength;
      filled = 0;
    }
    freeBytes(chunk);
  };
}

/** Waits for the frame of one value on standard input, blocking the process; undefined when the input has ended. */
export function readFrameSync(): Bytes | undefined {
  const length = readExactly(LENGTH_BYTES);
  return length && readExactly(readLength(length));
}

/** Writes one value to standard output, blocking until it is written. */
export function writePipeSync(parts: readonly Uint8Array[]): void {
  for (const part of parts) {
    for (let done = 0; done < part.length;) done += writeSync(1, part, done, part.length - done);
  }
}

function readExactly(length: number): Bytes | undefined {
  const bytes = new Uint8Array(length);
  for (let filled = 0; filled < length;) {
    const count = readSync(0, bytes, filled, length - filled, null);
    if (count === 0) return undefined;
    filled += count;
  }
  return bytes;
}

function readLength(bytes: Bytes): number {
  const length = Number(new DataView(bytes.buffer).getBigUint64(0));
  if (length > MAX_FRAME) throw new RangeError("A frame on the pipe is longer than 2 GiB");
  return length;
}

// From this size on, a buffer may be freed even with some unused bytes: a file inside a frame is nearly all of it.
// Node's shared pool of small Buffers is far smaller.
const MOSTLY_USED_BYTES = 1024 * 1024;

/**
 * Buffers that contain little more than these parts, and can be freed once those were sent.
 * @throws TypeError for parts that were freed before: they would arrive as empty files
 */
export function releasableBuffers(parts: readonly Uint8Array[]): ArrayBuffer[] {
  const used = new Map<ArrayBufferLike, number>();
  for (const { buffer, length } of parts) used.set(buffer, (used.get(buffer) ?? 0) + length);
  const buffers = [...used.keys()].filter((buffer) => buffer instanceof ArrayBuffer);
  if (buffers.some(({ detached }) => detached)) throw new TypeError("Bytes to send were given away before");
  return buffers.filter((buffer) => {
    const { byteLength } = buffer;
    const usedBytes = used.get(buffer) ?? 0;
    return usedBytes === byteLength || (byteLength >= MOSTLY_USED_BYTES && usedBytes * 2 >= byteLength);
  });
}

/** A worker's request for memory in the middle of a job, and the answer. */
export type MemoryQuestion = { asksBytes: number };
export type Permission = { isGranted: boolean };

/**
 * Asks the server, from a worker process, for memory whose amount only the file's headers tell; waits for the answer.
 */
export function askForMemory(asksBytes: number): void {
  writePipeSync(pipeParts({ asksBytes } satisfies MemoryQuestion));
  // Both ends of the pipe are this program, so the shape is known.
  const frame = readFrameSync();
  const answer = frame && (decodeFrame(frame) as Permission);
  // The server knows the reason, and tells the caller.
  if (!answer?.isGranted) throw new Error("The server has no such memory for this call");
}
