import type { Bytes } from "../../../wire/bytes.ts";

/**
 * The object model (ISO 32000-1, 7.3). Names are plain strings without the solidus, one character per byte;
 * dictionaries are maps; a string keeps its bytes as written, delimiters included.
 */
export type Value = null | boolean | number | string | Real | PdfString | Ref | Stream | Value[] | Dict;

export interface Dict extends Map<string, Value> {}

/** A number kept as it was written, because a double may not print the same. */
export interface Real {
  readonly kind: "real";
  readonly text: string;
}

export interface PdfString {
  readonly kind: "string";
  readonly raw: Uint8Array;
}

export interface Ref {
  readonly kind: "ref";
  readonly num: number;
  readonly gen: number;
}

export interface Stream {
  readonly kind: "stream";
  readonly dict: Dict;
  /** As stored: still filtered, and still encrypted if `decryptor` is set. */
  readonly data: Bytes;
  readonly decryptor?: StreamDecryptor | undefined;
}

/** Decrypts the data of one stream, synchronously or with Web Crypto. */
export interface StreamDecryptor {
  decrypt(data: Bytes): Bytes;
  decryptAsync(data: Bytes): Promise<Bytes>;
}

export function isDict(value: Value | undefined): value is Dict {
  return value instanceof Map;
}

export function isRef(value: Value | undefined): value is Ref {
  return kindOf(value) === "ref";
}

export function isStream(value: Value | undefined): value is Stream {
  return kindOf(value) === "stream";
}

export function isString(value: Value | undefined): value is PdfString {
  return kindOf(value) === "string";
}

function kindOf(value: Value | undefined): string {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isDict(value)) return "";
  return value.kind;
}

/** The value as a number, or undefined. */
export function numberOf(value: Value | undefined): number | undefined {
  if (typeof value === "number") return value;
  return isReal(value) ? Number(value.text) : undefined;
}

export function isReal(value: Value | undefined): value is Real {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "real";
}

/** The value as an integer of at least 0, or undefined. */
export function unsignedOf(value: Value | undefined): number | undefined {
  const number = numberOf(value);
  return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** A dictionary with these entries in this order; no key is a whole number. */
export function makeDict(entries: Readonly<Record<string, Value>>): Dict {
  return new Map(Object.entries(entries));
}

/** The dictionary itself, or that of a stream. */
export function dictOf(value: Value | undefined): Dict | undefined {
  if (isDict(value)) return value;
  return isStream(value) ? value.dict : undefined;
}

/** In a reference: the object of this number, whatever its generation is. */
export const ANY_GENERATION = -1;

/** A reference to an object that is known to exist. */
export function refTo(num: number): Ref {
  return { kind: "ref", num, gen: ANY_GENERATION };
}

/** Appends items that can be too many to be passed as arguments. */
export function pushAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** Appends an item to the list under a key. */
export function pushTo<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Sets entries; undefined removes one. */
export function setEntries(dict: Dict, entries: Readonly<Record<string, Value | undefined>>): void {
  for (const [key, value] of Object.entries(entries)) {
    if (value === undefined) dict.delete(key);
    else dict.set(key, value);
  }
}

/** A copy with these keys only. */
export function keepOnly(dict: Dict, keys: readonly string[]): Dict {
  return new Map([...dict].filter(([key]) => keys.includes(key)));
}

/** A copy without these keys. */
export function without(dict: Dict, keys: readonly string[]): Dict {
  return new Map([...dict].filter(([key]) => !keys.includes(key)));
}

/** Tells of an object whether it is kept. */
export type IsKept = (num: number) => boolean;
