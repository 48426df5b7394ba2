import { byteAt, textOfCodes } from "../../../wire/bytes.ts";

/** A position in bytes; every function that reads moves it on. */
export interface Lexer {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;
  /** How many tokens are invalid where they stand. */
  garbage: number;
}

const WHITESPACE = 1;
const DELIMITER = 2;
const NUMERIC = 4;
const DIGIT = 8;

/** ISO 32000-1, 7.2.2: white space, with qpdf also the vertical tab; delimiters; everything else is regular. */
const CHARACTER_CLASS = new Uint8Array(256);
for (const code of [0, 9, 10, 11, 12, 13, 32]) CHARACTER_CLASS[code] = WHITESPACE;
for (const character of "()<>[]{}/%") CHARACTER_CLASS[character.charCodeAt(0)] = DELIMITER;
for (const character of "+-.") CHARACTER_CLASS[character.charCodeAt(0)] = NUMERIC;
for (const character of "0123456789") CHARACTER_CLASS[character.charCodeAt(0)] = NUMERIC | DIGIT;

const PERCENT = 0x25;
const BACKSLASH = 0x5c;

export function lexerAt(bytes: Uint8Array, { at = 0, end = bytes.length } = {}): Lexer {
  return { bytes, at, end, garbage: 0 };
}

export function isWhitespace(code: number | undefined): boolean {
  return code !== undefined && CHARACTER_CLASS[code] === WHITESPACE;
}

export function isDigit(code: number | undefined): boolean {
  return code !== undefined && (byteAt(CHARACTER_CLASS, code) & DIGIT) !== 0;
}

export function isHexDigit(code: number | undefined): boolean {
  const lower = (code ?? 0) | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66);
}

export function isNumeric(code: number | undefined): boolean {
  return code !== undefined && (byteAt(CHARACTER_CLASS, code) & NUMERIC) !== 0;
}

function isRegular(code: number | undefined): boolean {
  return code !== undefined && (byteAt(CHARACTER_CLASS, code) & (WHITESPACE | DELIMITER)) === 0;
}

/** Moves over white space and comments; the next byte, or -1 at the end. */
export function skipWhitespace(lexer: Lexer): number {
  const { bytes, end } = lexer;
  let at = lexer.at;
  while (at < end) {
    const code = byteAt(bytes, at);
    if (code === PERCENT) at = endOfLine(lexer, at);
    else if (CHARACTER_CLASS[code] !== WHITESPACE) break;
    else at++;
  }
  lexer.at = at;
  return at < end ? byteAt(bytes, at) : -1;
}

function endOfLine({ bytes, end }: Lexer, from: number): number {
  let at = from;
  while (at < end && bytes[at] !== 10 && bytes[at] !== 13) at++;
  return at;
}

/**
 * Where stream data begins: an end-of-line follows the keyword (7.3.8.1); spaces before it, a lone CR and, as in qpdf, a
 * vertical tab are accepted.
 */
export function afterLineEnd(bytes: Uint8Array, at: number): number {
  let next = at;
  while (bytes[next] === 32 || bytes[next] === 9) next++;
  if (bytes[next] === 13) return bytes[next + 1] === 10 ? next + 2 : next + 1;
  return bytes[next] === 10 || bytes[next] === 11 ? next + 1 : at;
}

/** Bounds the work for many streams that claim to end before the same long run of white space. */
const MAX_WHITESPACE = 1024;

/** The offset after the "endstream" that follows here, after white space; undefined if none does. */
export function afterEndstream(bytes: Uint8Array, at: number): number | undefined {
  if (at > bytes.length) return undefined;
  const lexer = lexerAt(bytes, { at, end: Math.min(bytes.length, at + MAX_WHITESPACE) });
  skipWhitespace(lexer);
  return takeKeyword(lexer, "endstream") ? lexer.at : undefined;
}

/** Moves over a run of regular characters and returns where it began. */
export function skipRegular(lexer: Lexer): number {
  const start = lexer.at;
  while (lexer.at < lexer.end && isRegular(lexer.bytes[lexer.at])) lexer.at++;
  return start;
}

/** Moves over a literal string that begins here (7.3.4.2); false if it has no end. */
export function skipLiteralString(lexer: Lexer): boolean {
  const { bytes, end } = lexer;
  let at = lexer.at + 1;
  let open = 1;
  for (; open > 0 && at < end; at++) {
    const code = bytes[at];
    if (code === BACKSLASH) at++;
    else if (code === 0x28) open++;
    else if (code === 0x29) open--;
  }
  lexer.at = Math.min(at, end);
  return open === 0;
}

/** Moves over a hexadecimal string that begins here (7.3.4.3); false if it has no end. */
export function skipHexString(lexer: Lexer): boolean {
  const close = lexer.bytes.indexOf(0x3e, lexer.at);
  const isClosed = close >= 0 && close < lexer.end;
  lexer.at = isClosed ? close + 1 : lexer.end;
  return isClosed;
}

/** Reads an integer of digits only; undefined (and not moved) where there is none. */
export function readUnsigned(lexer: Lexer): number | undefined {
  const { bytes, end } = lexer;
  const start = lexer.at;
  let at = start;
  let number = 0;
  while (at < end && isDigit(bytes[at])) number = number * 10 + byteAt(bytes, at++) - 48;
  if (at === start || at - start > 15) return undefined;
  lexer.at = at;
  return number;
}

/** Whether the ASCII `word` stands here; moves over it if so. */
export function takeKeyword(lexer: Lexer, word: string): boolean {
  if (!matchesAt(lexer.bytes, word, lexer.at)) return false;
  lexer.at += word.length;
  return true;
}

/** Whether the ASCII `word` stands at an offset. */
function matchesAt(bytes: Uint8Array, word: string, at: number): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false;
  return true;
}

/** Where the ASCII `word` next stands in `from` … `to`, or -1. */
export function findKeyword(bytes: Uint8Array, { word, from = 0, to = bytes.length }: Search): number {
  const first = word.charCodeAt(0);
  // A search that looks past `to` would take long where there is nothing for megabytes.
  const within = to < bytes.length ? bytes.subarray(0, to) : bytes;
  let at = within.indexOf(first, from);
  while (at >= 0 && at + word.length <= to) {
    if (matchesAt(bytes, word, at)) return at;
    at = within.indexOf(first, at + 1);
  }
  return -1;
}

/** Where the ASCII `word` last stands in `from` … `to`, or -1. */
export function findLastKeyword(bytes: Uint8Array, { word, from = 0, to = bytes.length }: Search): number {
  for (let at = to - word.length; at >= from; at--) if (matchesAt(bytes, word, at)) return at;
  return -1;
}

interface Search {
  word: string;
  from?: number;
  to?: number;
}

/** Up to this length, as most names and numbers are, concatenation is faster than a call with many arguments. */
const SHORT = 32;

/** One character per byte. */
export function latin1(bytes: Uint8Array, { from = 0, to = bytes.length } = {}): string {
  if (to - from > SHORT) return textOfCodes(bytes.subarray(from, to));
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(byteAt(bytes, at));
  return text;
}

/** Whether these are only hexadecimal digits and white space, as between the brackets of a string. */
export function isHexString(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++)
    if (!isHexDigit(bytes[at]) && !isWhitespace(bytes[at])) return false;
  return true;
}
