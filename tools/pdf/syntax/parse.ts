import { MAX_DEPTH, MAX_OBJECT_NUMBER, tooComplex } from "../limits.ts";
import {
  afterLineEnd,
  afterEndstream,
  isDigit,
  isHexDigit,
  isHexString,
  isNumeric,
  latin1,
  readUnsigned,
  type Lexer,
  lexerAt,
  skipWhitespace,
  skipHexString,
  skipLiteralString,
  skipRegular,
} from "./lexer.ts";
import { type Dict, isDict, type Ref, unsignedOf, type Value } from "./values.ts";

const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const LESS = 0x3c;
const GREATER = 0x3e;
const PAREN = 0x28;
const SOLIDUS = 0x2f;
const LETTER_R = 0x52;

/** White space after a stream in a container; without a bound, streams that end before the same run read it each. */
const MAX_GAP = 1024;

/** An array or dictionary that is still open. */
interface OpenContainer {
  readonly isDict: boolean;
  readonly items: Value[];
}

const UNFINISHED = Symbol("unfinished");
const NOTHING = Symbol("nothing");

/**
 * Reads one object, without recursion. As in qpdf, a bad token is null and an unclosed container ends with the
 * object; `lexer.garbage` counts both. Undefined if no object begins here. `firstNum` is added to the number of every reference.
 * @throws ToolFailure too_complex for containers nested deeper than 500
 */
export function parseValue(lexer: Lexer, firstNum = 0): Value | undefined {
  const stack: OpenContainer[] = [];
  for (;;) {
    const value = nextValue(lexer, { stack, firstNum });
    if (value === NOTHING) {
      lexer.garbage += stack.length;
      return closeContainers(lexer, stack);
    }
    if (value === UNFINISHED) continue;
    const container = stack.at(-1);
    if (!container) return value;
    container.items.push(value);
  }
}

interface State {
  readonly stack: OpenContainer[];
  readonly firstNum: number;
}

function nextValue(lexer: Lexer, state: State): Value | typeof UNFINISHED | typeof NOTHING {
  const code = skipWhitespace(lexer);
  if (isNumeric(code)) return readNumberOrReference(lexer, state);
  switch (code) {
    case -1:
      return NOTHING;
    case SOLIDUS:
      return readName(lexer);
    case PAREN:
      return readString(lexer, skipLiteralString);
    case OPEN_ARRAY:
      return openContainer(lexer, state, false);
    case LESS:
      if (lexer.bytes[lexer.at + 1] === LESS) return openContainer(lexer, state, true);
      return readString(lexer, skipHexString);
    case CLOSE_ARRAY:
    case GREATER:
      return closeContainer(lexer, state, code);
    default:
      return readKeyword(lexer, state);
  }
}

function openContainer(lexer: Lexer, state: State, isDict: boolean): typeof UNFINISHED {
  if (state.stack.length >= MAX_DEPTH) {
    throw tooComplex({ limit: "depth", value: MAX_DEPTH, unit: "levels of nesting" });
  }
  lexer.at += isDict ? 2 : 1;
  state.stack.push({ isDict, items: [] });
  return UNFINISHED;
}

function closeContainer(lexer: Lexer, state: State, code: number) {
  const isDict = code === GREATER;
  const container = state.stack.at(-1);
  if (!container) return NOTHING;
  const isPair = lexer.bytes[lexer.at + 1] === GREATER;
  if (container.isDict !== isDict || (isDict && !isPair)) {
    lexer.garbage++;
    // A stray bracket is skipped, but ">>" in an array closes the array and the dictionary around it.
    if (!isDict || !isPair || !state.stack.some((each) => each.isDict)) lexer.at++;
    else state.stack.pop() && state.stack.at(-1)?.items.push(container.items);
    return UNFINISHED;
  }
  lexer.at += isDict ? 2 : 1;
  state.stack.pop();
  return containerValue(lexer, container);
}

function containerValue(lexer: Lexer, { isDict, items }: OpenContainer): Value {
  return isDict ? dictFrom(lexer, items) : items;
}

function closeContainers(lexer: Lexer, stack: OpenContainer[]): Value | undefined {
  let value: Value | undefined;
  for (let container = stack.pop(); container; container = stack.pop()) {
    if (value !== undefined) container.items.push(value);
    value = containerValue(lexer, container);
  }
  return value;
}

/** Pairs keys with values; anything but a name in place of a key is skipped. */
function dictFrom(lexer: Lexer, items: readonly Value[]): Dict {
  const dict: Dict = new Map();
  for (let i = 0; i < items.length; i++) {
    const key = items[i];
    const value = typeof key === "string" ? items[++i] : undefined;
    if (value === undefined) lexer.garbage++;
    if (typeof key !== "string") continue;
    if (value !== undefined && value !== null) dict.set(key, value);
  }
  return dict;
}

/** A string without an end is null: as written it would swallow what follows it in a new file. */
function readString(lexer: Lexer, skip: (lexer: Lexer) => boolean): Value {
  const start = lexer.at;
  if (!skip(lexer)) {
    lexer.garbage++;
    return null;
  }
  const raw = lexer.bytes.subarray(start, lexer.at);
  const isHex = raw[0] === LESS;
  return { kind: "string", raw: isHex && !isHexString(raw.subarray(1, -1)) ? onlyHex(raw) : raw };
}

