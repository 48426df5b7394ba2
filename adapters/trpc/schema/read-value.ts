import { utf8 } from "../../../wire/bytes.ts";
import { MAX_JSON_DEPTH, parseJson } from "../../../wire/json/json-bounds.ts";
import {
  BOOLEANS,
  count,
  fieldOf,
  type InputSource,
  isBigInt,
  isInteger,
  isNumber,
  MAX_VALUES,
  readDate,
  readOneOf,
  readUnion,
  readWithAnswers,
  repeated,
  repeatedParameter,
  sourceInside,
  splitLists,
  type TextRules,
  TextTree,
  tryArms,
  wrongPlaces,
} from "./reading.ts";
import { ANY, type Arm, type ListShape, type Shape } from "./shape.ts";
import {
  isBeyondJson,
  isFreeOf,
  isNestedList,
  isTableShape,
  itemAt,
  leavesOf,
  mayBe,
  mayBeObject,
} from "./shape-parts.ts";

/**
 * The object that a schema of this shape gets: texts become its types, as do JSON values for types that JSON lacks,
 * such as dates. What does not fit stays unchanged, for the schema to refuse.
 * @throws CallError repeated_parameter, invalid_parameter
 */
export function readValues(
  values: Readonly<Record<string, unknown>>,
  shape: Shape,
  { rules, placeOf }: { rules: TextRules; placeOf: (name: string) => string | undefined },
): Values | Promise<Values> {
  return readWithAnswers((state) => {
    const sources = (name: string) => ({ rules, name, place: placeOf(name), state });
    return settle(readObject(values, shape, sources), sources);
  });
}

type Values = Readonly<Record<string, unknown>>;
type InputSources = (name: string) => InputSource;

/** The values of the shape's fields; all others stay as they were sent, for another part of an intersection. */
function readObject(values: Values, shape: Shape, sources: InputSources): Values {
  if (shape.kind === "both")
    return shape.parts.reduce((read, part) => readObject(read, part, sources), values);
  if (shape.kind === "union") {
    const arms = shape.arms.filter((arm) => mayBeObject(arm.shape));
    if (arms.length === 0) return values;
    const { best, refusal } = tryArms(arms, (arm) => readObject(values, arm.shape, sources), {
      state: sources("").state,
      settle: (made) => settle(made, sources),
    });
    if (!best) throw refusal;
    return best.value;
  }
  if (shape.kind !== "object") return values;
  return mapValues(values, (value, name) => {
    const field = fieldOf(shape, name);
    const isRead = field && (field.kind !== "any" || shape.properties.has(name));
    return isRead ? readValue(value, field, sources(name)) : value;
  });
}

function readValue(value: unknown, shape: Shape, inputSource: InputSource): unknown {
  return value instanceof TextTree
    ? readSent(value, shape, inputSource)
    : readJson(value, shape, inputSource);
}

// Values without a schema stay texts.
function settle(values: Values, sources: InputSources): Record<string, unknown> {
  return mapValues(values, (value, name) =>
    value instanceof TextTree ? readSent(value, ANY, sources(name)) : value,
  );
}

/** An object with the same keys, and the values that `map` makes of the old ones. */
export function mapValues<Value, Made = Value>(
  of: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, map(value, key)]));
}

function readSent(sent: TextTree, shape: Shape, inputSource: InputSource): unknown {
  count(inputSource);
  if (shape.kind === "union")
    return readUnion(armsFor(sent, shape), (arm) => readSent(sent, arm, inputSource), inputSource.state);
  if (sent.inner.size > 0) return readInner(sent, shape, inputSource);
  const { texts, isList } = sent;
  if (shape.kind === "both") {
    const table = texts.length === 1 && !isList ? readTable(texts[0] ?? "", shape, inputSource) : undefined;
    return table ? table.value : readSent(sent, partOf(shape), inputSource);
  }
  if (shape.kind === "list" || shape.kind === "set") {
    const whole = texts.length === 1 && !isList ? readWhole(texts[0] ?? "", shape, inputSource) : undefined;
    if (whole) return whole.value;
    const items = inputSource.rules.lists === "comma" ? splitLists(texts, inputSource) : texts;
    const list = items.map((text, i) => readText(text, itemAt(shape, i), inputSource));
    return shape.kind === "set" ? new Set(list) : list;
  }
  if (shape.kind === "any" && (texts.length > 1 || isList)) return texts;
  const [text = "", ...more] = texts;
  if (more.length > 0 || isList) throw repeated(inputSource);
  return readText(text, shape, inputSource);
}

