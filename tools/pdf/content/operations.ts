import { byteAt, type Bytes } from "../../../wire/bytes.ts";
import {
  isDigit,
  isNumeric,
  isWhitespace,
  latin1,
  type Lexer,
  lexerAt,
  skipHexString,
  skipLiteralString,
  skipRegular,
  skipWhitespace,
} from "../syntax/lexer.ts";
import { readName } from "../syntax/parse.ts";
import { deflate } from "../filters/deflate.ts";
import type { Pdf } from "../model/document.ts";
import type { Dict, Stream, Value } from "../syntax/values.ts";
import { createByteWriter, writeText, writtenBytes } from "../writer/byte-writer.ts";
import { writeValue } from "../writer/serialize.ts";

/** An operator with its operands (ISO 32000-2, 7.8.2), and the bytes from the first of them on. */
export interface Operation {
  /** `BI` stands for an inline image with its data. */
  readonly operator: string;
  readonly from: number;
  readonly to: number;
  /** Operands that are names, outside arrays and dictionaries. */
  readonly names: readonly string[];
  /** Operands that are numbers, outside arrays and dictionaries. */
  readonly numbers: readonly number[];
  /** Where its strings stand, also those in arrays and dictionaries. */
  readonly strings: readonly { readonly from: number; readonly to: number }[];
}

/** As many as any operator takes; the rest of a malformed run is dropped. */
const MOST_OPERANDS = 64;

/**
 * Reads content from one operator to the next. False where its syntax is unusual, so that programs may read it in
 * different ways.
 */
export function forEachOperation(content: Uint8Array, visit: (operation: Operation) => void): boolean {
  const lexer = lexerAt(content);
  let [names, numbers, strings]: [string[], number[], { from: number; to: number }[]] = [[], [], []];
  let from = -1;
  let depth = 0;
  while (skipWhitespace(lexer) >= 0) {
    const start = lexer.at;
    const token = readToken(lexer);
    if (token === undefined) return false;
    if (from < 0) from = start;
    if (token === OPERAND && (content[start] === 0x28 || content[start] === 0x3c))
      strings.push({ from: start, to: lexer.at });
    if (token === DEEPER || token === HIGHER) {
      depth += token === DEEPER ? 1 : -1;
      if (depth < 0) return false;
    } else if (depth > 0 || token === OPERAND) {
      continue;
    } else if (typeof token === "number") {
      if (numbers.length < MOST_OPERANDS) numbers.push(token);
    } else if (token.startsWith("/")) {
      if (names.length < MOST_OPERANDS) names.push(token.slice(1));
    } else {
      if (token === "BI" && !skipInlineImage(lexer)) return false;
      visit({ operator: token, from, to: lexer.at, names, numbers, strings });
      [names, numbers, strings, from] = [[], [], [], -1];
    }
  }
  return depth === 0;
}

/** A string, a word that is an operand, the beginning and the end of an array or dictionary: no operator is called so. */
const OPERAND = "";
const DEEPER = "[";
const HIGHER = "]";

/** A name with its solidus, a number, an operator or one of the words above; undefined for what is no token. */
function readToken(lexer: Lexer): string | number | undefined {
  const { bytes } = lexer;
  const code = byteAt(bytes, lexer.at);
  if (isNumeric(code)) return readNumber(lexer);
  switch (code) {
    case 0x2f:
      return `/${readName(lexer)}`;
    case 0x28:
      return skipLiteralString(lexer) ? OPERAND : undefined;
    case 0x3c:
      if (bytes[lexer.at + 1] === code) return move(lexer, 2, DEEPER);
      return skipHexString(lexer) ? OPERAND : undefined;
    case 0x3e:
      return bytes[lexer.at + 1] === code ? move(lexer, 2, HIGHER) : undefined;
    case 0x5b:
      return move(lexer, 1, DEEPER);
    case 0x5d:
      return move(lexer, 1, HIGHER);
    default:
      return readWord(lexer);
  }
}

function move(lexer: Lexer, by: number, token: string): string {
  lexer.at += by;
  return token;
}

/** No number of use is longer. */
const LONGEST_NUMBER = 32;

function readNumber(lexer: Lexer): number {
  const from = skipRegular(lexer);
  const to = Math.min(lexer.at, from + LONGEST_NUMBER);
  return plainNumber(lexer.bytes, from, to) ?? (Number.parseFloat(latin1(lexer.bytes, { from, to })) || 0);
}

/** So many digits are exact, and so is one division by a power of ten. */
const MOST_DIGITS = 15;

/** A number as nearly all are written, in a third of the time: contents are made of them. */
function plainNumber(bytes: Uint8Array, from: number, to: number): number | undefined {
  if (to - from > MOST_DIGITS) return undefined;
  const isNegative = bytes[from] === 0x2d;
  let [value, divisor, step] = [0, 1, 1];
  for (let at = isNegative ? from + 1 : from; at < to; at++) {
    const code = byteAt(bytes, at);
    if (code === 0x2e && step === 1) step = 10;
    else if (!isDigit(code)) return undefined;
    else {
      value = value * 10 + code - 0x30;
      divisor *= step;
    }
  }
  return (isNegative ? -value : value) / divisor || 0;
}

/** Operands that are written as operators are. */
const WORDS = ["true", "false", "null"];

function readWord(lexer: Lexer): string | undefined {
  const from = skipRegular(lexer);
  if (lexer.at === from) return undefined;
  const word = latin1(lexer.bytes, { from, to: lexer.at });
  return WORDS.includes(word) ? OPERAND : word;
}

/** How many bytes after an image must look like content, which is text. */
const LOOKED_AT = 16;

/** Moves past EI. Its data has no length, so the end is where EI stands alone and text follows (8.9.7). */
function skipInlineImage(lexer: Lexer): boolean {
  const { bytes, end } = lexer;
  for (let token: string | number | undefined = OPERAND; token !== "ID";) {
    if (skipWhitespace(lexer) < 0) return false;
    token = readToken(lexer);
    if (token === undefined || token === "EI") return false;
  }
  for (
    let at = bytes.indexOf(0x45, lexer.at + 1);
    at >= 0 && at + 2 <= end;
    at = bytes.indexOf(0x45, at + 1)
  ) {
    if (bytes[at + 1] !== 0x49 || !isWhitespace(bytes[at - 1])) continue;
    if (at + 2 < end && !isWhitespace(bytes[at + 2])) continue;
    if (!bytes.subarray(at + 2, at + 2 + LOOKED_AT).every(isText)) continue;
    lexer.at = at + 2;
    return true;
  }
  return false;
}

function isText(code: number): boolean {
  return (code >= 0x20 && code < 0x7f) || isWhitespace(code);
}

/** Shorter content is about as long packed, and tens of thousands of packings hold much memory. */
const LEAST_PACKED = 8 * 1024;

/** A stream of content with other entries. */
export function packContent(content: Bytes, entries: Dict): Stream {
  if (content.length < LEAST_PACKED) return { kind: "stream", dict: entries, data: content };
  const dict: Dict = new Map<string, Value>([...entries, ["Filter", "FlateDecode"]]);
  return { kind: "stream", dict, data: deflate(content) };
}

/** Operands as content has them, each with a space after it. */
export function writeOperands(pdf: Pdf, operands: readonly Value[]): Uint8Array {
  const output = createByteWriter(pdf.budget.read);
  for (const value of operands) {
    writeValue(output, { value, renumber: () => 0 });
    writeText(output, " ");
  }
  return writtenBytes(output);
}
