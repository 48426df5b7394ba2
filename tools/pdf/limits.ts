import { ToolFailure } from "../../wire/tool-failure.ts";

export const MAX_DEPTH = 500;
/** Levels of a page tree, which is walked without recursion and needs little memory for each. */
export const MAX_PAGE_LEVELS = 10_000;
export const MAX_FILTERS = 4;
export const MAX_OBJECTS = 1_000_000;
export const MAX_PAGES = 50_000;
export const MAX_SECTIONS = 4096;
/**
 * The highest object number, four times what ISO 32000-1, annex C, asks for. Each file of a merge has this many numbers
 * to itself, and new objects come after them: a reference to what a file does not have must not meet another object.
 */
export const MAX_OBJECT_NUMBER = 2 ** 25 - 1;

const LEAST_INFLATED = 256 * 1024 * 1024;

/** Building values of a byte takes about as long as copying sixteen: most in arrays of short numbers. */
export const PARSING = 16;

/** What one call may still spend: a small file can ask for any amount of work. */
export interface Budget {
  inflated: WorkAllowance;
  read: WorkAllowance;
  written: WorkAllowance;
}

export interface WorkAllowance {
  readonly code: "too_complex" | "result_too_large";
  readonly limit: string;
  value: number;
  spent: number;
}

/** The budget of a call whose files have `sizeBytes` in all; `maxBytes` bounds the result. */
export function openBudget(sizeBytes: number, maxBytes?: number): Budget {
  const most = Math.max(LEAST_INFLATED, 8 * sizeBytes);
  return {
    inflated: { code: "too_complex", limit: "inflated", value: most, spent: 0 },
    // Objects that overlap in the file let n bytes be read n times over; of 1,755 public ones none took two fifths of this.
    read: { code: "too_complex", limit: "read", value: Math.max(LEAST_INFLATED, 64 * sizeBytes), spent: 0 },
    written: { code: "result_too_large", limit: "result", value: maxBytes ?? most, spent: 0 },
  };
}

/**
 * Takes `bytes` from an allowance.
 * @throws ToolFailure too_complex, result_too_large
 */
export function spend(allowance: WorkAllowance, bytes: number): void {
  allowance.spent += bytes;
  if (allowance.spent <= allowance.value) return;
  const { code, limit, value } = allowance;
  const what = code === "too_complex" ? "Reading the file would take" : "The result would have";
  const message = `${what} more than ${value} bytes (limit "${limit}").`;
  throw new ToolFailure(code, message, { limit, value, unit: "bytes" });
}

/** Counts bytes that were inflated, which may then be read as well. */
export function spendInflated({ inflated, read }: Budget, bytes: number): void {
  spend(inflated, bytes);
  read.value += 48 * bytes;
}

/** The failure of a document with more of something than any sound one has. */
export function tooComplex(fields: { limit: string; value: number; unit: string }): ToolFailure {
  const { limit, value, unit } = fields;
  const message = `The document has more than ${value} ${unit} (limit "${limit}").`;
  return new ToolFailure("too_complex", message, fields);
}
