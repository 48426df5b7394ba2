import { getObject, objectExists, type Pdf, resolve } from "../model/document.ts";
import {
  type Dict,
  dictOf,
  isDict,
  isRef,
  isStream,
  pushAll,
  type Ref,
  type Value,
} from "../syntax/values.ts";
import { findRawObject } from "../writer/write.ts";

/** The numbers of what a document is made of. */
export interface ReachableObjects {
  readonly streams: number[];
  readonly others: readonly number[];
}

/** The numbers of all streams that a trailer leads to, in the order they are met, and of all other objects. */
export function reachableObjects(pdf: Pdf, trailer: Dict): ReachableObjects {
  const streams: number[] = [];
  const seen = new Set<number>();
  const waiting: Ref[] = referencesIn(trailer);
  for (let ref = waiting.pop(); ref; ref = waiting.pop()) {
    if (seen.has(ref.num) || !objectExists(pdf, ref)) continue;
    seen.add(ref.num);
    pushAll(waiting, referencesOf(pdf, ref.num, streams));
  }
  const found = new Set(streams);
  return { streams, others: [...seen].filter((num) => !found.has(num)) };
}

function referencesOf(pdf: Pdf, num: number, streams: number[]): Ref[] {
  const raw = findRawObject(pdf, num);
  if (raw) return raw.references.map(({ ref }) => ref);
  const value = getObject(pdf, num);
  if (isStream(value)) streams.push(num);
  return referencesIn(value);
}

function referencesIn(value: Value): Ref[] {
  const found: Ref[] = [];
  const waiting: Value[] = [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (isRef(each)) found.push(each);
    else if (Array.isArray(each)) pushAll(waiting, each);
    else if (isDict(each) || isStream(each)) pushAll(waiting, dictOf(each)?.values() ?? []);
  }
  return found;
}

/** Keys of a stream with a font program of Type 1, which has three parts. */
const LENGTHS = ["Length1", "Length2", "Length3"];

/** The numbers of objects that refer to a font program of Type 1 (ISO 32000-2, table 125). */
export function fontDescriptors(pdf: Pdf, { streams, others }: ReachableObjects): number[] {
  const isProgram = (num: number) => {
    const object = getObject(pdf, num);
    return isStream(object) && LENGTHS.every((key) => object.dict.has(key));
  };
  const programs = new Set(streams.filter(isProgram));
  const leads = (num: number) => referencesOf(pdf, num, []).some((ref) => programs.has(ref.num));
  return programs.size > 0 ? others.filter(leads) : [];
}

/** Whether a document has font programs of one part, such as TrueType and CFF. */
export function hasGlyphPrograms(pdf: Pdf, { streams }: ReachableObjects): boolean {
  return streams.some((num) => {
    const dict = dictOf(getObject(pdf, num));
    if (!dict) return false;
    return CFF_KINDS.has(resolve(pdf, dict.get("Subtype"))) || (dict.has("Length1") && !dict.has("Length2"));
  });
}

/** Kinds of programs of CFF (ISO 32000-2, table 124). */
const CFF_KINDS: ReadonlySet<unknown> = new Set(["Type1C", "CIDFontType0C"]);
