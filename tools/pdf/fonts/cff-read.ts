import { byteAt } from "../../../wire/bytes.ts";
import { latin1 } from "../syntax/lexer.ts";
import { ifCertain, numberAt as integerAt, Uncertain } from "./glyph.ts";
import { STANDARD_STRINGS } from "./standard-strings.ts";
import { allowsSubsetBits, u16 } from "./truetype.ts";

/** A font of CFF (Adobe Technical Note 5176). */
export interface CffFont {
  readonly name: string;
  readonly top: CffDict;
  readonly charStrings: readonly Uint8Array[];
  readonly globalSubrs: readonly Uint8Array[];
  /** Whether its glyphs are known by CIDs, and not by names. */
  readonly hasCids: boolean;
  /** For each glyph its CID, or the number of its name. */
  readonly charset: readonly number[];
  /** Glyphs by name; none with CIDs. */
  readonly named: ReadonlyMap<string, number>;
  /** The glyphs that codes have; undefined for Adobe's standard encoding, and with CIDs. */
  readonly encoding: ReadonlyMap<number, number> | undefined;
  readonly textOf: (number: number) => string;
  /** Whether its licence allows a subset of it; undefined if it does not say. */
  readonly allowsSubset: boolean | undefined;
  /** One, but for fonts with CIDs. */
  readonly hints: readonly CffHints[];
  /** The place in these of each glyph. */
  readonly select: (glyph: number) => number;
}

/** Operands by operator, as they are written; operators of two bytes are numbers from 256 on. */
export type CffDict = ReadonlyMap<number, Uint8Array>;

export interface CffHints {
  /** Of the font that has them, where a font has several. */
  readonly about: CffDict;
  readonly entries: CffDict;
  readonly subrs: readonly Uint8Array[];
}

/** Operators of two bytes, the first of which is 12. */
export const ESCAPED = 256;
/** Entries that tell where parts are (chapters 9 and 15), and those that few programs read. */
export const AT = {
  charset: 15,
  encoding: 16,
  charStrings: 17,
  hints: 18,
  subrs: 19,
  fonts: ESCAPED + 36,
  select: ESCAPED + 37,
} as const;
const [CHARSTRING_TYPE, SYNTHETIC, POSTSCRIPT, CIDS] = [
  ESCAPED + 6,
  ESCAPED + 20,
  ESCAPED + 21,
  ESCAPED + 30,
];

/** Reads a font; undefined where not all of it can be told with certainty. */
export function readCff(bytes: Uint8Array): CffFont | undefined {
  return ifCertain(() => readFont(bytes));
}

/** Parts of a font that lie over one another have more items than it has bytes; several may be the same one. */
interface Source {
  readonly bytes: Uint8Array;
  readonly known: Map<number, Index>;
  left: number;
}

function readFont(bytes: Uint8Array): CffFont {
  if (bytes.length < 4 || byteAt(bytes, 0) !== 1) throw new Uncertain();
  const source: Source = { bytes, known: new Map(), left: bytes.length };
  const names = readIndex(source, byteAt(bytes, 2));
  const tops = readIndex(source, names.end);
  const strings = readIndex(source, tops.end);
  const globalSubrs = readIndex(source, strings.end);
  const [name, ...otherNames] = names.items;
  const [topBytes, ...otherTops] = tops.items;
  if (!name || !topBytes || otherNames.length + otherTops.length > 0) throw new Uncertain();
  const top = readDict(topBytes);
  if (top.has(SYNTHETIC) || (numberAt(top, CHARSTRING_TYPE) ?? 2) !== 2) throw new Uncertain();
  const charStrings = readIndex(source, partAt(top, AT.charStrings)).items;
  const hasCids = top.has(CIDS);
  const count = charStrings.length;
  const charset = readCharset(bytes, { at: numberAt(top, AT.charset) ?? 0, count, hasCids });
  const textOf = (number: number) => {
    const own = strings.items[number - STANDARD_STRINGS.length];
    const text = STANDARD_STRINGS[number] ?? (own && latin1(own));
    if (text === undefined) throw new Uncertain();
    return text;
  };
  const fonts = hasCids ? readIndex(source, partAt(top, AT.fonts)).items.map(readDict) : [];
  return {
    name: latin1(name),
    top,
    charStrings,
    globalSubrs: globalSubrs.items,
    hasCids,
    charset,
    textOf,
    allowsSubset: readLicence(top, textOf),
    named: hasCids ? new Map<string, number>() : readNames(charset, textOf),
    encoding: hasCids ? undefined : readEncoding(bytes, numberAt(top, AT.encoding) ?? 0, charset),
    hints: (hasCids ? fonts : [top]).map((about) => readHints(source, about)),
    select: hasCids ? readSelect(bytes, { at: partAt(top, AT.select), count, fonts: fonts.length }) : () => 0,
  };
}

