import { MAX_DEPTH, tooComplex } from "../limits.ts";
import {
  isDigit,
  isNumeric,
  latin1,
  readCount,
  type Reader,
  skipBlank,
  skipHex,
  skipLiteral,
  skipRegular,
} from "./lexer.ts";
import type { Dict, Ref, Value } from "./values.ts";

const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const LESS = 0x3c;
const GREATER = 0x3e;
const PAREN = 0x28;
const SOLIDUS = 0x2f;
const LETTER_R = 0x52;

/** An array or dictionary that is still open. */
interface Frame {
  readonly isDict: boolean;
  readonly items: Value[];
}

const UNFINISHED = Symbol("unfinished");
const NOTHING = Symbol("nothing");

/**
 * Reads one object, without recursion and forgiving what qpdf forgives: a bad token is null, an unclosed
 * container ends where the bytes or the object end. Undefined where no object begins. `base` is added to
 * the number of every reference.
 * @throws ToolFailure too_complex for containers nested deeper than 500
 */
export function parseValue(reader: Reader, base = 0): Value | undefined {
  const stack: Frame[] = [];
  for (;;) {
    const value = nextValue(reader, { stack, base });
    if (value === NOTHING) return closeAll(stack);
    if (value === UNFINISHED) continue;
    const frame = stack.at(-1);
    if (!frame) return value;
    frame.items.push(value);
  }
}

interface State {
  readonly stack: Frame[];
  readonly base: number;
}

function nextValue(reader: Reader, state: State): Value | typeof UNFINISHED | typeof NOTHING {
  const code = skipBlank(reader);
  if (isNumeric(code)) return readNumberOrRef(reader, state);
  switch (code) {
    case -1:
      return NOTHING;
    case SOLIDUS:
      return readName(reader);
    case PAREN:
      return readText(reader, skipLiteral);
    case OPEN_ARRAY:
      return open(reader, { state, isDict: false });
    case LESS:
      if (reader.bytes[reader.at + 1] === LESS) return open(reader, { state, isDict: true });
      return readText(reader, skipHex);
    case CLOSE_ARRAY:
    case GREATER:
      return close(reader, { state, code });
    default:
      return readWord(reader, state);
  }
}

function open(reader: Reader, { state, isDict }: { state: State; isDict: boolean }): typeof UNFINISHED {
  if (state.stack.length >= MAX_DEPTH) {
    throw tooComplex({ limit: "depth", value: MAX_DEPTH, unit: "levels of nesting" });
  }
  reader.at += isDict ? 2 : 1;
  state.stack.push({ isDict, items: [] });
  return UNFINISHED;
}

function close(reader: Reader, { state, code }: { state: State; code: number }) {
  const isDict = code === GREATER;
  const frame = state.stack.at(-1);
  if (!frame) return NOTHING;
  const isPair = reader.bytes[reader.at + 1] === GREATER;
  if (frame.isDict !== isDict || (isDict && !isPair)) {
    // A stray bracket is skipped, but ">>" in an array ends the array: its dictionary is meant.
    if (!isDict || !isPair || !state.stack.some((each) => each.isDict)) reader.at++;
    else state.stack.pop() && state.stack.at(-1)!.items.push(frame.items);
    return UNFINISHED;
  }
  reader.at += isDict ? 2 : 1;
  state.stack.pop();
  return closed(frame);
}

function closed({ isDict, items }: Frame): Value {
  return isDict ? dictFrom(items) : items;
}

function closeAll(stack: Frame[]): Value | undefined {
  let value: Value | undefined;
  for (let frame = stack.pop(); frame; frame = stack.pop()) {
    if (value !== undefined) frame.items.push(value);
    value = closed(frame);
  }
  return value;
}

/** Pairs keys with values; what stands where a key should is left out. */
function dictFrom(items: readonly Value[]): Dict {
  const dict: Dict = new Map();
  for (let i = 0; i < items.length; i++) {
    const key = items[i];
    if (typeof key !== "string") continue;
    const value = items[++i];
    if (value !== undefined && value !== null) dict.set(key, value);
  }
  return dict;
}

function readText(reader: Reader, skip: (reader: Reader) => void): Value {
  const start = reader.at;
  skip(reader);
  return { kind: "text", raw: reader.bytes.subarray(start, reader.at) };
}

function readName(reader: Reader): string {
  reader.at++;
  const start = skipRegular(reader);
  return unescapeName(latin1(reader.bytes, { from: start, to: reader.at }));
}

/** The characters a written name stands for (7.3.5). */
export function unescapeName(name: string): string {
  if (!name.includes("#")) return name;
  return name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function readNumberOrRef(reader: Reader, { stack, base }: State): Value {
  const number = readNumber(reader);
  if (stack.length > 0 || typeof number !== "number") return number;
  // Inside a container the R is met on its own; at the top nothing would tell that one follows.
  const back = reader.at;
  skipBlank(reader);
  const gen = readCount(reader);
  if (gen !== undefined && skipBlank(reader) === LETTER_R) {
    reader.at++;
    return refFrom({ num: number, gen, base });
  }
  reader.at = back;
  return number;
}

function readNumber(reader: Reader): Value {
  const start = reader.at;
  const count = readCount(reader);
  if (count !== undefined && !isNumeric(reader.bytes[reader.at])) return count;
  while (reader.at < reader.end && isNumeric(reader.bytes[reader.at])) reader.at++;
  return numberFrom(latin1(reader.bytes, { from: start, to: reader.at }));
}

/** Keeps what is a number by 7.3.3 as it is; of what is none, as much as makes one. */
function numberFrom(text: string): Value {
  const number = Number(text);
  if (Number.isInteger(number) && String(number) === text) return number;
  if (/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text)) return { kind: "real", text };
  const digits = /^[+-]*([0-9]*\.?[0-9]*)/.exec(text)?.[1] ?? "";
  const size = Math.min(Number(digits) || 0, Number.MAX_SAFE_INTEGER);
  return text.startsWith("-") ? -size : size;
}

function refFrom({ num, gen, base }: { num: number; gen: number; base: number }): Ref | null {
  return num > 0 ? { kind: "ref", num: num + base, gen } : null;
}

function readWord(reader: Reader, { stack, base }: State) {
  const start = skipRegular(reader);
  if (reader.at === start) {
    reader.at++;
    return UNFINISHED;
  }
  const word = latin1(reader.bytes, { from: start, to: Math.min(reader.at, start + 10) });
  if (word === "R") return joinRef(stack.at(-1), base);
  if (word === "true") return true;
  if (word === "false") return false;
  if (word === "endobj" || word === "stream" || word === "endstream" || word === "xref" || word === "obj") {
    reader.at = start;
    return NOTHING;
  }
  return null;
}

function joinRef(frame: Frame | undefined, base: number): Value {
  const gen = frame?.items.at(-1);
  const num = frame?.items.at(-2);
  if (typeof gen !== "number" || typeof num !== "number" || num < 0) return null;
  frame?.items.splice(-2);
  return refFrom({ num, gen, base });
}

/** Reads "n g obj" where it stands; undefined where it does not. */
export function readHeader(reader: Reader): { num: number; gen: number } | undefined {
  if (!isDigit(skipBlank(reader))) return undefined;
  const num = readCount(reader);
  skipBlank(reader);
  const gen = readCount(reader);
  skipBlank(reader);
  const { bytes, at } = reader;
  if (num === undefined || gen === undefined) return undefined;
  if (bytes[at] !== 0x6f || bytes[at + 1] !== 0x62 || bytes[at + 2] !== 0x6a) return undefined;
  reader.at += 3;
  return { num, gen };
}
