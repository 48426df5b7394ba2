import { byteAt } from "../../../wire/bytes.ts";
import { type Budget, spend } from "../limits.ts";

const CHECKSUM_BYTES = 4;
/** How many times as long as copying a byte it takes to read a code. */
const READING = 4;
/** As how many bytes the codes of a block count, which can have hardly any data. */
const CODES = 4096;
/** The order in which the lengths of the codes for code lengths stand (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const END_OF_BLOCK = 256;
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const LAST_LENGTH = 28;
const LAST_DISTANCE = 29;
const LENGTHS = LENGTH_EXTRA.map((_, code) =>
  code === LAST_LENGTH ? 258 : LENGTH_EXTRA.slice(0, code).reduce((sum, extra) => sum + (1 << extra), 3),
);
/** The lengths of the codes of a block that has none of its own (3.2.6). */
const FIXED_LENGTHS = [
  ...Array<number>(144).fill(8),
  ...Array<number>(112).fill(9),
  ...Array<number>(24).fill(7),
  ...Array<number>(8).fill(8),
];
/** Codes of up to this many bits are looked up; hardly any are longer. */
const QUICK_BITS = 10;
const QUICK = (1 << QUICK_BITS) - 1;
const MOST_BITS = 15;

interface Codes {
  /** By the bits that come next: the symbol and, in the lowest four bits, the length of its code; 0 for a longer one. */
  readonly table: Uint16Array;
  /** How many codes there are of each length, and all symbols in the order of their codes. */
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

interface BitReader {
  readonly bytes: Uint8Array;
  readonly budget: Budget;
  /** In bits. */
  at: number;
  /** How many bytes there are so far. */
  length: number;
}

/**
 * Where zlib data that begins here ends (RFC 1950), after its checksum as far as there is one, and how many bytes it
 * becomes; undefined where it has no end. Reads the codes only and makes nothing of them, so that it needs no memory,
 * and also where inflating does not tell how far it has read.
 * @throws ToolFailure too_complex when the call's budget is used up
 */
export function findZlibEnd(bytes: Uint8Array, budget: Budget): { end: number; length: number } | undefined {
  const [method = 0, flags = 0] = bytes;
  if ((method & 15) !== 8 || ((method << 8) | flags) % 31 !== 0) return undefined;
  spend(budget.read, READING * bytes.length);
  const reader = { bytes, budget, at: 16, length: 0 };
  for (let isLast = 0; isLast === 0;) {
    isLast = take(reader, 1);
    if (!skipBlock(reader, take(reader, 2))) return undefined;
  }
  const end = (reader.at + 7) >> 3;
  if (end > bytes.length) return undefined;
  return { end: Math.min(bytes.length, end + CHECKSUM_BYTES), length: reader.length };
}

function skipBlock(reader: BitReader, kind: number): boolean {
  if (kind === 0) return skipStored(reader);
  if (kind === 1) return skipCodes(reader, fixedCodes());
  const codes = kind === 2 ? readCodes(reader) : undefined;
  return codes !== undefined && skipCodes(reader, codes);
}

/** The next 25 bits or more, the first of them lowest; zeros after the end. */
function bitsAt(bytes: Uint8Array, at: number): number {
  const from = at >> 3;
  const low = byteAt(bytes, from) | (byteAt(bytes, from + 1) << 8) | (byteAt(bytes, from + 2) << 16);
  return (low | (byteAt(bytes, from + 3) << 24)) >>> (at & 7);
}

function take(reader: BitReader, count: number): number {
  const bits = bitsAt(reader.bytes, reader.at) & ((1 << count) - 1);
  reader.at += count;
  return bits;
}

function skipStored(reader: BitReader): boolean {
  reader.at = (reader.at + 7) & ~7;
  const [length, inverse] = [take(reader, 16), take(reader, 16)];
  reader.at += 8 * length;
  reader.length += length;
  return (length ^ inverse) === 0xffff && reader.at <= 8 * reader.bytes.length;
}

let fixed: readonly [Codes, Codes] | undefined;

function fixedCodes(): readonly [Codes, Codes] {
  fixed ??= [makeCodes(FIXED_LENGTHS), makeCodes(Array<number>(30).fill(5))];
  return fixed;
}

function readCodes(reader: BitReader): readonly [Codes, Codes] | undefined {
  spend(reader.budget.read, CODES);
  const [literals, distances, count] = [take(reader, 5) + 257, take(reader, 5) + 1, take(reader, 4) + 4];
  const own = Array<number>(ORDER.length).fill(0);
  for (const symbol of ORDER.slice(0, count)) own[symbol] = take(reader, 3);
  const codes = makeCodes(own);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const code = codeIn(codes, bitsAt(reader.bytes, reader.at));
    if (code === 0) return undefined;
    reader.at += code & 15;
    const symbol = code >> 4;
    if (symbol < 16) lengths.push(symbol);
    else repeat(lengths, symbol, reader);
  }
  const both = literals + distances;
  return [makeCodes(lengths.slice(0, literals)), makeCodes(lengths.slice(literals, both))];
}

