import { byteAt } from "../../../wire/bytes.ts";
import {
  isDigit,
  isHexDigit,
  isHexString,
  isNumeric,
  type Lexer,
  skipWhitespace,
  skipHexString,
  skipLiteralString,
  skipRegular,
} from "../syntax/lexer.ts";
import {
  closeRawContainer,
  createRawContainers,
  noteToken,
  openRawContainer,
  type RawContainers,
} from "./raw-containers.ts";
import { writeReference, type Renumber } from "./serialize.ts";
import { writeBytes, type ByteWriter } from "./byte-writer.ts";
import { MAX_OBJECT_NUMBER } from "../limits.ts";
import type { Ref } from "../syntax/values.ts";

/** A reference found in the bytes, and where it stands. */
interface RawReference {
  readonly from: number;
  readonly to: number;
  readonly ref: Ref;
}

interface Scan {
  readonly references: RawReference[];
  readonly firstNum: number;
  readonly open: RawContainers;
  /** The last two tokens if both are integers. */
  first: IntegerToken | undefined;
  second: IntegerToken | undefined;
}

interface IntegerToken {
  readonly from: number;
  readonly number: number;
}

/** An object in its file: its extent, and the references in it. */
interface RawObject {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly references: readonly RawReference[];
}

/**
 * Finds the extent of the object at the lexer and its references without building values: ten times cheaper than
 * parsing, and a copy keeps every digit. Undefined for anything unusual (a comment, an unknown keyword, an invalid
 * number, bad nesting, a stream), which must be parsed.
 */
export function scanRawObject(lexer: Lexer, firstNum: number): RawObject | undefined {
  skipWhitespace(lexer);
  const from = lexer.at;
  const scan: Scan = {
    references: [],
    firstNum,
    open: createRawContainers(),
    first: undefined,
    second: undefined,
  };
  do {
    if (!scanToken(lexer, scan)) return undefined;
  } while (scan.open.depth > 0);
  const to = lexer.at;
  // At the top level a number may start a reference, and a dictionary a stream.
  if (scan.second || (skipWhitespace(lexer) === 0x73 && lexer.bytes[lexer.at + 1] === 0x74)) return undefined;
  return { bytes: lexer.bytes, from, to, references: scan.references };
}

/** Copies an object unchanged except for its references, which are renumbered. */
export function writeRawObject(output: ByteWriter, raw: RawObject, renumber: Renumber): void {
  let from = raw.from;
  for (const reference of raw.references) {
    writeBytes(output, raw.bytes, { from, to: reference.from });
    writeReference(output, renumber(reference.ref));
    from = reference.to;
  }
  writeBytes(output, raw.bytes, { from, to: raw.to });
}

function scanToken(lexer: Lexer, scan: Scan): boolean {
  const { bytes } = lexer;
  while (lexer.at < lexer.end && isSpace(byteAt(bytes, lexer.at))) lexer.at++;
  if (lexer.at >= lexer.end) return false;
  const code = byteAt(bytes, lexer.at);
  if (isNumeric(code)) return scanNumber(lexer, scan);
  if (code === 0x52) return scanReference(lexer, scan);
  scan.first = scan.second = undefined;
  switch (code) {
    case 0x2f:
      return scanName(lexer, scan);
    case 0x28:
      return skipLiteralString(lexer) && noteToken(scan.open, "other");
    case 0x3c:
    case 0x3e:
      return scanAngle(lexer, scan, code);
    case 0x5b:
      lexer.at++;
      return openRawContainer(scan.open, false);
    case 0x5d:
      lexer.at++;
      return closeRawContainer(scan.open, false);
    default:
      return scanKeyword(lexer) && noteToken(scan.open, "other");
  }
}

const NUMBER_SIGN = 0x23;

