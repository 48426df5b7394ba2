/** A place in bytes, moved on by whoever reads. */
export interface Reader {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;
}

const WHITE = 1;
const DELIMITER = 2;
const NUMERIC = 4;
const DIGIT = 8;

/** ISO 32000-1, 7.2.2: white space, delimiters; everything else is regular. */
const CLASS = new Uint8Array(256);
for (const code of [0, 9, 10, 12, 13, 32]) CLASS[code] = WHITE;
for (const character of "()<>[]{}/%") CLASS[character.charCodeAt(0)] = DELIMITER;
for (const character of "+-.") CLASS[character.charCodeAt(0)] = NUMERIC;
for (const character of "0123456789") CLASS[character.charCodeAt(0)] = NUMERIC | DIGIT;

const PERCENT = 0x25;
const BACKSLASH = 0x5c;

export function readerOf(bytes: Uint8Array, { at = 0, end = bytes.length } = {}): Reader {
  return { bytes, at, end };
}

export function isBlank(code: number | undefined): boolean {
  return code !== undefined && CLASS[code] === WHITE;
}

export function isDigit(code: number | undefined): boolean {
  return code !== undefined && (CLASS[code]! & DIGIT) !== 0;
}

export function isNumeric(code: number | undefined): boolean {
  return code !== undefined && (CLASS[code]! & NUMERIC) !== 0;
}

function isRegular(code: number | undefined): boolean {
  return code !== undefined && (CLASS[code]! & (WHITE | DELIMITER)) === 0;
}

/** Moves over white space and comments; the next byte, or -1 at the end. */
export function skipBlank(reader: Reader): number {
  const { bytes, end } = reader;
  let at = reader.at;
  while (at < end) {
    const code = bytes[at]!;
    if (code === PERCENT) at = endOfLine(reader, at);
    else if (CLASS[code] !== WHITE) break;
    else at++;
  }
  reader.at = at;
  return at < end ? bytes[at]! : -1;
}

function endOfLine({ bytes, end }: Reader, from: number): number {
  let at = from;
  while (at < end && bytes[at] !== 10 && bytes[at] !== 13) at++;
  return at;
}

/** Moves over a run of regular characters and returns where it began. */
export function skipRegular(reader: Reader): number {
  const start = reader.at;
  while (reader.at < reader.end && isRegular(reader.bytes[reader.at])) reader.at++;
  return start;
}

/** Moves over a literal string that begins here (7.3.4.2); an unbalanced one ends with the bytes. */
export function skipLiteral(reader: Reader): void {
  const { bytes, end } = reader;
  let at = reader.at + 1;
  for (let open = 1; open > 0 && at < end; at++) {
    const code = bytes[at];
    if (code === BACKSLASH) at++;
    else if (code === 0x28) open++;
    else if (code === 0x29) open--;
  }
  reader.at = Math.min(at, end);
}

/** Moves over a hexadecimal string that begins here (7.3.4.3). */
export function skipHex(reader: Reader): void {
  const close = reader.bytes.indexOf(0x3e, reader.at);
  reader.at = close < 0 || close >= reader.end ? reader.end : close + 1;
}

/** Reads a whole number of at least 0 made of digits only; undefined (and not moved) where there is none. */
export function readCount(reader: Reader): number | undefined {
  const { bytes, end } = reader;
  const start = reader.at;
  let at = start;
  let number = 0;
  while (at < end && isDigit(bytes[at])) number = number * 10 + bytes[at++]! - 48;
  if (at === start || at - start > 15) return undefined;
  reader.at = at;
  return number;
}

/** Whether the ASCII `word` stands here; moves over it if so. */
export function takeWord(reader: Reader, word: string): boolean {
  if (!standsAt(reader.bytes, { word, at: reader.at })) return false;
  reader.at += word.length;
  return true;
}

/** Whether the ASCII `word` stands at a place. */
export function standsAt(bytes: Uint8Array, { word, at }: { word: string; at: number }): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false;
  return true;
}

/** Where the ASCII `word` next stands in `from` … `to`, or -1. */
export function findWord(bytes: Uint8Array, { word, from = 0, to = bytes.length }: Span): number {
  const first = word.charCodeAt(0);
  let at = bytes.indexOf(first, from);
  while (at >= 0 && at + word.length <= to) {
    if (standsAt(bytes, { word, at })) return at;
    at = bytes.indexOf(first, at + 1);
  }
  return -1;
}

/** Where the ASCII `word` last stands in `from` … `to`, or -1. */
export function findLastWord(bytes: Uint8Array, { word, from = 0, to = bytes.length }: Span): number {
  for (let at = to - word.length; at >= from; at--) if (standsAt(bytes, { word, at })) return at;
  return -1;
}

interface Span {
  word: string;
  from?: number;
  to?: number;
}

/** One character per byte. Spreading a long run would overflow the stack, and names are short. */
export function latin1(bytes: Uint8Array, { from = 0, to = bytes.length } = {}): string {
  let text = "";
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}
