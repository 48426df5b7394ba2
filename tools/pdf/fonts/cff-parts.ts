import { type Bytes, joinBytes } from "../../../wire/bytes.ts";
import { Uncertain } from "./glyph.ts";
import { STANDARD_STRINGS } from "./standard-strings.ts";

const STANDARD = new Map(STANDARD_STRINGS.map((name, number) => [name, number]));

/** The number of a name or text that every font has; undefined for others. */
export function standardNumber(text: string): number | undefined {
  return STANDARD.get(text);
}

/** Names and texts: those that all fonts have by their numbers, the others one after another (chapter 10). */
export class Strings {
  readonly #own = new Map<string, number>();

  numberOf(text: string): number {
    const number = STANDARD.get(text) ?? this.#own.get(text) ?? STANDARD.size + this.#own.size;
    if (number >= STANDARD.size) this.#own.set(text, number);
    if (number > MOST_STRINGS) throw new Uncertain();
    return number;
  }

  written(): Uint8Array {
    return index([...this.#own.keys()].map(latin1Bytes));
  }
}

const MOST_STRINGS = 64_999;

function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Chapter 5. */
function index(items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return Uint8Array.of(0, 0);
  let end = 1;
  const ends = [end, ...items.map(({ length }) => (end += length))];
  const size = Math.max(1, Math.ceil(Math.log2(end + 1) / 8));
  const head = new Uint8Array(3 + ends.length * size);
  head.set([...bigEndian(items.length, 2), size]);
  for (const [i, each] of ends.entries()) head.set(bigEndian(each, size), 3 + i * size);
  return joinBytes([head, ...items]);
}

function bigEndian(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, i) => (value >> (8 * (size - 1 - i))) & 0xff);
}

/** Chapter 13, formats 1 and 2: rows of numbers that follow one another, of all glyphs but the first. */
export function writeCharset(numbers: readonly number[]): Uint8Array {
  const [short, long] = [writeRows(numbers, 1), writeRows(numbers, 2)];
  return Uint8Array.from(short.length <= long.length ? short : long);
}

function writeRows(numbers: readonly number[], format: 1 | 2): number[] {
  const written: number[] = [format];
  for (let i = 0; i < numbers.length;) {
    const first = numbers[i] ?? 0;
    let count = 1;
    while (numbers[i + count] === first + count && count < 256 ** format) count++;
    written.push(...bigEndian(first, 2), ...bigEndian(count - 1, format));
    i += count;
  }
  return written;
}

/**
 * Chapter 12, format 0: the codes of the glyphs in their order, and more codes of some of them by the numbers of their
 * names. The glyphs with codes come first in a font, after .notdef. Without an encoding it is Adobe's standard one, which
 * is not written.
 */
export function writeEncoding<Glyph>(
  encoding: ReadonlyMap<number, Glyph> | undefined,
  order: readonly Glyph[],
  names: readonly number[],
): Uint8Array {
  if (!encoding) return new Uint8Array();
  const places = new Map(order.map((glyph, place) => [glyph, place]));
  const codes = new Map<number, number>();
  const more: number[] = [];
  for (const [code, glyph] of encoding) {
    const place = places.get(glyph) ?? 0;
    if (place === 0) continue;
    if (!codes.has(place)) codes.set(place, code);
    else more.push(code, ...bigEndian(names[place] ?? 0, 2));
  }
  const inOrder = [...codes].toSorted(([a], [b]) => a - b).map(([, code]) => code);
  if (inOrder.length > 255 || more.length > 3 * 255) throw new Uncertain();
  const supplement = more.length > 0 ? [more.length / 3, ...more] : [];
  return Uint8Array.from([more.length > 0 ? 0x80 : 0, inOrder.length, ...inOrder, ...supplement]);
}

/** Chapter 19, format 3: rows of glyphs with the same hints. */
export function writeSelect(places: readonly number[]): Uint8Array {
  const starts = places.flatMap((place, glyph) => (place === places[glyph - 1] ? [] : [glyph]));
  const ranges = starts.flatMap((glyph) => [...bigEndian(glyph, 2), places[glyph] ?? 0]);
  return Uint8Array.from([3, ...bigEndian(starts.length, 2), ...ranges, ...bigEndian(places.length, 2)]);
}

/** Chapter 4: a number of a dictionary. */
export function numberBytes(value: number): number[] {
  if (!Number.isInteger(value)) return realBytes(value);
  if (Math.abs(value) <= 107) return [value + 139];
  if (Math.abs(value) > 32_767) return offset(value);
  return [28, (value >> 8) & 0xff, value & 0xff];
}

