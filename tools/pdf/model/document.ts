import type { DecodedStream } from "../filters/flate.ts";
import { decodeStream, filterSteps, type Step } from "../filters/filters.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { type Budget, PARSING, spend } from "../limits.ts";
import { lexerAt } from "../syntax/lexer.ts";
import { loadObjectStream } from "../reader/object-stream.ts";
import { parseValue, readObjectHeader } from "../syntax/parse.ts";
import { withoutCrypt } from "../security/decryptor.ts";
import { findUnlisted } from "../reader/rebuild-xref.ts";
import { NeedsRepair, type ObjectId, readObjectAt, type PdfSource } from "../reader/source.ts";
import { DELETED, FREE } from "../reader/xref.ts";
import {
  ANY_GENERATION,
  type Dict,
  dictOf,
  isDict,
  isRef,
  isStream,
  numberOf,
  type Ref,
  refTo,
  type Stream,
  type Value,
} from "../syntax/values.ts";

/** One or more open files with all their objects in one numbering, and the changes made to them. */
export interface Pdf {
  readonly sources: readonly PdfSource[];
  /** The file whose catalog is used. */
  readonly main: PdfSource;
  readonly budget: Budget;
  /** New and replaced objects; null for removed ones. */
  readonly changed: Map<number, Value>;
  /** For a part: the changes of the document that it is taken from. */
  readonly changedBefore?: ReadonlyMap<number, Value>;
  /** Objects already read. Never altered in place: `replaceObject` puts another in their place. */
  readonly cache: Cache;
  /** Whether an object belongs to dropped pages only: references to it are written as null. */
  readonly isRemoved?: (num: number) => boolean;
  readonly numbers: { next: number };
}

const MAX_HOPS = 50;
const MAX_CACHED = 1_000;

export function sourceOf(pdf: Pdf, num: number): PdfSource {
  return pdf.sources.findLast((source) => num > source.firstNum) ?? pdf.main;
}

/** The object with this number; null if there is none. */
export function getObject(pdf: Pdf, num: number): Value {
  const changed = changedObject(pdf, num);
  if (changed !== undefined) return changed;
  const { cache } = pdf;
  const young = cache.young.get(num);
  if (young !== undefined) return young;
  const value = cache.old.get(num) ?? readObject(sourceOf(pdf, num), num);
  cacheObject(cache, num, value);
  return value;
}

/** The new value of an object that was replaced or added; undefined for all others. */
export function changedObject({ changed, changedBefore }: Pdf, num: number): Value | undefined {
  const value = changed.get(num);
  return value === undefined ? changedBefore?.get(num) : value;
}

/** Recently read objects, in two generations: when the young one is full, the old one is dropped. */
interface Cache {
  young: Map<number, Value>;
  old: Map<number, Value>;
}

export function openCache(): Cache {
  return { young: new Map(), old: new Map() };
}

/** Parsed values take twenty times the memory of their bytes, so only some are kept; the rest is parsed again. */
function cacheObject(cache: Cache, num: number, value: Value): void {
  if (cache.young.size >= MAX_CACHED) {
    cache.old = cache.young;
    cache.young = new Map();
  }
  cache.young.set(num, value);
}

function readObject(source: PdfSource, num: number): Value {
  const own = num - source.firstNum;
  const entry = source.entries.get(own);
  if (!entry || entry.offset < 0) return null;
  const value =
    entry.streamNum > 0 ? readCompressed(source, own, entry.streamNum) : readUncompressed(source, own);
  if (value !== undefined) return value;
  if (!source.repairs.isRebuilt) throw new NeedsRepair(source);
  return null;
}

function readCompressed(source: PdfSource, num: number, streamNum: number): Value | undefined {
  const value = readFromStream(source, num, streamNum);
  return value === undefined && source.objectStreams.has(streamNum) ? readElsewhere(source, num) : value;
}

