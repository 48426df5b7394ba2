import { byteAt } from "../../../wire/bytes.ts";
import { latin1 } from "../syntax/lexer.ts";

/** A font program of TrueType (ISO/IEC 14496-22) with outlines in `glyf`. */
export interface TrueTypeFont {
  readonly tables: ReadonlyMap<string, Uint8Array>;
  /** The offset of each glyph in `glyf`, and the end of the last one. */
  readonly offsets: readonly number[];
}

/** The tables that a PDF needs of a font program (ISO 32000-2, 9.9), and OS/2, which states what the licence allows. */
const NEEDED = ["glyf", "head", "hhea", "hmtx", "loca", "maxp"];
const KEPT = [...NEEDED, "OS/2", "cvt ", "fpgm", "prep"];
/** The tables that map one-byte codes to glyphs. */
const MAPS = ["cmap", "post"];

const [HEADER, RECORD] = [12, 16];
const [ADJUSTMENT_AT, FORMAT_AT] = [8, 50];
const HEAD_BYTES = 54;
const CHECKSUM_OF_ALL = 0xb1b0afba;

/** Reads a font program; undefined if it is of another kind or incomplete. */
export function readTrueType(bytes: Uint8Array): TrueTypeFont | undefined {
  const kind = bytes.length < HEADER ? 0 : u32(bytes, 0);
  if (kind !== 0x10000 && kind !== 0x74727565) return undefined;
  const tables = new Map<string, Uint8Array>();
  for (let i = 0; i < u16(bytes, 4); i++) {
    const at = HEADER + i * RECORD;
    if (at + RECORD > bytes.length) return undefined;
    const [from, length] = [u32(bytes, at + 8), u32(bytes, at + 12)];
    if (from + length > bytes.length) return undefined;
    tables.set(latin1(bytes, { from: at, to: at + 4 }), bytes.subarray(from, from + length));
  }
  if (!NEEDED.every((tag) => tables.has(tag))) return undefined;
  if (tableOf(tables, "head").length < HEAD_BYTES) return undefined;
  const offsets = readOffsets(tables);
  return offsets && { tables, offsets };
}

function readOffsets(tables: ReadonlyMap<string, Uint8Array>): number[] | undefined {
  const count = u16(tableOf(tables, "maxp"), 4);
  const loca = tableOf(tables, "loca");
  const isLong = u16(tableOf(tables, "head"), FORMAT_AT) === 1;
  if (loca.length < (count + 1) * (isLong ? 4 : 2)) return undefined;
  const offsets = Array.from({ length: count + 1 }, (_, i) =>
    isLong ? u32(loca, 4 * i) : 2 * u16(loca, 2 * i),
  );
  const end = tableOf(tables, "glyf").length;
  return offsets.every((at, i) => at >= (offsets[i - 1] ?? 0) && at <= end) ? offsets : undefined;
}

function tableOf(tables: ReadonlyMap<string, Uint8Array>, tag: string): Uint8Array {
  return tables.get(tag) ?? new Uint8Array(0);
}

/** Bits of a licence (OS/2, fsType): no embedding or change at all, no subsets, bitmaps only. */
const [RESTRICTED, NO_SUBSET, BITMAPS_ONLY] = [0x0002, 0x0100, 0x0200];

/** Whether its licence allows a subset of a font; undefined if the font does not say. */
export function allowsSubset({ tables }: TrueTypeFont): boolean | undefined {
  const about = tableOf(tables, "OS/2");
  if (about.length < 10) return undefined;
  return allowsSubsetBits(u16(about, 8));
}

export function allowsSubsetBits(type: number): boolean {
  return (type & 0xf) !== RESTRICTED && (type & (NO_SUBSET | BITMAPS_ONLY)) === 0;
}

/**
 * The font with these glyphs and their components, under their old numbers; undefined if a glyph is broken. `isMapped`
 * keeps the tables that map codes to glyphs.
 */
export function subsetTrueType(
  font: TrueTypeFont,
  glyphs: Iterable<number>,
  isMapped: boolean,
): Uint8Array<ArrayBuffer> | undefined {
  const kept = withParts(font, glyphs);
  if (!kept) return undefined;
  const tags = isMapped ? [...KEPT, ...MAPS] : KEPT;
  const tables = new Map([...font.tables].filter(([tag]) => tags.includes(tag)));
  for (const [tag, table] of writeGlyphs(font, kept)) tables.set(tag, table);
  tables.set("hmtx", widthsOf(font, kept));
  return writeTables(tables);
}

/** The flags of a component of a composite glyph, which determine its length (`glyf`). */
const [WORDS, SCALE, MORE, SCALES, MATRIX] = [0x1, 0x8, 0x20, 0x40, 0x80];
const GLYPH_HEADER = 10;

