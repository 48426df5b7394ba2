import { decodeBase64Tree } from "../byte-tree.ts";
import { utf8, type Bytes } from "../bytes.ts";
import { decodeFrame, headOf } from "../frame.ts";
import { inspectJson, findInfiniteFault, parseJson, type Fault } from "./json-bounds.ts";
import { emptyNested, isLongText, isObject, LONG_TEXT } from "./json-files.ts";

/** A long text that was taken out of the inputs, in UTF-8, and the keys that lead to its place. */
interface TakenText {
  readonly place: readonly string[];
  readonly text: Bytes;
}

/** The inputs by the index of their call, and the texts that belong in them. */
export type ParsedCalls = { readonly inputs: Inputs; readonly texts: readonly TakenText[] } | Fault;

export interface Calls {
  /** The keys that each call's procedure knows. Values of other keys are left out. */
  readonly known: readonly (readonly string[])[];
  readonly isBatch: boolean;
}

/**
 * Parses the JSON of RPC calls with bytes in base64, and takes long texts out: work for another thread, like
 * parseFiles.
 * @throws ToolFailure invalid_base64
 */
export function parseCalls(body: Bytes, { known, isBatch }: Calls): ParsedCalls {
  const parsed = parseJson(body);
  if ("fault" in parsed) return parsed;
  return withoutTexts(() => {
    const trees = inputTrees(parsed.value, known.length, isBatch);
    return known.map((names, place) => decodeBase64Tree(emptyUnknown(trees[place], names)));
  });
}

/** Parses one call in a frame, whose head is JSON, and takes long texts out. */
export function parseFrame(frame: Bytes, known: readonly string[]): ParsedCalls {
  return withoutTexts(() => {
    const { fault } = inspectJson(headOf(frame));
    if (fault) return fault;
    const input = decodeFrame(frame, { makeFile: (bytes) => bytes });
    return findInfiniteFault(input) ?? [emptyUnknown(input, known)];
  });
}

// Neither a valid tree nor a valid frame: the sender's fault.
function withoutTexts(read: () => unknown[] | Fault): ParsedCalls {
  try {
    const inputs = read();
    if ("fault" in inputs) return inputs;
    const whole = { ...inputs };
    const texts = takeTexts(whole);
    return texts ? { inputs: whole, texts } : { fault: "invalid_json", bound: "values" };
  } catch (error) {
    if (error instanceof TypeError) return { fault: "invalid_json" };
    throw error;
  }
}

function emptyUnknown(input: unknown, known: readonly string[]): unknown {
  if (!isObject(input)) return input;
  const entries = Object.entries(input).map(([name, value]) => [name, known.includes(name) ? value : null]);
  return Object.fromEntries(entries);
}

/** The depth of a parameter: `files` of a call. */
const PARAMETER_LEVEL = 2;
/** The depth of any input: `files[0].data` of a call. */
const MAX_LEVELS = 4;
/** The most texts and byte arrays in a reply; the pipe carries a few more (wire/byte-tree.ts). */
const MAX_PARTS = 4000;

/** Takes out long texts, and everything deeper than an input can be; undefined when there are too many. */
function takeTexts(tree: object): TakenText[] | undefined {
  const texts: TakenText[] = [];
  let parts = 0;
  visit(tree, []);
  return parts > MAX_PARTS ? undefined : texts;

  function visit(node: object, place: readonly string[]): void {
    // Objects and arrays are both tables of values.
    const table = node as Record<string, unknown>;
    for (const [name, value] of Object.entries(table)) {
      const inner = [...place, name];
      // Only parameters themselves may be long, not what is inside lists and objects.
      if (isLongText(value) && inner.length > PARAMETER_LEVEL) table[name] = value.slice(0, LONG_TEXT);
      else if (isLongText(value)) {
        texts.push({ place: inner, text: utf8(value) });
        table[name] = "";
        parts++;
      } else if (value instanceof Uint8Array) parts++;
      else if (inner.length > MAX_LEVELS) table[name] = emptyNested(value);
      else if (typeof value === "object" && value !== null) visit(value, inner);
    }
  }
}

/** The inputs of a request's calls by their index. */
export type Inputs = Readonly<Record<number, unknown>>;

/** The inputs in a parsed body: the only one, or those of a batch by their index. @throws TypeError */
export function inputTrees(body: unknown, count: number, isBatch: boolean): readonly unknown[] {
  if (!isBatch) return [body];
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new TypeError("A batch is an object of inputs");
  const byPlace = new Map(Object.entries(body));
  return Array.from({ length: count }, (_, place) => byPlace.get(String(place)));
}
