import { decodeBase64 } from "../base64.ts";
import { utf8, type Bytes } from "../bytes.ts";
import { parseJson, type Fault } from "./json-bounds.ts";

/**
 * Parses a JSON object whose `files[].data` contain base64, and replaces that with the bytes. Large bodies take up to a
 * second, so this is work for another thread. Leaves out values that stand where a text belongs. Other texts and keys are
 * cut after `longest` characters, for callers that refuse long ones: what comes back has to be read in their thread.
 * @throws ToolFailure invalid_base64 with the parameter, such as `files[0].data`, and `file`, the index
 */
export function parseFiles(body: Bytes, longest = Infinity): { readonly value: unknown } | Fault {
  const parsed = parseJson(body);
  if ("fault" in parsed) return parsed;
  if (!isObject(parsed.value)) return { value: cut(emptyNested(parsed.value), longest) };
  const { files, ...rest } = parsed.value;
  const entries = Array.isArray(files)
    ? files.map((entry: unknown, index) => readEntry(entry, index, longest))
    : cut(emptyNested(files), longest);
  return { value: { ...cutValues(rest, longest), ...(files === undefined ? {} : { files: entries }) } };
}

/** From this length on a text is taken out, or cut where no parameter may be as long. */
export const LONG_TEXT = 65_536;

const MAX_UNKNOWN = 20;

/**
 * Parses a JSON object in which only some keys are known, and takes its long texts out: work for another thread, like
 * parseFiles.
 */
export function parseTexts(
  body: Bytes,
  known: readonly string[],
):
  | {
      readonly value: unknown;
      readonly texts: Readonly<Record<string, Bytes>>;
      /** Some of the unknown keys, whose values are left out. */
      readonly unknown: readonly string[];
    }
  | Fault {
  const parsed = parseJson(body);
  if ("fault" in parsed) return parsed;
  if (!isObject(parsed.value)) return { value: emptyNested(parsed.value), texts: {}, unknown: [] };
  const entries = Object.entries(parsed.value);
  const texts = entries.filter(([name, value]) => known.includes(name) && isLongText(value));
  const others = entries.filter(([name, value]) => known.includes(name) && !isLongText(value));
  const unknown = entries.map(([name]) => name).filter((name) => !known.includes(name));
  return {
    value: emptyNestedValues(Object.fromEntries(others)),
    texts: Object.fromEntries(texts.map(([name, text]) => [name, utf8(String(text))])),
    unknown: unknown.slice(0, MAX_UNKNOWN).map((name) => name.slice(0, 64)),
  };
}

/**
 * Whether a text is long enough to be taken out. UTF-8 has no lone surrogates, so a text with one stays, for its reader
 * to refuse or keep.
 */
export function isLongText(value: unknown): value is string {
  return typeof value === "string" && value.length >= LONG_TEXT && value.isWellFormed();
}

function readEntry(entry: unknown, index: number, longest: number): unknown {
  if (!isObject(entry)) return cut(emptyNested(entry), longest);
  const values = cutValues(entry, longest);
  if (typeof entry.data === "string")
    values.data = decodeBase64(entry.data, { parameter: `files[${index}].data`, file: index });
  return values;
}

function cutValues(table: Record<string, unknown>, longest: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(emptyNestedValues(table)).map(([name, value]) => [
      name.slice(0, longest),
      cut(value, longest),
    ]),
  );
}

function cut(value: unknown, longest: number): unknown {
  return typeof value === "string" ? value.slice(0, longest) : value;
}

/** The same object; the objects and arrays in it are empty. */
function emptyNestedValues(table: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, emptyNested(value)]));
}

/** The value itself, or an empty object or array: where a text or number belongs, only its kind has to be known. */
export function emptyNested(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