function withParts({ tables, offsets }: TrueTypeFont, glyphs: Iterable<number>): Set<number> | undefined {
  const glyf = tableOf(tables, "glyf");
  const kept = new Set<number>();
  const waiting = [0, ...glyphs];
  for (let glyph = waiting.pop(); glyph !== undefined; glyph = waiting.pop()) {
    if (kept.has(glyph) || glyph >= offsets.length - 1) continue;
    kept.add(glyph);
    const [from = 0, to = 0] = offsets.slice(glyph, glyph + 2);
    if (to - from < GLYPH_HEADER || u16(glyf, from) < 0x8000) continue;
    let flags = MORE;
    for (let at = from + GLYPH_HEADER; flags & MORE;) {
      if (at + 4 > to) return undefined;
      flags = u16(glyf, at);
      waiting.push(u16(glyf, at + 2));
      at += 4 + (flags & WORDS ? 4 : 2) + (flags & SCALE ? 2 : flags & SCALES ? 4 : flags & MATRIX ? 8 : 0);
    }
  }
  return kept;
}

/** Omitted glyphs become empty. Offsets take two bytes where that is enough. */
function writeGlyphs({ tables, offsets }: TrueTypeFont, kept: ReadonlySet<number>): [string, Uint8Array][] {
  const old = tableOf(tables, "glyf");
  const lengths = offsets.map((from, i) => (kept.has(i) ? (offsets[i + 1] ?? from) - from : 0));
  const padded = (length: number) => length + (length & 1);
  const total = lengths.reduce((sum, length) => sum + padded(length), 0);
  const isLong = total > 2 * 0xffff;
  const [glyf, loca] = [new Uint8Array(total), new Uint8Array(offsets.length * (isLong ? 4 : 2))];
  const view = new DataView(loca.buffer);
  let to = 0;
  for (const [i, from] of offsets.entries()) {
    if (isLong) view.setUint32(4 * i, to);
    else view.setUint16(2 * i, to / 2);
    const length = lengths[i] ?? 0;
    glyf.set(old.subarray(from, from + length), to);
    to += padded(length);
  }
  const head = new Uint8Array(tableOf(tables, "head"));
  new DataView(head.buffer).setUint16(FORMAT_AT, isLong ? 1 : 0);
  return [
    ["glyf", glyf],
    ["loca", loca],
    ["head", head],
  ];
}

/** The widths of omitted glyphs become zero, except for the last width, which applies to all that follow. */
function widthsOf({ tables, offsets }: TrueTypeFont, kept: ReadonlySet<number>): Uint8Array {
  const metrics = u16(tableOf(tables, "hhea"), 34);
  const hmtx = new Uint8Array(tableOf(tables, "hmtx"));
  for (let glyph = 0; glyph < offsets.length - 1; glyph++) {
    if (kept.has(glyph) || glyph === metrics - 1) continue;
    if (glyph < metrics) hmtx.fill(0, 4 * glyph, 4 * glyph + 4);
    else hmtx.fill(0, 2 * (metrics + glyph), 2 * (metrics + glyph) + 2);
  }
  return hmtx;
}

function writeTables(tables: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const sorted = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const count = sorted.length;
  const padded = (length: number) => (length + 3) & ~3;
  const total = sorted.reduce((sum, [, { length }]) => sum + padded(length), HEADER + count * RECORD);
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  const power = Math.floor(Math.log2(count));
  view.setUint32(0, 0x10000);
  for (const [i, value] of [count, RECORD << power, power, RECORD * (count - (1 << power))].entries())
    view.setUint16(4 + 2 * i, value);
  let to = HEADER + count * RECORD;
  let headAt = 0;
  for (const [i, [tag, table]] of sorted.entries()) {
    const at = HEADER + i * RECORD;
    bytes.set(table, to);
    if (tag === "head") view.setUint32((headAt = to) + ADJUSTMENT_AT, 0);
    for (let each = 0; each < 4; each++) bytes[at + each] = tag.charCodeAt(each);
    view.setUint32(at + 4, checksum(bytes, to, to + padded(table.length)));
    view.setUint32(at + 8, to);
    view.setUint32(at + 12, table.length);
    to += padded(table.length);
  }
  view.setUint32(headAt + ADJUSTMENT_AT, CHECKSUM_OF_ALL - checksum(bytes, 0, total));
  return bytes;
}

function checksum(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 4) sum = (sum + u32(bytes, at)) >>> 0;
  return sum;
}

export function u16(bytes: Uint8Array, at: number): number {
  return (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1);
}

export function u32(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) * 0x10000 + u16(bytes, at + 2);
}