/** Undefined where there is no such object stream, or no such object in it. */
function readFromStream(source: PdfSource, num: number, streamNum: number): Value | undefined {
  const objectStream = loadObjectStream(source, streamNum);
  const at = objectStream?.offsets.get(num);
  if (!objectStream || at === undefined) return undefined;
  const lexer = lexerAt(objectStream.bytes, { at });
  const value = parseValue(lexer, source.firstNum) ?? null;
  spend(source.budget.read, PARSING * (lexer.at - at));
  source.repairs.garbage += lexer.garbage;
  return value;
}

/** An object that its object stream does not have may stand in the file itself. */
function readElsewhere(source: PdfSource, num: number): Value {
  const found = findUnlisted(source, { num, gen: 0 });
  if (!found || found.streamNum > 0) return null;
  source.entries.set(num, found);
  source.repairs.found++;
  return readUncompressed(source, num) ?? null;
}

function readUncompressed(source: PdfSource, num: number): Value | undefined {
  const found = readObjectAt(source, source.entries.get(num)?.offset ?? -1);
  if (found?.num !== num) return undefined;
  source.repairs.garbage += found.garbage;
  const { decryptor } = source;
  if (!decryptor) return found.value;
  const value = decryptor.decryptStrings(found.value, found);
  if (!isStream(value)) return value;
  const direct = withDirect(source, value.dict);
  const dict = withoutCrypt(direct);
  return {
    ...value,
    dict: dict === direct ? value.dict : dict,
    decryptor: decryptor.streamDecryptor(direct, found),
  };
}

/** What says how a stream is encrypted. */
const ABOUT_ENCRYPTION = ["Type", "Filter", "DecodeParms"];

/** A dictionary of a stream in which the entries that say how it is encrypted are no references. */
function withDirect(source: PdfSource, dict: Dict): Dict {
  const direct: Dict = new Map(dict);
  for (const key of ABOUT_ENCRYPTION) {
    const value = readDirect(source, dict.get(key) ?? null);
    if (value !== null)
      direct.set(key, Array.isArray(value) ? value.map((each) => readDirect(source, each)) : value);
  }
  return direct;
}

/** Reads without getObject and without decryption, because circular references would recurse forever. */
function readDirect(source: PdfSource, value: Value): Value {
  let result = value;
  for (let hops = 0; isRef(result); hops++) {
    const num = result.num - source.firstNum;
    const entry = source.entries.get(num);
    if (hops > MAX_HOPS || !entry || entry.offset < 0) return null;
    result =
      entry.streamNum > 0
        ? (readFromStream(source, num, entry.streamNum) ?? null)
        : (readObjectAt(source, entry.offset)?.value ?? null);
  }
  return result;
}

/** Whether the object of a reference exists in the document. */
export function objectExists(pdf: Pdf, { num, gen }: Ref): boolean {
  if (pdf.isRemoved?.(num)) return false;
  const changed = changedObject(pdf, num);
  if (changed !== undefined) return changed !== null;
  const source = sourceOf(pdf, num);
  const own = num - source.firstNum;
  const entry = source.entries.get(own);
  const isMeant = entry && entry.offset >= 0 && (gen === entry.gen || gen === ANY_GENERATION);
  return isMeant || recover(source, { num: own, gen: Math.max(gen, 0) });
}

/** Whether a reference leads to nothing although no update has deleted the object. */
export function isLost(pdf: Pdf, ref: Ref): boolean {
  const source = sourceOf(pdf, ref.num);
  return !objectExists(pdf, ref) && source.entries.get(ref.num - source.firstNum) !== DELETED;
}

/**
 * Looks for an object that the cross-reference lists with another generation, as free or not at all. One that an
 * update has deleted stays deleted.
 */
