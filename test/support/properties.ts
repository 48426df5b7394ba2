import fc from "fast-check";
import { isSweep, seed } from "./sampled.ts";

// By itself it draws one that TEST_SEED does not repeat.
fc.configureGlobal({ seed });

/** How many examples a property gets: a fifth of these, and all of them before a release (TEST_SWEEP=all). */
export function runs(all: number): { numRuns: number } {
  return { numRuns: isSweep ? all : Math.ceil(all / 5) };
}

export { fc };
