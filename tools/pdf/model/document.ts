import type { Bytes } from "../../../wire/bytes.ts";
import { type Budget, PARSING, spend } from "../limits.ts";
import { readerOf } from "../syntax/lexer.ts";
import { openPack } from "../reader/object-stream.ts";
import { parseValue } from "../syntax/parse.ts";
import { withoutCrypt } from "../security/decryptor.ts";
import { NeedsRepair, readObjectAt, type Source } from "../reader/source.ts";
import {
  type Dict,
  dictOf,
  isDict,
  isRef,
  isStream,
  type Ref,
  refTo,
  type Stream,
  type Value,
} from "../syntax/values.ts";

/** Documents being worked on, in one numbering: what their files hold, and what was changed. */
export interface Pdf {
  readonly sources: readonly Source[];
  /** The one whose catalog is meant. */
  readonly main: Source;
  readonly budget: Budget;
  /** New and replaced objects; null for removed ones. */
  readonly changed: Map<number, Value>;
  /** Objects already read. Never altered in place: `change` puts another in their stead. */
  readonly cache: Cache;
  /** Whether an object belongs to what was dropped: references to it come out as null. */
  readonly isGone?: (num: number) => boolean;
  readonly numbers: { next: number };
}

const MAX_HOPS = 50;
const MAX_CACHED = 10_000;

export function sourceOf(pdf: Pdf, num: number): Source {
  return pdf.sources.findLast((source) => num > source.base) ?? pdf.sources[0]!;
}

/** The object with a number; null where there is none. */
export function load(pdf: Pdf, num: number): Value {
  const changed = pdf.changed.get(num);
  if (changed !== undefined) return changed;
  const { cache } = pdf;
  const young = cache.young.get(num);
  if (young !== undefined) return young;
  const value = cache.old.get(num) ?? read(sourceOf(pdf, num), num);
  keep(cache, { num, value });
  return value;
}

/** Objects read lately: of two generations the older is dropped when the younger is full. */
export interface Cache {
  young: Map<number, Value>;
  old: Map<number, Value>;
}

export function openCache(): Cache {
  return { young: new Map(), old: new Map() };
}

/** Values take twenty times the room of the bytes they are read from, and can be read again. */
function keep(cache: Cache, { num, value }: { num: number; value: Value }): void {
  if (cache.young.size >= MAX_CACHED) {
    cache.old = cache.young;
    cache.young = new Map();
  }
  cache.young.set(num, value);
}

function read(source: Source, num: number): Value {
  const own = num - source.base;
  const entry = source.entries.get(own);
  if (!entry || entry.at < 0) return null;
  const value =
    entry.holder > 0 ? readPacked(source, { num: own, holder: entry.holder }) : readPlain(source, own);
  if (value !== undefined) return value;
  if (!source.isRepaired) throw new NeedsRepair(source);
  return null;
}

function readPacked(source: Source, { num, holder }: { num: number; holder: number }): Value | undefined {
  const pack = openPack(source, holder);
  if (!pack) return undefined;
  const at = pack.places.get(num);
  if (at === undefined) return null;
  const reader = readerOf(pack.bytes, { at });
  const value = parseValue(reader, source.base) ?? null;
  spend(source.budget.read, PARSING * (reader.at - at));
  return value;
}

function readPlain(source: Source, num: number): Value | undefined {
  const found = readObjectAt(source, source.entries.get(num)?.at ?? -1);
  if (found?.num !== num) return undefined;
  const { guard } = source;
  if (!guard) return found.value;
  const value = guard.openTexts(found.value, found);
  if (!isStream(value)) return value;
  return { ...value, dict: withoutCrypt(value.dict), unseal: guard.sealOf(value.dict, found) };
}

/** Whether a reference leads to an object that may be there. */
export function exists(pdf: Pdf, { num, gen }: Ref): boolean {
  if (pdf.isGone?.(num)) return false;
  const changed = pdf.changed.get(num);
  if (changed !== undefined) return changed !== null;
  const source = sourceOf(pdf, num);
  const entry = source.entries.get(num - source.base);
  return entry !== undefined && entry.at >= 0 && entry.gen === gen;
}

/** Follows references to the value they stand for. */
export function resolve(pdf: Pdf, value: Value | undefined): Value | undefined {
  let result = value;
  for (let hops = 0; isRef(result); hops++) {
    if (hops > MAX_HOPS || !exists(pdf, result)) return null;
    result = load(pdf, result.num);
  }
  return result;
}

/** The dictionary a value stands for. */
export function dictAt(pdf: Pdf, value: Value | undefined): Dict | undefined {
  const result = resolve(pdf, value);
  return isDict(result) ? result : undefined;
}

/** The dictionary under a key of another. */
export function dictIn(pdf: Pdf, { dict, key }: { dict: Dict | undefined; key: string }): Dict | undefined {
  return dictAt(pdf, dict?.get(key));
}

/** The array a value stands for. */
export function arrayAt(pdf: Pdf, value: Value | undefined): Value[] | undefined {
  const result = resolve(pdf, value);
  return Array.isArray(result) ? result : undefined;
}

/** Replaces an object, or removes it with null. */
export function change(pdf: Pdf, { num, value }: { num: number; value: Value }): void {
  pdf.changed.set(num, value);
}

/** Adds an object and returns the reference to it. */
export function add(pdf: Pdf, value: Value): Ref {
  const num = pdf.numbers.next++;
  pdf.changed.set(num, value);
  return refTo(num);
}

/** The data of a stream, decrypted but still filtered. */
export function clearData({ data, unseal }: Stream): Bytes {
  return unseal ? unseal.now(data) : data;
}

export function catalogOf(pdf: Pdf, source = pdf.main): Dict | undefined {
  return dictOf(resolve(pdf, source.trailer.get("Root")));
}
