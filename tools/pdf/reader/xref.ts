import { byteAt } from "../../../wire/bytes.ts";
import { isDigit, readUnsigned, type Lexer, lexerAt, skipWhitespace, takeKeyword } from "../syntax/lexer.ts";
import { MAX_OBJECT_NUMBER, MAX_OBJECTS, tooComplex } from "../limits.ts";
import { parseValue } from "../syntax/parse.ts";
import type { Dict } from "../syntax/values.ts";
import { unsignedOf, isDict } from "../syntax/values.ts";

/**
 * The position of an object: at an offset in the file, or at index `offset` of object stream `streamNum`; -1 if free.
 */
export interface XrefEntry {
  readonly offset: number;
  readonly gen: number;
  readonly streamNum: number;
}

export const FREE: XrefEntry = { offset: -1, gen: 65535, streamNum: 0 };
/** An object that an update deleted, although an older section still contains it. */
export const DELETED: XrefEntry = { offset: -1, gen: 65535, streamNum: 0 };

/** The content of one section of the cross-reference chain. */
export interface XrefSection {
  readonly entries: Map<number, XrefEntry>;
  readonly trailer: Dict;
}

/** Adds an entry unless a newer section has one for that object. */
export function addEntry(entries: Map<number, XrefEntry>, num: number, entry: XrefEntry): void {
  if (num < 1 || num > MAX_OBJECT_NUMBER || entries.has(num)) return;
  if (entries.size >= MAX_OBJECTS) {
    throw tooComplex({ limit: "objects", value: MAX_OBJECTS, unit: "objects" });
  }
  entries.set(num, entry);
}

/** Reads a cross-reference table and its trailer (ISO 32000-1, 7.5.4); undefined when it is broken. */
export function readXrefTable(lexer: Lexer, firstNum = 0): XrefSection | undefined {
  if (!takeKeyword(lexer, "xref")) return undefined;
  const entries = new Map<number, XrefEntry>();
  while (isDigit(skipWhitespace(lexer))) {
    if (!readSubsection(lexer, entries)) return undefined;
  }
  if (!takeKeyword(lexer, "trailer")) return undefined;
  const trailer = parseValue(lexer, firstNum);
  return isDict(trailer) ? { entries, trailer } : undefined;
}

/** The count is untrusted, but each turn of the loop consumes bytes. */
function readSubsection(lexer: Lexer, entries: Map<number, XrefEntry>): boolean {
  let start = readUnsigned(lexer);
  skipWhitespace(lexer);
  const count = readUnsigned(lexer);
  if (start === undefined || count === undefined) return false;
  for (let i = 0; i < count; i++) {
    if (!isDigit(skipWhitespace(lexer))) return lexer.bytes[lexer.at] === 0x74;
    const read = readTableEntry(lexer);
    if (!read) return false;
    // Some writers start at 1 although the first entry belongs to object 0.
    if (i === 0 && start === 1 && read.entry === FREE && read.gen === 65535) start = 0;
    if (read.entry) addEntry(entries, start + i, read.entry);
  }
  return true;
}

/** An entry in use at offset 0 is ignored: no object can be there. */
function readTableEntry(lexer: Lexer): { entry: XrefEntry | undefined; gen: number } | undefined {
  const at = readUnsigned(lexer);
  skipWhitespace(lexer);
  const gen = readUnsigned(lexer);
  skipWhitespace(lexer);
  if (at === undefined || gen === undefined) return undefined;
  if (takeKeyword(lexer, "f")) return { entry: FREE, gen };
  if (!takeKeyword(lexer, "n")) return undefined;
  return { entry: at === 0 ? undefined : { offset: at, gen, streamNum: 0 }, gen };
}

/** Reads the content of a cross-reference stream (7.5.8); undefined when it is broken. */
export function readXrefStream(data: Uint8Array, dict: Dict): XrefSection | undefined {
  const widths = widthsOf(dict);
  if (!widths) return undefined;
  const entries = new Map<number, XrefEntry>();
  const length = widths[0] + widths[1] + widths[2];
  let at = 0;
  for (const [start, count] of subsections(dict)) {
    for (let i = 0; i < count && at + length <= data.length; i++, at += length) {
      const entry = readStreamEntry(data, at, widths);
      if (entry) addEntry(entries, start + i, entry);
    }
  }
  return { entries, trailer: dict };
}

type Widths = readonly [number, number, number];

function widthsOf(dict: Dict): Widths | undefined {
  const value = dict.get("W");
  if (!Array.isArray(value)) return undefined;
  const [kind, second, third] = value.map((width) => unsignedOf(width) ?? 9);
  if (kind === undefined || second === undefined || third === undefined) return undefined;
  return Math.max(kind, second, third) <= 8 && kind + second + third > 0 ? [kind, second, third] : undefined;
}

function subsections(dict: Dict): [number, number][] {
  const index = dict.get("Index");
  if (!Array.isArray(index)) return [[0, unsignedOf(dict.get("Size")) ?? 0]];
  const pairs: [number, number][] = [];
  for (let i = 0; i + 1 < index.length; i += 2) {
    pairs.push([unsignedOf(index[i]) ?? 0, unsignedOf(index[i + 1]) ?? 0]);
  }
  return pairs;
}

function readStreamEntry(data: Uint8Array, at: number, [kind, second, third]: Widths): XrefEntry | undefined {
  const type = kind === 0 ? 1 : readField(data, at, kind);
  const middle = readField(data, at + kind, second);
  const last = readField(data, at + kind + second, third);
  if (type === 1) return middle === 0 ? undefined : { offset: middle, gen: last, streamNum: 0 };
  return type === 2 ? { offset: last, gen: 0, streamNum: middle } : FREE;
}

function readField(data: Uint8Array, at: number, width: number): number {
  let number = 0;
  for (let i = 0; i < width; i++) number = number * 256 + byteAt(data, at + i);
  return number;
}

/** The offset after the last "startxref", or undefined. */
export function readStartxref(bytes: Uint8Array, findLast: (word: string) => number): number | undefined {
  const found = findLast("startxref");
  if (found < 0) return undefined;
  const lexer = lexerAt(bytes, { at: found + 9 });
  skipWhitespace(lexer);
  return readUnsigned(lexer);
}
