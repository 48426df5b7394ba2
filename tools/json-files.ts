import { decodeBase64 } from "./base64.ts";
import type { Bytes } from "./bytes.ts";

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