/** False for a name with a number sign that is no valid escape: programs differ in how they read it. */
function scanName(lexer: Lexer, scan: Scan): boolean {
  const { bytes } = lexer;
  lexer.at++;
  const from = skipRegular(lexer);
  let hash = 5381;
  for (let at = from; at < lexer.at; at++) {
    const code = byteAt(bytes, at);
    if (code === NUMBER_SIGN && !isEscape(bytes, at)) return false;
    hash = (hash * 33 + code) | 0;
  }
  return noteToken(scan.open, "name", hash);
}

function isEscape(bytes: Uint8Array, at: number): boolean {
  const isZero = bytes[at + 1] === 0x30 && bytes[at + 2] === 0x30;
  return !isZero && isHexDigit(bytes[at + 1]) && isHexDigit(bytes[at + 2]);
}

function isSpace(code: number): boolean {
  return code <= 32 && (code === 32 || code === 10 || code === 13 || code === 9 || code === 0 || code === 12);
}

function scanNumber(lexer: Lexer, scan: Scan): boolean {
  const { bytes } = lexer;
  const from = lexer.at;
  let number = 0;
  while (isDigit(bytes[lexer.at])) number = number * 10 + byteAt(bytes, lexer.at++) - 48;
  scan.first = scan.second;
  if (lexer.at === from || bytes[lexer.at] === 0x2e) {
    scan.second = undefined;
    return scanReal(lexer, from) && noteToken(scan.open, "other");
  }
  scan.second = { from, number };
  return lexer.at - from <= 10 && isEnd(lexer) && noteToken(scan.open, "integer");
}

/** Integers with up to this many digits fit into 64 bits. */
export const MOST_DIGITS = 18;

/** An optional sign, digits, an optional point, digits; at least one digit. A long integer must be parsed. */
function scanReal(lexer: Lexer, from: number): boolean {
  const { bytes } = lexer;
  if (bytes[lexer.at] === 0x2b || bytes[lexer.at] === 0x2d) lexer.at++;
  let digits = lexer.at - from;
  if (digits > 0 && !isDigit(bytes[from])) digits = 0;
  for (; isDigit(bytes[lexer.at]); lexer.at++) digits++;
  if (bytes[lexer.at] !== 0x2e) return digits > 0 && digits <= MOST_DIGITS && isEnd(lexer);
  lexer.at++;
  for (; isDigit(bytes[lexer.at]); lexer.at++) digits++;
  return digits > 0 && isEnd(lexer);
}

function isEnd({ bytes, at, end }: Lexer): boolean {
  if (at >= end) return true;
  const code = byteAt(bytes, at);
  return isSpace(code) || code === 0x2f || code === 0x5d || code === 0x3e || code === 0x5b;
}

function isObjectNumber(number: number): boolean {
  return number > 0 && number <= MAX_OBJECT_NUMBER;
}

function scanReference(lexer: Lexer, scan: Scan): boolean {
  const { first, second } = scan;
  lexer.at++;
  if (!first || !second || !isEnd(lexer) || !isObjectNumber(first.number)) return false;
  const ref: Ref = { kind: "ref", num: first.number + scan.firstNum, gen: second.number };
  if (!noteToken(scan.open, "reference")) return false;
  scan.references.push({ from: first.from, to: lexer.at, ref });
  scan.first = scan.second = undefined;
  return true;
}

function scanAngle(lexer: Lexer, scan: Scan, code: number): boolean {
  const isPair = lexer.bytes[lexer.at + 1] === code;
  if (isPair) {
    lexer.at += 2;
    return code === 0x3c ? openRawContainer(scan.open, true) : closeRawContainer(scan.open, true);
  }
  if (code === 0x3e) return false;
  const from = lexer.at;
  if (!skipHexString(lexer) || !noteToken(scan.open, "other")) return false;
  return isHexString(lexer.bytes.subarray(from + 1, lexer.at - 1));
}

const WORDS = ["true", "false", "null"];

function scanKeyword(lexer: Lexer): boolean {
  const { bytes } = lexer;
  const from = skipRegular(lexer);
  const length = lexer.at - from;
  return WORDS.some(
    (word) => word.length === length && [...word].every((c, i) => bytes[from + i] === c.charCodeAt(0)),
  );
}
