// How one call is read: its state, its errors, and the arms of unions.
import { CallError } from "../../../wire/call-error.ts";
import { quoteStart } from "../../../wire/escaped-name.ts";
import { safeParse, type $ZodType } from "zod/v4/core";
import { ANY, runsCode, type Arm, type ObjectShape, type Shape } from "./shape.ts";

/** How texts become values, in addition to what the schema says. */
export interface TextRules {
  /** Whether one text is a list of the parts between its commas; otherwise a name is repeated for each item. */
  readonly lists?: "comma";
  /** Whether an integer must be digits with an optional sign, nine at most; otherwise any whole JSON number. */
  readonly integers?: "digits";
}

/** Where a value comes from. */
export interface InputSource {
  readonly rules: TextRules;
  /** The parameter and its place, for errors. */
  readonly name: string;
  readonly place: string | undefined;
  /** The names inside the parameter that lead to the value, with that of the parameter: `filter.tags`. */
  readonly path?: string;
  readonly state: ReadState;
}

/** The state of reading one call. */
interface ReadState {
  /** How many values may still be tried: the input decides how often a schema with unions is tried. */
  left: number;
  /** The numbers of issues that schemas had with values, in the order in which they were asked; some come later. */
  answers: (number | Promise<number>)[];
  /** How many of the answers were used. */
  used: number;
}

/** The texts sent under one name of a query or a form, or further names. */
export class TextTree {
  readonly texts: string[] = [];
  readonly inner = new Map<string, TextTree>();
  /** Whether it was called `name[]`, which is a list even with one item. */
  isList = false;

  /** Adds a text at the end of a path of names; an empty name is the next item of a list. */
  add(path: readonly string[], text: string): void {
    const [name, ...rest] = path;
    if (name === undefined) return void this.texts.push(text);
    if (name === "" && rest.length === 0) {
      this.isList = true;
      return void this.texts.push(text);
    }
    let inner = this.inner.get(name);
    if (!inner) this.inner.set(name, (inner = new TextTree()));
    inner.add(rest, text);
  }
}

/** Far more than any form has; a recursive schema would otherwise be tried in every possible way. */
export const MAX_VALUES = 200_000;

/** The source of a value inside another one. */
export function sourceInside(inputSource: InputSource, name: string): InputSource {
  return { ...inputSource, path: `${inputSource.path ?? inputSource.name}.${name}` };
}

/** A single value was given more than once. */
export function repeated(inputSource: InputSource): CallError {
  const { parameter, place } = named(inputSource);
  return repeatedParameter(parameter, place.in);
}

/** A parameter with a single value was given more than once. */
export function repeatedParameter(name: string, place?: string): CallError {
  const parameter = quoteStart(name);
  const error = `Parameter "${parameter}" is given more than once; give it once`;
  return new CallError("repeated_parameter", error, { parameter, ...(place !== undefined && { in: place }) });
}

/** Counts a value that is read. @throws CallError invalid_parameter beyond what one call may have */
export function count(inputSource: InputSource): void {
  inputSource.state.left -= 1;
  if (inputSource.state.left <= 0) throw tooMany(inputSource, MAX_VALUES);
}

/** There are more values than may be. */
function tooMany(inputSource: InputSource, maximum: number): CallError {
  const { parameter, place } = named({ ...inputSource, path: inputSource.name });
  const error = `Parameter "${parameter}" has more than ${maximum} values`;
  return new CallError("invalid_parameter", error, { parameter, ...place, maximum });
}

/** The parts between commas. A text of nothing but commas has as many as it has characters. */
export function splitLists(texts: readonly string[], inputSource: InputSource): string[] {
  const parts: string[] = [];
  for (const text of texts) {
    for (const part of text.split(",", MAX_ITEMS + 1)) parts.push(part.trim());
    if (parts.length > MAX_ITEMS) throw tooMany(inputSource, MAX_ITEMS);
  }
  return parts;
}

const MAX_ITEMS = 1000;

/** A query or a form has more values than may be. */
export function tooManyIn(place: string, maximum: number): CallError {
  const error = `The ${place} has more than ${maximum} values`;
  return new CallError("invalid_parameter", error, { in: place, maximum });
}

/** The indexes of a list are not its numbers from 0 on. */
export function wrongPlaces(inputSource: InputSource, inner: ReadonlyMap<string, TextTree>): CallError {
  const { parameter, place } = named(inputSource);
  const maximum = inner.size - 1;
  const item = inner.get("");
  const [first = ""] = item?.inner.keys() ?? [];
  const [sent, name] = [parameter.replace(/\.([^.]*)/g, "[$1]"), quoteStart(first)];
  const places = item
    ? `"${sent}[][${name}]" does not say of which item, as "${sent}[0][${name}]" does`
    : `its places are numbered from 0 to ${maximum}`;
  const error = `Parameter "${parameter}" is a list: ${places}`;
  return new CallError("invalid_parameter", error, { parameter, ...place, maximum });
}

function named({ name, path = name, place }: InputSource) {
  return { parameter: quoteStart(path), place: place === undefined ? {} : { in: place } };
}

// How a text becomes a single value, for the schema to judge.

/** Whether a text is a number (RFC 8259, 6). What exceeds a double stays a text. */
export function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
}

/** Whether a text is a number for a schema of integers, which refuses a fraction in better words than a text. */
export function isInteger(text: string, { integers }: TextRules): boolean {
  if (integers === "digits") return /^-?\d{1,9}$/.test(text);
  return isNumber(text) && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER;
}

