import type { Bytes } from "./bytes.ts";
import { byteAt, concatBytes, utf8 } from "./bytes.ts";
import { ToolFailure } from "./tool-failure.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const EQUALS_SIGN = 0x3d;
/** Values with this bit are not digits; the bit survives shifting and joining with three digits. */
const NO_DIGIT = -1;

const STANDARD_PAIRS = makePairTable(LETTERS + "+/");
const URL_PAIRS = makePairTable(LETTERS + "-_");
const DIGIT_VALUES = makeDigitTable();

/** The method that newer platforms have, 2 to 7 times as fast as the table. */
interface NativeBase64 extends Uint8Array {
  toBase64?: (options: { alphabet: "base64" | "base64url"; omitPadding: boolean }) => string;
}

/** Writes bytes as base64 with padding (RFC 4648, 4). */
export function encodeBase64(bytes: Uint8Array): string {
  // Newer than the type library, so it may be missing.
  const native: NativeBase64 = bytes;
  if (native.toBase64) return native.toBase64({ alphabet: "base64", omitPadding: false });
  return new TextDecoder().decode(encodeWithTable(bytes, STANDARD_PAIRS));
}

/** Writes bytes as base64 with padding, in ASCII bytes. */
export function base64Bytes(bytes: Uint8Array): Bytes {
  // As above.
  const native: NativeBase64 = bytes;
  return native.toBase64 ? utf8(encodeBase64(bytes)) : encodeWithTable(bytes);
}

/** Writes bytes as base64url without padding (RFC 4648, 5). */
export function encodeBase64Url(bytes: Uint8Array): string {
  // As above.
  const native: NativeBase64 = bytes;
  if (native.toBase64) return native.toBase64({ alphabet: "base64url", omitPadding: true });
  const padded = encodeWithTable(bytes, URL_PAIRS);
  return new TextDecoder().decode(padded.subarray(0, Math.ceil((bytes.length * 4) / 3)));
}

/** Writes base64 as ASCII bytes without any method of the platform. */
export function encodeWithTable(bytes: Uint8Array, pairs: Uint16Array = STANDARD_PAIRS): Bytes {
  const out = new Uint16Array(Math.ceil(bytes.length / 3) * 2);
  const whole = bytes.length - (bytes.length % 3);
  let at = 0;
  for (let i = 0; i < whole; i += 3) {
    const bits = (byteAt(bytes, i) << 16) | (byteAt(bytes, i + 1) << 8) | byteAt(bytes, i + 2);
    out[at++] = pairs[bits >> 12] ?? 0;
    out[at++] = pairs[bits & 0xfff] ?? 0;
  }
  const text = new Uint8Array(out.buffer);
  if (whole < bytes.length) {
    const bits = (byteAt(bytes, whole) << 16) | ((bytes[whole + 1] ?? 0) << 8);
    out[at++] = pairs[bits >> 12] ?? 0;
    out[at++] = pairs[bits & 0xfff] ?? 0;
    text.fill(EQUALS_SIGN, text.length - 3 + (bytes.length % 3));
  }
  return text;
}

/**
 * Reads base64 leniently: either alphabet, padding optional, white space anywhere, and a `data:…;base64,`
 * prefix. `parameter` is what the message calls the text, `file` its place in a list of files.
 * @throws ToolFailure invalid_base64
 */
export function decodeBase64(
  text: string,
  { parameter = "data", ...place }: { parameter?: string; file?: number } = {},
): Bytes {
  const prefix = /^\s*data:[^,]{0,1000};base64,/i.exec(text)?.[0].length ?? 0;
  // The platform's decoder is no faster, takes only one alphabet, and does not tell where it failed.
  const codes = utf8(text.slice(prefix));
  const bytes = decodeDigits(codes) ?? decodeDigits(withoutBlanks(codes));
  if (bytes) return bytes;
  throw new ToolFailure("invalid_base64", describeFault(codes, parameter, prefix), {
    parameter,
    ...place,
  });
}

function decodeDigits(codes: Bytes): Bytes | undefined {
  const length = codes.length - countPadding(codes);
  const whole = length - (length % 4);
  const out = new Uint8Array(Math.floor((length * 3) / 4));
  if (length % 4 === 1) return undefined;
  let at = 0;
  for (let i = 0; i < whole; i += 4) {
    const bits = readFour(codes, i);
    if (bits < 0) return undefined;
    out[at++] = bits >> 16;
    out[at++] = bits >> 8;
    out[at++] = bits;
  }
  if (whole === length) return out;
  // The incomplete group is read as if it were padded with zeros.
  const bits = readFour(concatBytes(codes.subarray(whole, length), utf8("AA")), 0);
  if (bits < 0) return undefined;
  out[at++] = bits >> 16;
  if (at < out.length) out[at] = bits >> 8;
  return out;
}

function readFour(codes: Bytes, i: number): number {
  return (
    (digitAt(codes, i) << 18) |
    (digitAt(codes, i + 1) << 12) |
    (digitAt(codes, i + 2) << 6) |
    digitAt(codes, i + 3)
  );
}

function digitAt(codes: Bytes, i: number): number {
  // Not byteAt, which would make decoding half as slow again.
  return DIGIT_VALUES[codes[i] ?? 0] ?? NO_DIGIT;
}

/** Padding counts only where it completes a group of four: elsewhere "=" stays and is no digit. */
function countPadding(codes: Bytes): number {
  if (codes.length % 4 !== 0 || codes.at(-1) !== EQUALS_SIGN) return 0;
  return codes.at(-2) === EQUALS_SIGN ? 2 : 1;
}

function withoutBlanks(codes: Bytes): Bytes {
  const kept = new Uint8Array(codes.length);
  let length = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    kept[length] = code;
    length += isBlank(code) ? 0 : 1;
  }
  return kept.subarray(0, length);
}

/** The ASCII white space of the platform's own decoder: tab, line feed, form feed, carriage return, blank. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0x0c;
}

function describeFault(codes: Bytes, parameter: string, prefix: number): string {
  const place = codes.findIndex(
    (code) => DIGIT_VALUES[code] === NO_DIGIT && code !== EQUALS_SIGN && !isBlank(code),
  );
  if (place < 0)
    return `"${parameter}" is cut or wrongly padded base64: its last group of four digits is not whole`;
  return `"${parameter}" is not base64: the byte at ${prefix + place} belongs to neither alphabet of RFC 4648`;
}

/** Two digits for each 12 bits, so no entry is missing; in memory order, so that one store writes both. */
function makePairTable(alphabet: string): Uint16Array {
  const codes = utf8(alphabet);
  const text = new Uint8Array(8192);
  let at = 0;
  for (const first of codes) {
    for (const second of codes) {
      text[at++] = first;
      text[at++] = second;
    }
  }
  return new Uint16Array(text.buffer);
}

function makeDigitTable(): Int8Array {
  const values = new Int8Array(256).fill(NO_DIGIT);
  for (const alphabet of [LETTERS + "+/", LETTERS + "-_"])
    utf8(alphabet).forEach((code, i) => (values[code] = i));
  return values;
}
