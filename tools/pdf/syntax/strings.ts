import { type Bytes, byteAt, textOfCodes, utf8 } from "../../../wire/bytes.ts";
import { fromHex } from "../filters/filters.ts";
import { isDigit } from "./lexer.ts";
import { type PdfString, isString, type Value } from "./values.ts";

const CONTROLS = Object.entries({ n: 10, r: 13, t: 9, b: 8, f: 12 });
const ESCAPES = new Map(CONTROLS.map(([letter, code]) => [letter.charCodeAt(0), code]));

/** The decoded bytes of a string (ISO 32000-1, 7.3.4). */
export function stringBytes({ raw }: PdfString): Uint8Array {
  if (raw[0] === 0x3c) return fromHex(raw.subarray(1));
  const inner = raw.subarray(1, raw.at(-1) === 0x29 ? -1 : undefined);
  return inner.includes(0x5c) || inner.includes(13) ? unescape(inner) : inner;
}

function unescape(inner: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(inner.length);
  let length = 0;
  for (let at = 0; at < inner.length; at++) {
    const code = byteAt(inner, at);
    if (code !== 0x5c) {
      // Any line end in a literal string is a line feed.
      bytes[length++] = code === 13 ? 10 : code;
      if (code === 13 && inner[at + 1] === 10) at++;
      continue;
    }
    const next = inner[++at];
    if (next === 13) at += inner[at + 1] === 10 ? 1 : 0;
    else if (isOctal(next)) {
      const digits = octalRun(inner, at);
      bytes[length++] = digits.reduce((sum, digit) => sum * 8 + digit, 0);
      at += digits.length - 1;
    } else if (next !== 10 && next !== undefined) bytes[length++] = ESCAPES.get(next) ?? next;
  }
  return bytes.subarray(0, length);
}

function isOctal(code = 0): boolean {
  return isDigit(code) && code < 0x38;
}

function octalRun(bytes: Uint8Array, at: number): number[] {
  const run = [...bytes.subarray(at, at + 3)];
  const stop = run.findIndex((code) => !isOctal(code));
  return run.slice(0, stop < 0 ? 3 : stop).map((code) => code - 0x30);
}

/** The characters for 0x18 … 0x1f and 0x80 … 0xa0 in PDFDocEncoding (ISO 32000-1, D.3). */
const PDF_LOW = [0x2d8, 0x2c7, 0x2c6, 0x2d9, 0x2dd, 0x2db, 0x2da, 0x2dc];
const PDF_HIGH = [
  0x2022, 0x2020, 0x2021, 0x2026, 0x2014, 0x2013, 0x192, 0x2044, 0x2039, 0x203a, 0x2212, 0x2030, 0x201e,
  0x201c, 0x201d, 0x2018, 0x2019, 0x201a, 0x2122, 0xfb01, 0xfb02, 0x141, 0x152, 0x160, 0x178, 0x17d, 0x131,
  0x142, 0x153, 0x161, 0x17e, 0, 0x20ac,
];

/** Makes an encoder of one byte a character: Latin-1, but for these codes. It answers undefined for text that has others. */
export function encoder(
  parts: readonly { first: number; codes: readonly number[] }[],
): (text: string) => Bytes | undefined {
  const bytes = new Map<number, number>();
  for (let byte = 0; byte < 256; byte++) bytes.set(byte, byte);
  for (const { first, codes } of parts) codes.forEach((_, i) => bytes.delete(first + i));
  for (const { first, codes } of parts) codes.forEach((code, i) => code > 0 && bytes.set(code, first + i));
  return (text) => {
    const encoded = Array.from(text, (character) => bytes.get(character.codePointAt(0) ?? 0));
    const known = encoded.filter((byte) => byte !== undefined);
    return known.length === encoded.length ? Uint8Array.from(known) : undefined;
  };
}

/** Encodes text in PDFDocEncoding. */
export const toPdfDoc = encoder([
  { first: 0x18, codes: PDF_LOW },
  { first: 0x80, codes: PDF_HIGH },
]);

