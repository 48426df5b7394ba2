import { changedObject, getObject, objectExists, type Pdf } from "../model/document.ts";
import { spend } from "../limits.ts";
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

/** The numbers of all streams that a trailer leads to, in the order they are met. */
export function reachableStreams(pdf: Pdf, trailer: Dict): number[] {
  const streams: number[] = [];
  const seen = new Set<number>();
  const waiting: Ref[] = referencesIn(trailer);
  for (let ref = waiting.pop(); ref; ref = waiting.pop()) {
    if (seen.has(ref.num) || !objectExists(pdf, ref)) continue;
    seen.add(ref.num);
    pushAll(waiting, referencesOf(pdf, { num: ref.num, streams }));
  }
  return streams;
}

function referencesOf(pdf: Pdf, { num, streams }: { num: number; streams: number[] }): Ref[] {
  const raw = changedObject(pdf, num) === undefined ? findRawObject(pdf, num) : undefined;
  if (raw) {
    spend(pdf.budget.read, raw.to - raw.from);
    return raw.references.map(({ ref }) => ref);
  }
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
