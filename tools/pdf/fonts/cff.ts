import { joinBytes, type Bytes } from "../../../wire/bytes.ts";
import { readGlyph, type CommandAllowance } from "./charstrings.ts";
import type { Glyph } from "./glyph.ts";
import { STANDARD_STRINGS } from "./standard-strings.ts";
import type { Type1Font } from "./type1.ts";
import { Unwritable, writeGlyph } from "./type2.ts";

/**
 * The same font as CFF (Adobe Technical Note 5176): the same glyphs by the same names and codes, with their hints and
 * widths, in charstrings that can be packed. Undefined for a font of which not everything can be told.
 */
export function toCff(font: Type1Font, allowance: CommandAllowance): Bytes | undefined {
  const names = orderOf(font);
  const glyphs = names.map((name) => readGlyph(font, { name, allowance }));
  if (!glyphs.every((glyph) => glyph !== undefined)) return undefined;
  try {
    return writeFont(font, { names, glyphs });
  } catch (error) {
    if (error instanceof Unwritable) return undefined;
    throw error;
  }
}

const STANDARD = new Map(STANDARD_STRINGS.map((name, number) => [name, number]));

/** Names of glyphs, .notdef first: then those that have a code, and in each part the ones that all fonts know. */
function orderOf({ charStrings, encoding }: Type1Font): string[] {
  const encoded = new Set(encoding?.values());
  const placeOf = (name: string) => (encoded.has(name) ? 0 : 1);
  const numberOf = (name: string) => STANDARD.get(name) ?? STANDARD.size;
  const names = [...charStrings.keys()].filter((name) => name !== NOTDEF);
  return [NOTDEF, ...names.toSorted((a, b) => placeOf(a) - placeOf(b) || numberOf(a) - numberOf(b))];
}

const NOTDEF = ".notdef";

interface GlyphNames {
  readonly names: readonly string[];
  readonly glyphs: readonly Glyph[];
}

function writeFont(font: Type1Font, { names, glyphs }: GlyphNames): Bytes {
  const strings = new Strings();
  const width = mostCommon(glyphs.map((glyph) => glyph.width));
  const charStrings = index(glyphs.map((glyph) => writeGlyph(glyph, width)));
  const charset = writeCharset(names, strings);
  const encoding = writeEncoding(font, { names, strings });
  const about = describeFont(font, strings);
  const hints = describeHints(font, width);
  const head = [Uint8Array.of(1, 0, 4, 4), index([latin1Bytes(font.name)])];
  const top = (at: Places) => index([Uint8Array.from([...about, ...placeEntries(at, hints.length)])]);
  const noSubrs = index([]);
  // Offsets take as many bytes whatever they are.
  const start = sum([...head, top(NOWHERE), strings.written(), noSubrs].map(({ length }) => length));
  const at: Places = { charset: start, encoding: 0, charStrings: 0, hints: 0 };
  at.charStrings = start + charset.length + encoding.length;
  at.encoding = encoding.length > 0 ? start + charset.length : 0;
  at.hints = at.charStrings + charStrings.length;
  return joinBytes([
    ...[...head, top(at), strings.written(), noSubrs],
    ...[charset, encoding, charStrings, Uint8Array.from(hints)],
  ]);
}

/** Where the parts of a font begin; the standard encoding has no part. */
interface Places {
  charset: number;
  encoding: number;
  charStrings: number;
  hints: number;
}

const NOWHERE: Places = { charset: 0, encoding: 0, charStrings: 0, hints: 0 };

function placeEntries({ charset, encoding, charStrings, hints }: Places, hintsLength: number): number[] {
  return [
    ...[...offset(charset), 15, ...offset(encoding), 16],
    ...[...offset(charStrings), 17, ...offset(hintsLength), ...offset(hints), 18],
  ];
}

