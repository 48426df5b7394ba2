import {
  findKeyword,
  isWhitespace,
  isDigit,
  readUnsigned,
  lexerAt,
  skipWhitespace,
  takeKeyword,
} from "../syntax/lexer.ts";
import { MAX_OBJECT_NUMBER, MAX_OBJECTS, PARSING, spend, tooComplex } from "../limits.ts";
import { loadObjectStream } from "./object-stream.ts";
import { parseValue } from "../syntax/parse.ts";
import { isLineEnd, type ObjectId, type PdfSource } from "./source.ts";
import type { XrefEntry } from "./xref.ts";
import { unsignedOf, type Dict, isDict, type Value } from "../syntax/values.ts";

/** How far into an object its dictionary is read to learn its type, in bytes. */
const MAX_PEEK = 64 * 1024;

interface ObjectHeader extends ObjectId {
  readonly at: number;
  readonly next: number;
}

/** The results of scanning a file. */
interface Scan {
  /** By object number; of several objects with one number the last counts. */
  readonly entries: Map<number, XrefEntry>;
  readonly objectStreams: ObjectOffset[];
  catalog: ObjectId | undefined;
  trailer: Dict | undefined;
}

interface ObjectOffset {
  readonly num: number;
  readonly at: number;
}

/**
 * Rebuilds the cross-reference by scanning the whole file. Returns the object streams for `enterObjectStreams`, which
 * runs once the file can be decrypted.
 * @throws ToolFailure too_complex
 */
export function rebuildXref(source: PdfSource): readonly ObjectOffset[] {
  const scan = scanFile(source);
  source.repairs.isRebuilt = true;
  source.objectStreams.clear();
  source.entries.clear();
  for (const [num, entry] of scan.entries) source.entries.set(num, entry);
  source.trailer = rebuildTrailer(source, scan);
  return scan.objectStreams;
}

/**
 * The position of an object that the cross-reference lacks: found by its number and generation in the file, or in an
 * object stream. The file is scanned once.
 */
export function findUnlisted(source: PdfSource, { num, gen }: ObjectId): XrefEntry | undefined {
  const { repairs } = source;
  repairs.scanned ??= repairs.isRebuilt ? new Map() : unlistedObjects(source);
  const entry = repairs.scanned.get(num);
  return entry?.gen === gen ? entry : undefined;
}

function unlistedObjects(source: PdfSource): ReadonlyMap<number, XrefEntry> {
  const { entries, objectStreams } = scanFile(source);
  for (const { num, at } of objectStreams) {
    // The object stream may be missing from the cross-reference too.
    if (!source.entries.has(num)) source.entries.set(num, { offset: at, gen: 0, streamNum: 0 });
    if (source.entries.get(num)?.offset !== at) continue;
    for (const inner of loadObjectStream(source, num)?.offsets.keys() ?? []) {
      if (!entries.has(inner)) entries.set(inner, { offset: 0, gen: 0, streamNum: num });
    }
  }
  return entries;
}

function scanFile(source: PdfSource): Scan {
  const scan: Scan = { entries: new Map(), objectStreams: [], catalog: undefined, trailer: undefined };
  for (let header = nextObjectHeader(source, 0); header;) {
    header = nextObjectHeader(source, scanObject(source, header, scan));
  }
  return scan;
}

/**
 * Records an object. Returns where to continue: after its stream data if the length is right, else after the header.
 */
function scanObject(source: PdfSource, header: ObjectHeader, scan: Scan): number {
  const { num, gen, at, next } = header;
  if (scan.entries.size >= MAX_OBJECTS)
    throw tooComplex({ limit: "objects", value: MAX_OBJECTS, unit: "objects" });
  scan.entries.set(num, { offset: at, gen, streamNum: 0 });
  const lexer = lexerAt(source.bytes, { at: next, end: Math.min(source.bytes.length, next + MAX_PEEK) });
  const value = peekValue(source, lexer);
  if (!isDict(value)) return next;
  const type = value.get("Type");
  // Only a catalog has a page tree; a dictionary of another type with one is used unless a real catalog follows.
  if (type === "Catalog" || (!scan.catalog && value.has("Pages"))) scan.catalog = { num, gen };
  skipWhitespace(lexer);
  if (!takeKeyword(lexer, "stream")) return next;
  if (type === "ObjStm") scan.objectStreams.push({ num, at });
  if (type === "XRef" && value.has("Root")) scan.trailer = value;
  return skipStreamData(source, lexer.at, value) ?? next;
}

