import { base64Bytes, encodeBase64 } from "../../../wire/base64.ts";
import { ByteStream } from "../../../wire/byte-pieces.ts";
import { concatBytes, ownBytes, utf8, type Bytes } from "../../../wire/bytes.ts";
import type { JsonText } from "../../../wire/json/json-text.ts";
import type { AnswerPart } from "./stream.ts";

// tRPC 11.25 writes an answer with JSON.stringify (unstable-core-do-not-import/http/resolveResponse.ts) and accepts no
// text that is JSON already. So JSON of a worker, and streams of bytes, leave a mark in the answer's JSON, a UUID that
// no caller can guess. This file, the only one that cuts JSON, replaces the marks.

/** JSON with marks in it, as parts, with each mark replaced. */
export function spliceParts(json: string, inserted: readonly (JsonText | ByteStream)[]): AnswerPart[] {
  const write = (part: JsonText | ByteStream) =>
    part instanceof ByteStream ? quotedBase64(part) : part.bytes;
  return splice(json, inserted, write);
}

/** JSON with marks in it, as byte arrays, where every mark stands for JSON of a worker. */
export function spliceTexts(json: string, inserted: readonly JsonText[]): Uint8Array[] {
  return splice<JsonText, Uint8Array>(json, inserted, ({ bytes }) => bytes);
}

function splice<Inserted extends { readonly mark: string }, Part>(
  json: string,
  inserted: readonly Inserted[],
  write: (inserted: Inserted) => Part,
): (Part | Uint8Array)[] {
  const parts: (Part | Uint8Array)[] = [];
  let from = 0;
  const places = inserted.map((part) => ({ part, at: json.indexOf(`"${part.mark}"`) }));
  // A mark is missing when an error was returned in its place.
  for (const { part, at } of places.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at)) {
    parts.push(utf8(json.slice(from, at)), write(part));
    from = at + part.mark.length + 2;
  }
  return [...parts, utf8(json.slice(from))];
}

/** From this size on, base64 is written while it is sent: 24 MiB at once blocked the event loop for a second. */
const LONG_BYTES = 64 * 1024;

/** Bytes as base64 in an answer's JSON; for streams and long ones a mark until they are sent. */
export function base64Within(
  jsonParts: (JsonText | ByteStream)[],
): (bytes: Uint8Array | ByteStream) => string {
  return (bytes) => {
    const isStream = bytes instanceof ByteStream;
    if (!isStream && bytes.length < LONG_BYTES) return encodeBase64(bytes);
    const stream = isStream ? bytes : new ByteStream(slices(bytes), bytes.length);
    jsonParts.push(stream);
    return stream.mark;
  };
}

// A multiple of three, so that only the last piece has padding.
const SLICE_BYTES = 192 * 1024;

async function* slices(bytes: Uint8Array): AsyncGenerator<Bytes> {
  const own = ownBytes(bytes);
  for (let at = 0; at < own.length; at += SLICE_BYTES) yield own.subarray(at, at + SLICE_BYTES);
}

/** Bytes as a JSON string in base64, written while it is sent. */
export function quotedBase64(bytes: Uint8Array | ByteStream): ByteStream {
  const { length, signal, pieces } =
    bytes instanceof ByteStream ? bytes : new ByteStream(slices(bytes), bytes.length);
  return new ByteStream(
    writeBase64(pieces),
    length === undefined ? undefined : 2 + 4 * Math.ceil(length / 3),
    signal,
  );
}

async function* writeBase64(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Bytes> {
  yield utf8('"');
  let left = new Uint8Array();
  for await (const piece of pieces) {
    const bytes = left.length === 0 ? piece : concatBytes(left, piece);
    // Whole groups of three, so that only the end has padding.
    const whole = bytes.length - (bytes.length % 3);
    yield base64Bytes(bytes.subarray(0, whole));
    // A copy, since the piece may be freed when the next one is asked for.
    left = new Uint8Array(bytes.subarray(whole));
  }
  yield concatBytes(base64Bytes(left), utf8('"'));
}

/**
 * A result as JSON, with the usual forms of what JSON has no type for: big integers as digits, sets as lists, maps as
 * objects, or as lists of pairs where a key is not text, bytes as base64, which `encode` writes or replaces by a mark.
 */
export function jsonOf(result: unknown, encode = encodeBase64): string {
  function writeOther(this: unknown, name: string, value: unknown): unknown {
    if (typeof value === "bigint") return String(value);
    if (value instanceof Set) return [...value];
    if (value instanceof Map) return writeMap(value);
    if (typeof value !== "object") return value;
    // The toJSON of Node's Buffer has already made a list of numbers of it.
    const own: unknown = Reflect.get(Object(this), name);
    return own instanceof Uint8Array ? encode(own) : value;
  }
  return JSON.stringify(result ?? null, writeOther) ?? "null";
}

function writeMap(map: ReadonlyMap<unknown, unknown>): unknown {
  const pairs = [...map];
  return pairs.every(([key]) => typeof key === "string") ? Object.fromEntries(map) : pairs;
}
