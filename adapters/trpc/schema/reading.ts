// One reading of one call, and what is said where it cannot go on.
import { CallError } from "../../../wire/call-error.ts";

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

/** More values than one call may have read. */
export function tooMany(inputSource: InputSource): CallError {
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
