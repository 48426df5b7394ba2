import type { Bytes } from "../../../wire/bytes.ts";
import {
  findWord,
  readCount,
  type Reader,
  readerOf,
  skipBlank,
  standsAt,
  takeWord,
} from "../syntax/lexer.ts";
import { type Budget, PARSING, spend } from "../limits.ts";
import { parseValue, readHeader } from "../syntax/parse.ts";
import { countOf, type Dict, isDict, isRef, type Unseal, type Value } from "../syntax/values.ts";
import type { Entry } from "./xref.ts";

/** One file: its bytes from the header on, and where its objects are. Entries have the file's own numbers. */
export interface Source {
  readonly bytes: Bytes;
  /** Added to every object number, so that several files can share one numbering. */
  readonly base: number;
  readonly budget: Budget;
  readonly entries: Map<number, Entry>;
  readonly packs: Map<number, Pack>;
  trailer: Dict;
  guard: Guard | undefined;
  lock: Lock | undefined;
  isRepaired: boolean;
  /** Where each "endstream" stands, once that had to be looked up. */
  ends: Uint32Array | undefined;
}

/** An object stream, inflated: where in its bytes each object begins. */
export interface Pack {
  readonly bytes: Uint8Array;
  readonly places: ReadonlyMap<number, number>;
}

/** What is told of an encrypted file that was opened. */
export interface Lock {
  readonly passwordNeeded: boolean;
  /** What it forbids, such as `print`. */
  readonly restrictions: readonly string[];
}

/** The security handler of an encrypted file. */
export interface Guard {
  /** The same value with its strings decrypted. */
  openTexts(value: Value, id: ObjectId): Value;
  /** What decrypts the data of a stream; undefined where it is stored in clear. */
  sealOf(dict: Dict, id: ObjectId): Unseal | undefined;
}

export interface ObjectId {
  readonly num: number;
  readonly gen: number;
}

/** Thrown while a file is read by its cross-reference when that proves wrong: read it by a scan instead. */
export class NeedsRepair extends Error {
  readonly source: Source;

  constructor(source: Source) {
    super("the cross-reference does not lead to the objects");
    this.source = source;
  }
}

export interface Found extends ObjectId {
  readonly value: Value;
}

/** Reads the object that begins at a place of the file, not decrypted; undefined where none begins. */
export function readObjectAt(source: Source, at: number): Found | undefined {
  const reader = readerOf(source.bytes, { at });
  const header = readHeader(reader);
  if (!header) return undefined;
  const value = parseValue(reader, source.base) ?? null;
  spend(source.budget.read, PARSING * (reader.at - at));
  if (!isDict(value)) return { ...header, value };
  const data = readStreamData(source, { reader, dict: value });
  return { ...header, value: data ? { kind: "stream", dict: value, data } : value };
}

/** The data of a stream whose dictionary was just read; undefined when it is none. */
function readStreamData(source: Source, { reader, dict }: { reader: Reader; dict: Dict }): Bytes | undefined {
  skipBlank(reader);
  if (!takeWord(reader, "stream")) return undefined;
  const from = startOfData(reader);
  const length = lengthOf(source, dict);
  const to =
    length !== undefined && endsAt(source.bytes, from + length) ? from + length : endOfData(source, from);
  return source.bytes.subarray(from, to);
}

/** A line end follows the keyword (7.3.8.1); blanks before it and a lone CR are forgiven. */
function startOfData({ bytes, at }: Reader): number {
  let next = at;
  while (bytes[next] === 32 || bytes[next] === 9) next++;
  if (bytes[next] === 13) return bytes[next + 1] === 10 ? next + 2 : next + 1;
  return bytes[next] === 10 ? next + 1 : at;
}

function endsAt(bytes: Uint8Array, at: number): boolean {
  if (at > bytes.length) return false;
  const reader = readerOf(bytes, { at });
  skipBlank(reader);
  return standsAt(bytes, { word: "endstream", at: reader.at });
}

function lengthOf(source: Source, dict: Dict): number | undefined {
  const value = dict.get("Length");
  return isRef(value) ? readLengthAt(source, value.num - source.base) : countOf(value);
}

/** A length kept in an object of its own; read by hand, so that a length of a length leads nowhere. */
function readLengthAt(source: Source, num: number): number | undefined {
  const entry = source.entries.get(num);
  const pack = entry && entry.holder > 0 ? source.packs.get(entry.holder) : undefined;
  if (!entry || entry.at < 0 || (entry.holder > 0 && !pack)) return undefined;
  const reader = readerOf(pack?.bytes ?? source.bytes, { at: pack?.places.get(num) ?? entry.at });
  if (!pack && readHeader(reader)?.num !== num) return undefined;
  skipBlank(reader);
  return readCount(reader);
}

/** Where data without a true length ends: before the next "endstream" or, cut off, at the end of the file. */
function endOfData(source: Source, from: number): number {
  source.ends ??= allEnds(source.bytes);
  const end = firstFrom(source.ends, from);
  const { bytes } = source;
  if (end === undefined) return bytes.length;
  if (bytes[end - 1] === 10 && bytes[end - 2] === 13) return Math.max(from, end - 2);
  return bytes[end - 1] === 10 || bytes[end - 1] === 13 ? Math.max(from, end - 1) : end;
}

/** Found once for the whole file: looking from each stream anew is quadratic in a file that lacks them. */
function allEnds(bytes: Uint8Array): Uint32Array {
  const ends: number[] = [];
  for (let at = findWord(bytes, { word: "endstream" }); at >= 0;) {
    ends.push(at);
    at = findWord(bytes, { word: "endstream", from: at + 9 });
  }
  return Uint32Array.from(ends);
}

function firstFrom(sorted: Uint32Array, least: number): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}
