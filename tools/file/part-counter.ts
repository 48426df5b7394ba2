import { ToolFailure } from "../../wire/tool-failure.ts";

/** The most parts of one kind that a file may have. Real files have a few hundred. */
export const MAX_PARTS = 10_000;

/** Counts parts of a file. @throws ToolFailure too_complex past 10,000 */
export type PartCounter = (count?: number) => void;

/**
 * Makes a counter of one kind of parts, named by its plural. A file of a few megabytes can hold millions of empty
 * ones, and each costs time and memory to read.
 */
export function makePartCounter(unit: string): PartCounter {
  let total = 0;
  return (count = 1) => {
    total += count;
    if (total <= MAX_PARTS) return;
    const message = `The file has more than ${MAX_PARTS} ${unit}.`;
    throw new ToolFailure("too_complex", message, { limit: unit, value: MAX_PARTS, unit });
  };
}