/** A hexadecimal string with nothing but its digits: other programs stumble over other characters. */
function onlyHex(raw: Uint8Array): Uint8Array {
  const digits = raw.subarray(1, -1).filter((code) => isHexDigit(code));
  const mended = new Uint8Array(digits.length + 2);
  mended[0] = LESS;
  mended.set(digits, 1);
  mended[mended.length - 1] = GREATER;
  return mended;
}

/** Reads a name whose solidus is here. */
export function readName(lexer: Lexer): string {
  lexer.at++;
  const start = skipRegular(lexer);
  return unescapeName(latin1(lexer.bytes, { from: start, to: lexer.at }));
}

/** The characters a written name stands for (7.3.5). A zero is not allowed; it stays one, and is written as it was. */
export function unescapeName(name: string): string {
  if (!name.includes("#")) return name;
  return name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function readNumberOrReference(lexer: Lexer, { stack, firstNum }: State): Value {
  const number = readNumber(lexer);
  if (stack.length > 0 || typeof number !== "number") return number;
  // In a container "R" is handled when it comes; at the top level it must be looked for.
  const back = lexer.at;
  skipWhitespace(lexer);
  const gen = readUnsigned(lexer);
  if (gen !== undefined && skipWhitespace(lexer) === LETTER_R) {
    lexer.at++;
    return referenceTo(number, gen, firstNum);
  }
  lexer.at = back;
  return number;
}

function readNumber(lexer: Lexer): Value {
  const start = lexer.at;
  const count = readUnsigned(lexer);
  if (count !== undefined && !isNumeric(lexer.bytes[lexer.at])) return count;
  while (lexer.at < lexer.end && isNumeric(lexer.bytes[lexer.at])) lexer.at++;
  return numberFrom(latin1(lexer.bytes, { from: start, to: lexer.at }));
}

/** A valid number (7.3.3) is kept as it is written; of an invalid one the valid beginning is used. */
function numberFrom(text: string): Value {
  const number = Number(text);
  if (Number.isInteger(number) && String(number) === text) return number;
  if (/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text)) return { kind: "real", text };
  const digits = /^[+-]*([0-9]*\.?[0-9]*)/.exec(text)?.[1] ?? "";
  const size = Math.min(Number(digits) || 0, Number.MAX_SAFE_INTEGER);
  return text.startsWith("-") ? -size : size;
}

function referenceTo(num: number, gen: number, firstNum: number): Ref | null {
  return num > 0 && num <= MAX_OBJECT_NUMBER ? { kind: "ref", num: num + firstNum, gen } : null;
}

function readKeyword(lexer: Lexer, { stack, firstNum }: State) {
  const start = skipRegular(lexer);
  if (lexer.at === start) {
    lexer.at++;
    lexer.garbage++;
    return UNFINISHED;
  }
  const word = latin1(lexer.bytes, { from: start, to: Math.min(lexer.at, start + 10) });
  if (word === "R") return takeReference(lexer, stack.at(-1), firstNum);
  if (word === "true") return true;
  if (word === "false") return false;
  if (word === "stream" && takeInnerStream(lexer, stack.at(-1))) return UNFINISHED;
  if (word === "endobj" || word === "stream" || word === "endstream" || word === "xref" || word === "obj") {
    lexer.at = start;
    return NOTHING;
  }
  if (word !== "null") lexer.garbage++;
  return null;
}

function takeReference(lexer: Lexer, container: OpenContainer | undefined, firstNum: number): Value {
  const gen = container?.items.at(-1);
  const num = container?.items.at(-2);
  if (typeof gen !== "number" || typeof num !== "number" || num < 0) {
    lexer.garbage++;
    return null;
  }
  container?.items.splice(-2);
  return referenceTo(num, gen, firstNum);
}

/**
 * Makes a stream of the dictionary before the keyword, inside a container, where no stream is allowed (7.3.8.1). Only
 * if its length is right and the container continues: more often the end of the container is missing, and the stream is
 * the container's.
 */
function takeInnerStream(lexer: Lexer, container: OpenContainer | undefined): boolean {
  const { bytes } = lexer;
  const dict = container?.items.at(-1);
  const length = isDict(dict) ? unsignedOf(dict.get("Length")) : undefined;
  if (!container || !isDict(dict) || length === undefined) return false;
  const from = afterLineEnd(bytes, lexer.at);
  const end = afterEndstream(bytes, from + length);
  if (end === undefined) return false;
  const next = skipWhitespace(lexerAt(bytes, { at: end, end: Math.min(bytes.length, end + MAX_GAP) }));
  if (!(container.isDict ? "/>" : "<]0123456789").includes(String.fromCharCode(Math.max(0, next))))
    return false;
  container.items[container.items.length - 1] = {
    kind: "stream",
    dict,
    data: bytes.slice(from, from + length),
  };
  lexer.at = end;
  lexer.garbage++;
  return true;
}

/** Reads "n g obj"; undefined if it is not here. */
export function readObjectHeader(lexer: Lexer): { num: number; gen: number } | undefined {
  if (!isDigit(skipWhitespace(lexer))) return undefined;
  const num = readUnsigned(lexer);
  skipWhitespace(lexer);
  const gen = readUnsigned(lexer);
  skipWhitespace(lexer);
  const { bytes, at } = lexer;
  if (num === undefined || gen === undefined) return undefined;
  if (bytes[at] !== 0x6f || bytes[at + 1] !== 0x62 || bytes[at + 2] !== 0x6a) return undefined;
  lexer.at += 3;
  return { num, gen };
}
