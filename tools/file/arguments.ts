import { quoteStart } from "../../wire/escaped-name.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import type { OnProgress } from "./progress.ts";

// Programs without types, and with values from JSON, call the package's functions too. A wrong argument is refused by
// its name before anything is read: otherwise it would end as an error inside of a tool, or change the result.

/** What an argument may be. */
interface Kind {
  /** In words, after "must be". */
  readonly what: string;
  readonly allowed?: readonly unknown[];
  readonly isRequired?: boolean;
  readonly fits: (value: unknown) => boolean;
}

/** The kinds of all options of a function. */
export type OptionKinds<Options> = { readonly [Name in keyof Options]-?: Kind };

export const TEXT: Kind = { what: "a text", fits: (value) => typeof value === "string" };
export const TEXTS: Kind = {
  what: "a text or a list of texts",
  fits: (value) => [value].flat().every((each) => typeof each === "string"),
};
export const FLAG: Kind = { what: "true or false", fits: (value) => typeof value === "boolean" };
/** Of any size: what has bounds tells them itself. */
export const NUMBER: Kind = { what: "a number", fits: isNumber };
export const COUNT: Kind = {
  what: "a whole number from 1 on",
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
};
const MAX_BYTES: Kind = {
  what: "a number of bytes",
  fits: (value) => isNumber(value) && value >= 0,
};
export const CALLBACK: Kind = { what: "a function", fits: (value) => typeof value === "function" };
export const OBJECT: Kind = { what: "an object", fits: isObject };
export const BYTES: Kind = { what: "a Uint8Array", fits: isBytes };
export const FILE: Kind = { what: "a Uint8Array, a Blob or a File", fits: isWholeFile };
const SOURCE: Kind = {
  what: "a Uint8Array, a Blob, a File, a ReadableStream or what yields Uint8Arrays",
  fits: (value) => isWholeFile(value) || (isObject(value) && isPieces(value)),
};

/** One of these values. */
export function oneOf(allowed: readonly unknown[]): Kind {
  return { what: `one of ${allowed.join(", ")}`, allowed, fits: (value) => allowed.includes(value) };
}

/** A list of some of these values. */
export function someOf(allowed: readonly unknown[]): Kind {
  const fits = (value: unknown) => Array.isArray(value) && value.every((item) => allowed.includes(item));
  return { what: `a list of ${allowed.join(", ")}`, allowed, fits };
}

/** A number within these bounds. */
export function within(minimum: number, maximum: number): Kind {
  const fits = (value: unknown) => isNumber(value) && value >= minimum && value <= maximum;
  return { what: `a number from ${minimum} to ${maximum}`, fits };
}

/** An option of this kind that may not be left out. */
export function required(kind: Kind): Kind {
  return { ...kind, isRequired: true };
}

/** Options of every function for PDFs. */
export interface PdfOptions {
  /** The password that opens the document; not needed where only an owner's password restricts it. */
  readonly password?: string | undefined;
  /** The most bytes the result may have. */
  readonly maxBytes?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export const PDF_OPTIONS: OptionKinds<PdfOptions> = {
  password: TEXT,
  maxBytes: MAX_BYTES,
  onProgress: CALLBACK,
};

/** Refuses what is no whole file. @throws ToolFailure missing_parameter, invalid_parameter */
export function checkFile(file: unknown, parameter = "file"): void {
  checkValue(file, parameter, required(FILE));
}

/** Refuses what is no file, whole or in pieces. @throws ToolFailure missing_parameter, invalid_parameter */
export function checkSource(file: unknown): void {
  checkValue(file, "file", required(SOURCE));
}

/**
 * The options of a call, none where they are left out.
 * @throws ToolFailure missing_parameter, invalid_parameter; for names that the function does not know too
 */
export function readOptions<Options extends object>(
  options: Options | undefined,
  kinds: OptionKinds<Options>,
): Options {
  const given: unknown = options ?? (options === undefined ? {} : null);
  checkFields(given, kinds, { name: "options", path: "" });
  // Undefined options are an object without any.
  return given as Options;
}

/**
 * Refuses anything but an object with these fields and no others; an error names the field, with the path before it.
 * @throws ToolFailure missing_parameter, invalid_parameter
 */
export function checkFields(
  given: unknown,
  kinds: Readonly<Record<string, Kind>>,
  { name, path = `${name}.` }: { name: string; path?: string },
): void {
  const names = Object.keys(kinds);
  const fits = (value: unknown) => isObject(value) && !Array.isArray(value) && !isBytes(value);
  checkValue(given, name, required({ what: `an object with ${names.join(", ")}`, fits }));
  const object = Object(given);
  const [unknown] = Object.keys(object).filter((key) => !Object.hasOwn(kinds, key));
  if (unknown !== undefined) {
    const shown = quoteStart(unknown);
    const what = name === "options" ? `option "${shown}"` : `field "${shown}" in "${name}"`;
    throw refusal(path + shown, `There is no ${what}; there are ${names.join(", ")}`, names);
  }
  for (const [key, kind] of Object.entries(kinds)) checkValue(Reflect.get(object, key), path + key, kind);
}

type WithoutUndefined<Options> = { [Name in keyof Options]?: Exclude<Options[Name], undefined> };

/** The options that have a value, which can then follow defaults. */
export function definedOf<Options extends object>(options: Options): WithoutUndefined<Options> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  // The same names and values.
  return Object.fromEntries(given) as WithoutUndefined<Options>;
}

/** @throws ToolFailure missing_parameter, invalid_parameter */
export function checkValue(value: unknown, parameter: string, kind: Kind): void {
  if (value === undefined && kind.isRequired)
    throw new ToolFailure("missing_parameter", `"${parameter}" is missing; it is ${kind.what}`, {
      parameter,
    });
  if (value === undefined || kind.fits(value)) return;
  const hint = value instanceof ArrayBuffer ? "; new Uint8Array(…) makes one of an ArrayBuffer" : "";
  throw refusal(parameter, `"${parameter}" must be ${kind.what}${hint}`, kind.allowed);
}

function refusal(parameter: string, message: string, allowed?: readonly unknown[]): ToolFailure {
  return new ToolFailure("invalid_parameter", message, { parameter, ...(allowed && { allowed }) });
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

// By their tags, since objects of another window or context are no instances of the classes here.
function isBytes(value: unknown): boolean {
  return tagOf(value) === "Uint8Array";
}

function isWholeFile(value: unknown): boolean {
  return ["Uint8Array", "Blob", "File"].includes(tagOf(value));
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

function isPieces(value: object): boolean {
  return Symbol.asyncIterator in value || "getReader" in value || "pieces" in value;
}