// `a[0]` is meant as a list, also where an object that comes first would drop 0 as a name that it does not know.
function armsFor({ inner }: TextTree, { arms }: { readonly arms: readonly Arm[] }): readonly Arm[] {
  if (!inner.has("0") || !inOrder(inner)) return arms;
  const isTableArm = ({ shape }: Arm) => leavesOf(shape).every(isTableShape);
  return [...arms.filter((arm) => !isTableArm(arm)), ...arms.filter(isTableArm)];
}

// All of a list of lists or objects, as one JSON text. A list of texts is one item for a list of lists.
function readWhole(text: string, shape: ListShape, inputSource: InputSource): { value: unknown } | undefined {
  if (!isNestedList(shape)) return undefined;
  const list = parseCompound(text, inputSource)?.value;
  const isItem = (item: unknown, i: number) => leavesOf(itemAt(shape, i)).some((leaf) => mayBe(leaf, item));
  return Array.isArray(list) && list.every(isItem)
    ? { value: readJson(list, shape, inputSource) }
    : undefined;
}

// All of an intersection that may be an object, as one JSON text.
function readTable(text: string, shape: Shape, inputSource: InputSource): { value: unknown } | undefined {
  const table = leavesOf(shape).some(isTableShape) ? parseCompound(text, inputSource) : undefined;
  return table && { value: readJson(table.value, shape, inputSource) };
}

/** Applies an intersection to a value that is not an object. */
function partOf({ parts }: { readonly parts: readonly Shape[] }): Shape {
  return parts.find(({ kind }) => kind !== "any") ?? ANY;
}

function readInner({ inner, texts }: TextTree, shape: Shape, inputSource: InputSource): unknown {
  if (texts.length > 0) throw repeated(inputSource);
  const within = (name: string) => sourceInside(inputSource, name);
  const read = (each: TextTree, of: Shape | undefined, name: string) =>
    readSent(each, of ?? ANY, within(name));
  switch (shape.kind) {
    case "object":
    case "both":
      return settle(readObject(Object.fromEntries(inner), shape, within), within);
    case "map":
      return new Map(
        [...inner].map(([name, each]) => [
          readText(name, shape.of[0] ?? ANY, inputSource),
          read(each, shape.of[1], name),
        ]),
      );
    case "list":
    case "set": {
      const items = inOrder(inner);
      if (!items) throw wrongPlaces(inputSource, inner);
      const list = items.map((each, i) => read(each, itemAt(shape, i), String(i)));
      return shape.kind === "set" ? new Set(list) : list;
    }
    default: {
      const items = inOrder(inner);
      if (items) return items.map((each, i) => read(each, ANY, String(i)));
      return Object.fromEntries([...inner].map(([name, each]) => [name, read(each, ANY, name)]));
    }
  }
}

/** The items of a list whose names are the indexes from 0 on, in any order; undefined for other names. */
function inOrder(inner: ReadonlyMap<string, TextTree>): TextTree[] | undefined {
  const items = Array.from({ length: inner.size }, (_, i) => inner.get(String(i)));
  return items.every((each) => each !== undefined) ? items : undefined;
}