function repeat(lengths: number[], symbol: number, reader: BitReader): void {
  const length = symbol === 16 ? (lengths.at(-1) ?? 0) : 0;
  const [bits, least] = symbol === 16 ? [2, 3] : symbol === 17 ? [3, 3] : [7, 11];
  for (let left = least + take(reader, bits); left > 0; left--) lengths.push(length);
}

/** Codes of these lengths, in the order of their symbols (3.2.2). */
function makeCodes(lengths: readonly number[]): Codes {
  const table = new Uint16Array(1 << QUICK_BITS);
  const counts = new Uint16Array(MOST_BITS + 1);
  for (const length of lengths) if (length > 0) counts[length] = entryAt(counts, length) + 1;
  const codes = new Uint16Array(MOST_BITS + 2);
  const places = new Uint16Array(MOST_BITS + 2);
  for (let length = 1; length <= MOST_BITS; length++) {
    codes[length + 1] = (entryAt(codes, length) + entryAt(counts, length)) << 1;
    places[length + 1] = entryAt(places, length) + entryAt(counts, length);
  }
  const symbols = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = entryAt(lengths, symbol);
    if (length === 0) continue;
    const [place, code] = [entryAt(places, length), entryAt(codes, length)];
    symbols[place] = symbol;
    places[length] = place + 1;
    codes[length] = code + 1;
    if (length > QUICK_BITS) continue;
    for (let at = reversed(code, length); at <= QUICK; at += 1 << length) table[at] = (symbol << 4) | length;
  }
  return { table, counts, symbols };
}

function entryAt(list: ArrayLike<number>, index: number): number {
  return list[index] as number;
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let i = 0; i < length; i++) result |= ((code >> i) & 1) << (length - 1 - i);
  return result;
}

/** The symbol of the code that these bits begin with, and its length in the lowest four bits; 0 for none. */
function codeIn({ table, counts, symbols }: Codes, bits: number): number {
  const quick = entryAt(table, bits & QUICK);
  if (quick !== 0) return quick;
  for (let [length, code, first, place] = [1, 0, 0, 0]; length <= MOST_BITS; length++) {
    code = (code << 1) | ((bits >> (length - 1)) & 1);
    first <<= 1;
    const count = entryAt(counts, length);
    if (code - first < count) return (entryAt(symbols, place + code - first) << 4) | length;
    first += count;
    place += count;
  }
  return 0;
}

/** Moves past the end of a block; false where it is damaged or has no end. */
function skipCodes(reader: BitReader, [literals, distances]: readonly [Codes, Codes]): boolean {
  const { bytes } = reader;
  const { table } = literals;
  let { at, length } = reader;
  for (const last = 8 * bytes.length; at <= last;) {
    let bits = bitsAt(bytes, at);
    let code = entryAt(table, bits & QUICK);
    // Most symbols are bytes with short codes, of which two can be read at once.
    if (code !== 0 && code >> 4 < END_OF_BLOCK) {
      at += code & 15;
      length++;
      bits >>>= code & 15;
      code = entryAt(table, bits & QUICK);
    }
    if (code === 0) code = codeIn(literals, bits);
    const symbol = code >> 4;
    at += code & 15;
    if (code === 0) return false;
    if (symbol < END_OF_BLOCK) {
      length++;
      continue;
    }
    reader.at = at;
    reader.length = length;
    if (symbol === END_OF_BLOCK) return true;
    if (!skipCopy(reader, symbol - END_OF_BLOCK - 1, distances)) return false;
    ({ at, length } = reader);
  }
  return false;
}

function skipCopy(reader: BitReader, symbol: number, distances: Codes): boolean {
  if (symbol > LAST_LENGTH) return false;
  reader.length += entryAt(LENGTHS, symbol) + take(reader, entryAt(LENGTH_EXTRA, symbol));
  const code = codeIn(distances, bitsAt(reader.bytes, reader.at));
  const distance = code >> 4;
  reader.at += (code & 15) + Math.max(0, (distance >> 1) - 1);
  return code !== 0 && distance <= LAST_DISTANCE;
}
