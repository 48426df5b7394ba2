import { CallError } from "../call-error.ts";

/** How deep a caller's JSON may be nested. */
export const MAX_JSON_DEPTH = 64;
/** How many values it may contain: a few megabytes of `[],[],` would become hundreds of megabytes of objects. */
export const MAX_JSON_VALUES = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The greatest depth and number of values of JSON. */
interface JsonBounds {
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
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        at = endOfText(json, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > most.depth) return "depth";
        if (++values > most.values) return "values";
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2c: // ,
        if (++values > most.values) return "values";
    }
  }
  return undefined;
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
export function findInfinite(tree: unknown): readonly string[] | undefined {
  if (typeof tree === "number") return Number.isFinite(tree) ? undefined : [];
  if (!isTable(tree)) return undefined;
  for (const [name, value] of Object.entries(tree)) {
    const inner = findInfinite(value);
    if (inner) return [name, ...inner];
  }
  return undefined;
}

/** The error for a number that is too large. */
export function infiniteNumber(parameter: string, place = "body"): CallError {
  const name = parameter.slice(0, 64);
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

// Bytes and streams contain no numbers.
function isTable(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
