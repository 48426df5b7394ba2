import { decodeStream, filterSteps } from "../filters/filters.ts";
import { readCount, readerOf, skipBlank } from "../syntax/lexer.ts";
import { MAX_OBJECTS, tooComplex } from "../limits.ts";
import { readObjectAt, type Pack, type Source } from "./source.ts";
import { countOf, isRef, isStream, type Stream, type Value } from "../syntax/values.ts";

/** Inflates the object stream with the file's own number `num` (ISO 32000-1, 7.5.7); undefined if it is none. */
export function openPack(source: Source, num: number): Pack | undefined {
  const known = source.packs.get(num);
  if (known) return known;
  const entry = source.entries.get(num);
  if (!entry || entry.at < 0 || entry.holder > 0) return undefined;
  const found = readObjectAt(source, entry.at);
  if (found?.num !== num || !isStream(found.value)) return undefined;
  const seal = source.guard?.sealOf(found.value.dict, found);
  const stream = seal ? { ...found.value, data: seal.now(found.value.data) } : found.value;
  const bytes = packStream(source, stream);
  const pack = { bytes, places: placesIn(bytes, stream) };
  source.packs.set(num, pack);
  return pack;
}

/** Undoes the filters of a stream whose dictionary holds no references that matter. */
export function packStream({ budget }: Source, { dict, data }: Stream): Uint8Array {
  return decodeStream(data, { steps: filterSteps(dict, direct), budget });
}

function direct(value: Value | undefined): Value | undefined {
  return isRef(value) ? undefined : value;
}

function placesIn(bytes: Uint8Array, { dict }: Stream): Map<number, number> {
  const first = countOf(dict.get("First")) ?? 0;
  const count = countOf(dict.get("N")) ?? 0;
  const reader = readerOf(bytes, { end: Math.min(first, bytes.length) });
  const places = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    skipBlank(reader);
    const num = readCount(reader);
    skipBlank(reader);
    const at = readCount(reader);
    if (num === undefined || at === undefined) break;
    if (places.size >= MAX_OBJECTS)
      throw tooComplex({ limit: "objects", value: MAX_OBJECTS, unit: "objects" });
    places.set(num, first + at);
  }
  return places;
}
