import { isDigit, readCount, type Reader, readerOf, skipBlank, takeWord } from "../syntax/lexer.ts";
import { MAX_OBJECTS, tooComplex } from "../limits.ts";
import { parseValue } from "../syntax/parse.ts";
import type { Dict } from "../syntax/values.ts";
import { countOf, isDict } from "../syntax/values.ts";

/** Where an object is: at `at` in the file, or in the object stream `holder`. Free ones have no place. */
export interface Entry {
  readonly at: number;
  readonly gen: number;
  readonly holder: number;
}

export const FREE: Entry = { at: -1, gen: 65535, holder: 0 };

/** What one section of the cross-reference chain says. */
export interface Section {
  readonly entries: Map<number, Entry>;
  readonly trailer: Dict;
}

/** Adds an entry; the first one met, which is the newest, holds. */
export function addEntry(entries: Map<number, Entry>, { num, entry }: { num: number; entry: Entry }): void {
  if (num < 1 || entries.has(num)) return;
  if (entries.size >= MAX_OBJECTS) {
    throw tooComplex({ limit: "objects", value: MAX_OBJECTS, unit: "objects" });
  }
  entries.set(num, entry);
}

/** Reads a cross-reference table and its trailer (ISO 32000-1, 7.5.4); undefined when it is broken. */
export function readTable(reader: Reader, base = 0): Section | undefined {
  if (!takeWord(reader, "xref")) return undefined;
  const entries = new Map<number, Entry>();
  while (isDigit(skipBlank(reader))) {
    if (!readSubsection(reader, entries)) return undefined;
  }
  if (!takeWord(reader, "trailer")) return undefined;
  const trailer = parseValue(reader, base);
  return isDict(trailer) ? { entries, trailer } : undefined;
}

/** The count is the file's claim; what bounds the loop is that each turn needs bytes. */
function readSubsection(reader: Reader, entries: Map<number, Entry>): boolean {
  let start = readCount(reader);
  skipBlank(reader);
  const count = readCount(reader);
  if (start === undefined || count === undefined) return false;
  for (let i = 0; i < count; i++) {
    if (!isDigit(skipBlank(reader))) return reader.bytes[reader.at] === 0x74;
    const line = readLine(reader);
    if (!line) return false;
    // Some writers number from 1 although the first entry is that of object 0.
    if (i === 0 && start === 1 && line.entry === FREE && line.gen === 65535) start = 0;
    addEntry(entries, { num: start + i, entry: line.entry });
  }
  return true;
}

function readLine(reader: Reader): { entry: Entry; gen: number } | undefined {
  const at = readCount(reader);
  skipBlank(reader);
  const gen = readCount(reader);
  skipBlank(reader);
  if (at === undefined || gen === undefined) return undefined;
  if (takeWord(reader, "f")) return { entry: FREE, gen };
  if (!takeWord(reader, "n")) return undefined;
  return { entry: at === 0 ? FREE : { at, gen, holder: 0 }, gen };
}

/** Reads the content of a cross-reference stream (7.5.8); undefined when it is broken. */
export function readXrefStream(data: Uint8Array, dict: Dict): Section | undefined {
  const widths = widthsOf(dict);
  if (!widths) return undefined;
  const entries = new Map<number, Entry>();
  const length = widths[0] + widths[1] + widths[2];
  let at = 0;
  for (const [start, count] of subsections(dict)) {
    for (let i = 0; i < count && at + length <= data.length; i++, at += length) {
      addEntry(entries, { num: start + i, entry: entryFrom(data, { at, widths }) });
    }
  }
  return { entries, trailer: dict };
}

type Widths = readonly [number, number, number];

function widthsOf(dict: Dict): Widths | undefined {
  const value = dict.get("W");
  if (!Array.isArray(value)) return undefined;
  const [kind, second, third] = value.map((width) => countOf(width) ?? 9);
  if (kind === undefined || second === undefined || third === undefined) return undefined;
  return Math.max(kind, second, third) <= 8 && kind + second + third > 0 ? [kind, second, third] : undefined;
}

function subsections(dict: Dict): [number, number][] {
  const index = dict.get("Index");
  if (!Array.isArray(index)) return [[0, countOf(dict.get("Size")) ?? 0]];
  const pairs: [number, number][] = [];
  for (let i = 0; i + 1 < index.length; i += 2) {
    pairs.push([countOf(index[i]) ?? 0, countOf(index[i + 1]) ?? 0]);
  }
  return pairs;
}

function entryFrom(
  data: Uint8Array,
  { at, widths: [kind, second, third] }: { at: number; widths: Widths },
): Entry {
  const type = kind === 0 ? 1 : field(data, { at, width: kind });
  const place = field(data, { at: at + kind, width: second });
  const rest = field(data, { at: at + kind + second, width: third });
  if (type === 1) return { at: place, gen: rest, holder: 0 };
  return type === 2 ? { at: rest, gen: 0, holder: place } : FREE;
}

function field(data: Uint8Array, { at, width }: { at: number; width: number }): number {
  let number = 0;
  for (let i = 0; i < width; i++) number = number * 256 + data[at + i]!;
  return number;
}

/** Where the newest section begins by the last "startxref" in the final bytes, or undefined. */
export function readStart(bytes: Uint8Array, findLast: (word: string) => number): number | undefined {
  const found = findLast("startxref");
  if (found < 0) return undefined;
  const reader = readerOf(bytes, { at: found + 9 });
  skipBlank(reader);
  return readCount(reader);
}
