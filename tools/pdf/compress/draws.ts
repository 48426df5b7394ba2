import { byteAt } from "../../../wire/bytes.ts";
import {
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
import { unescapeName } from "../syntax/parse.ts";
import {
  addMatrix,
  createMatrixSet,
  IDENTITY,
  matricesOf,
  type Matrix,
  type MatrixSet,
  multiply,
} from "./matrix.ts";

/** The kinds of resources through which content can draw images. */
export type DrawingKind = "XObject" | "Pattern" | "Font" | "ExtGState";

/** A resource that content draws with, and the matrices under which it does. */
export interface Draw {
  readonly kind: DrawingKind;
  readonly name: string;
  readonly matrices: readonly Matrix[];
}

interface TextState {
  font: string;
  size: number;
  /** Horizontal scaling, 1 for 100 %. */
  stretch: number;
}

interface Scan {
  readonly draws: Map<string, { kind: DrawingKind; name: string; set: MatrixSet }>;
  readonly saved: { matrix: Matrix; text: TextState }[];
  matrix: Matrix;
  text: TextState;
  textMatrix: Matrix;
  /** Whether the font, its size or a matrix has changed since text was last noted. */
  isNewText: boolean;
  /** The last operands outside arrays and dictionaries. */
  numbers: number[];
  name: string | undefined;
  /** How many arrays and dictionaries are open. */
  depth: number;
}

/** As many as any operator takes; the rest of a malformed run is dropped. */
const MOST_NUMBERS = 64;
const MOST_SAVED = 10_000;

/**
 * What a content stream draws with and how large (ISO 32000-1, annex A), relative to where it begins; undefined where its
 * syntax is so unusual that programs may read it in different ways.
 */
export function readDraws(content: Uint8Array): Draw[] | undefined {
  const lexer = lexerAt(content);
  const scan: Scan = {
    draws: new Map(),
    saved: [],
    matrix: IDENTITY,
    text: { font: "", size: 0, stretch: 1 },
    textMatrix: IDENTITY,
    isNewText: true,
    numbers: [],
    name: undefined,
    depth: 0,
  };
  while (skipWhitespace(lexer) >= 0) if (!scanToken(lexer, scan)) return undefined;
  if (scan.depth !== 0) return undefined;
  return [...scan.draws.values()].map(({ kind, name, set }) => ({ kind, name, matrices: matricesOf(set) }));
}

function scanToken(lexer: Lexer, scan: Scan): boolean {
  const { bytes } = lexer;
  const code = byteAt(bytes, lexer.at);
  if (isNumeric(code)) return scanNumber(lexer, scan);
  switch (code) {
    case 0x2f:
      scanName(lexer, scan);
      return true;
    case 0x28:
      return skipLiteralString(lexer);
    case 0x3c:
      return bytes[lexer.at + 1] === code ? move(lexer, { scan, length: 2, by: 1 }) : skipHexString(lexer);
    case 0x5b:
      return move(lexer, { scan, length: 1, by: 1 });
    case 0x3e:
      return bytes[lexer.at + 1] === code && move(lexer, { scan, length: 2, by: -1 });
    case 0x5d:
      return move(lexer, { scan, length: 1, by: -1 });
    default:
      return scanOperator(lexer, scan);
  }
}

function move(lexer: Lexer, { scan, length, by }: { scan: Scan; length: number; by: 1 | -1 }): boolean {
  lexer.at += length;
  scan.depth += by;
  return scan.depth >= 0;
}

function scanName(lexer: Lexer, scan: Scan): void {
  lexer.at++;
  const from = skipRegular(lexer);
  if (scan.depth === 0) scan.name = unescapeName(latin1(lexer.bytes, { from, to: lexer.at }));
}

function scanNumber(lexer: Lexer, scan: Scan): boolean {
  const from = skipRegular(lexer);
  if (scan.depth > 0 || scan.numbers.length >= MOST_NUMBERS) return true;
  const number = Number.parseFloat(latin1(lexer.bytes, { from, to: Math.min(lexer.at, from + 32) }));
  scan.numbers.push(Number.isNaN(number) ? 0 : number);
  return true;
}

/** The longest operators have three characters. */
const MAX_OPERATOR = 3;

function scanOperator(lexer: Lexer, scan: Scan): boolean {
  const from = skipRegular(lexer);
  const length = lexer.at - from;
  // A brace or parenthesis that belongs to nothing.
  if (length === 0) return false;
  if (scan.depth > 0) return true;
  if (length <= MAX_OPERATOR) {
    const operator = latin1(lexer.bytes, { from, to: lexer.at });
    if (operator === "ID" && !skipInlineImage(lexer)) return false;
    apply(scan, operator);
  }
  scan.numbers = [];
  scan.name = undefined;
  return true;
}

/** What stands behind the data of an inline image is text. */
const LOOKED_BEHIND = 16;

/** Moves behind the EI of an inline image, whose data may have the same letters in it (8.9.7). */
function skipInlineImage(lexer: Lexer): boolean {
  const { bytes, end } = lexer;
  for (let at = bytes.indexOf(0x45, lexer.at + 1); at >= 0 && at < end; at = bytes.indexOf(0x45, at + 1)) {
    const isEnd = bytes[at + 1] === 0x49 && isWhitespace(bytes[at - 1]);
    if (!isEnd || (at + 2 < end && !isWhitespace(bytes[at + 2]))) continue;
    if (!bytes.subarray(at + 2, at + 2 + LOOKED_BEHIND).every(isText)) continue;
    lexer.at = at + 2;
    return true;
  }
  return false;
}

function isText(code: number): boolean {
  return (code >= 32 && code < 127) || isWhitespace(code);
}

function apply(scan: Scan, operator: string): void {
  switch (operator) {
    case "q":
      if (scan.saved.length < MOST_SAVED) scan.saved.push({ matrix: scan.matrix, text: { ...scan.text } });
      return;
    case "Q":
      Object.assign(scan, scan.saved.pop());
      scan.isNewText = true;
      return;
    case "cm":
      scan.matrix = multiply(operandMatrix(scan), scan.matrix);
      scan.isNewText = true;
      return;
    case "Do":
      return draw(scan, { kind: "XObject", name: scan.name, matrix: scan.matrix });
    case "gs":
      return draw(scan, { kind: "ExtGState", name: scan.name, matrix: scan.matrix });
    // A pattern starts from the matrix with which the content began (8.7.3.1).
    case "scn":
    case "SCN":
      return draw(scan, { kind: "Pattern", name: scan.name, matrix: IDENTITY });
    default:
      applyText(scan, operator);
  }
}

function applyText(scan: Scan, operator: string): void {
  const [first = 0] = scan.numbers;
  switch (operator) {
    case "BT":
      scan.textMatrix = IDENTITY;
      break;
    case "Tm":
      scan.textMatrix = operandMatrix(scan);
      break;
    case "Tf":
      scan.text = { ...scan.text, font: scan.name ?? "", size: first };
      break;
    case "Tz":
      scan.text = { ...scan.text, stretch: first / 100 };
      break;
    case "Tj":
    case "TJ":
    case "'":
    case '"':
      return drawText(scan);
    default:
      return;
  }
  scan.isNewText = true;
}

function drawText(scan: Scan): void {
  if (!scan.isNewText) return;
  scan.isNewText = false;
  const { font: name, size, stretch } = scan.text;
  const scaled = multiply([size * stretch, 0, 0, size], scan.textMatrix);
  draw(scan, { kind: "Font", name, matrix: multiply(scaled, scan.matrix) });
}

function operandMatrix({ numbers }: Scan): Matrix {
  const [a = 1, b = 0, c = 0, d = 1] = numbers.slice(-6);
  return [a, b, c, d];
}

function draw(
  { draws }: Scan,
  { kind, name, matrix }: { kind: DrawingKind; name: string | undefined; matrix: Matrix },
): void {
  if (!name) return;
  const key = `${kind} ${name}`;
  const known = draws.get(key) ?? { kind, name, set: createMatrixSet() };
  draws.set(key, known);
  addMatrix(known.set, matrix);
}