function peekValue(source: PdfSource, lexer: ReturnType<typeof lexerAt>): Value | undefined {
  const from = lexer.at;
  const value = parseValue(lexer, source.firstNum);
  spend(source.budget.read, PARSING * (lexer.at - from));
  return value;
}

function skipStreamData({ bytes }: PdfSource, from: number, dict: Dict): number | undefined {
  const length = unsignedOf(dict.get("Length"));
  if (length === undefined || from + length > bytes.length) return undefined;
  const end = findKeyword(bytes, { word: "endstream", from: from + length, to: from + length + 16 });
  return end < 0 ? undefined : end;
}

/** The next "n g obj" at or after an offset. */
function nextObjectHeader({ bytes }: PdfSource, from: number): ObjectHeader | undefined {
  for (
    let at = findKeyword(bytes, { word: "obj", from });
    at >= 0;
    at = findKeyword(bytes, { word: "obj", from: at + 3 })
  ) {
    const gen = integerBefore(bytes, at);
    const num = gen && gen.from < at ? integerBefore(bytes, gen.from) : undefined;
    if (
      !gen ||
      !num ||
      num.number < 1 ||
      num.number > MAX_OBJECT_NUMBER ||
      !isWhitespace(bytes[gen.from - 1])
    )
      continue;
    return { num: num.number, gen: gen.number, at: num.from, next: at + 3 };
  }
  return undefined;
}

/** The longest comment between the parts of a header, in bytes. */
const MAX_COMMENT = 80;

/** The offset before the comment (7.2.4) whose line ends at an offset; the offset itself if there is none. */
function beforeComment(bytes: Uint8Array, at: number): number {
  let to = at;
  let isOnNext = false;
  for (; to > 0 && isWhitespace(bytes[to - 1]); to--) isOnNext ||= isLineEnd(bytes[to - 1]);
  if (!isOnNext) return at;
  for (let from = to - 1; from >= Math.max(0, to - MAX_COMMENT) && !isLineEnd(bytes[from]); from--)
    if (bytes[from] === PERCENT) return from;
  return at;
}

const PERCENT = 0x25;

/** The integer that ends before an offset, with white space or a comment between. */
function integerBefore(bytes: Uint8Array, at: number): { number: number; from: number } | undefined {
  let to = beforeComment(bytes, at);
  while (to > 0 && isWhitespace(bytes[to - 1])) to--;
  let from = to;
  while (from > 0 && to - from < 11 && isDigit(bytes[from - 1])) from--;
  const number = readUnsigned(lexerAt(bytes, { at: from, end: to }));
  return number === undefined ? undefined : { number, from };
}

/** Merges all trailers, later ones first; if none has a /Root, it is the catalog found by the scan. */
function rebuildTrailer(source: PdfSource, scan: Scan): Dict {
  const merged: Dict = new Map(scan.trailer ?? []);
  const { bytes } = source;
  for (
    let at = findKeyword(bytes, { word: "trailer" });
    at >= 0;
    at = findKeyword(bytes, { word: "trailer", from: at + 7 })
  ) {
    const value = peekValue(
      source,
      lexerAt(bytes, { at: at + 7, end: Math.min(bytes.length, at + 7 + MAX_PEEK) }),
    );
    if (isDict(value)) for (const [key, each] of value) merged.set(key, each);
  }
  if (!merged.has("Root") && scan.catalog) {
    merged.set("Root", { kind: "ref", num: scan.catalog.num + source.firstNum, gen: scan.catalog.gen });
  }
  return merged;
}

/** Adds the objects in object streams, unless a later object has the same number. */
export function enterObjectStreams(source: PdfSource, objectStreams: readonly ObjectOffset[]): void {
  for (const { num, at } of objectStreams) {
    if (source.entries.get(num)?.offset !== at) continue;
    for (const inner of loadObjectStream(source, num)?.offsets.keys() ?? [])
      enterCompressed(source, { inner, num, at });
  }
}

function enterCompressed(
  { entries }: PdfSource,
  { inner, num, at }: { inner: number; num: number; at: number },
): void {
  const known = entries.get(inner);
  const knownAt = known?.streamNum ? (entries.get(known.streamNum)?.offset ?? 0) : (known?.offset ?? -1);
  if (knownAt > at || inner === num || inner < 1) return;
  if (entries.size >= MAX_OBJECTS)
    throw tooComplex({ limit: "objects", value: MAX_OBJECTS, unit: "objects" });
  entries.set(inner, { offset: 0, gen: 0, streamNum: num });
}
