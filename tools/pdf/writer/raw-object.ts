import {
  isDigit,
  isNumeric,
  type Lexer,
  skipWhitespace,
  skipHexString,
  skipLiteralString,
  skipRegular,
} from "../syntax/lexer.ts";
import { writeReference, type Renumber } from "./serialize.ts";
import { writeBytes, type ByteWriter } from "./byte-writer.ts";
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
  /** One character per container that is open. */
  open: string;
  /** The last two tokens when they are integers. */
  first: IntegerToken | undefined;
  second: IntegerToken | undefined;
}

interface IntegerToken {
  readonly from: number;
  readonly number: number;
}

const MAX_OPEN = 100;

/** An object as it is written in its file: from … to, and the references in it. */
export interface RawObject {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly references: readonly RawReference[];
}

/**
 * Finds the extent of the object at the lexer and its references without building values: ten times cheaper
 * than parsing, and a copy keeps every digit. Undefined where anything is unusual (a comment, an unknown
 * word, a number that is none, bad nesting, a stream): then it must be parsed.
 */
export function scanRawObject(lexer: Lexer, firstNum: number): RawObject | undefined {
  skipWhitespace(lexer);
  const from = lexer.at;
  const scan: Scan = { references: [], firstNum, open: "", first: undefined, second: undefined };
  do {
    if (!scanToken(lexer, scan)) return undefined;
  } while (scan.open !== "");
  const to = lexer.at;
  // At the top a number may be the start of a reference, and a dictionary that of a stream.
  if (scan.second || (skipWhitespace(lexer) === 0x73 && lexer.bytes[lexer.at + 1] === 0x74)) return undefined;
  return { bytes: lexer.bytes, from, to, references: scan.references };
}

/** Copies an object as it is written, only with its references renumbered. */
export function writeRawObject(
  output: ByteWriter,
  { raw, renumber }: { raw: RawObject; renumber: Renumber },
): void {
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
  while (lexer.at < lexer.end && bytes[lexer.at]! <= 32 && isSpace(bytes[lexer.at]!)) lexer.at++;
  if (lexer.at >= lexer.end) return false;
  const code = bytes[lexer.at]!;
  if (isNumeric(code)) return scanNumber(lexer, scan);
  if (code === 0x52) return scanReference(lexer, scan);
  scan.first = scan.second = undefined;
  switch (code) {
    case 0x2f:
      lexer.at++;
      skipRegular(lexer);
      return true;
    case 0x28:
      skipLiteralString(lexer);
      return bytes[lexer.at - 1] === 0x29;
    case 0x3c:
    case 0x3e:
      return scanAngle(lexer, { scan, code });
    case 0x5b:
      lexer.at++;
      return openContainer(scan, "[");
    case 0x5d:
      lexer.at++;
      return closeContainer(scan, "[");
    default:
      return scanKeyword(lexer);
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9 || code === 0 || code === 12;
}

function scanNumber(lexer: Lexer, scan: Scan): boolean {
  const { bytes } = lexer;
  const from = lexer.at;
  let number = 0;
  while (isDigit(bytes[lexer.at])) number = number * 10 + bytes[lexer.at++]! - 48;
  scan.first = scan.second;
  if (lexer.at === from || bytes[lexer.at] === 0x2e) {
    scan.second = undefined;
    return scanReal(lexer, from);
  }
  scan.second = { from, number };
  return lexer.at - from <= 10 && isEnd(lexer);
}

/** A sign or none, digits, a point or none, digits; at least one digit. */
function scanReal(lexer: Lexer, from: number): boolean {
  const { bytes } = lexer;
  if (bytes[lexer.at] === 0x2b || bytes[lexer.at] === 0x2d) lexer.at++;
  let digits = lexer.at - from;
  if (digits > 0 && !isDigit(bytes[from])) digits = 0;
  for (; isDigit(bytes[lexer.at]); lexer.at++) digits++;
  if (bytes[lexer.at] === 0x2e) lexer.at++;
  for (; isDigit(bytes[lexer.at]); lexer.at++) digits++;
  return digits > 0 && isEnd(lexer);
}

function isEnd({ bytes, at, end }: Lexer): boolean {
  const code = bytes[at]!;
  return at >= end || isSpace(code) || code === 0x2f || code === 0x5d || code === 0x3e || code === 0x5b;
}

function scanReference(lexer: Lexer, scan: Scan): boolean {
  const { first, second } = scan;
  lexer.at++;
  if (!first || !second || !isEnd(lexer) || first.number === 0) return false;
  const ref: Ref = { kind: "ref", num: first.number + scan.firstNum, gen: second.number };
  scan.references.push({ from: first.from, to: lexer.at, ref });
  scan.first = scan.second = undefined;
  return true;
}

function scanAngle(lexer: Lexer, { scan, code }: { scan: Scan; code: number }): boolean {
  const isPair = lexer.bytes[lexer.at + 1] === code;
  if (isPair) {
    lexer.at += 2;
    return code === 0x3c ? openContainer(scan, "<") : closeContainer(scan, "<");
  }
  if (code === 0x3e) return false;
  const from = lexer.at;
  skipHexString(lexer);
  return isHexString(lexer.bytes, { from: from + 1, to: lexer.at - 1 }) && lexer.bytes[lexer.at - 1] === 0x3e;
}

function isHexString(bytes: Uint8Array, { from, to }: { from: number; to: number }): boolean {
  for (let at = from; at < to; at++) {
    const code = bytes[at]!;
    const lower = code | 0x20;
    if (!isDigit(code) && !(lower >= 0x61 && lower <= 0x66) && !isSpace(code)) return false;
  }
  return true;
}

function openContainer(scan: Scan, kind: string): boolean {
  scan.open += kind;
  return scan.open.length <= MAX_OPEN;
}

function closeContainer(scan: Scan, kind: string): boolean {
  if (!scan.open.endsWith(kind)) return false;
  scan.open = scan.open.slice(0, -1);
  return true;
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
