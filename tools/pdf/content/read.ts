import { type Bytes, joinBytes } from "../../../wire/bytes.ts";
import { ifDecodable } from "../filters/filters.ts";
import { decodedStream, getObject, type Pdf } from "../model/document.ts";
import { isStream } from "../syntax/values.ts";
import { namesIn, scanContent, type UsedNames } from "./scan.ts";

/** The names found in content streams, by object number; each stream is decoded once for all pages that use it. */
export interface ContentNames {
  readonly exact: Map<number, NameSearch>;
  readonly all: Map<number, UsedNames | undefined>;
}

/** The names that were found, or the reason why there are none. */
type NameSearch = UsedNames | "unusual syntax" | "unreadable";

export function createContentNames(): ContentNames {
  return { exact: new Map(), all: new Map() };
}

/**
 * The names that content streams look up when they are read in sequence, like those of a page; undefined if one cannot
 * be read completely.
 */
export function namesUsed(pdf: Pdf, nums: readonly number[], cache: ContentNames): UsedNames[] | undefined {
  const found = nums.map((num) => exactNames(pdf, num, cache));
  if (found.includes("unreadable")) return undefined;
  const exact = found.filter((names) => typeof names !== "string");
  if (exact.length === nums.length) return exact;
  // A string or image may continue in the next stream, so all names in any stream of the page count.
  const all = nums.map((num) => allNames(pdf, num, cache)).filter((names) => names !== undefined);
  return all.length === nums.length ? all : undefined;
}

function exactNames(pdf: Pdf, num: number, cache: ContentNames): NameSearch {
  const known = cache.exact.get(num);
  if (known) return known;
  const content = readContent(pdf, num);
  const found = content ? (scanContent(content) ?? "unusual syntax") : "unreadable";
  cache.exact.set(num, found);
  if (found === "unusual syntax" && content) cache.all.set(num, namesIn(content));
  return found;
}

function allNames(pdf: Pdf, num: number, cache: ContentNames): UsedNames | undefined {
  if (cache.all.has(num)) return cache.all.get(num);
  const content = readContent(pdf, num);
  const names = content && namesIn(content);
  cache.all.set(num, names);
  return names;
}

const LINE_END = Uint8Array.of(10);

/** Streams of content as one: what one ends with and the next begins with are two tokens (ISO 32000-1, 7.8.2). */
export function joinContents(parts: readonly Uint8Array[]): Bytes {
  return joinBytes(parts.flatMap((part) => [part, LINE_END]));
}

/**
 * The decoded content of a stream, by its number; undefined if it is cut short, or has too many or unsupported filters.
 */
export function readContent(pdf: Pdf, num: number): Uint8Array | undefined {
  const stream = getObject(pdf, num);
  // A missing object is null and draws nothing; anything else was once a stream.
  if (!isStream(stream)) return stream === null ? new Uint8Array(0) : undefined;
  const decoded = ifDecodable(() => decodedStream(pdf, stream));
  return decoded?.isComplete ? decoded.bytes : undefined;
}
