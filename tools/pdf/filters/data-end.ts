import { byteAt, type Bytes } from "../../../wire/bytes.ts";
import { isPadding } from "../../image/jpeg-metadata.ts";
import type { Budget } from "../limits.ts";
import { isHexDigit } from "../syntax/lexer.ts";
import { type Dict, numberOf, without } from "../syntax/values.ts";
import { deflate } from "./deflate.ts";
import { findZlibEnd } from "./deflate-end.ts";
import { decodeStream, type Step } from "./filters.ts";
import { findLzwEnd } from "./lzw.ts";

/** Where data ends, and how long it is decoded. */
interface DataEnd {
  readonly end: number;
  readonly length: number;
}

type FindEnd = (data: Uint8Array, parameters: Dict | undefined, budget: Budget) => DataEnd | undefined;

const ENDS: Readonly<Record<string, FindEnd>> = {
  FlateDecode: (data, _, budget) => findZlibEnd(data, budget),
  LZWDecode: (data, parameters) => findLzwEnd(data, numberOf(parameters?.get("EarlyChange")) !== 0),
  ASCIIHexDecode: findHexEnd,
  ASCII85Decode: findAscii85End,
  RunLengthDecode: findRunLengthEnd,
  CCITTFaxDecode: findFaxEnd,
  CCF: findFaxEnd,
};

/**
 * The data of a filter without what follows its end, and cut so that at most `most` bytes come out: no reader looks at
 * the rest. The same bytes if there is no rest; `isAgain` where they had to be encoded again, by Flate.
 */
export function cutAtEnd(
  data: Bytes,
  { name, parameters }: Step,
  { budget, most = Infinity }: { budget: Budget; most?: number | undefined },
): { data: Bytes; isAgain: boolean } {
  const found = Object.hasOwn(ENDS, name) ? ENDS[name]?.(data, parameters, budget) : undefined;
  if (!found) return { data, isAgain: false };
  const { end, length } = found;
  const own = isPadding(data.subarray(end)) ? data : data.slice(0, end);
  const wanted = predictedLength(most, parameters);
  if (length <= wanted) return { data: own, isAgain: false };
  const raw = parameters && without(parameters, ["Predictor"]);
  const decoded = decodeStream(own, [{ name, parameters: raw }], budget);
  const isCut = decoded.isComplete && !isPadding(decoded.bytes.subarray(wanted));
  return isCut
    ? { data: deflate(decoded.bytes.subarray(0, wanted)), isAgain: true }
    : { data: own, isAgain: false };
}

/** The length of `length` bytes with the predictor: those of PNG add a byte before each row (7.4.4.4). */
function predictedLength(length: number, parameters: Dict | undefined): number {
  const numberAt = (key: string, other: number) => numberOf(parameters?.get(key)) ?? other;
  if (numberAt("Predictor", 1) < FIRST_PNG_PREDICTOR) return length;
  const bits = numberAt("Columns", 1) * numberAt("Colors", 1) * numberAt("BitsPerComponent", 8);
  return length + Math.ceil(length / Math.ceil(bits / 8));
}

const FIRST_PNG_PREDICTOR = 10;

function findHexEnd(data: Uint8Array): DataEnd {
  const end = data.indexOf(0x3e) + 1 || data.length;
  let digits = 0;
  for (let at = 0; at < end; at++) if (isHexDigit(byteAt(data, at))) digits++;
  return { end, length: Math.ceil(digits / 2) };
}

const [FIRST_85, LAST_85, FOUR_ZEROS, TILDE] = [0x21, 0x75, 0x7a, 0x7e];

/** Behind "~>", whose second character some writers leave out. */
function findAscii85End(data: Uint8Array): DataEnd {
  let [digits, zeros, at] = [0, 0, 0];
  for (; at < data.length && data[at] !== TILDE; at++) {
    const code = byteAt(data, at);
    if (code === FOUR_ZEROS) zeros++;
    else if (code >= FIRST_85 && code <= LAST_85) digits++;
  }
  const end = Math.min(data.length, at + (data[at + 1] === 0x3e ? 2 : 1));
  return { end, length: 4 * zeros + Math.floor((digits * 4) / 5) };
}

const END_OF_RUNS = 128;

function findRunLengthEnd(data: Uint8Array): DataEnd {
  let length = 0;
  for (let at = 0; at < data.length;) {
    const code = byteAt(data, at);
    if (code === END_OF_RUNS) return { end: at + 1, length };
    length += code < END_OF_RUNS ? code + 1 : 257 - code;
    at += code < END_OF_RUNS ? code + 2 : 2;
  }
  return { end: data.length, length };
}

const LINE_END_BITS = 12;

/**
 * Behind the end of a facsimile: two ends of line one after the other in group 4, six in group 3, where in mixed coding
 * each has a bit of its own after it (ITU-T T.4, 4.1.4 and 4.2.4, T.6, 2.4.1.1). Nothing else has eleven zeros in a row.
 */
function findFaxEnd(data: Uint8Array, parameters: Dict | undefined): DataEnd | undefined {
  if (parameters?.get("EndOfBlock") === false) return undefined;
  const kind = numberOf(parameters?.get("K")) ?? 0;
  const [count, step] = kind < 0 ? [2, LINE_END_BITS] : [6, LINE_END_BITS + (kind > 0 ? 1 : 0)];
  for (let at = 0; at < data.length; at++) {
    // Eleven zeros that begin in one byte end this byte or the next with four.
    if ((byteAt(data, at) & 15) !== 0) continue;
    for (let bit = Math.max(0, 8 * at - 3); bit <= 8 * at + 4; bit++) {
      let ends = 0;
      while (ends < count && bitsAt(data, bit + ends * step) === 1) ends++;
      if (ends === count) return { end: (bit + count * step + 7) >> 3, length: 0 };
    }
  }
  return undefined;
}

/** Twelve bits; zeros after the end. */
function bitsAt(data: Uint8Array, bit: number): number {
  const at = bit >> 3;
  const bits = (byteAt(data, at) << 16) | (byteAt(data, at + 1) << 8) | byteAt(data, at + 2);
  return (bits >> (LINE_END_BITS - (bit & 7))) & 0xfff;
}
