import { byteAt } from "../../../wire/bytes.ts";
import { fromHex } from "../filters/filters.ts";
import {
  isHexDigit,
  isWhitespace,
  latin1,
  type Lexer,
  lexerAt,
  skipLiteralString,
  skipRegular,
  skipWhitespace,
} from "../syntax/lexer.ts";
import { stringBytes } from "../syntax/strings.ts";

/** A font program of Type 1 (Adobe Type 1 Font Format, version 1.1), its charstrings decrypted. */
export interface Type1Font {
  readonly name: string;
  /** Texts of the font about itself: its copyright, its family. */
  readonly info: ReadonlyMap<string, string>;
  /** Numbers of the font and its hints by name: one, or those of an array. */
  readonly numbers: ReadonlyMap<string, readonly number[]>;
  /** The names of glyphs by code; undefined where it is Adobe's standard encoding. */
  readonly encoding: ReadonlyMap<number, string> | undefined;
  readonly subrs: ReadonlyMap<number, Uint8Array>;
  readonly charStrings: ReadonlyMap<string, Uint8Array>;
}

/** Chapter 7.3: the keys of the two encryptions. */
const [EEXEC_KEY, CHARSTRING_KEY] = [55_665, 4_330];
/** Bytes before what is encrypted. */
const EEXEC_SKIPPED = 4;
const USUAL_SKIPPED = 4;

/** Several designs in one font, or two for two kinds of printers: which of them is shown is not ours to say. */
const SEVERAL = ["WeightVector", "BlendDesignMap", "hires"];

/** Reads a font program; undefined for anything else, and for a font of several designs. */
export function readType1(bytes: Uint8Array): Type1Font | undefined {
  const clear = latin1(bytes, { to: Math.min(bytes.length, MOST_CLEAR) });
  const mark = /\beexec\s/.exec(clear);
  if (!mark) return undefined;
  const about = readTokens(bytes.subarray(0, mark.index));
  const inner = readTokens(decryptProgram(bytes.subarray(mark.index + "eexec".length)));
  const numbers = new Map([...about.numbers, ...inner.numbers]);
  const name = about.names.get("FontName");
  const isOne = SEVERAL.every((key) => !about.words.has(key) && !inner.words.has(key));
  if (name === undefined || !isOne || inner.isRepeated || !inner.charStrings.has(".notdef")) return undefined;
  const [skipped = USUAL_SKIPPED] = numbers.get("lenIV") ?? [];
  const plain = <Key>(programs: ReadonlyMap<Key, Uint8Array>) =>
    new Map([...programs].map(([key, data]) => [key, decryptCharString(data, skipped)] as const));
  return {
    name,
    info: about.texts,
    numbers,
    encoding: about.encoding,
    subrs: plain(inner.subrs),
    charStrings: plain(inner.charStrings),
  };
}

/** The longest part before the encrypted one. */
const MOST_CLEAR = 256 * 1024;

function decryptProgram(data: Uint8Array): Uint8Array {
  let from = 0;
  while (from < data.length && isWhitespace(data[from])) from++;
  const rest = data.subarray(from);
  // Four bytes that are all digits of hexadecimal numbers are the sign of that form (7.2).
  const isHex = rest.length >= 4 && rest.subarray(0, 4).every(isHexDigit);
  return decrypt(isHex ? fromHex(rest) : rest, EEXEC_KEY).subarray(EEXEC_SKIPPED);
}

function decryptCharString(data: Uint8Array, skipped: number): Uint8Array {
  return skipped < 0 ? data : decrypt(data, CHARSTRING_KEY).subarray(skipped);
}

/** Section 7.3. */
function decrypt(data: Uint8Array, key: number): Uint8Array {
  const plain = new Uint8Array(data.length);
  let state = key;
  for (let i = 0; i < data.length; i++) {
    const cipher = byteAt(data, i);
    plain[i] = cipher ^ (state >> 8);
    state = ((cipher + state) * 52_845 + 22_719) & 0xffff;
  }
  return plain;
}

interface Tokens {
  readonly names: Map<string, string>;
  readonly texts: Map<string, string>;
  readonly numbers: Map<string, readonly number[]>;
  readonly words: Set<string>;
  encoding: Map<number, string> | undefined;
  readonly subrs: Map<number, Uint8Array>;
  readonly charStrings: Map<string, Uint8Array>;
  /** Whether it has its subroutines or glyphs twice. */
  isRepeated: boolean;
}

/**
 * Reads the few forms of PostScript that fonts are written in: `/Key value def`, lists of subroutines and charstrings,
 * and an encoding.
 */
function readTokens(bytes: Uint8Array): Tokens {
  const read: Tokens = {
    names: new Map(),
    texts: new Map(),
    numbers: new Map(),
    words: new Set(),
    encoding: undefined,
    subrs: new Map(),
    charStrings: new Map(),
    isRepeated: false,
  };
  const scan = scanAt(bytes);
  for (let token = scan.next(); token !== undefined; token = scan.next()) {
    if (!token.startsWith("/")) {
      read.words.add(token);
      continue;
    }
    const key = token.slice(1);
    read.words.add(key);
    if (key === "Encoding") readEncoding(scan, read);
    else if (key === "Subrs") readSubrs(scan, read);
    else if (key === "CharStrings") readCharStrings(scan, read);
    else readEntry(scan, key, read);
  }
  return read;
}