function offset(value: number): number[] {
  return [29, (value >> 24) & 0xff, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function mostCommon(widths: readonly number[]): number {
  const counts = Map.groupBy(widths, (width) => width);
  const [[width] = [0]] = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
  return width;
}

/** Names and texts: those that all fonts have by their numbers, the others one after another. */
class Strings {
  readonly #own = new Map<string, number>();

  numberOf(text: string): number {
    const number = STANDARD.get(text) ?? this.#own.get(text) ?? STANDARD.size + this.#own.size;
    if (number >= STANDARD.size) this.#own.set(text, number);
    return number;
  }

  written(): Uint8Array {
    return index([...this.#own.keys()].map(latin1Bytes));
  }
}

function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Chapter 5. */
function index(items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return Uint8Array.of(0, 0);
  const ends = [1];
  for (const { length } of items) ends.push((ends.at(-1) ?? 1) + length);
  const size = Math.max(1, Math.ceil(Math.log2((ends.at(-1) ?? 1) + 1) / 8));
  const offsets = ends.flatMap((end) => bigEndian(end, size));
  return joinBytes([Uint8Array.from([...bigEndian(items.length, 2), size, ...offsets]), ...items]);
}

function bigEndian(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, i) => (value >> (8 * (size - 1 - i))) & 0xff);
}

/** Chapter 13, format 1: rows of names that follow one another. */
function writeCharset(names: readonly string[], strings: Strings): Uint8Array {
  const written = [1];
  let [first, left] = [-1, -1];
  const end = () => left >= 0 && written.push(...bigEndian(first, 2), left);
  for (const name of names.slice(1)) {
    const number = strings.numberOf(name);
    if (number > MOST_NAMES) throw new Unwritable();
    if (left >= 0 && number === first + left + 1 && left < 255) left++;
    else {
      end();
      [first, left] = [number, 0];
    }
  }
  end();
  return Uint8Array.from(written);
}

const MOST_NAMES = 64_999;

/** Chapter 12, format 0: the codes of the glyphs in their order, and more codes of some of them. */
function writeEncoding(
  { encoding }: Type1Font,
  { names, strings }: Pick<GlyphNames, "names"> & { strings: Strings },
): Uint8Array {
  if (!encoding) return new Uint8Array();
  const places = new Map(names.map((name, place) => [name, place]));
  const codes = new Map<number, number>();
  const more: number[] = [];
  for (const [code, name] of encoding) {
    const place = places.get(name) ?? 0;
    if (place === 0) continue;
    if (!codes.has(place)) codes.set(place, code);
    else more.push(code, ...bigEndian(strings.numberOf(name), 2));
  }
  const inOrder = [...codes].toSorted(([a], [b]) => a - b).map(([, code]) => code);
  if (inOrder.length > 255 || more.length > 3 * 255) throw new Unwritable();
  const supplement = more.length > 0 ? [more.length / 3, ...more] : [];
  return Uint8Array.from([more.length > 0 ? 0x80 : 0, inOrder.length, ...inOrder, ...supplement]);
}

/** Chapter 9: entries of the font's own dictionary, each with its operator. */
const TEXTS = { Notice: [1], FullName: [2], FamilyName: [3], Weight: [4] } as const;
const NUMBERS = {
  isFixedPitch: [12, 1],
  ItalicAngle: [12, 2],
  UnderlinePosition: [12, 3],
  UnderlineThickness: [12, 4],
  PaintType: [12, 5],
  FontMatrix: [12, 7],
  FontBBox: [5],
  StrokeWidth: [12, 8],
} as const;
/** Chapter 15: those of its hints, as numbers and as lists in which each is relative to the one before. */
const HINT_NUMBERS = {
  BlueScale: [12, 9],
  BlueShift: [12, 10],
  BlueFuzz: [12, 11],
  StdHW: [10],
  StdVW: [11],
  ForceBold: [12, 14],
  LanguageGroup: [12, 17],
  ExpansionFactor: [12, 18],
} as const;
const HINT_LISTS = {
  BlueValues: [6],
  OtherBlues: [7],
  FamilyBlues: [8],
  FamilyOtherBlues: [9],
  StemSnapH: [12, 12],
  StemSnapV: [12, 13],
} as const;
/** How many numbers some entries have; all others have one. */
const COUNTS: Readonly<Record<string, number>> = { FontMatrix: 6, FontBBox: 4 };
const MOST_LIST = 14;

function describeFont({ info, numbers }: Type1Font, strings: Strings): number[] {
  const texts = Object.entries(TEXTS).flatMap(([key, operator]) => {
    const text = info.get(key);
    return text === undefined ? [] : [...numberBytes(strings.numberOf(text)), ...operator];
  });
  return [...texts, ...numberEntries(numbers, NUMBERS)];
}

function describeHints({ numbers }: Type1Font, width: number): number[] {
  const lists = Object.entries(HINT_LISTS).flatMap(([key, operator]) => {
    const list = numbers.get(key) ?? [];
    if (list.length > MOST_LIST) throw new Unwritable();
    const steps = list.map((value, i) => value - (list[i - 1] ?? 0));
    return list.length === 0 ? [] : [...steps.flatMap(numberBytes), ...operator];
  });
  const widths = [...numberBytes(width), 20, ...numberBytes(width), 21];
  return [...lists, ...numberEntries(numbers, HINT_NUMBERS), ...widths];
}

function numberEntries(
  numbers: Type1Font["numbers"],
  operators: Readonly<Record<string, readonly number[]>>,
): number[] {
  return Object.entries(operators).flatMap(([key, operator]) => {
    const given = numbers.get(key);
    const count = COUNTS[key] ?? 1;
    return given && given.length >= count ? [...given.slice(0, count).flatMap(numberBytes), ...operator] : [];
  });
}

/** Chapter 4: a number of a dictionary. */
function numberBytes(value: number): number[] {
  if (!Number.isInteger(value)) return realBytes(value);
  if (Math.abs(value) <= 107) return [value + 139];
  if (Math.abs(value) > 32_767) return offset(value);
  return [28, (value >> 8) & 0xff, value & 0xff];
}

const NIBBLES = "0123456789.E_ -";

/** A character takes half a byte; here "_" stands for "E-", which is one. */
function realBytes(value: number): number[] {
  const text = String(value).toUpperCase().replace("E+", "E").replace("E-", "_");
  const nibbles = [...text].map((character) => NIBBLES.indexOf(character));
  const padded = [...nibbles, 0xf, ...(nibbles.length % 2 === 0 ? [0xf] : [])];
  return [30, ...pairs(padded)];
}

function pairs(nibbles: readonly number[]): number[] {
  return Array.from({ length: nibbles.length / 2 }, (_, i) => {
    const [high = 0, low = 0] = nibbles.slice(2 * i);
    return (high << 4) | low;
  });
}
