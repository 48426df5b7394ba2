import {
  isDigit,
  isNumeric,
  type Reader,
  skipBlank,
  skipHex,
  skipLiteral,
  skipRegular,
} from "../syntax/lexer.ts";
import { putRef, type Renumber } from "./serialize.ts";
import { putBytes, type Sink } from "./sink.ts";
import type { Ref } from "../syntax/values.ts";

/** A reference found in the bytes, and where it stands. */
interface Spot {
  readonly from: number;
  readonly to: number;
  readonly ref: Ref;
}

interface Scan {
  readonly spots: Spot[];
  readonly base: number;
  /** One character per container that is open. */
  open: string;
  /** The last two tokens when they are whole numbers. */
  first: Whole | undefined;
  second: Whole | undefined;
}

interface Whole {
  readonly from: number;
  readonly number: number;
}

const MAX_OPEN = 100;

/** An object as it is written in its file: from … to, and the references in it. */
export interface Written {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly spots: readonly Spot[];
}

/**
 * Finds the extent of the object at the reader and its references without building values: ten times cheaper
 * than parsing, and a copy keeps every digit. Undefined where anything is unusual (a comment, an unknown
 * word, a number that is none, bad nesting, a stream): then it must be parsed.
 */
export function scanObject(reader: Reader, base: number): Written | undefined {
  skipBlank(reader);
  const from = reader.at;
  const scan: Scan = { spots: [], base, open: "", first: undefined, second: undefined };
  do {
    if (!scanToken(reader, scan)) return undefined;
  } while (scan.open !== "");
  const to = reader.at;
  // At the top a number may be the start of a reference, and a dictionary that of a stream.
  if (scan.second || (skipBlank(reader) === 0x73 && reader.bytes[reader.at + 1] === 0x74)) return undefined;
  return { bytes: reader.bytes, from, to, spots: scan.spots };
}

/** Copies an object as it is written, only with its references renumbered. */
export function putWritten(
  sink: Sink,
  { written, renumber }: { written: Written; renumber: Renumber },
): void {
  let from = written.from;
  for (const spot of written.spots) {
    putBytes(sink, written.bytes, { from, to: spot.from });
    putRef(sink, renumber(spot.ref));
    from = spot.to;
  }
  putBytes(sink, written.bytes, { from, to: written.to });
}

function scanToken(reader: Reader, scan: Scan): boolean {
  const { bytes } = reader;
  while (reader.at < reader.end && bytes[reader.at]! <= 32 && isSpace(bytes[reader.at]!)) reader.at++;
  if (reader.at >= reader.end) return false;
  const code = bytes[reader.at]!;
  if (isNumeric(code)) return scanNumber(reader, scan);
  if (code === 0x52) return scanRef(reader, scan);
  scan.first = scan.second = undefined;
  switch (code) {
    case 0x2f:
      reader.at++;
      skipRegular(reader);
      return true;
    case 0x28:
      skipLiteral(reader);
      return bytes[reader.at - 1] === 0x29;
    case 0x3c:
    case 0x3e:
      return scanAngle(reader, { scan, code });
    case 0x5b:
      reader.at++;
      return openContainer(scan, "[");
    case 0x5d:
      reader.at++;
      return closeContainer(scan, "[");
    default:
      return scanWord(reader);
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9 || code === 0 || code === 12;
}

function scanNumber(reader: Reader, scan: Scan): boolean {
  const { bytes } = reader;
  const from = reader.at;
  let number = 0;
  while (isDigit(bytes[reader.at])) number = number * 10 + bytes[reader.at++]! - 48;
  scan.first = scan.second;
  if (reader.at === from || bytes[reader.at] === 0x2e) {
    scan.second = undefined;
    return scanReal(reader, from);
  }
  scan.second = { from, number };
  return reader.at - from <= 10 && isEnd(reader);
}

/** A sign or none, digits, a point or none, digits; at least one digit. */
function scanReal(reader: Reader, from: number): boolean {
  const { bytes } = reader;
  if (bytes[reader.at] === 0x2b || bytes[reader.at] === 0x2d) reader.at++;
  let digits = reader.at - from;
  if (digits > 0 && !isDigit(bytes[from])) digits = 0;
  for (; isDigit(bytes[reader.at]); reader.at++) digits++;
  if (bytes[reader.at] === 0x2e) reader.at++;
  for (; isDigit(bytes[reader.at]); reader.at++) digits++;
  return digits > 0 && isEnd(reader);
}

function isEnd({ bytes, at, end }: Reader): boolean {
  const code = bytes[at]!;
  return at >= end || isSpace(code) || code === 0x2f || code === 0x5d || code === 0x3e || code === 0x5b;
}

function scanRef(reader: Reader, scan: Scan): boolean {
  const { first, second } = scan;
  reader.at++;
  if (!first || !second || !isEnd(reader) || first.number === 0) return false;
  const ref: Ref = { kind: "ref", num: first.number + scan.base, gen: second.number };
  scan.spots.push({ from: first.from, to: reader.at, ref });
  scan.first = scan.second = undefined;
  return true;
}

function scanAngle(reader: Reader, { scan, code }: { scan: Scan; code: number }): boolean {
  const isPair = reader.bytes[reader.at + 1] === code;
  if (isPair) {
    reader.at += 2;
    return code === 0x3c ? openContainer(scan, "<") : closeContainer(scan, "<");
  }
  if (code === 0x3e) return false;
  const from = reader.at;
  skipHex(reader);
  return (
    isHexText(reader.bytes, { from: from + 1, to: reader.at - 1 }) && reader.bytes[reader.at - 1] === 0x3e
  );
}

function isHexText(bytes: Uint8Array, { from, to }: { from: number; to: number }): boolean {
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

function scanWord(reader: Reader): boolean {
  const { bytes } = reader;
  const from = skipRegular(reader);
  const length = reader.at - from;
  return WORDS.some(
    (word) => word.length === length && [...word].every((c, i) => bytes[from + i] === c.charCodeAt(0)),
  );
}