/** The licence in a program of PostScript (Adobe Technical Note 5147). */
function readLicence(top: CffDict, textOf: CffFont["textOf"]): boolean | undefined {
  const number = numberAt(top, POSTSCRIPT);
  const bits = /\/FSType\s+(\d+)/.exec(number === undefined ? "" : textOf(number))?.[1];
  return bits === undefined ? undefined : allowsSubsetBits(Number(bits));
}

interface Index {
  readonly items: Uint8Array[];
  readonly end: number;
}

/** Chapter 5. */
function readIndex(source: Source, at: number): Index {
  const index = source.known.get(at) ?? readItems(source, at);
  source.known.set(at, index);
  return index;
}

function readItems(source: Source, at: number): Index {
  const { bytes } = source;
  const count = word(bytes, at);
  if ((source.left -= count) < 0) throw new Uncertain();
  if (count === 0) return { items: [], end: at + 2 };
  const size = byteWithin(bytes, at + 2);
  const base = at + 2 + (count + 1) * size;
  if (size < 1 || size > 4 || base >= bytes.length) throw new Uncertain();
  const items: Uint8Array[] = [];
  let from = offsetAt(bytes, at + 3, size);
  for (let i = 1; i <= count; i++) {
    const to = offsetAt(bytes, at + 3 + i * size, size);
    if (from < 1 || to < from || base + to > bytes.length) throw new Uncertain();
    items.push(bytes.subarray(base + from, base + to));
    from = to;
  }
  return { items, end: base + from };
}

function offsetAt(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + byteWithin(bytes, at + i);
  return value;
}

function byteWithin(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Uncertain();
  return byte;
}

function word(bytes: Uint8Array, at: number): number {
  if (at + 2 > bytes.length) throw new Uncertain();
  return u16(bytes, at);
}

/** Chapter 4. An operator that stands twice is not certain. */
function readDict(bytes: Uint8Array): CffDict {
  const dict = new Map<number, Uint8Array>();
  for (let at = 0, from = 0; at < bytes.length;) {
    const byte = byteAt(bytes, at);
    if (byte > 21) {
      at += operandLength(bytes, at);
      continue;
    }
    const operator = byte === 12 ? ESCAPED + byteWithin(bytes, at + 1) : byte;
    if (dict.has(operator)) throw new Uncertain();
    dict.set(operator, bytes.subarray(from, at));
    at += byte === 12 ? 2 : 1;
    from = at;
  }
  return dict;
}

function operandLength(bytes: Uint8Array, at: number): number {
  const byte = byteAt(bytes, at);
  if (byte === 30) {
    let end = at + 1;
    while ((byteWithin(bytes, end) & 0xf) !== 0xf) end++;
    return end + 1 - at;
  }
  if (byte === 28) return 3;
  if (byte === 29) return 5;
  if (byte < 32 || byte === 255) throw new Uncertain();
  return byte <= 246 ? 1 : 2;
}

/** The whole numbers that an operator has. */
export function wholeNumbers(operands: Uint8Array): number[] {
  const numbers: number[] = [];
  for (let at = 0; at < operands.length; at += operandLength(operands, at)) {
    const byte = byteAt(operands, at);
    if (byte === 30) throw new Uncertain();
    if (byte === 28) numbers.push((word(operands, at + 1) << 16) >> 16);
    else if (byte === 29) numbers.push((word(operands, at + 1) << 16) | word(operands, at + 3));
    else numbers.push(integerAt(operands, at).value);
  }
  return numbers;
}

