import { CallError } from "../../../wire/call-error.ts";
import type { Parameter } from "../parameters.ts";
import { warnUnknownParameter, type Warning } from "./unknown-parameter.ts";

/** Raw values by name, and where each was found ("query", "body", "path", "header"). */
export interface RawInput {
  readonly values: Record<string, unknown>;
  readonly locations: Map<string, string>;
}

/** No values yet; without a prototype, so that a parameter may be called `constructor`. */
export function createRawInput(): RawInput {
  return { values: Object.create(null), locations: new Map() };
}

/** Adds a value once. @throws CallError repeated_parameter */
export function addParameter(
  into: RawInput,
  { name, value, place }: { name: string; value: unknown; place: string },
): void {
  if (into.locations.has(name)) throw repeatedParameter(name, place);
  into.locations.set(name, place);
  if (value !== undefined) into.values[name] = value;
}

export function repeatedParameter(name: string, place: string): CallError {
  const parameter = name.slice(0, 64);
  return new CallError(
    "repeated_parameter",
    `Parameter "${parameter}" is given more than once; give it once`,
    {
      parameter,
      in: place,
    },
  );
}

/** Adds strings from a query or form, typed as the schema wants them; an unknown name is a warning. A list may be repeated. */
export function addStrings(
  into: RawInput,
  entries: Iterable<readonly [string, string]>,
  { parameters, place, warnings }: { parameters: readonly Parameter[]; place: string; warnings: Warning[] },
): void {
  const texts = parameters.filter(({ type }) => type !== "file");
  for (const [name, text] of entries) {
    const parameter = texts.find((each) => each.name === name);
    if (parameter?.type === "array") addItems(into, { name, items: coerce(text, parameter), place });
    else if (parameter) addParameter(into, { name, value: coerce(text, parameter), place });
    else warnUnknownParameter(warnings, { name, parameters: texts });
  }
}

// Many clients write a list as its name once more for each item. In two places it is ambiguous.
function addItems(
  into: RawInput,
  { name, items, place }: { name: string; items: unknown; place: string },
): void {
  if (into.locations.get(name) !== place) return addParameter(into, { name, value: items, place });
  const before = into.values[name];
  if (Array.isArray(items)) into.values[name] = Array.isArray(before) ? [...before, ...items] : items;
}

/**
 * Turns a string from a query or form into the type that the schema wants. What does not fit stays a string,
 * so that the schema refuses it in its own words.
 */
export function coerce(text: string, parameter: Parameter): unknown {
  const { type, enum: allowed, default: fallback, required, nullable } = parameter;
  if (nullable && text === "null") return null;
  switch (type) {
    case "integer":
    case "number":
      return /^-?[0-9]{1,9}$/.test(text) ? Number(text) : text === "" && !required ? undefined : text;
    case "boolean":
      return text === "" ? true : (BOOLEANS.get(text) ?? text);
    case "array":
      return text === "" && !required ? undefined : text.split(",").map((part) => part.trim());
    default:
      // An empty separator is a choice; an empty password is a field that nobody filled in.
      return text === "" && !required && (allowed || fallback === undefined) ? undefined : text;
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Every entry of a query string, decoded. @throws CallError invalid_text */
export function queryEntries(url: URL): [string, string][] {
  return formEntries(url.search.slice(1), "query");
}

/** Decodes `application/x-www-form-urlencoded` text strictly, where URLSearchParams would write U+FFFD. */
export function formEntries(text: string, place: string): [string, string][] {
  return text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      const [name, value] = at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
      return [decodeForm(name, place), decodeForm(value, place)];
    });
}

function decodeForm(text: string, place: string): string {
  try {
    // A lone % is kept: people write 100% in forms made by hand.
    return decodeURIComponent(text.replaceAll("+", " ").replace(/%(?![0-9a-f]{2})/gi, "%25"));
  } catch {
    throw new CallError("invalid_text", `The ${place} contains percent-encoded bytes that are not UTF-8`, {
      in: place,
    });
  }
}

/** Refuses what does not belong in a URL, where proxies and browsers would keep it. */
export function refuseInQuery(
  url: URL,
  {
    allowed,
    isBodyField,
  }: {
    /** Names that may stand in the query. */
    allowed: readonly string[];
    /** Whether a name is one that belongs in the body. */
    isBodyField: (name: string) => boolean;
  },
): void {
  const entries = queryEntries(url);
  for (const [name, value] of entries) {
    if (name === "raw" && allowed.includes(name)) checkRaw(value, entries);
    if (allowed.includes(name)) continue;
    const parameter = name.slice(0, 64);
    const places = allowed.length > 0 ? `only ${allowed.join(" and ")} may be there` : "nothing may be there";
    const error = isBodyField(name)
      ? `Parameter "${parameter}" must be in the body; a URL is kept in logs and histories`
      : `Parameter "${parameter}" is not known in the query; ${places}`;
    throw new CallError("invalid_parameter", error, { parameter, in: "query", allowed });
  }
}

// A misspelt `raw` must not have the procedure run only to answer in the wrong shape.
function checkRaw(value: string, entries: readonly [string, string][]): void {
  if (entries.filter(([name]) => name === "raw").length > 1) throw repeatedParameter("raw", "query");
  if (["", "true", "false", "1", "0"].includes(value)) return;
  throw new CallError("invalid_parameter", 'Parameter "raw" must be true or false', {
    parameter: "raw",
    in: "query",
    allowed: [true, false],
    received: value.slice(0, 64),
  });
}
