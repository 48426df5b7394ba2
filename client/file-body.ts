import { blobStream, BlobStream, ByteStream, piecesOf, type FileInput } from "../wire/byte-pieces.ts";
import { markBytes, unmarkBytes } from "../wire/byte-tree.ts";
import { joinBytes, ownBytes, type Bytes } from "../wire/bytes.ts";

/** The parts of a request's body, sent one after the other. */
export type BodyParts = readonly (Uint8Array | ByteStream)[];

type StreamInput = Exclude<FileInput, Uint8Array>;

const PIECE_BYTES = 64 * 1024;

/**
 * The same value with a ByteStream in place of each file that is not in memory, and a Uint8Array in place of other
 * buffers and views. With `keepBlobs` a Blob stays one, so that a frame carries its name and type; with `keepViews` the
 * buffers and views stay, for a transformer.
 */
export function withStreams(value: unknown, keep: { keepBlobs: boolean; keepViews: boolean }): unknown {
  if (keep.keepBlobs && value instanceof Blob) return value;
  if (isStreamed(value)) return toStream(value);
  if (Array.isArray(value)) return value.map((item) => withStreams(item, keep));
  const bytes = bytesIn(value);
  if (bytes) return keep.keepViews ? value : bytes;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, withStreams(item, keep)] as const);
  // Objects of classes stay as they are, for a transformer.
  return entries.every(([name, item]) => item === value[name]) ? value : Object.fromEntries(entries);
}

/** The bytes of a buffer or view, on the same memory; undefined for everything else. */
function bytesIn(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : undefined;
}

function toStream(file: StreamInput): ByteStream {
  if (file instanceof ByteStream) return file;
  return file instanceof Blob ? blobStream(file) : new ByteStream(ownPieces(file));
}

// The caller may write to the memory behind its pieces later.
async function* ownPieces(file: StreamInput): AsyncGenerator<Bytes, void> {
  for await (const piece of piecesOf(file)) {
    const bytes = bytesIn(piece);
    // As Node's streams give where they have an encoding.
    if (!bytes) throw new TypeError(`It gave a ${typeof piece} in place of bytes`);
    yield ownBytes(bytes);
  }
}

/** The length of all parts; undefined where a stream does not know its own. */
export function lengthOf(parts: BodyParts): number | undefined {
  let length = 0;
  for (const part of parts) {
    if (part.length === undefined) return undefined;
    length += part.length;
  }
  return length;
}

/** Whether all parts are complete. */
export function isWhole(parts: BodyParts): boolean {
  return parts.every((part) => part instanceof Uint8Array || part instanceof BlobStream);
}

/** All parts as one body where all are complete: files of the platform are not read into memory. */
export function wholeBody(parts: BodyParts): Bytes | Blob | undefined {
  if (!isWhole(parts)) return undefined;
  const whole = parts.filter((part) => part instanceof Uint8Array || part instanceof BlobStream);
  const bytes = whole.filter((part) => part instanceof Uint8Array);
  if (bytes.length === parts.length) return joinBytes(bytes);
  return new Blob(whole.map((part) => (part instanceof BlobStream ? part.blob : ownBytes(part))));
}

/** The parts piece by piece, without joining them; `onFailure` hears why a stream among them broke. */
export async function* bodyPieces(
  parts: BodyParts,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Bytes, void> {
  try {
    for (const part of parts) {
      if (part instanceof ByteStream) yield* part.pieces;
      else
        for (let at = 0; at < part.length; at += PIECE_BYTES)
          yield ownBytes(part.subarray(at, at + PIECE_BYTES));
    }
  } catch (error) {
    onFailure(error);
    throw error;
  }
}

function isStreamed(value: unknown): value is StreamInput {
  if (value instanceof Blob || value instanceof ByteStream) return true;
  // Safari cannot iterate a stream, and React Native has none.
  return isObject(value) && (Symbol.asyncIterator in value || "getReader" in value);
}

/** Whether a value contains a byte array or a file. */
export function hasBytes(value: unknown): boolean {
  if (bytesIn(value) || isStreamed(value)) return true;
  return Array.isArray(value) ? value.some(hasBytes) : isObject(value) && Object.values(value).some(hasBytes);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The transformer of tRPC for bytes in JSON, as the server has it. It needs only the base64 of the platform: files are
 * sent in frames.
 */
export const bytesTransformer = {
  serialize: (value: unknown) => (value === undefined ? undefined : markBytes(value, writeBase64)),
  deserialize: (tree: unknown) => unmarkBytes(tree, readBase64),
  bytesOnly: true,
};

/** As many as a function takes as arguments everywhere. */
const LETTERS_AT_ONCE = 8192;

function writeBase64(bytes: unknown): string {
  if (!(bytes instanceof Uint8Array))
    throw new TypeError("A value to send holds a file, which only a frame can carry");
  let letters = "";
  for (let at = 0; at < bytes.length; at += LETTERS_AT_ONCE)
    letters += String.fromCharCode(...bytes.subarray(at, at + LETTERS_AT_ONCE));
  return btoa(letters);
}

function readBase64(mark: unknown): Bytes {
  if (typeof mark !== "string") throw new TypeError(`"$bytes" must hold base64`);
  const letters = atob(mark);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}
