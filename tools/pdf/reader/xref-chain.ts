import { findLastWord, readerOf, skipBlank } from "../syntax/lexer.ts";
import { MAX_SECTIONS } from "../limits.ts";
import { packStream } from "./object-stream.ts";
import { readObjectAt, type Source } from "./source.ts";
import { type Dict, isStream, numberOf } from "../syntax/values.ts";
import { addEntry, FREE, readStart, readTable, readXrefStream, type Section } from "./xref.ts";

/** Acrobat looks for the end of the file in its last 1,024 bytes; trailing rubbish is common, so look wider. */
const TAIL = 4096;

/**
 * Follows the cross-reference from its newest section to the oldest: tables, streams and both at once
 * (ISO 32000-1, 7.5.4, 7.5.8). False when it breaks off; then the file needs a repair.
 * @throws ToolFailure too_complex
 */
export function readChain(source: Source): boolean {
  const { bytes } = source;
  const from = Math.max(0, bytes.length - TAIL);
  const start = readStart(bytes, (word) => findLastWord(bytes, { word, from }));
  if (start === undefined) return false;
  const waiting = [start];
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at)) continue;
    if (seen.size >= MAX_SECTIONS) return false;
    seen.add(at);
    const section = readSection(source, at);
    if (!section) return false;
    if (seen.size === 1) source.trailer = section.trailer;
    takeSection(source, { section, hybrid: hybridOf(source, section.trailer) });
    const previous = numberOf(section.trailer.get("Prev"));
    if (previous !== undefined) waiting.push(previous);
  }
  return source.trailer.has("Root");
}

/** The stream a hybrid file keeps beside its table, for readers that know object streams (7.5.8.4). */
function hybridOf(source: Source, trailer: Dict): Section | undefined {
  const at = numberOf(trailer.get("XRefStm"));
  return at === undefined ? undefined : readSection(source, at);
}

interface Taking {
  readonly section: Section;
  readonly hybrid: Section | undefined;
}

function takeSection(source: Source, { section, hybrid }: Taking): void {
  takeEntries(source, { section, isFree: false });
  if (hybrid) takeEntries(source, { section: hybrid });
  // Last, since a hybrid file calls free in its table what its stream has.
  takeEntries(source, { section, isFree: true });
  for (const key of ["Root", "Info", "ID", "Encrypt"]) adopt(source.trailer, { from: section.trailer, key });
}

function takeEntries({ entries }: Source, { section, isFree }: { section: Section; isFree?: boolean }): void {
  for (const [num, entry] of section.entries) {
    if (isFree === undefined || isFree === (entry === FREE)) addEntry(entries, { num, entry });
  }
}

/** What the newest trailer lacks an older one may have. */
function adopt(trailer: Dict, { from, key }: { from: Dict; key: string }): void {
  const value = from.get(key);
  if (!trailer.has(key) && value !== undefined) trailer.set(key, value);
}

function readSection(source: Source, at: number): Section | undefined {
  if (at >= source.bytes.length) return undefined;
  const reader = readerOf(source.bytes, { at });
  if (skipBlank(reader) === 0x78) return readTable(reader, source.base);
  const found = readObjectAt(source, at);
  if (!found || !isStream(found.value) || found.value.dict.get("Type") !== "XRef") return undefined;
  return readXrefStream(packStream(source, found.value), found.value.dict);
}
