import { blobStream, ByteParts, createByteReader, ByteStream } from "./byte-pieces.ts";
import { concatBytes, joinBytes, utf8, type Bytes } from "./bytes.ts";
import { ToolFailure } from "./tool-failure.ts";
import { markBytes, unmarkBytes } from "./byte-tree.ts";

// frame = u32 length of the head, big-endian || head, JSON in UTF-8 || all bytes, one part after the other. In the head
// a part is {"$bytes":[offset,length]}, counted from the end of the head. The last one may be a stream:
// {"$bytes":[offset,length,"stream"]}, with null for an unknown length. A stream of known length that is not the last
// is written like any other part. A File or Blob is {"$bytes":[offset,length,{"name":"…","type":"…"}]}, a Blob without
// the name.
const LENGTH_BYTES = 4;
const STREAM = "stream";

/** A value divided into a tree for JSON, and its bytes in the order in which the tree refers to them. */
type FrameTree = { head: unknown; parts: (Uint8Array | ByteParts | ByteStream)[] };

/** Turns values that JSON lacks into a head, or back: a transformer of tRPC, with marks in place of bytes. */
export type Transform = (head: unknown) => unknown;

/**
 * Takes the bytes out of a tree of plain objects and arrays. The parts are the original arrays, not copies.
 * @throws TypeError for what JSON cannot carry (see markBytes), after the transformer where there is one.
 */
function packBytes(value: unknown, serialize: Transform | undefined): FrameTree {
  const parts: FrameTree["parts"] = [];
  let offset = 0;
  let stream: unknown[] | undefined;
  const mark = (bytes: FrameTree["parts"][number] | Blob) => {
    if (stream?.includes(null)) throw new TypeError("A stream is the last of the bytes to send");
    stream?.pop();
    const part = bytes instanceof Blob ? blobStream(bytes) : bytes;
    const place: unknown[] = [offset, part.length ?? null];
    offset += part.length ?? 0;
    parts.push(part);
    stream = bytes instanceof ByteStream ? place : undefined;
    stream?.push(STREAM);
    if (bytes instanceof Blob) place.push(labelOf(bytes));
    return place;
  };
  if (!serialize) return { head: markBytes(value, mark), parts };
  const head = serialize(markBytes(value, mark, { keepOthers: true }));
  markBytes(head, refuseBytes);
  return { head, parts };
}

/** What a File is besides its bytes; a Blob has no name. */
export interface FileLabel {
  readonly name?: string;
  readonly type: string;
}

function labelOf({ name, type }: Blob & { readonly name?: unknown }): FileLabel {
  // Bun names a file of the disk by its whole path.
  return typeof name === "string" ? { name: name.replace(/^.*[\\/]/s, ""), type } : { type };
}

function refuseBytes(): never {
  throw new TypeError("A value to send holds bytes where only its transformer looks");
}

/**
 * Writes a value as the parts of one frame: length and head, then each part without a copy; a stream of unknown length
 * comes last. `encode` turns the head's JSON into UTF-8, where some of it is UTF-8 already; `serialize` makes the head,
 * where it is more than JSON.
 * @throws TypeError for what JSON cannot carry, and for undefined.
 */
export function streamedFrameParts(
  value: unknown,
  {
    encode = (json) => [utf8(json)],
    serialize,
  }: { encode?: (json: string) => Uint8Array[]; serialize?: Transform | undefined } = {},
): (Uint8Array | ByteStream)[] {
  const { head, parts } = packBytes(value, serialize);
  const [first = new Uint8Array(), ...rest] = encode(JSON.stringify(head));
  const length = new Uint8Array(LENGTH_BYTES);
  const bytes = rest.reduce((sum, part) => sum + part.length, first.length);
  new DataView(length.buffer).setUint32(0, bytes);
  const bodies = parts.flatMap<Uint8Array | ByteStream>((part) =>
    part instanceof ByteParts ? part.parts : [part],
  );
  return [concatBytes(length, first), ...rest, ...bodies];
}

/** The parts of a frame for a value without a stream. @throws TypeError for a stream too */
export function frameParts(value: unknown): Uint8Array[] {
  return streamedFrameParts(value).map((part) => {
    if (part instanceof ByteStream) throw new TypeError("A stream cannot be sent here");
    return part;
  });
}