/** A number that takes as many bytes whatever it is. */
function offset(value: number): number[] {
  return [29, ...bigEndian(value, 4)];
}

const NIBBLES = "0123456789.E_ -";

/** A character takes half a byte; here "_" stands for "E-", which is one. */
function realBytes(value: number): number[] {
  const text = String(value).toUpperCase().replace("E+", "E").replace("E-", "_");
  const nibbles = [...text].map((character) => NIBBLES.indexOf(character));
  const padded = [...nibbles, 0xf, ...(nibbles.length % 2 === 0 ? [0xf] : [])];
  return [30, ...padded.flatMap((high, i) => (i % 2 === 0 ? (high << 4) | (padded[i + 1] ?? 0) : []))];
}

/** What a font is written of. */
interface CffParts {
  readonly name: string;
  /** Entries of the top dictionary, but for those that tell where the other parts are. */
  readonly about: readonly number[];
  readonly strings: Strings;
  readonly charset: Uint8Array;
  /** Empty for Adobe's standard encoding. */
  readonly encoding: Uint8Array;
  readonly charStrings: readonly Uint8Array[];
  readonly globalSubrs: readonly Uint8Array[];
  /** One, but for fonts whose glyphs are known by CIDs. */
  readonly hints: readonly HintParts[];
  /** Of a font with CIDs: which of these each glyph has. */
  readonly select: Uint8Array | undefined;
}

/** How glyphs are fitted to a grid, and what they have in common. */
export interface HintParts {
  /** Entries of the font that has them, where a font has several. */
  readonly about: readonly number[];
  readonly entries: readonly number[];
  readonly subrs: readonly Uint8Array[];
}

/** Where parts begin; 0 for those that a font does not have. */
type Places = typeof NOWHERE;

const NOWHERE = { charset: 0, encoding: 0, charStrings: 0, hints: 0, fonts: 0, select: 0 };

/** A font (Adobe Technical Note 5176). */
export function writeCff(parts: CffParts): Bytes {
  const { name, about, strings, globalSubrs, hints, select } = parts;
  const top = (at: Places) => index([Uint8Array.from([...about, ...placeEntries(parts, at)])]);
  const head = [Uint8Array.of(1, 0, 4, 4), index([latin1Bytes(name)])];
  const shared = [strings.written(), index(globalSubrs)];
  const body: Uint8Array[] = [];
  // Offsets take as many bytes whatever they are.
  let end = [...head, top(NOWHERE), ...shared].reduce((total, { length }) => total + length, 0);
  const put = (part: Uint8Array): number => {
    body.push(part);
    end += part.length;
    return end - part.length;
  };
  const charset = put(parts.charset);
  const encoding = parts.encoding.length > 0 ? put(parts.encoding) : 0;
  const charStrings = put(index(parts.charStrings));
  const places = hints.map((each) => put(writeHints(each)));
  const fonts = hints.map((each, i) => Uint8Array.from([...each.about, ...hintsEntry(each, places[i] ?? 0)]));
  const at: Places = {
    charset,
    encoding,
    charStrings,
    hints: places[0] ?? 0,
    fonts: select ? put(index(fonts)) : 0,
    select: select ? put(select) : 0,
  };
  return joinBytes([...head, top(at), ...shared, ...body]);
}

function placeEntries({ hints: [hints], select }: CffParts, at: Places): number[] {
  const glyphs = [...offset(at.charset), 15, ...offset(at.charStrings), 17];
  if (select) return [...glyphs, ...offset(at.fonts), ...FONTS, ...offset(at.select), ...SELECT];
  return [...glyphs, ...offset(at.encoding), 16, ...(hints ? hintsEntry(hints, at.hints) : [])];
}

const [FONTS, SELECT] = [
  [12, 36],
  [12, 37],
] as const;

function hintsEntry(hints: HintParts, at: number): number[] {
  return [...offset(ownEntries(hints).length), ...offset(at), 18];
}

function writeHints(hints: HintParts): Uint8Array {
  const { subrs } = hints;
  const entries = Uint8Array.from(ownEntries(hints));
  return subrs.length > 0 ? joinBytes([entries, index(subrs)]) : entries;
}

/** The subroutines follow these entries, which tell how long they are themselves. */
function ownEntries({ entries, subrs }: HintParts): readonly number[] {
  return subrs.length > 0 ? [...entries, ...offset(entries.length + SUBRS_BYTES), 19] : entries;
}

const SUBRS_BYTES = 6;