function readEntry(scan: Scan, key: string, read: Tokens): void {
  const value = scan.peek();
  if (value === undefined || read.numbers.has(key)) return;
  if (value.startsWith("/")) read.names.set(key, value.slice(1));
  else if (value.startsWith("(")) read.texts.set(key, value.slice(1));
  else if (value === "[" || value === "{") readArray(scan, key, read);
  else if (value === "true" || value === "false") read.numbers.set(key, [value === "true" ? 1 : 0]);
  else if (isNumber(value)) read.numbers.set(key, [Number(value)]);
}

function readArray(scan: Scan, key: string, read: Tokens): void {
  const items: number[] = [];
  scan.next();
  for (let item = scan.peek(); item !== undefined && isNumber(item); item = scan.peek()) {
    items.push(Number(item));
    scan.next();
  }
  const end = scan.peek();
  if (end === "]" || end === "}") read.numbers.set(key, items);
}

function isNumber(token: string): boolean {
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(token);
}

/** `256 array … dup 65 /A put … def`, or StandardEncoding. */
function readEncoding(scan: Scan, read: Tokens): void {
  if (scan.peek() === "StandardEncoding") return;
  const encoding = new Map<number, string>();
  let [last, before] = ["", ""];
  for (let token = scan.next(); token !== undefined && token !== "def"; token = scan.next()) {
    const code = codeOf(last);
    if (token.startsWith("/") && before === "dup" && code !== undefined) encoding.set(code, token.slice(1));
    [before, last] = [last, token];
  }
  read.encoding = encoding;
}

/** A number of PostScript that may name its base: 65, 8#101. */
function codeOf(token: string): number | undefined {
  const [, base = "10", digits = token] = /^(\d+)#(\w+)$/.exec(token) ?? [];
  const code = /^\w+$/.test(digits) ? parseInt(digits, Number(base)) : NaN;
  return code >= 0 && code < 256 ? code : undefined;
}

/** `43 array dup 0 15 RD …bytes… NP …`. */
function readSubrs(scan: Scan, read: Tokens): void {
  read.isRepeated ||= read.subrs.size > 0;
  if (!isNumber(scan.next() ?? "") || scan.next() !== "array") return;
  while (scan.peek() === "dup") {
    scan.next();
    const index = Number(scan.next());
    const data = readBinary(scan);
    if (!data || !Number.isInteger(index)) return;
    read.subrs.set(index, data);
    // NP, or what it stands for.
    while (!AFTER_SUBR.test(scan.peek() ?? "def")) scan.next();
  }
}

/** The next subroutine, the end of the list, or another key. */
const AFTER_SUBR = /^(dup|ND|\|-|def)$|^\//;

/** `62 dict dup begin /A 120 RD …bytes… ND … end`. */
function readCharStrings(scan: Scan, read: Tokens): void {
  read.isRepeated ||= read.charStrings.size > 0;
  for (let token = scan.next(); token !== undefined && token !== "end"; token = scan.next()) {
    if (!token.startsWith("/")) continue;
    const data = readBinary(scan);
    if (!data) return;
    read.charStrings.set(token.slice(1), data);
  }
}

/** A length, a word for reading, one blank, and that many bytes. */
function readBinary(scan: Scan): Uint8Array | undefined {
  const length = Number(scan.next());
  scan.next();
  return Number.isInteger(length) && length >= 0 ? scan.take(length) : undefined;
}

interface Scan {
  /** The next token: a word, `/name`, `(text` or one bracket. */
  readonly next: () => string | undefined;
  readonly peek: () => string | undefined;
  /** Bytes after the one blank that follows the last token. */
  readonly take: (length: number) => Uint8Array | undefined;
}

function scanAt(bytes: Uint8Array): Scan {
  let at = 0;
  let ahead: { token: string | undefined; end: number } | undefined;
  const look = () => (ahead ??= tokenAt(bytes, at));
  return {
    peek: () => look().token,
    next: () => {
      const { token, end } = look();
      [at, ahead] = [end, undefined];
      return token;
    },
    take: (length) => {
      const from = at + 1;
      [at, ahead] = [from + length, undefined];
      return at <= bytes.length ? bytes.subarray(from, at) : undefined;
    },
  };
}

function tokenAt(bytes: Uint8Array, from: number): { token: string | undefined; end: number } {
  const lexer = lexerAt(bytes, { at: from });
  const first = skipWhitespace(lexer);
  const start = lexer.at;
  if (first < 0) return { token: undefined, end: start };
  if (first === 0x28) return textAt(lexer);
  skipRegular(lexer);
  if (lexer.at === start) {
    lexer.at++;
    if (first === 0x2f) skipRegular(lexer);
  }
  return { token: latin1(bytes, { from: start, to: lexer.at }), end: lexer.at };
}

/** Its escapes are those of a string in a PDF. */
function textAt(lexer: Lexer): { token: string; end: number } {
  const { bytes, at } = lexer;
  const isClosed = skipLiteralString(lexer);
  const raw = bytes.subarray(at, isClosed ? lexer.at : at);
  return { token: `(${latin1(stringBytes({ kind: "string", raw }))}`, end: lexer.at };
}
