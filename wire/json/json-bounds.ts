import type { Bytes } from "../bytes.ts";
import { CallError } from "../call-error.ts";
import { quoteStart } from "../escaped-name.ts";
import { toUtf8 } from "../given-text.ts";

/** How deep a caller's JSON may be nested. */
export const MAX_JSON_DEPTH = 64;
/** How many values it may contain: a few megabytes of `[],[],` would become hundreds of megabytes of objects. */
export const MAX_JSON_VALUES = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The greatest depth and number of values of JSON. */
export interface JsonBounds {
  readonly depth: number;
  readonly values: number;
}

const CALLERS: JsonBounds = { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES };

/**
 * The bound that JSON exceeds, determined from its bytes before they become objects. Every bracket and every comma
 * outside strings counts as a value, which is one too many for an empty list. Invalid JSON passes or is too deep; the
 * parser reports the rest.
 */
export function exceededBound(json: Uint8Array, most: JsonBounds = CALLERS): "depth" | "values" | undefined {
  return scan(json, most).bound;
}

/** What a look at the bytes tells; both suspicions are looked into only then. */
interface Scan {
  bound?: "depth" | "values";
  /** Whether an object may have a name twice. */
  mayRepeat: boolean;
  /** Whether a number may be beyond the largest there is: it has an exponent, or more digits than any other. */
  mayOverflow: boolean;
}

/** Digits of the largest number. */
const MOST_DIGITS = 308;
/** Keys whose hashes are compared one by one; more go into a set. */
const FEW_KEYS = 16;

function scan(json: Uint8Array, most: JsonBounds): Scan {
  const found: Scan = { mayRepeat: false, mayOverflow: false };
  // The hashes of each open object's keys, by its depth.
  const keys: (number[] | Set<number>)[] = [];
  let depth = 0;
  let values = 1;
  let since = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE: {
        const end = endOfText(json, at);
        if (depth > 0 && !found.mayRepeat && isKey(json, end))
          found.mayRepeat = addKey(keys, depth, hashOf(json, at + 1, end));
        at = end;
        since = at;
        break;
      }
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > most.depth) return { ...found, bound: "depth" };
        if (++values > most.values) return { ...found, bound: "values" };
        if (keys[depth]) keys[depth] = [];
        since = at;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        found.mayOverflow ||= at - since > MOST_DIGITS;
        break;
      case 0x2c: // ,
        if (++values > most.values) return { ...found, bound: "values" };
        found.mayOverflow ||= at - since > MOST_DIGITS;
        since = at;
        break;
      case 0x45: // E
      case 0x65: // e, in true and false too
        found.mayOverflow ||= DIGITS.has(json[at - 1]);
    }
  }
  found.mayOverflow ||= json.length - since > MOST_DIGITS;
  return found;
}

const DIGITS: ReadonlySet<number | undefined> = new Set([
  0x2e,
  ...Array.from({ length: 10 }, (_, i) => 0x30 + i),
]);

/** Adds the hash of a key to those of its object; true where it is there already, or the key is escaped. */
function addKey(keys: (number[] | Set<number>)[], depth: number, hash: number | undefined): boolean {
  if (hash === undefined) return true;
  const known = (keys[depth] ??= []);
  if (known instanceof Set) {
    if (known.has(hash)) return true;
    known.add(hash);
  } else {
    if (known.includes(hash)) return true;
    known.push(hash);
    if (known.length > FEW_KEYS) keys[depth] = new Set(known);
  }
  return false;
}

/** FNV-1a of a key's bytes; undefined where it is escaped, and its letters are not its bytes. */
function hashOf(json: Uint8Array, start: number, end: number): number | undefined {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) {
    const byte = json[at] ?? 0;
    if (byte === BACKSLASH) return undefined;
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash;
}

