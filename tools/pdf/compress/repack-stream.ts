import { type Pdf, resolve } from "../model/document.ts";
import { without } from "../prune/entries.ts";
import type { Stream } from "../syntax/values.ts";
import { deflate } from "../filters/deflate.ts";
import { decodeExactly } from "./image-facts.ts";

/** More is left as it is; contents and fonts are far smaller. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Shorter data does not get smaller by more than its filter's name takes. */
const LEAST_BYTES = 64;

/**
 * The same stream with its data by Flate, where that is smaller; undefined where it stays. XMP stays readable for
 * programs that only search a file for it (ISO 16684-1, and what PDF/A-1 demands).
 */
export async function repackStream(pdf: Pdf, stream: Stream): Promise<Stream | undefined> {
  const { dict } = stream;
  if (dict.has("F") || resolve(pdf, dict.get("Type")) === "Metadata" || stream.data.length < LEAST_BYTES)
    return undefined;
  const bytes = await decodeExactly(pdf, { stream, most: MOST_BYTES });
  const data = bytes && deflate(bytes);
  if (!data || data.length + FILTER_BYTES >= stream.data.length) return undefined;
  const entries = without(dict, ["Filter", "DecodeParms", "DL", "Length"]);
  return { kind: "stream", dict: new Map([...entries, ["Filter", "FlateDecode"]]), data };
}

const FILTER_BYTES = "/Filter /FlateDecode".length;