function recover(source: PdfSource, { num, gen }: ObjectId): boolean {
  const listed = source.entries.get(num);
  if (listed === DELETED || listed?.streamNum) return false;
  const isListed = listed !== undefined && listed !== FREE;
  const found = isListed ? listed : findUnlisted(source, { num, gen });
  if (!found || (isListed && !standsAt(source, { num, gen, offset: found.offset }))) return false;
  source.entries.set(num, { ...found, gen });
  source.repairs.found++;
  return true;
}

function standsAt({ bytes }: PdfSource, { num, gen, offset }: ObjectId & { offset: number }): boolean {
  const header = readObjectHeader(lexerAt(bytes, { at: offset }));
  return header?.num === num && header.gen === gen;
}

/** Follows references to a direct value. */
export function resolve(pdf: Pdf, value: Value | undefined): Value | undefined {
  let result = value;
  for (let hops = 0; isRef(result); hops++) {
    if (hops > MAX_HOPS || !objectExists(pdf, result)) return null;
    result = getObject(pdf, result.num);
  }
  return result;
}

/** The dictionary that a value is or refers to. */
export function dictAt(pdf: Pdf, value: Value | undefined): Dict | undefined {
  const result = resolve(pdf, value);
  return isDict(result) ? result : undefined;
}

/** The dictionary under a key of another. */
export function dictIn(pdf: Pdf, dict: Dict | undefined, key: string): Dict | undefined {
  return dictAt(pdf, dict?.get(key));
}

/** The array that a value is or refers to. */
export function arrayAt(pdf: Pdf, value: Value | undefined): Value[] | undefined {
  const result = resolve(pdf, value);
  return Array.isArray(result) ? result : undefined;
}

/** The numbers of an array, with 0 in place of other values. */
export function numbersAt(pdf: Pdf, value: Value | undefined): number[] {
  return (arrayAt(pdf, value) ?? []).map((each) => numberOf(resolve(pdf, each)) ?? 0);
}

/** Replaces an object, or removes it with null. */
export function replaceObject(pdf: Pdf, num: number, value: Value): void {
  pdf.changed.set(num, value);
}

/** Adds an object and returns the reference to it. */
export function addObject(pdf: Pdf, value: Value): Ref {
  const num = pdf.numbers.next++;
  pdf.changed.set(num, value);
  return refTo(num);
}

/** The same list with a reference in place of each dictionary; the list itself if it holds none directly. */
export function makeIndirect(pdf: Pdf, items: Value[], isWanted: (item: Value) => boolean = isDict): Value[] {
  if (!items.some(isWanted)) return items;
  return items.map((item) => (isWanted(item) ? addObject(pdf, item) : item));
}

/** The data of a stream, decrypted but still filtered. */
export function rawStreamData({ data, decryptor }: Stream): Bytes {
  return decryptor ? decryptor.decrypt(data) : data;
}

/** The filters of a stream, in the order they are undone. */
export function stepsOf(pdf: Pdf, { dict }: Pick<Stream, "dict">): Step[] {
  return filterSteps(dict, (value) => resolve(pdf, value));
}

/**
 * The data of a stream without its filters, as far as it goes.
 * @throws ToolFailure unsupported_feature for image filters, too_complex for too many filters or bytes
 */
export function decodedStream(pdf: Pdf, stream: Stream): Omit<DecodedStream, "bytes"> & { bytes: Bytes } {
  const decoded = decodeStream(rawStreamData(stream), stepsOf(pdf, stream), pdf.budget);
  // Nothing here is on shared memory.
  return { ...decoded, bytes: decoded.bytes as Bytes };
}

export function catalogOf(pdf: Pdf, source = pdf.main): Dict | undefined {
  return dictOf(resolve(pdf, source.trailer.get("Root")));
}

/** The number of the object that a reference ends at, after those that stand for another. */
export function numberBehind(pdf: Pdf, value: Value | undefined): number | undefined {
  let at = value;
  for (let hops = 0; isRef(at) && hops < MAX_HOPS; hops++) {
    const next = getObject(pdf, at.num);
    if (!isRef(next)) return at.num;
    at = next;
  }
  return undefined;
}
