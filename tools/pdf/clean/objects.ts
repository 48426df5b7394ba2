import { getObject, objectExists, replaceObject } from "../model/document.ts";
import { isDict, isRef, isStream, type Dict, type Stream, type Value } from "../syntax/values.ts";
import { cleanActions } from "./actions.ts";
import { type Cleaning, takesOut } from "./cleaning.ts";
import { cleanImage } from "./images.ts";
import { kindOfEntry, NAMED } from "./entries.ts";

/** What a value stands under, and who hears of the objects that it refers to. */
interface Place {
  readonly cleaning: Cleaning;
  readonly key: string;
  readonly enter: (num: number, key: string) => void;
}

/** Takes from every object that the document leads to what its kinds say; what is reached only from there is not written. */
export function cleanObjects(cleaning: Cleaning): void {
  const { pdf } = cleaning;
  const keys = new Map<number, string>();
  const waiting: number[] = [];
  const enter = (num: number, key: string) => {
    if (keys.has(num)) return;
    keys.set(num, key);
    waiting.push(num);
  };
  cleanValue(pdf.main.trailer.get("Root") ?? null, { cleaning, key: "Root", enter });
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const value = getObject(pdf, num);
    const cleaned = cleanValue(value, { cleaning, key: keys.get(num) ?? "", enter });
    if (cleaned !== value) replaceObject(pdf, { num, value: cleaned ?? null });
  }
}

/** The value as it is to be, the same one where nothing changes; undefined for one that goes. */
function cleanValue(value: Value, place: Place): Value | undefined {
  const { cleaning, key, enter } = place;
  if (isRef(value)) {
    if (cleaning.gone.has(value.num)) return undefined;
    if (objectExists(cleaning.pdf, value)) enter(value.num, key);
    return value;
  }
  if (Array.isArray(value)) return cleanList(value, place);
  if (isStream(value)) return cleanStream(value, place);
  return isDict(value) ? cleanDict(value, place) : value;
}

function cleanList(list: Value[], place: Place): Value[] {
  // The keys of a tree and their values take turns, so that none may go alone.
  const isTree = place.key === "Nums" || place.key === "Names";
  const cleaned = list.flatMap((each) => {
    const kept = cleanValue(each, place);
    // An array in an array is one item.
    return kept === undefined ? (isTree ? [null] : []) : [kept];
  });
  return cleaned.length === list.length && cleaned.every((each, i) => each === list[i]) ? list : cleaned;
}

function cleanStream(stream: Stream, place: Place): Stream {
  const image = place.cleaning.kinds.has("metadata") ? cleanImage(place.cleaning, stream) : stream;
  const dict = cleanDict(image.dict, place) ?? image.dict;
  return dict === image.dict ? image : { ...image, dict };
}

/** A structure element's reference to an annotation that goes, goes with it (ISO 32000-2, 14.7.5.3). */
function isGone(dict: Dict, { cleaning }: Place): boolean {
  const object = dict.get("Type") === "OBJR" ? dict.get("Obj") : undefined;
  return isRef(object) && cleaning.gone.has(object.num);
}

function cleanDict(dict: Dict, place: Place): Dict | undefined {
  if (isGone(dict, place)) return undefined;
  const entries = [...dict].flatMap(([key, value]) => {
    const cleaned = NAMED.has(place.key) ? value : cleanEntry(dict, { key, value, place });
    const kept = cleaned === undefined ? undefined : cleanValue(cleaned, { ...place, key });
    return kept === undefined ? [] : [[key, kept] as const];
  });
  const isSame = entries.length === dict.size && entries.every(([key, value]) => value === dict.get(key));
  return isSame ? dict : new Map(entries);
}

/** Undefined where the entry itself is of a kind that goes. */
function cleanEntry(
  dict: Dict,
  { key, value, place }: { key: string; value: Value; place: Place },
): Value | undefined {
  const { cleaning } = place;
  const kind = kindOfEntry(cleaning.pdf, { dict, key, value });
  if (kind && takesOut(cleaning, kind)) return undefined;
  return cleanActions(cleaning, { key, value });
}
