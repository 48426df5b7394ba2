// One reading of one call, and what is said where it cannot go on.
import { CallError } from "../../../wire/call-error.ts";
import { safeParse, type $ZodType } from "zod/v4/core";
import { ANY, type Arm, type Shape } from "./shape.ts";

/** How the texts of one procedure's call become values, besides what its schema says. */
export interface TextRules {
  /** Whether one text is a list of the parts between its commas; otherwise a name occurs once for each item. */
  readonly lists?: "comma";
  /** Whether an integer is digits with a sign, nine at the most; otherwise any number of JSON that is whole. */
  readonly integers?: "digits";
}

/** Where a value comes from, and what is left to try. */
export interface InputSource {
  readonly rules: TextRules;
  /** The parameter, and where it stood, for errors. */
  readonly name: string;
  readonly place: string | undefined;
  /** How many values may still be tried: what a caller sends decides how often a schema with unions is asked. */
  readonly budget: { left: number };
}

/** Far more than any form has; a schema that holds itself would otherwise be tried in every way there is. */
export const MAX_VALUES = 200_000;

/** One value, given more than once. */
export function repeated(inputSource: InputSource): CallError {
  const { parameter, place } = named(inputSource);
  return repeatedParameter(parameter, place.in);
}

/** A parameter that is given more than once, where it has one value. */
export function repeatedParameter(name: string, place?: string): CallError {
  const parameter = name.slice(0, 64);
  return new CallError(
    "repeated_parameter",
    `Parameter "${parameter}" is given more than once; give it once`,
    { parameter, ...(place !== undefined && { in: place }) },
  );
}

/** Counts a value that is read. @throws CallError invalid_parameter past what one call may have read */
export function count(inputSource: InputSource): void {
  inputSource.budget.left -= 1;
  if (inputSource.budget.left <= 0) throw tooMany(inputSource);
}

function tooMany(inputSource: InputSource): CallError {
  const { parameter, place } = named(inputSource);
  const error = `Parameter "${parameter}" has too many values`;
  return new CallError("invalid_parameter", error, { parameter, ...place, maximum: MAX_VALUES });
}

/** A list whose places are named by something else than its numbers. */
export function wrongPlaces(inputSource: InputSource, size: number): CallError {
  const { parameter, place } = named(inputSource);
  const error = `Parameter "${parameter}" is a list: its places are numbered from 0 to ${size - 1}`;
  return new CallError("invalid_parameter", error, { parameter, ...place, maximum: size - 1 });
}

function named({ name, place }: InputSource) {
  return { parameter: name.slice(0, 64), place: place === undefined ? {} : { in: place } };
}

/** Whether a text is a number (RFC 8259, 6). What is beyond a double stays a text. */
export function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
}

export function isInteger(text: string, { integers }: TextRules): boolean {
  if (integers === "digits") return /^-?\d{1,9}$/.test(text);
  return isNumber(text) && Number.isSafeInteger(Number(text));
}

/** Digits that are read at once; more of them take longer than a caller may hold the thread. */
const MAX_DIGITS = 10_000;

export function isBigInt(text: string): boolean {
  return text.length <= MAX_DIGITS && /^-?\d+$/.test(text);
}

// Which arm of a union a value was sent for: each of them reads it in its own way, and its schema is asked.

/** What the first arm makes of a value that takes it. */
export function readUnion(
  arms: readonly Arm[],
  read: (shape: Shape) => unknown,
  budget: InputSource["budget"],
): unknown {
  let refusal: unknown;
  for (const { shape, schema } of arms) {
    try {
      const value = read(shape);
      if (fits(schema, value)) return value;
    } catch (error) {
      if (!(error instanceof CallError) || budget.left <= 0) throw error;
      refusal = error;
    }
  }
  if (refusal !== undefined) throw refusal;
  // What fits no arm is refused by the schema, which gets it as it came.
  return read(ANY);
}

/** What an arm makes of values that it takes, or the arm that finds the least to refuse; `settle` ends a reading. */
export function bestOf<Values>(
  arms: readonly Arm[],
  read: (arm: Arm) => Values,
  {
    budget,
    settle,
  }: { readonly budget: InputSource["budget"]; readonly settle: (values: Values) => unknown },
): Values {
  let best: { values: Values; faults: number } | undefined;
  let refusal: unknown;
  for (const arm of arms) {
    try {
      const values = read(arm);
      const faults = faultsOf(arm.schema, settle(values));
      if (faults === 0) return values;
      if (!best || faults < best.faults) best = { values, faults };
    } catch (error) {
      if (!(error instanceof CallError) || budget.left <= 0) throw error;
      refusal = error;
    }
  }
  if (!best) throw refusal;
  return best.values;
}

/** Whether a schema takes a value. */
export function fits(schema: $ZodType, value: unknown): boolean {
  return faultsOf(schema, value) === 0;
}

function faultsOf(schema: $ZodType, value: unknown): number {
  try {
    return safeParse(schema, value).error?.issues.length ?? 0;
  } catch {
    // It can only be asked with a wait; it is, when the procedure is called.
    return 0;
  }
}