/**
 * Writes a value as one frame: a u32 length, a JSON head of that length, then the bytes.
 * @throws TypeError for what JSON cannot carry, and for undefined.
 */
export function encodeFrame(value: unknown): Bytes {
  return joinBytes(frameParts(value));
}

interface OpenOptions {
  readonly maxHeadBytes?: number;
  /** Called with the JSON before it is parsed. */
  readonly checkHead?: (json: Bytes) => void;
  /** Whether bytes are returned as a stream too where they are the only ones. */
  readonly streamLast?: boolean;
  /** A file that is the last of the bytes is returned as a stream, of which this is told name and type. */
  readonly labelStream?: (stream: ByteStream, label: FileLabel) => void;
  /** The inverse of the sender's `serialize`. */
  readonly deserialize?: Transform | undefined;
}

/** Makes what stands for a file from its part of a frame. */
export type MakeFile = (bytes: Bytes, label: FileLabel) => unknown;

/** The file as its sender had it: a File, or a Blob where it has no name. */
export function labelledFile(bytes: Bytes, { name, type }: FileLabel): Blob {
  return name === undefined ? new Blob([bytes], { type }) : new File([bytes], name, { type });
}

/**
 * Reads one frame while it arrives. A stream in it is read by its consumer; a frame without one is read to the end.
 * @throws TypeError for anything but one valid frame; ToolFailure when a stream does not end where the head says
 */
export async function openFrame(
  source: AsyncIterable<Bytes>,
  { maxHeadBytes, checkHead, streamLast = false, labelStream, deserialize }: OpenOptions = {},
): Promise<unknown> {
  const reader = createByteReader(source);
  const prefix = await reader.take(LENGTH_BYTES);
  const headLength = prefix.length < LENGTH_BYTES ? 0 : new DataView(prefix.buffer).getUint32(0);
  if (headLength > (maxHeadBytes ?? headLength)) throw new TypeError("The head of the frame is too long");
  const json = await reader.take(headLength);
  checkHead?.(json);
  const head = readHead(json, deserialize);
  const places = placesIn(head);
  const last = places.at(-1);
  const isStream = last?.isStream || (streamLast && places.length === 1) || (labelStream && last?.label);
  if (!last || !isStream) return restore(head, { places, body: await restOf(reader.rest()) });
  const body = await reader.take(last.offset);
  const stream = new ByteStream(measured(reader.rest(), last.length), last.length);
  if (last.label) labelStream?.(stream, last.label);
  return restore(head, { places, body, stream });
}

async function restOf(pieces: AsyncIterable<Bytes>): Promise<Bytes> {
  const all: Bytes[] = [];
  for await (const piece of pieces) all.push(piece);
  return joinBytes(all);
}

async function* measured(pieces: AsyncIterable<Bytes>, length: number | undefined): AsyncGenerator<Bytes> {
  let sum = 0;
  for await (const piece of pieces) {
    sum += piece.length;
    if (sum > (length ?? sum)) break;
    yield piece;
  }
  if (sum === (length ?? sum)) return;
  throw new ToolFailure("invalid_parameter", "The stream in the frame has another length than its head says");
}

/**
 * Reads one frame. The byte arrays are views on the frame: they keep it alive and share its buffer. Each byte after the
 * head belongs to exactly one part: overlapping parts would make a small frame pass for a large one, and bytes outside
 * all parts would escape every check.
 * @throws TypeError for anything but one valid frame.
 */
export function decodeFrame(
  frame: Bytes,
  { deserialize, makeFile }: Pick<OpenOptions, "deserialize"> & { readonly makeFile?: MakeFile } = {},
): unknown {
  const bytes = headOf(frame);
  const head = readHead(bytes, deserialize);
  const body = frame.subarray(LENGTH_BYTES + bytes.length);
  // A stream of unknown length ends with the frame.
  const places = placesIn(head).map((place) => ({
    ...place,
    length: place.length ?? Math.max(0, body.length - place.offset),
  }));
  return restore(head, { places, body, makeFile });
}

