import { piecesOf, type FileInput } from "../../wire/byte-pieces.ts";
import { freeBytes, joinBytes, ownBytes, type Bytes } from "../../wire/bytes.ts";

/** A whole file, or one that arrives in pieces of any size. */
export type ByteSource = Bytes | AsyncIterable<Bytes>;

/** Makes a source of any file that a caller has; a Blob is read while it is processed. */
export function sourceOf(file: FileInput): ByteSource {
  return file instanceof Uint8Array ? ownBytes(file) : ownPieces(file);
}

async function* ownPieces(file: FileInput): AsyncGenerator<Bytes, void> {
  for await (const piece of piecesOf(file)) yield ownBytes(piece);
}

export interface Chunk {
  readonly index: number;
  readonly bytes: Bytes;
  readonly isLast: boolean;
  /** Whether the bytes were joined for this chunk, so that nobody else uses them. */
  readonly isCopy: boolean;
}

/**
 * Cuts a source into chunks of `sizeBytes` (the first one of `firstBytes`). Exactly one chunk is the last: it has 1 to
 * `sizeBytes` bytes, or none when it is also the first. Holds at most one chunk and one piece. Where nobody else uses
 * the pieces (`isOwned`), each is freed once it is cut, instead of waiting for a garbage collector.
 */
export async function* cutChunks(
  source: ByteSource,
  options: { sizeBytes: number; firstBytes?: number; isOwned?: boolean },
): AsyncGenerator<Chunk, void> {
  const { sizeBytes, isOwned = false } = options;
  let wantedBytes = options.firstBytes ?? sizeBytes;
  let held: Bytes[] = [];
  let pieces: Bytes[] = [];
  let heldBytes = 0;
  let index = 0;
  for await (const piece of source instanceof Uint8Array ? [source] : source) {
    let rest = piece;
    // A full chunk waits until a byte follows it: only then is it known not to be the last.
    while (heldBytes + rest.length > wantedBytes) {
      const missing = wantedBytes - heldBytes;
      const last = rest.subarray(0, missing);
      const isCopy = isOwned || held.length > 0;
      const bytes = isCopy ? joinBytes([...held, last]) : last;
      for (const done of pieces) freeBytes(done);
      yield { index: index++, bytes, isLast: false, isCopy };
      [held, heldBytes, pieces] = [[], 0, []];
      wantedBytes = sizeBytes;
      rest = rest.subarray(missing);
    }
    if (rest.length > 0) held.push(rest);
    if (isOwned) pieces.push(piece);
    heldBytes += rest.length;
  }
  const [only, ...more] = held;
  const isCopy = !only || more.length > 0;
  yield { index, bytes: isCopy ? joinBytes(held) : only, isLast: true, isCopy };
}

const PART_BYTES = 65_536;

/** A source piece by piece; a whole file in parts, so that it is never in memory twice. */
export async function* partsOf(source: ByteSource): AsyncGenerator<Bytes, void> {
  if (!(source instanceof Uint8Array)) return yield* source;
  for (let at = 0; at < source.length; at += PART_BYTES) yield source.subarray(at, at + PART_BYTES);
}

/** The source again, with a piece that was taken from its beginning. */
export async function* prepend(first: Bytes, rest: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void> {
  if (first.length > 0) yield first;
  yield* rest;
}

/** The first bytes of a source, and all of it again. */
export async function peek(
  source: ByteSource,
  bytes: number,
): Promise<{ readonly head: Bytes; readonly whole: ByteSource }> {
  if (source instanceof Uint8Array) return { head: source.subarray(0, bytes), whole: source };
  const pieces = partsOf(source);
  const held: Bytes[] = [];
  for (let heldBytes = 0; heldBytes < bytes;) {
    const { value } = await pieces.next();
    if (!value) break;
    held.push(value);
    heldBytes += value.length;
  }
  const first = held.length === 1 && held[0] ? held[0] : joinBytes(held);
  return { head: first.slice(0, bytes), whole: prepend(first, pieces) };
}

/** Works on up to `atOnce` items at a time and gives the results in the order of the items. */
export async function* mapInOrder<In, Out>(
  items: AsyncIterable<In>,
  atOnce: number,
  work: (item: In) => Promise<Out>,
): AsyncGenerator<Out, void> {
  const running: Promise<Out>[] = [];
  for await (const item of items) {
    const result = work(item);
    // A failure is thrown when its turn comes; without a handler until then, it would end the process.
    result.catch(() => undefined);
    running.push(result);
    const next = running.length < atOnce ? undefined : running.shift();
    if (next) yield await next;
  }
  for (const result of running) yield await result;
}

const FIRST_BLOCK_BYTES = 2 ** 20;
/** Room for more than servers usually take; untouched pages of memory cost nothing. */
const ROOM_BYTES = 256 * 2 ** 20;
/** More than 32 MiB, which glibc always gives back to the system at once. */
const BLOCK_BYTES = 40 * 2 ** 20;

/**
 * Collects pieces, which nobody else may use. With the right `expectedBytes` nothing is copied twice, and the array is
 * its whole buffer. Without it, the array lies in a larger buffer with an untouched rest; beyond 256 MiB, or where a
 * system gives no such room, blocks are filled and freed while they are joined. Memory stays close to the length.
 */
export async function collectBytes(
  pieces: AsyncIterable<Bytes>,
  expectedBytes = FIRST_BLOCK_BYTES,
): Promise<Bytes> {
  let block = new Uint8Array(expectedBytes);
  const full: Bytes[] = [];
  let used = 0;
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      if (used === block.length) {
        const room = used < ROOM_BYTES && full.length === 0 ? moveToRoom(block) : undefined;
        if (!room) full.push(block);
        [block, used] = room ? [room, used] : [new Uint8Array(BLOCK_BYTES), 0];
      }
      const part = piece.subarray(from, from + block.length - used);
      block.set(part, used);
      from += part.length;
      used += part.length;
    }
    freeBytes(piece);
  }
  const last = block.subarray(0, used);
  return full.length === 0 ? last : joinBlocks([...full, last]);
}

/** Undefined where a system promises no memory that it does not have. */
function moveToRoom(bytes: Bytes): Bytes | undefined {
  try {
    const room = new Uint8Array(ROOM_BYTES);
    room.set(bytes);
    freeBytes(bytes);
    return room;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function joinBlocks(blocks: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
    freeBytes(block);
  }
  return whole;
}