function numberAt(dict: CffDict, operator: number): number | undefined {
  const operands = dict.get(operator);
  return operands && wholeNumbers(operands)[0];
}

function partAt(dict: CffDict, operator: number): number {
  const at = numberAt(dict, operator);
  if (at === undefined || at <= 0) throw new Uncertain();
  return at;
}

/** Chapter 13. Of the charsets that have no table only the first is read. */
function readCharset(
  bytes: Uint8Array,
  { at, count, hasCids }: { at: number; count: number; hasCids: boolean },
): number[] {
  const charset = [0];
  if (at === 0 && !hasCids && count <= ISO_ADOBE) return Array.from({ length: count }, (_, glyph) => glyph);
  const format = byteWithin(bytes, at);
  if (at <= 2 || format > 2) throw new Uncertain();
  for (let from = at + 1; charset.length < count; from += 2 + format) {
    const first = word(bytes, from);
    const more = format === 0 ? 0 : format === 1 ? byteWithin(bytes, from + 2) : word(bytes, from + 2);
    for (let i = 0; i <= more && charset.length < count; i++) charset.push(first + i);
  }
  return charset;
}

const ISO_ADOBE = 229;

/** Chapter 12. */
function readEncoding(
  bytes: Uint8Array,
  at: number,
  charset: readonly number[],
): Map<number, number> | undefined {
  if (at === 0) return undefined;
  const format = byteWithin(bytes, at);
  if (at === 1 || (format & 0x7f) > 1) throw new Uncertain();
  const encoding = new Map<number, number>();
  const count = byteWithin(bytes, at + 1);
  let glyph = 1;
  let end = at + 2;
  for (let i = 0; i < count; i++) {
    const first = byteWithin(bytes, end++);
    const more = format & 1 ? byteWithin(bytes, end++) : 0;
    for (let code = first; code <= first + more; code++) encoding.set(code, glyph++);
  }
  const supplements = format & 0x80 ? byteWithin(bytes, end++) : 0;
  for (let i = 0; i < supplements; i++, end += 3)
    encoding.set(byteWithin(bytes, end), charset.indexOf(word(bytes, end + 1)));
  if ([...encoding.values()].some((each) => each < 0 || each >= charset.length)) throw new Uncertain();
  return encoding;
}

/** Chapter 15: numbers and subroutines, which stand at a distance from them. */
function readHints(source: Source, about: CffDict): CffHints {
  const { bytes } = source;
  const place = about.get(AT.hints);
  const [length, at] = place ? wholeNumbers(place) : [];
  if (length === undefined || at === undefined || length < 0 || at < 0 || at + length > bytes.length)
    throw new Uncertain();
  const entries = readDict(bytes.subarray(at, at + length));
  const distance = numberAt(entries, AT.subrs);
  return { about, entries, subrs: distance === undefined ? [] : readIndex(source, at + distance).items };
}

/** Chapter 19. */
function readSelect(
  bytes: Uint8Array,
  { at, count, fonts }: { at: number; count: number; fonts: number },
): (glyph: number) => number {
  const places = new Uint8Array(count);
  const format = byteWithin(bytes, at);
  if (format === 0) for (let i = 0; i < count; i++) places[i] = byteWithin(bytes, at + 1 + i);
  else if (format === 3) {
    const ranges = word(bytes, at + 1);
    for (let i = 0, from = at + 3; i < ranges; i++, from += 3)
      places.fill(byteWithin(bytes, from + 2), word(bytes, from), word(bytes, from + 3));
  } else throw new Uncertain();
  if (places.some((place) => place >= fonts)) throw new Uncertain();
  return (glyph) => places[glyph] ?? 0;
}

function readNames(charset: readonly number[], textOf: CffFont["textOf"]): Map<string, number> {
  // Of two glyphs with one name, programs differ in which they show.
  if (new Set(charset).size < charset.length) throw new Uncertain();
  const names = new Map(charset.map((number, glyph) => [textOf(number), glyph]));
  if (names.size < charset.length) throw new Uncertain();
  return names;
}