/** Digits that are converted at once; more would block the thread for too long. */
const MAX_DIGITS = 10_000;

export function isBigInt(text: string): boolean {
  return text.length <= MAX_DIGITS && /^-?\d+$/.test(text);
}

/** A date in ISO 8601, with or without a time; undefined for any other text. */
export function readDate(text: string): Date | undefined {
  if (
    text.length > 40 ||
    !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(text)
  )
    return undefined;
  // V8 takes February 30 for March 2, and other engines refuse it.
  const isDay = new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10));
  const date = new Date(text);
  return isDay && !Number.isNaN(date.getTime()) ? date : undefined;
}

export const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

// A number that is not one of the values is refused as a number.
export function readOneOf(values: readonly unknown[], text: string, rules: TextRules): unknown {
  const areIntegers = values.every((value) => Number.isInteger(value));
  const isNumeric = rules.integers && areIntegers ? isInteger(text, rules) : isNumber(text);
  const own = values.find((value) => isWritten(value, text, isNumeric));
  const found = own === undefined ? values.find((value) => value === BOOLEANS.get(text)) : own;
  if (found !== undefined) return found;
  return isNumeric && values.every((value) => typeof value === "number") ? Number(text) : text;
}

function isWritten(value: unknown, text: string, isNumeric: boolean): boolean {
  if (typeof value === "number") return isNumeric && Number(text) === value;
  if (typeof value === "bigint") return isBigInt(text) && BigInt(text) === value;
  return String(value) === text;
}

// Finds the arm of a union that a value was sent for: each reads it in its own way, and its schema is tried.

/** The value as read by the first arm that accepts it, or else by the one with the fewest issues. */
export function readUnion(arms: readonly Arm[], read: (shape: Shape) => unknown, state: ReadState): unknown {
  const { best, refusal } = tryArms(arms, ({ shape }) => read(shape), { state });
  if (best) return best.value;
  if (refusal !== undefined) throw refusal;
  return read(ANY);
}

/**
 * The reading of the first arm that accepts it, or else the one with the fewest issues, and the last refusal of an arm;
 * `settle` completes a reading.
 */
export function tryArms<Value>(
  arms: readonly Arm[],
  read: (arm: Arm) => Value,
  { state, settle = (value) => value }: { state: ReadState; settle?: (value: Value) => unknown },
): { best: { value: Value; issues: number } | undefined; refusal: unknown } {
  let best: { value: Value; issues: number } | undefined;
  let refusal: unknown;
  for (const arm of arms) {
    try {
      const value = read(arm);
      const issues = countArmIssues(arm, settle(value), state);
      if (!best || issues < best.issues) best = { value, issues };
      if (issues === 0) break;
    } catch (error) {
      if (!(error instanceof CallError) || state.left <= 0) throw error;
      refusal = error;
    }
  }
  return { best, refusal };
}

/** Reads, and reads again where an arm later refuses what it seemed to take: the answers before that one still hold. */
export function readWithAnswers<Value>(read: (state: ReadState) => Value): Value | Promise<Value> {
  const state: ReadState = { left: MAX_VALUES, answers: [], used: 0 };
  const value = read(state);
  return state.answers.every((answer) => typeof answer === "number")
    ? value
    : readAgain(value, { read, state });
}

async function readAgain<Value>(
  value: Value,
  { read, state }: { read: (state: ReadState) => Value; state: ReadState },
): Promise<Value> {
  const answers = await Promise.all(state.answers);
  const wrong = answers.findIndex((issues, i) => issues > 0 && typeof state.answers[i] !== "number");
  if (wrong < 0 || state.left < MAX_VALUES / 2) return value;
  Object.assign(state, { answers: answers.slice(0, wrong + 1), used: 0 });
  return readAgain(read(state), { read, state });
}

/** How many issues an arm has with a value; 0 while its schema has not answered. */
function countArmIssues({ schema, exclusive }: Arm, value: unknown, state: ReadState): number {
  const answer = state.answers[state.used] ?? countIssues(schema, value);
  state.answers[state.used++] = answer;
  if (answer === 0 && exclusive) return countArmIssues({ shape: ANY, schema: exclusive }, value, state);
  return typeof answer === "number" ? answer : 0;
}

/** Whether a schema takes a value; undefined where it answers later. */
export function fits(schema: $ZodType, value: unknown): boolean | undefined {
  const issues = countIssues(schema, value);
  return typeof issues === "number" ? issues === 0 : undefined;
}

/** The shape of the value of a key; undefined for a key that an object does not know. */
export function fieldOf({ properties, others: [other], keys }: ObjectShape, name: string): Shape | undefined {
  const known = properties.get(name);
  if (known || !keys) return known ?? other;
  // zod also tries a key as a number.
  const mayBe = (key: unknown) => fits(keys, key) !== false;
  return mayBe(name) || (name !== "" && mayBe(Number(name))) ? other : undefined;
}

// What a schema throws here, it throws again when the procedure is called.
function countIssues(schema: $ZodType, value: unknown): number | Promise<number> {
  try {
    if (!runsCode(schema)) return safeParse(schema, value).error?.issues.length ?? 0;
    // Takes longer, and returns the promise that `safeParse` would drop.
    const result = schema._zod.run({ value, issues: [] }, { async: true });
    if (!(result instanceof Promise)) return result.issues.length;
    return result.then(
      ({ issues }) => issues.length,
      () => 0,
    );
  } catch {
    // As if it fitted.
    return 0;
  }
}
