import { byteAt } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { type DecodedStream, inflate } from "./flate.ts";
import { type Budget, MAX_FILTERS, spendInflated } from "../limits.ts";
import { undoPredictor } from "./predictor.ts";
import { unlzw } from "./lzw.ts";
import { type Dict, dictOf, numberOf, type Value } from "../syntax/values.ts";

/** One step of a filter chain with its parameters (ISO 32000-1, 7.4). */
export interface Step {
  readonly name: string;
  readonly parameters: Dict | undefined;
}

type Resolve = (value: Value | undefined) => Value | undefined;

const SHORT: Readonly<Record<string, string>> = {
  Fl: "FlateDecode",
  LZW: "LZWDecode",
  A85: "ASCII85Decode",
  AHx: "ASCIIHexDecode",
  RL: "RunLengthDecode",
};

/** The filters of a stream in the order they are undone; abbreviations written out. */
export function filterSteps(dict: Dict, resolve: Resolve): Step[] {
  const names = listOf(resolve(dict.get("Filter") ?? dict.get("F")), resolve);
  const parameters = listOf(resolve(dict.get("DecodeParms") ?? dict.get("DP")), resolve);
  return names
    .filter((name) => typeof name === "string")
    .map((name, i) => ({ name: SHORT[name] ?? name, parameters: dictOf(parameters[i]) }));
}

function listOf(value: Value | undefined, resolve: Resolve): (Value | undefined)[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value.map(resolve) : [value];
}

/**
 * Decodes a stream that the engine itself must read, as far as it goes.
 * @throws ToolFailure unsupported_feature for image filters, too_complex for too many filters or bytes
 */
export function decodeStream(data: Uint8Array, steps: readonly Step[], budget: Budget): DecodedStream {
  if (steps.length > MAX_FILTERS) {
    const message = `A stream has ${steps.length} filters; at most ${MAX_FILTERS} are read.`;
    throw new ToolFailure("too_complex", message, { limit: "filters", value: MAX_FILTERS, unit: "filters" });
  }
  let decoded: DecodedStream = { bytes: data, isComplete: true };
  for (const step of steps) {
    const { bytes, isComplete, rest } = decodeStep(decoded.bytes, step, budget);
    decoded = {
      bytes,
      isComplete: isComplete && decoded.isComplete,
      rest: steps.length === 1 ? rest : undefined,
    };
  }
  return decoded;
}

/** What is decoded; undefined where it has too many or unsupported filters. */
export function ifDecodable<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch (error) {
    const isAboutFilters =
      error instanceof ToolFailure &&
      (error.code === "unsupported_feature" || error.fields.limit === "filters");
    if (isAboutFilters) return undefined;
    throw error;
  }
}

function decodeStep(data: Uint8Array, step: Step, budget: Budget): DecodedStream {
  const { name, parameters } = step;
  switch (name) {
    case "FlateDecode":
      return withoutPredictor(inflate(data, budget), parameters);
    case "LZWDecode": {
      const early = numberOf(parameters?.get("EarlyChange")) !== 0;
      return withoutPredictor(unlzw(data, early, budget), parameters);
    }
    case "ASCIIHexDecode":
      return complete(fromHex(data));
    case "ASCII85Decode":
      return complete(fromAscii85(data));
    case "RunLengthDecode":
      return complete(fromRunLength(data, budget));
    case "Crypt":
      return complete(data);
    default:
      throw new ToolFailure(
        "unsupported_feature",
        "A stream that must be read has a filter that is not supported.",
      );
  }
}

function complete(bytes: Uint8Array): DecodedStream {
  return { bytes, isComplete: true };
}

function withoutPredictor(decoded: DecodedStream, parameters: Dict | undefined): DecodedStream {
  return { ...decoded, bytes: undoPredictor(decoded.bytes, parameters) };
}

/** Reads hexadecimal digits up to ">", a missing last one as 0. */
export function fromHex(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array((data.length + 1) >> 1);
  let [length, pair] = [0, 0];
  for (const code of data) {
    if (code === 0x3e) break;
    const digit = hexDigit(code);
    if (digit < 0) continue;
    pair = length % 2 === 0 ? digit << 4 : pair | digit;
    bytes[length++ >> 1] = pair;
  }
  return bytes.subarray(0, (length + 1) >> 1);
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function fromAscii85(data: Uint8Array): Uint8Array {
  // "z" alone stands for four bytes, so the result can be four times as long.
  const bytes = new Uint8Array(data.length * 4 + 4);
  let length = 0;
  let group: number[] = [];
  for (const code of data) {
    if (code === 0x7e) break;
    if (code === 0x7a && group.length === 0) length += 4;
    if (code < 0x21 || code > 0x75) continue;
    group.push(code - 0x21);
    if (group.length < 5) continue;
    length = putGroup(bytes, { at: length, group, count: 4 });
    group = [];
  }
  if (group.length > 1) {
    const padded = [...group, 84, 84, 84, 84].slice(0, 5);
    length = putGroup(bytes, { at: length, group: padded, count: group.length - 1 });
  }
  return bytes.subarray(0, length);
}

function putGroup(
  bytes: Uint8Array,
  { at, group, count }: { at: number; group: number[]; count: number },
): number {
  const number = group.reduce((sum, digit) => sum * 85 + digit, 0);
  for (let i = 0; i < count; i++) bytes[at + i] = Math.floor(number / 256 ** (3 - i)) % 256;
  return at + count;
}

function fromRunLength(data: Uint8Array, budget: Budget): Uint8Array {
  spendInflated(budget, data.length * 64);
  const bytes = new Uint8Array(data.length * 64 + 128);
  let length = 0;
  for (let at = 0; at < data.length;) {
    const code = byteAt(data, at++);
    if (code === 128) break;
    if (code < 128) {
      bytes.set(data.subarray(at, at + code + 1), length);
      length += Math.min(code + 1, data.length - at);
      at += code + 1;
    } else {
      bytes.fill(data[at++] ?? 0, length, length + 257 - code);
      length += 257 - code;
    }
  }
  return bytes.subarray(0, length);
}