const PDF_CODES = Array.from(
  { length: 256 },
  (_, byte) => (PDF_LOW[byte - 0x18] ?? PDF_HIGH[byte - 0x80]) || byte,
);

function fromPdfDoc(bytes: Uint8Array): string {
  const codes = new Uint16Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) codes[i] = PDF_CODES[byteAt(bytes, i)] ?? 0;
  return textOfCodes(codes);
}

/** The characters of a text string (7.9.2.2). */
export function textOf(string: PdfString): string {
  const bytes = stringBytes(string);
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  if (!isWide(bytes)) return fromPdfDoc(bytes);
  const codeAt = (i: number) => (byteAt(bytes, 2 * i + 2) << 8) | byteAt(bytes, 2 * i + 3);
  return textOfCodes(Uint16Array.from({ length: (bytes.length - 2) >> 1 }, (_, i) => codeAt(i)));
}

/** A text string in the encoding of another. */
export function encodeLike(string: PdfString, text: string): PdfString {
  const bytes = stringBytes(string);
  if (isUtf8(bytes)) return hexString(utf8(`\ufeff${text}`));
  const narrow = isWide(bytes) ? undefined : toPdfDoc(text);
  return narrow ? hexString(narrow) : textString(text);
}

/** A text string in UTF-16, which every reader understands. */
export function textString(text: string): PdfString {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return hexString(Uint8Array.from([0xfe, 0xff, ...units.flatMap((unit) => [unit >> 8, unit & 255])]));
}

function isWide(bytes: Uint8Array): boolean {
  return bytes[0] === 0xfe && bytes[1] === 0xff;
}

/** Text strings of ISO 32000-2 can be in UTF-8 too, after a byte order mark. */
function isUtf8(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

const HEX = "0123456789abcdef";

/** A string written in hexadecimal, which needs no escapes. */
export function hexString(bytes: Uint8Array): PdfString {
  const raw: Bytes = new Uint8Array(bytes.length * 2 + 2);
  raw[0] = 0x3c;
  for (let i = 0; i < bytes.length; i++) {
    raw[2 * i + 1] = HEX.charCodeAt(byteAt(bytes, i) >> 4);
    raw[2 * i + 2] = HEX.charCodeAt(byteAt(bytes, i) & 15);
  }
  raw[raw.length - 1] = 0x3e;
  return { kind: "string", raw };
}

/**
 * A name that is not yet taken: "name", "name_2", "name_3" …; it is taken from then on. Thousands of entries of a file may
 * share one name, so the number is searched for by doubling and halving.
 */
export function uniqueName(name: string, taken: Set<string>): string {
  const numbered = (number: number) => (number === 1 ? name : `${name}_${number}`);
  let [used, free] = [0, 1];
  while (taken.has(numbered(free))) [used, free] = [free, free * 2];
  while (free - used > 1) {
    const middle = Math.floor((used + free) / 2);
    if (taken.has(numbered(middle))) used = middle;
    else free = middle;
  }
  const unique = numbered(free);
  taken.add(unique);
  return unique;
}

/** Appends a suffix as the text is encoded: two bytes a character after a byte order mark. */
export function withSuffix(text: Value | undefined, suffix: string): PdfString {
  const bytes = isString(text) ? stringBytes(text) : new Uint8Array(0);
  const lead = isWide(bytes) ? [0] : [];
  const tail = [...suffix].flatMap((character) => [...lead, character.charCodeAt(0)]);
  return hexString(Uint8Array.of(...bytes.subarray(0, 1000), ...tail));
}

/** A byte as two hexadecimal digits. */
export function hexByte(byte: number): string {
  return hexCode(byte, 1);
}

/** A code of one or more bytes in hexadecimal digits. */
export function hexCode(code: number, sizeBytes: number): string {
  return code.toString(16).padStart(2 * sizeBytes, "0");
}