function readText(text: string, shape: Shape, inputSource: InputSource): unknown {
  count(inputSource);
  switch (shape.kind) {
    case "number":
      return isNumber(text) ? Number(text) : text;
    case "integer":
      return isInteger(text, inputSource.rules) ? Number(text) : text;
    case "bigint":
      return isBigInt(text) ? BigInt(text) : text;
    case "boolean":
      return BOOLEANS.get(text) ?? text;
    case "date":
      return readDate(text) ?? text;
    case "null":
      return text === "null" ? null : text;
    case "values":
      return readOneOf(shape.values, text, inputSource.rules);
    case "object":
    case "map":
    case "list":
    case "set":
      return readJsonText(text, shape, inputSource);
    case "union":
      return readUnion(shape.arms, (arm) => readText(text, arm, inputSource), inputSource.state);
    case "both": {
      const table = readTable(text, shape, inputSource);
      return table ? table.value : readText(text, partOf(shape), inputSource);
    }
    default:
      return text;
  }
}

function readJsonText(text: string, shape: Shape, inputSource: InputSource): unknown {
  const parsed = parseCompound(text, inputSource);
  return parsed ? readJson(parsed.value, shape, inputSource) : text;
}

// OpenAPI writes an object inside a form as JSON, as people do with a list inside a list. A text is neither, so nothing
// else can be meant.
function parseCompound(text: string, { name, place }: InputSource): { value: unknown } | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const parsed = parseJson(utf8(text), { depth: MAX_JSON_DEPTH, values: MAX_VALUES });
  if (!("fault" in parsed)) return parsed;
  if (parsed.fault !== "repeated_parameter") return undefined;
  throw repeatedParameter(`${name}.${parsed.parameter}`, place);
}

/** Whether JSON can express all of a shape. */
function isPlain(shape: Shape): boolean {
  let answer = plain.get(shape);
  if (answer === undefined) plain.set(shape, (answer = isFreeOf(isBeyondJson, shape)));
  return answer;
}

const plain = new WeakMap<Shape, boolean>();

// Dates as ISO 8601, big integers as digits, sets as lists, maps as objects or as lists of pairs.
function readJson(value: unknown, shape: Shape, inputSource: InputSource): unknown {
  if (value === null || value === undefined || isPlain(shape)) return value;
  count(inputSource);
  const inner = (each: unknown, of: Shape | undefined) => (of ? readJson(each, of, inputSource) : each);
  switch (shape.kind) {
    case "date":
      return typeof value === "string" ? (readDate(value) ?? value) : value;
    case "bigint":
      if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
      return typeof value === "string" && isBigInt(value) ? BigInt(value) : value;
    case "values":
      if (shape.values.includes(value)) return value;
      return shape.values.find((own) => isSameInt(own, value)) ?? value;
    case "list":
    case "set": {
      if (!Array.isArray(value)) return value;
      const list = value.map((each, i) => inner(each, itemAt(shape, i)));
      return shape.kind === "set" ? new Set(list) : list;
    }
    case "map": {
      const [key = ANY, of] = shape.of;
      if (isTable(value))
        return new Map(
          // The keys of an object are texts, like those of a query.
          Object.entries(value).map(([text, each]) => [readText(text, key, inputSource), inner(each, of)]),
        );
      if (!Array.isArray(value) || !value.every(isPair)) return value;
      return new Map(value.map(([own, each]) => [inner(own, key), inner(each, of)]));
    }
    case "object":
      return isTable(value) ? mapValues(value, (each, name) => inner(each, fieldOf(shape, name))) : value;
    case "both":
      return shape.parts.reduce<unknown>((read, part) => readJson(read, part, inputSource), value);
    case "union":
      return readUnion(shape.arms, (arm) => readJson(value, arm, inputSource), inputSource.state);
    default:
      return value;
  }
}

function isSameInt(own: unknown, value: unknown): boolean {
  return typeof own === "bigint" && typeof value !== "object" && String(own) === String(value);
}

function isPair(value: unknown): value is [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

function isTable(value: unknown): value is Values {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}
