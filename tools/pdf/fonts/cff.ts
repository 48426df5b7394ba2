import type { Bytes } from "../../../wire/bytes.ts";
import { readGlyph, type CommandAllowance } from "./charstrings.ts";
import { type Glyph, ifCertain, Uncertain } from "./glyph.ts";
import { numberBytes, standardNumber, Strings, writeCff, writeCharset, writeEncoding } from "./cff-parts.ts";
import type { Type1Font } from "./type1.ts";
import { writeGlyph } from "./type2.ts";

/**
 * The same font as CFF (Adobe Technical Note 5176): the same glyphs by the same names and codes, with their hints and
 * widths, in charstrings that can be packed. Undefined for a font of which not everything can be told.
 */
export function toCff(font: Type1Font, allowance: CommandAllowance): Bytes | undefined {
  const names = orderOf(font);
  const glyphs = names.map((name) => readGlyph(font, name, allowance));
  if (!glyphs.every((glyph) => glyph !== undefined)) return undefined;
  return ifCertain(() => writeFont(font, names, glyphs));
}

/** Names of glyphs, .notdef first: then those that have a code, and in each part the ones that all fonts know. */
function orderOf({ charStrings, encoding }: Type1Font): string[] {
  const encoded = new Set(encoding?.values());
  const placeOf = (name: string) => (encoded.has(name) ? 0 : 1);
  const numberOf = (name: string) => standardNumber(name) ?? MOST_NAMES;
  const names = [...charStrings.keys()].filter((name) => name !== NOTDEF);
  return [NOTDEF, ...names.toSorted((a, b) => placeOf(a) - placeOf(b) || numberOf(a) - numberOf(b))];
}

const NOTDEF = ".notdef";
const MOST_NAMES = 0x10000;

function writeFont(font: Type1Font, names: readonly string[], glyphs: readonly Glyph[]): Bytes {
  const strings = new Strings();
  const width = mostCommon(glyphs.map((glyph) => glyph.width));
  const numbers = names.map((name) => (name === NOTDEF ? 0 : strings.numberOf(name)));
  return writeCff({
    name: font.name,
    about: describeFont(font, strings),
    strings,
    charset: writeCharset(numbers.slice(1)),
    encoding: writeEncoding(font.encoding, names, numbers),
    charStrings: glyphs.map((glyph) => writeGlyph(glyph, width)),
    globalSubrs: [],
    hints: [{ about: [], entries: describeHints(font, width), subrs: [] }],
    select: undefined,
  });
}

function mostCommon(widths: readonly number[]): number {
  const counts = Map.groupBy(widths, (width) => width);
  const [[width] = [0]] = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
  return width;
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
    if (list.length > MOST_LIST) throw new Uncertain();
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
