// How a text becomes a single value, for the schema to judge.
import type { TextRules } from "./reading.ts";

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

// A number that is none of the values is refused as a number.
export function readOneOf(values: readonly unknown[], text: string, rules: TextRules): unknown {
  const areIntegers = values.every((value) => Number.isInteger(value));
  const isNumeric = rules.integers && areIntegers ? isInteger(text, rules) : isNumber(text);
  const found = values.find((value) => isWritten(value, text, isNumeric));
  if (found !== undefined) return found;
  return isNumeric && values.every((value) => typeof value === "number") ? Number(text) : text;
}

function isWritten(value: unknown, text: string, isNumeric: boolean): boolean {
  if (typeof value === "number") return isNumeric && Number(text) === value;
  if (typeof value === "bigint") return isBigInt(text) && BigInt(text) === value;
  return String(value) === text;
}