// The end of the string that begins at a quote. Base64 files are long strings, and `indexOf` skips them at once.
function endOfText(json: Uint8Array, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end >= 0; end = json.indexOf(QUOTE, end + 1)) {
    let before = end - 1;
    while (json[before] === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return json.length;
}

/** An object or a list that is open where the text is read. */
interface OpenTable {
  /** The keys so far; a list has none. */
  keys?: Set<string>;
  /** The last key, or the index in a list. */
  place: string | number;
}

/**
 * The keys that lead to a name which its object has twice, such as `files`, `0`, `range`: of the two values JSON.parse
 * would keep the last and drop the other in silence. Undefined for other JSON; the parser reports what is not JSON.
 */
function findRepeated(json: Uint8Array): readonly string[] | undefined {
  const open: OpenTable[] = [];
  for (let at = 0; at < json.length; at++) {
    const table = open.at(-1);
    switch (json[at]) {
      case QUOTE: {
        const end = endOfText(json, at);
        if (table && isKey(json, end)) {
          table.place = keyOf(json.subarray(at, end + 1));
          table.keys ??= new Set();
          if (table.keys.has(table.place)) return open.map(({ place }) => String(place));
          table.keys.add(table.place);
        }
        at = end;
        break;
      }
      case 0x5b: // [
        open.push({ place: 0 });
        break;
      case 0x7b: // {
        open.push({ place: "" });
        break;
      case 0x5d: // ]
      case 0x7d: // }
        open.pop();
        break;
      case 0x2c: // ,
        if (typeof table?.place === "number") table.place++;
    }
  }
  return undefined;
}

/** Whether a colon comes after the string that ends here. */
function isKey(json: Uint8Array, end: number): boolean {
  let at = end + 1;
  while (BLANKS.has(json[at])) at++;
  return json[at] === 0x3a;
}

const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

function keyOf(quoted: Uint8Array): string {
  const text = new TextDecoder().decode(quoted);
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Why a body of JSON is refused. */
export type Fault =
  | { readonly fault: "invalid_text" }
  | { readonly fault: "invalid_json"; readonly bound?: "depth" | "values" }
  /** A number that is too large, or a name that occurs twice, with the name of the parameter. */
  | { readonly fault: "invalid_parameter" | "repeated_parameter"; readonly parameter: string };

/** What is wrong with JSON before it is parsed, and whether a number of it may be infinite once it is. */
export function inspectJson(
  json: Uint8Array,
  most: JsonBounds = CALLERS,
): { fault: Fault | undefined; mayOverflow: boolean } {
  const { bound, mayRepeat, mayOverflow } = scan(json, most);
  if (bound) return { fault: { fault: "invalid_json", bound }, mayOverflow };
  const repeated = mayRepeat ? findRepeated(json) : undefined;
  const fault = repeated && ({ fault: "repeated_parameter", parameter: nameOf(repeated) } as const);
  return { fault, mayOverflow };
}

/** A number that is too large, which could not come back from a worker. */
export function findInfiniteFault(value: unknown): Fault | undefined {
  const path = findInfinite(value);
  return path && { fault: "invalid_parameter", parameter: nameOf(path) };
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Parses JSON within its bounds, in UTF-8, or in UTF-16 with a byte order mark. */
export function parseJson(given: Bytes, most = CALLERS): { readonly value: unknown } | Fault {
  const body = toUtf8(given);
  const { fault, mayOverflow } = inspectJson(body, most);
  if (fault) return fault;
  let text: string;
  try {
    text = UTF8.decode(body);
  } catch {
    return { fault: "invalid_text" };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "invalid_json" };
  }
  return (mayOverflow ? findInfiniteFault(value) : undefined) ?? { value };
}

/** The sentence for the caller. */
export function describeBound(bound: "depth" | "values", values = MAX_JSON_VALUES): string {
  return bound === "depth"
    ? `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels`
    : `The JSON holds more than ${values.toLocaleString("en-US")} values`;
}

/**
 * Refuses Infinity, which JSON.parse makes of numbers such as 1e999: JSON cannot carry it back, nor to another process.
 * @throws CallError invalid_parameter with the parameter's name
 */
export function checkFinite(tree: unknown, place = "body"): void {
  const path = findInfinite(tree);
  if (path) throw infiniteNumber(nameOf(path), place);
}

/** The keys that lead to an infinite number, if there is one. */
function findInfinite(tree: unknown): readonly string[] | undefined {
  if (typeof tree === "number") return Number.isFinite(tree) ? undefined : [];
  if (!isStructured(tree)) return undefined;
  for (const [name, value] of Object.entries(tree)) {
    const inner = findInfinite(value);
    if (inner) return [name, ...inner];
  }
  return undefined;
}

/** The error for a number that is too large. */
export function infiniteNumber(parameter: string, place = "body"): CallError {
  const name = quoteStart(parameter);
  const error = name === "" ? "The body has a number" : `Parameter "${name}" is a number`;
  return new CallError("invalid_parameter", `${error} beyond 1.8e308, the largest there is`, {
    ...(name === "" ? {} : { parameter: name }),
    in: place,
  });
}

/**
 * A parameter's name in errors, such as `files[0].range`. The index of a call in a batch is a key too, but no part of
 * the name.
 */
export function nameOf([first = "", ...rest]: readonly string[]): string {
  const [top, inner] =
    /^\d+$/.test(first) && rest.length > 0 ? [rest[0] ?? "", rest.slice(1)] : [first, rest];
  return top + inner.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`)).join("");
}

/** Whether a value is a list or a plain object; dates, bytes and streams are neither. */
export function isStructured(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
