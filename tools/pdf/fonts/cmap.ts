import { macCharacter, macCode, windowsCharacter } from "./encodings.ts";
import { u16, u32, type TrueTypeFont } from "./truetype.ts";

/** A table of `cmap` (ISO/IEC 14496-22, 5.2.1): the glyph of a code, 0 if it has none. */
type CodeTable = (code: number) => number;

/** Characters that share glyphs. */
const ALIKE = ["ΩΩ", "∆Δ", "µμ", "¤€", "⁄∕", "·∙", "¯ˉ", "\u00a0 ", "\u00ad-"];
/** Fonts usually have three or four. */
const MOST_TABLES = 16;
/** The code points of symbols, beside their codes. */
const SYMBOLS = [0xf000, 0xf100, 0xf200];

/**
 * All glyphs that a program may show for a one-byte code: which table it uses, and whether it looks up the code or the
 * character, depends on the font's flags and on the program (ISO 32000-2, 9.6.5.4). Undefined if a table has an
 * unsupported format.
 */
export function readCodes({ tables }: TrueTypeFont): ((code: number) => Set<number>) | undefined {
  const cmap = tables.get("cmap") ?? new Uint8Array(4);
  if (u16(cmap, 2) > MOST_TABLES) return undefined;
  const found = Array.from({ length: u16(cmap, 2) }, (_, i) => readTable(cmap, u32(cmap, 8 + 8 * i)));
  const all = found.filter((table) => table !== undefined);
  if (all.length < found.length) return undefined;
  return (code) => {
    const asked = askedFor(code);
    const glyphs = new Set(all.flatMap((table) => asked.map(table)));
    glyphs.delete(0);
    return glyphs;
  };
}

function askedFor(code: number): number[] {
  const characters = new Set<number>();
  for (const each of [code, windowsCharacter(code), macCharacter(code)]) {
    characters.add(each);
    for (const alike of ALIKE) {
      const points = [...alike].map((one) => one.charCodeAt(0));
      if (points.includes(each)) for (const point of points) characters.add(point);
    }
  }
  // By the character's name, the table for Mac OS has it at another code.
  const macCodes = [...characters].flatMap((each) => macCode(each) ?? []);
  return [...characters, ...macCodes, ...SYMBOLS.map((from) => from + code)];
}

function readTable(cmap: Uint8Array, at: number): CodeTable | undefined {
  const table = cmap.subarray(at);
  switch (table.length < 8 ? -1 : u16(table, 0)) {
    case 0:
      return (code) => (code < 256 ? (table[6 + code] ?? 0) : 0);
    case 4:
      return readSegments(table);
    case 6:
      return (code) =>
        code >= u16(table, 6) && code < u16(table, 6) + u16(table, 8)
          ? glyphAt(table, 10 + 2 * (code - u16(table, 6)))
          : 0;
    case 12:
      return readGroups(table);
    default:
      return undefined;
  }
}

function glyphAt(table: Uint8Array, at: number): number {
  return at + 2 > table.length ? 0 : u16(table, at);
}

/** Segments and groups must be in order, as the standard requires; otherwise programs find different glyphs. */
function readSegments(table: Uint8Array): CodeTable | undefined {
  const size = u16(table, 6);
  const [ends, starts, deltas, ranges] = [14, 16 + size, 16 + 2 * size, 16 + 3 * size];
  const endOf = (i: number) => glyphAt(table, ends + 2 * i);
  if (!isInOrder(size / 2, endOf)) return undefined;
  return (code) => {
    const i = firstFrom(code, size / 2, endOf);
    const start = glyphAt(table, starts + 2 * i);
    if (2 * i >= size || code < start) return 0;
    const range = glyphAt(table, ranges + 2 * i);
    const delta = glyphAt(table, deltas + 2 * i);
    if (range === 0) return (code + delta) & 0xffff;
    const glyph = glyphAt(table, ranges + 2 * i + range + 2 * (code - start));
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  };
}

function readGroups(table: Uint8Array): CodeTable | undefined {
  const count = Math.min(u32(table, 12), Math.max(0, Math.floor((table.length - 16) / 12)));
  const endOf = (i: number) => u32(table, 20 + 12 * i);
  if (!isInOrder(count, endOf)) return undefined;
  return (code) => {
    const i = firstFrom(code, count, endOf);
    const start = i < count ? u32(table, 16 + 12 * i) : Infinity;
    return code < start ? 0 : u32(table, 24 + 12 * i) + code - start;
  };
}

function isInOrder(count: number, endOf: (i: number) => number): boolean {
  for (let i = 1; i < count; i++) if (endOf(i) < endOf(i - 1)) return false;
  return Number.isInteger(count);
}

/** The first range that does not end before a code; `count` if there is none. */
function firstFrom(code: number, count: number, endOf: (i: number) => number): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (endOf(middle) < code) from = middle + 1;
    else to = middle;
  }
  return from;
}
