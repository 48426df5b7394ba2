import { decodeBase64 } from "../wire/base64.ts";
import { utf8, type Bytes } from "../wire/bytes.ts";

/** A body of JSON as it was read, or what it is not. */
export type ParsedFiles = { readonly value: unknown } | { readonly fault: "invalid_text" | "invalid_json" };

/**
 * Parses a JSON object whose `files[].data` hold base64, and puts the bytes in their place. Large bodies take
 * up to a second, so this is work for another thread.
 * @throws ToolFailure invalid_base64 with the parameter, such as `files[0].data`
 */
export function parseFiles(body: Bytes): ParsedFiles {
  const text = decode(body);
  if (text === undefined) return { fault: "invalid_text" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "invalid_json" };
  }
  const { files } = isObject(value) ? value : {};
  if (Array.isArray(files)) files.forEach(decodeEntry);
  return { value };
}

const LONG_TEXT = 65_536;

/** A body of JSON whose long texts were taken out as UTF-8, which crosses between processes without being parsed. */
export type ParsedTexts =
  | { readonly value: unknown; readonly texts: Readonly<Record<string, Bytes>> }
  | Extract<ParsedFiles, { fault: unknown }>;

/** Parses a JSON object and takes its long texts out: work for another thread, like parseFiles. */
export function parseTexts(body: Bytes): ParsedTexts {
  const parsed = parseFiles(body);
  if ("fault" in parsed || !isObject(parsed.value))
    return "fault" in parsed ? parsed : { ...parsed, texts: {} };
  const texts: Record<string, Bytes> = {};
  for (const [name, text] of Object.entries(parsed.value)) {
    // UTF-8 has no lone surrogates; a text with one stays where it is, and is refused or kept by who reads it.
    if (typeof text !== "string" || text.length < LONG_TEXT || !text.isWellFormed()) continue;
    texts[name] = utf8(text);
    delete parsed.value[name];
  }
  return { value: parsed.value, texts };
}

function decode(body: Bytes): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function decodeEntry(entry: unknown, index: number): void {
  if (!isObject(entry) || typeof entry.data !== "string") return;
  entry.data = decodeBase64(entry.data, { parameter: `files[${index}].data` });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
