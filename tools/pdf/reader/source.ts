import type { Bytes } from "../../../wire/bytes.ts";
import {
  afterLineEnd,
  afterEndstream,
  findKeyword,
  findLastKeyword,
  readUnsigned,
  type Lexer,
  lexerAt,
  skipWhitespace,
  takeKeyword,
} from "../syntax/lexer.ts";
import { type Budget, PARSING, spend } from "../limits.ts";
import { parseValue, readObjectHeader } from "../syntax/parse.ts";
import { unsignedOf, type Dict, isDict, isRef, type StreamDecryptor, type Value } from "../syntax/values.ts";
import type { XrefEntry } from "./xref.ts";

/** One file: its bytes from the header on, and where its objects are. Entries have the file's own numbers. */
export interface PdfSource {
  readonly bytes: Bytes;
  /** Added to every object number of the file, so that several files share one numbering. */
  readonly firstNum: number;
  readonly budget: Budget;
  readonly entries: Map<number, XrefEntry>;
  readonly objectStreams: Map<number, ObjectStream>;
  trailer: Dict;
  decryptor: Decryptor | undefined;
  encryption: Encryption | undefined;
  readonly repairs: Repairs;
  /** The offsets at which stream data can end; filled on first use. */
  streamEnds: Uint32Array | undefined;
}

/** The repairs that reading a file needed. */
interface Repairs {
  /** Whether the cross-reference was rebuilt by a scan of the file. */
  isRebuilt: boolean;
  /** How many objects were found that the cross-reference lacks. */
  found: number;
  /** Whether object streams cannot be decoded completely, so that objects are lost. */
  hasLostObjects: boolean;
  /** How many invalid or misplaced tokens were in the objects that were read. */
  garbage: number;
  /** How many entries of the page tree lead to nothing. */
  lostPages: number;
  /** Whether the page tree has no page, so that pages were searched for. */
  hasSearchedPages: boolean;
  /** The objects found by scanning the whole file, once that was necessary. */
  scanned: ReadonlyMap<number, XrefEntry> | undefined;
}

/** An object stream, decoded, with the offset of each object in it. */
export interface ObjectStream {
  readonly bytes: Uint8Array;
  readonly offsets: ReadonlyMap<number, number>;
}

/** What callers are told about an encrypted file. */
interface Encryption {
  readonly passwordNeeded: boolean;
  /** The permissions that its owner withholds, such as `print`. */
  readonly restrictions: readonly string[];
}

/** Decrypts the objects of an encrypted file. */
export interface Decryptor {
  /** The same value with its strings decrypted. */
  decryptStrings(value: Value, id: ObjectId): Value;
  /** Decrypts the data of a stream; undefined if it is not encrypted. */
  streamDecryptor(dict: Dict, id: ObjectId): StreamDecryptor | undefined;
}

export interface ObjectId {
  readonly num: number;
  readonly gen: number;
}

/** Thrown when the cross-reference is found to be wrong: the file must be read again with a rebuilt one. */
export class NeedsRepair extends Error {
  readonly source: PdfSource;

  constructor(source: PdfSource) {
    super("the cross-reference does not lead to the objects");
    this.source = source;
  }
}

/** Reads the object at an offset of the file without decrypting it; undefined if there is none. */
export function readObjectAt(
  source: PdfSource,
  at: number,
): (ObjectId & { value: Value; garbage: number }) | undefined {
  const lexer = lexerAt(source.bytes, { at });
  const header = readObjectHeader(lexer);
  if (!header) return undefined;
  const value = parseValue(lexer, source.firstNum) ?? null;
  spend(source.budget.read, PARSING * (lexer.at - at));
  const { garbage } = lexer;
  if (!isDict(value)) return { ...header, value, garbage };
  const data = readStreamData(source, lexer, value);
  return { ...header, value: data ? { kind: "stream", dict: value, data } : value, garbage };
}

/** The data of the stream whose dictionary was just read; undefined for other objects. */
function readStreamData(source: PdfSource, lexer: Lexer, dict: Dict): Bytes | undefined {
  skipWhitespace(lexer);
  if (!takeKeyword(lexer, "stream")) return undefined;
  const from = afterLineEnd(source.bytes, lexer.at);
  const length = lengthOf(source, dict);
  const to =
    length !== undefined && afterEndstream(source.bytes, from + length) !== undefined
      ? from + length
      : findStreamEnd(source, from);
  return source.bytes.subarray(from, to);
}

function lengthOf(source: PdfSource, dict: Dict): number | undefined {
  const value = dict.get("Length");
  return isRef(value) ? readLengthAt(source, value.num - source.firstNum) : unsignedOf(value);
}

/** Reads an indirect /Length without getObject, because circular references would recurse forever. */
function readLengthAt(source: PdfSource, num: number): number | undefined {
  const entry = source.entries.get(num);
  const objectStream = entry && entry.streamNum > 0 ? source.objectStreams.get(entry.streamNum) : undefined;
  if (!entry || entry.offset < 0 || (entry.streamNum > 0 && !objectStream)) return undefined;
  const lexer = lexerAt(objectStream?.bytes ?? source.bytes, {
    at: objectStream?.offsets.get(num) ?? entry.offset,
  });
  if (!objectStream && readObjectHeader(lexer)?.num !== num) return undefined;
  skipWhitespace(lexer);
  return readUnsigned(lexer);
}

/** The end of stream data whose /Length is wrong: before the next keyword that ends it, or at the end of the file. */
function findStreamEnd(source: PdfSource, from: number): number {
  source.streamEnds ??= findStreamEnds(source.bytes);
  const end = lowerBound(source.streamEnds, from);
  const { bytes } = source;
  if (end === undefined) return bytes.length;
  if (bytes[end - 1] === 10 && bytes[end - 2] === 13) return Math.max(from, end - 2);
  return bytes[end - 1] === 10 || bytes[end - 1] === 13 ? Math.max(from, end - 1) : end;
}

/**
 * Where stream data can end: at "endstream" or, if that is damaged, at the end of the object; after the last of both,
 * at the cross-reference. Collected once per file, because searching from each stream would take quadratic time in a
 * file without any.
 */
function findStreamEnds(bytes: Uint8Array): Uint32Array {
  const endobj = findAll(bytes, "endobj").filter((at) => isLineEnd(bytes[at - 1]));
  const ends = [...findAll(bytes, "endstream"), ...endobj].sort((a, b) => a - b);
  const from = ends.at(-1) ?? 0;
  const xref = Math.max(...["\nxref", "\rxref"].map((word) => findLastKeyword(bytes, { word, from })));
  if (xref >= 0) ends.push(xref);
  return Uint32Array.from(ends);
}

export function isLineEnd(code: number | undefined): boolean {
  return code === 10 || code === 13;
}

function findAll(bytes: Uint8Array, word: string): number[] {
  const found: number[] = [];
  for (let at = findKeyword(bytes, { word }); at >= 0;) {
    found.push(at);
    at = findKeyword(bytes, { word, from: at + word.length });
  }
  return found;
}

function lowerBound(sorted: Uint32Array, least: number): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? least) < least) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}
