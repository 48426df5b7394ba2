import { ByteParts, ByteStream } from "../../wire/byte-pieces.ts";
import { joinBytes, ownBytes, type Bytes } from "../../wire/bytes.ts";
import { MAX_FRAME } from "./pipe.ts";

// Most of what a PDF tool writes is what it has read: photographs, fonts. A worker answers such bytes with their places in
// its task, which the server still has, instead of sending them back through the pipe.

/** The bytes of a result: places in the frame of the task, and what is new. */
interface SplicedBytes {
  /** Offset and length of each piece, one after the other; at -1 are the next bytes of `added`. */
  readonly places: readonly number[];
  readonly added: ByteParts;
}

/** A shorter piece is sent: its place would take nearly as long. */
const LEAST_PLACE_BYTES = 4096;
/** Below this size of all places, and part of the result, nothing is spliced. */
const LEAST_KEPT_BYTES = 256 * 1024;
const LEAST_KEPT_PART = 0.25;

const ADDED = -1;

/** The result of a job with its `data` as places in the task's frame, where enough of it lies there. */
export function spliceResult(result: unknown, frame: Bytes): unknown {
  if (typeof result !== "object" || result === null || !("data" in result)) return result;
  const { data } = result;
  const spliced = data instanceof ByteParts ? spliceParts(data, frame) : undefined;
  return spliced ? { ...result, data: spliced } : result;
}

function spliceParts({ parts, length }: ByteParts, frame: Bytes): SplicedBytes | undefined {
  const places: number[] = [];
  const added: Uint8Array[] = [];
  let keptBytes = 0;
  const add = (offset: number, bytes: number) => {
    const isNext = places.length > 0 && endOf(places) === offset;
    if (isNext) places.push(places.pop()! + bytes);
    else places.push(offset, bytes);
  };
  for (const part of parts) {
    const isKept = part.buffer === frame.buffer && part.length >= LEAST_PLACE_BYTES;
    if (isKept) keptBytes += part.length;
    else added.push(part);
    add(isKept ? part.byteOffset - frame.byteOffset : ADDED, part.length);
  }
  const isWorth = keptBytes >= LEAST_KEPT_BYTES && keptBytes >= length * LEAST_KEPT_PART;
  return isWorth ? { places, added: new ByteParts(added) } : undefined;
}

/** Where a piece would begin that continues the last one. */
function endOf(places: readonly number[]): number {
  const [offset = 0, bytes = 0] = places.slice(-2);
  return offset === ADDED ? ADDED : offset + bytes;
}

/** A spliced result as the server receives it. */
interface ReceivedBytes extends Pick<SplicedBytes, "places"> {
  readonly added: Bytes;
}

/**
 * The result with its bytes as a stream, spliced of the parts of the frame that was sent.
 * @throws TypeError for places outside of them, or more than 2 GiB
 */
export function joinResult(result: unknown, sent: readonly Uint8Array[]): unknown {
  // The worker is this program's own, so the shape of its reply is known.
  const { data, ...facts } = result as { readonly data: ReceivedBytes };
  const views = viewsOf(data, sent);
  const length = views.reduce((sum, view) => sum + view.length, 0);
  // An attacker who controls a worker could name the same bytes without end.
  if (length > MAX_FRAME) throw new TypeError("A worker names more bytes than a reply may have");
  return { ...facts, data: new ByteStream(writtenPieces(views), length) };
}

function viewsOf({ places, added }: ReceivedBytes, sent: readonly Uint8Array[]): Uint8Array[] {
  const views: Uint8Array[] = [];
  let addedBytes = 0;
  for (let i = 0; i < places.length; i += 2) {
    const [offset = NaN, length = NaN] = [places[i], places[i + 1]];
    const isAdded = offset === ADDED;
    views.push(...cut(isAdded ? [added] : sent, { from: isAdded ? addedBytes : offset, length }));
    if (isAdded) addedBytes += length;
  }
  return views;
}

function cut(parts: readonly Uint8Array[], { from, length }: { from: number; length: number }): Uint8Array[] {
  const views: Uint8Array[] = [];
  let [start, cutBytes] = [0, 0];
  for (const part of parts) {
    const view = part.subarray(Math.max(0, from - start), Math.max(0, from + length - start));
    if (view.length > 0) views.push(view);
    cutBytes += view.length;
    start += part.length;
  }
  if (cutBytes !== length) throw new TypeError("A worker names bytes that it was not sent");
  return views;
}

/** Written to a socket at a time; shorter pieces are gathered up to that. */
const PIECE_BYTES = 64 * 1024;
const SHORT_BYTES = 16 * 1024;

async function* writtenPieces(views: readonly Uint8Array[]): AsyncGenerator<Bytes, void> {
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  for (const view of views) {
    for (let at = 0; at < view.length; at += PIECE_BYTES) {
      const piece = view.subarray(at, at + PIECE_BYTES);
      const isShort = piece.length < SHORT_BYTES;
      if (isShort) {
        gathered.push(piece);
        gatheredBytes += piece.length;
      }
      if (gatheredBytes > 0 && (!isShort || gatheredBytes >= PIECE_BYTES)) {
        yield joinBytes(gathered);
        [gathered, gatheredBytes] = [[], 0];
      }
      if (!isShort) yield shared(piece);
    }
  }
  if (gatheredBytes > 0) yield joinBytes(gathered);
}

/** A copy, because what writes a piece may free its buffer, which other places may need. */
function shared(piece: Uint8Array): Bytes {
  return piece.length === piece.buffer.byteLength ? new Uint8Array(piece) : ownBytes(piece);
}
