import { findLastKeyword, lexerAt, skipWhitespace } from "../syntax/lexer.ts";
import { MAX_SECTIONS } from "../limits.ts";
import { ifDecodable } from "../filters/filters.ts";
import { decodeFileStream } from "./object-stream.ts";
import { readObjectAt, type PdfSource } from "./source.ts";
import { type Dict, isStream, numberOf } from "../syntax/values.ts";
import {
  addEntry,
  DELETED,
  FREE,
  readStartxref,
  readXrefTable,
  readXrefStream,
  type XrefSection,
} from "./xref.ts";

/** Acrobat searches the last 1,024 bytes for the end of the file; trailing garbage is common, so this is more. */
const TAIL = 4096;

/**
 * Follows the cross-reference from its newest section to its oldest: tables, streams or both (ISO 32000-1, 7.5.4,
 * 7.5.8). False if it is broken and must be rebuilt.
 * @throws ToolFailure too_complex
 */
export function readXrefChain(source: PdfSource): boolean {
  const { bytes } = source;
  const from = Math.max(0, bytes.length - TAIL);
  const start = readStartxref(bytes, (word) => findLastKeyword(bytes, { word, from }));
  if (start === undefined || isCutBehind(bytes, from)) return false;
  const waiting = [start];
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    if (seen.size >= MAX_SECTIONS) return false;
    seen.add(at);
    const section = readSection(source, at);
    if (!section) return false;
    if (seen.size === 1) source.trailer = section.trailer;
    mergeSection(source, section, readHybridSection(source, section.trailer));
    const previous = numberOf(section.trailer.get("Prev"));
    if (previous !== undefined) waiting.push(previous);
  }
  return source.trailer.has("Root");
}

/** Whether objects follow the newest "startxref": an incomplete update that the older sections do not contain. */
function isCutBehind(bytes: Uint8Array, from: number): boolean {
  const end = findLastKeyword(bytes, { word: "startxref", from });
  return findLastKeyword(bytes, { word: "endobj", from: end }) >= 0;
}

/** The stream that a hybrid-reference file has beside its table, for readers that support object streams (7.5.8.4). */
function readHybridSection(source: PdfSource, trailer: Dict): XrefSection | undefined {
  const at = numberOf(trailer.get("XRefStm"));
  return at === undefined ? undefined : readSection(source, at);
}

function mergeSection(source: PdfSource, section: XrefSection, hybrid: XrefSection | undefined): void {
  mergeEntries(source, { section, isFree: false });
  if (hybrid) mergeEntries(source, { section: hybrid });
  // Free entries come last: in a hybrid file the table marks as free what the stream contains.
  mergeEntries(source, { section, isFree: true });
  for (const key of ["Root", "Info", "ID", "Encrypt"])
    inheritTrailerKey(source.trailer, section.trailer, key);
}

function mergeEntries(
  { entries }: PdfSource,
  { section, isFree }: { section: XrefSection; isFree?: boolean },
): void {
  for (const [num, entry] of section.entries) {
    if (isFree !== undefined && isFree !== (entry === FREE)) continue;
    // An entry of an older section that a newer one marks as free was deleted by an update.
    if (entry.offset >= 0 && entries.get(num) === FREE) entries.set(num, DELETED);
    addEntry(entries, num, entry);
  }
}

/** Copies a key from an older trailer that the newest one lacks. */
function inheritTrailerKey(trailer: Dict, from: Dict, key: string): void {
  const value = from.get(key);
  if (!trailer.has(key) && value !== undefined) trailer.set(key, value);
}

function readSection(source: PdfSource, at: number): XrefSection | undefined {
  if (at >= source.bytes.length) return undefined;
  const lexer = lexerAt(source.bytes, { at });
  if (skipWhitespace(lexer) === 0x78) return readXrefTable(lexer, source.firstNum);
  const found = readObjectAt(source, at);
  if (!found || !isStream(found.value) || found.value.dict.get("Type") !== "XRef") return undefined;
  const { value } = found;
  const decoded = ifDecodable(() => decodeFileStream(source, value));
  return decoded?.isComplete ? readXrefStream(decoded.bytes, value.dict) : undefined;
}
