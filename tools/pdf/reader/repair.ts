import {
  findWord,
  isBlank,
  isDigit,
  readCount,
  readerOf,
  skipBlank,
  standsAt,
  takeWord,
} from "../syntax/lexer.ts";
import { MAX_OBJECTS, PARSING, spend, tooComplex } from "../limits.ts";
import { openPack } from "./object-stream.ts";
import { parseValue } from "../syntax/parse.ts";
import type { ObjectId, Source } from "./source.ts";
import { countOf, type Dict, isDict, type Value } from "../syntax/values.ts";

/** An object's dictionary is looked at this far to learn what it is. */
const GLANCE = 64 * 1024;

interface Header extends ObjectId {
  readonly at: number;
  readonly next: number;
}

/** What a scan found beside the objects. */
interface Finds {
  readonly holders: { num: number; at: number }[];
  catalog: ObjectId | undefined;
  trailer: Dict | undefined;
}

/**
 * Forgets the cross-reference and finds the objects by reading the file from front to back; the last of a
 * number holds. Returns the object streams, for `unpackAll` once the file can be decrypted.
 * @throws ToolFailure too_complex
 */
export function repair(source: Source): { num: number; at: number }[] {
  source.isRepaired = true;
  source.entries.clear();
  source.packs.clear();
  const finds: Finds = { holders: [], catalog: undefined, trailer: undefined };
  for (let header = nextHeader(source, 0); header;) {
    header = nextHeader(source, lookAt(source, { header, finds }));
  }
  source.trailer = bestTrailer(source, finds);
  return finds.holders;
}

/** Enters an object and returns where to go on: behind its stream when that is sure, else behind the header. */
function lookAt(source: Source, { header, finds }: { header: Header; finds: Finds }): number {
  const { num, gen, at, next } = header;
  if (source.entries.size >= MAX_OBJECTS)
    throw tooComplex({ limit: "objects", value: MAX_OBJECTS, unit: "objects" });
  source.entries.set(num, { at, gen, holder: 0 });
  const reader = readerOf(source.bytes, { at: next, end: Math.min(source.bytes.length, next + GLANCE) });
  const value = glance(source, reader);
  if (!isDict(value)) return next;
  const type = value.get("Type");
  if (type === "Catalog") finds.catalog = { num, gen };
  skipBlank(reader);
  if (!takeWord(reader, "stream")) return next;
  if (type === "ObjStm") finds.holders.push({ num, at });
  if (type === "XRef" && value.has("Root")) finds.trailer = value;
  return behindData(source, { from: reader.at, dict: value }) ?? next;
}

function glance(source: Source, reader: ReturnType<typeof readerOf>): Value | undefined {
  const from = reader.at;
  const value = parseValue(reader, source.base);
  spend(source.budget.read, PARSING * (reader.at - from));
  return value;
}

function behindData({ bytes }: Source, { from, dict }: { from: number; dict: Dict }): number | undefined {
  const length = countOf(dict.get("Length"));
  if (length === undefined || from + length > bytes.length) return undefined;
  const end = findWord(bytes, { word: "endstream", from: from + length, to: from + length + 16 });
  return end < 0 ? undefined : end;
}

/** The next "n g obj" from a place on. */
function nextHeader({ bytes }: Source, from: number): Header | undefined {
  for (
    let at = findWord(bytes, { word: "obj", from });
    at >= 0;
    at = findWord(bytes, { word: "obj", from: at + 3 })
  ) {
    const gen = digitsBefore(bytes, at);
    const num = gen && gen.from < at ? digitsBefore(bytes, gen.from) : undefined;
    if (!gen || !num || num.number < 1 || !isBlank(bytes[gen.from - 1])) continue;
    return { num: num.number, gen: gen.number, at: num.from, next: at + 3 };
  }
  return undefined;
}

/** The whole number that ends before a place, blanks between. */
function digitsBefore(bytes: Uint8Array, at: number): { number: number; from: number } | undefined {
  let to = at;
  while (to > 0 && isBlank(bytes[to - 1])) to--;
  let from = to;
  while (from > 0 && to - from < 11 && isDigit(bytes[from - 1])) from--;
  const number = readCount(readerOf(bytes, { at: from, end: to }));
  return number === undefined ? undefined : { number, from };
}

/** The last trailer with a /Root, completed from those before; else one made for the catalog that was met. */
function bestTrailer(source: Source, finds: Finds): Dict {
  const merged: Dict = new Map(finds.trailer ?? []);
  const { bytes } = source;
  for (
    let at = findWord(bytes, { word: "trailer" });
    at >= 0;
    at = findWord(bytes, { word: "trailer", from: at + 7 })
  ) {
    const value = glance(
      source,
      readerOf(bytes, { at: at + 7, end: Math.min(bytes.length, at + 7 + GLANCE) }),
    );
    if (isDict(value)) for (const [key, each] of value) merged.set(key, each);
  }
  if (!merged.has("Root") && finds.catalog) {
    merged.set("Root", { kind: "ref", num: finds.catalog.num + source.base, gen: finds.catalog.gen });
  }
  return merged;
}

/** Enters what the object streams hold, unless the file itself has a later object of that number. */
export function unpackAll(source: Source, holders: readonly { num: number; at: number }[]): void {
  for (const { num, at } of holders) {
    if (source.entries.get(num)?.at !== at) continue;
    for (const inner of openPack(source, num)?.places.keys() ?? []) enter(source, { inner, num, at });
  }
}

function enter({ entries }: Source, { inner, num, at }: { inner: number; num: number; at: number }): void {
  const known = entries.get(inner);
  const knownAt = known?.holder ? (entries.get(known.holder)?.at ?? 0) : (known?.at ?? -1);
  if (knownAt > at || inner === num || inner < 1) return;
  if (entries.size >= MAX_OBJECTS)
    throw tooComplex({ limit: "objects", value: MAX_OBJECTS, unit: "objects" });
  entries.set(inner, { at: 0, gen: 0, holder: num });
}

/** Whether the bytes look like a PDF at all. */
export function looksLikePdf(bytes: Uint8Array): boolean {
  for (const word of ["%PDF-", "endobj", "startxref"]) {
    if (findWord(bytes, { word }) >= 0 || standsAt(bytes, { word, at: 0 })) return true;
  }
  return false;
}
