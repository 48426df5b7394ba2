import { ApiError } from "../../router/errors.ts";
import { parametersOf } from "../../router/parameters.ts";
import type { z } from "zod";
import { coerce } from "./coerce.ts";

/** Raw values by name, and where each was found ("query", "body", "path", "header"). */
export interface RawInput {
  readonly values: Record<string, unknown>;
  readonly locations: Map<string, string>;
}

/** An empty gathering; without a prototype, so that a parameter may be called `constructor`. */
export function createRawInput(): RawInput {
  return { values: Object.create(null) as Record<string, unknown>, locations: new Map() };
}

/** Adds a value once. @throws ApiError repeated_parameter */
export function addParameter(
  into: RawInput,
  { name, value, place }: { name: string; value: unknown; place: string },
): void {
  if (into.locations.has(name)) throw repeatedParameter(name, place);
  into.locations.set(name, place);
  if (value !== undefined) into.values[name] = value;
}

export function repeatedParameter(name: string, place: string): ApiError {
  const parameter = name.slice(0, 64);
  return new ApiError(
    "repeated_parameter",
    `Parameter "${parameter}" is given more than once; give it once`,
    {
      parameter,
      in: place,
    },
  );
}

interface Strings {
  readonly schema: z.ZodObject;
  readonly place: string;
  readonly warnings: string[];
}

/** Adds strings from a query or form, typed as the schema wants them; tells of names that nobody knows. */
export function addStrings(into: RawInput, entries: Iterable<[string, string]>, options: Strings): void {
  const { schema, place, warnings } = options;
  const texts = parametersOf(schema).filter(({ type }) => type !== "file");
  const facts = new Map(texts.map((parameter) => [parameter.name, parameter]));
  for (const [name, text] of entries) {
    const known = facts.get(name);
    if (known) addParameter(into, { name, value: coerce(text, known), place });
    else warnUnknownParameter(warnings, { name, known: [...facts.keys()] });
  }
}

// They travel in headers, and some clients refuse an answer with more than 8 KiB of those.
const MAX_WARNINGS = 10;

/** Tells of a name that was ignored, with the nearest one that exists; of very many without their names. */
export function warnUnknownParameter(
  warnings: string[],
  { name, known }: { name: string; known: readonly string[] },
): void {
  if (warnings.length < MAX_WARNINGS) warnings.push(unknownName(name, known));
  else if (warnings.length === MAX_WARNINGS) warnings.push("More parameters are not known and were ignored");
}

function unknownName(name: string, known: readonly string[]): string {
  const shown = name.replace(/[^\x21-\x7e]/g, "?").slice(0, 64);
  const near = nearest(name, known);
  return `Parameter "${shown}" is not known and was ignored${near ? `; did you mean "${near}"?` : ""}`;
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, 64).toLowerCase();
  const ranked = known.map((each) => ({ each, distance: editDistance(wanted, each.toLowerCase()) }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.ceil(best.each.length / 3) ? best.each : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** Every entry of a query string, decoded. @throws ApiError invalid_text */
export function queryEntries(url: URL): [string, string][] {
  return formEntries(url.search.slice(1), "query");
}

/** Decodes `application/x-www-form-urlencoded` text strictly, where URLSearchParams would put U+FFFD. */
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
    throw new ApiError("invalid_text", `The ${place} holds percent-encoded bytes that are not UTF-8`, {
      in: place,
    });
  }
}