// The places are in the order of the head; the last is the stream, and the body has all other parts.
function restore(
  { tree, mayShare }: Head,
  {
    places,
    body,
    stream,
    makeFile = labelledFile,
  }: {
    places: readonly DataRange[];
    body: Bytes;
    stream?: ByteStream;
    makeFile?: MakeFile | undefined;
  },
): unknown {
  const inBody = stream ? places.slice(0, -1) : places;
  checkCover(inBody, body.length);
  let next = 0;
  const take = () => {
    const place = inBody[next++];
    // Only the stream comes after those in the body.
    if (!place) return stream ?? NO_BYTES;
    const part = body.subarray(place.offset, place.offset + (place.length ?? 0));
    return place.label ? makeFile(part, place.label) : part;
  };
  return unmarkBytes(tree, take, { mayShare });
}

/** The JSON bytes of a frame's head. @throws TypeError where the frame is too short */
export function headOf(frame: Bytes): Bytes {
  return frame.subarray(LENGTH_BYTES, LENGTH_BYTES + readHeadLength(frame));
}

function readHeadLength(frame: Bytes): number {
  if (frame.length < LENGTH_BYTES) throw new TypeError("The frame is shorter than its four bytes of length");
  const length = new DataView(frame.buffer, frame.byteOffset, LENGTH_BYTES).getUint32(0);
  if (length > frame.length - LENGTH_BYTES) throw new TypeError("The head of the frame ends after the frame");
  return length;
}

interface Head {
  readonly tree: unknown;
  /** Whether a transformer made it. */
  readonly mayShare: boolean;
}

function readHead(bytes: Bytes, deserialize: Transform | undefined): Head {
  const parsed = parseHead(bytes);
  return { tree: deserialize ? deserialize(parsed) : parsed, mayShare: deserialize !== undefined };
}

function parseHead(bytes: Bytes): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    // The engine's own message quotes the text.
    throw new TypeError("The head of the frame is not JSON in UTF-8");
  }
}

interface DataRange {
  readonly offset: number;
  /** Undefined where it is known only at the end. */
  readonly length: number | undefined;
  readonly isStream: boolean;
  /** Present where it is a file. */
  readonly label?: FileLabel | undefined;
}

function placesIn({ tree, mayShare }: Head): DataRange[] {
  const places: DataRange[] = [];
  const note = (mark: unknown) => {
    if (places.at(-1)?.isStream) throw new TypeError("A stream in a frame must be its last part");
    places.push(readPlace(mark));
    return NO_BYTES;
  };
  unmarkBytes(tree, note, { mayShare });
  return places;
}

const NO_BYTES = new Uint8Array();

function readPlace(mark: unknown): DataRange {
  if (!Array.isArray(mark)) throw new TypeError(`"$bytes" in a frame must be [offset, length]`);
  const [offset, length, kind, ...more]: unknown[] = mark;
  const isStream = kind === STREAM;
  const label = readLabel(kind);
  if ((kind !== undefined && !isStream && !label) || more.length > 0)
    throw new TypeError(`"$bytes" in a frame must be [offset, length]`);
  if (!isCount(offset)) throw new TypeError(`"$bytes" in a frame must hold two whole numbers`);
  if (isStream && length === null) return { offset, length: undefined, isStream };
  if (!isCount(length)) throw new TypeError(`"$bytes" in a frame must hold two whole numbers`);
  return { offset, length, isStream, label };
}

function readLabel(kind: unknown): FileLabel | undefined {
  if (typeof kind !== "object" || kind === null || Array.isArray(kind)) return undefined;
  const { name, type, ...more }: Record<string, unknown> = { ...kind };
  if (typeof type !== "string" || Object.keys(more).length > 0) return undefined;
  if (name === undefined) return { type };
  return typeof name === "string" ? { name, type } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function checkCover(places: readonly DataRange[], length: number): void {
  let end = 0;
  // An empty part sorts before the part that starts at the same place.
  const sorted = places.map((place) => ({ ...place, length: place.length ?? 0 }));
  for (const place of sorted.toSorted((a, b) => a.offset - b.offset || a.length - b.length)) {
    if (place.offset !== end) throw new TypeError("The parts of the frame overlap or leave a gap");
    end += place.length;
  }
  if (end !== length) throw new TypeError("The frame holds other bytes than its head names");
}
