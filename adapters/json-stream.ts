import { streamOf } from "./stream.ts";

const LONG_LIST = 10_000;
const ENTRIES_PER_PIECE = 2_000;

/**
 * A record as JSON in pieces, where a list in it is so long that writing it at once would hold up every other
 * caller; undefined where none is.
 */
export function jsonStream(
  record: Readonly<Record<string, unknown>>,
): ReadableStream<Uint8Array> | undefined {
  const isLong = (value: unknown) => Array.isArray(value) && value.length > LONG_LIST;
  return Object.values(record).some(isLong) ? streamOf(pieces(record)) : undefined;
}

function* pieces(record: Readonly<Record<string, unknown>>): Generator<Uint8Array> {
  let before = "{";
  for (const [key, value] of Object.entries(record)) {
    if (value === undefined) continue;
    yield Buffer.from(`${before}${JSON.stringify(key)}:`);
    if (Array.isArray(value)) yield* listPieces(value);
    else yield Buffer.from(JSON.stringify(value));
    before = ",";
  }
  yield Buffer.from(before === "{" ? "{}" : "}");
}

function* listPieces(list: readonly unknown[]): Generator<Uint8Array> {
  for (let at = 0; at < list.length; at += ENTRIES_PER_PIECE) {
    const entries = JSON.stringify(list.slice(at, at + ENTRIES_PER_PIECE)).slice(1, -1);
    yield Buffer.from(`${at === 0 ? "[" : ","}${entries}`);
  }
  yield Buffer.from(list.length === 0 ? "[]" : "]");
}
