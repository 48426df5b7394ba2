import { expect } from "vitest";
import { Random } from "../fuzz/random.ts";

/** The suite sets it; a file that runs by itself draws its own. */
export const seed = Number(process.env["TEST_SEED"] ?? Math.trunc(Math.random() * 1_000_000));
/** Whether every case is tried, as before a release. */
export const isSweep = process.env["TEST_SWEEP"] === "all";
const told = new Set<string | undefined>();

/**
 * All cases before a release (TEST_SWEEP=all), else so many of them, in their order; the file's output has the seed.
 * Those `of` different things are drawn apart.
 */
export function sampled<T>(cases: readonly T[], count: number, of = ""): readonly T[] {
  if (isSweep || cases.length <= count) return cases;
  tellSeed();
  // Begun anew each time: what is drawn does not depend on the files before.
  const random = new Random(seed + of.length);
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(random.below(cases.length));
  return cases.filter((_, i) => chosen.has(i));
}

/** How often the same is done that chance decides: a quarter of these times, and all of them before a release. */
export function times(all: number): number {
  return isSweep ? all : Math.ceil(all / 4);
}

function tellSeed(): void {
  // A worker loads this module once for many files.
  const { testPath } = expect.getState();
  if (told.has(testPath)) return;
  told.add(testPath);
  console.log(`sampled with TEST_SEED=${seed}`);
}
