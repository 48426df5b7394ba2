// slow
import { expect, describe, test } from "vitest";
import { runtimesHere } from "../machine/skips.ts";
import type { Attack } from "./attack.ts";
import { ATTACKS } from "./attacks.ts";
import { measureAttack } from "./measure.ts";

// A short version of `npm run bench -- attacks`: whether the others are served, not how fast on a busy machine.
const SECONDS = 2;
const MOST = 300;
const BUDGET_MIB = 512;
const BESIDE_MIB = 400;

/** Those that took the service from the others before they were met, and those on what moves bytes. */
const TELLING = [
  ...["zip bomb", "deep and wide", "byte now and then"],
  ...["very many parts", "as fast as they come", "readers of one ticket", "again and again"],
];

function find(words: string): Attack {
  const attack = ATTACKS.find(({ name }) => name.includes(words));
  if (!attack) throw new Error(`There is no attack with the words ${words}`);
  return attack;
}

// Every attack on one of the runtimes: which meets which does not matter much, as long as each is tried.
const runtimes = runtimesHere();
const tried = TELLING.map((words, i) => ({ words, runtime: runtimes[i % runtimes.length]! }));

describe.each(tried)("$words", ({ words, runtime }) => {
  test(`refuses nobody else on ${runtime.name}, and lives`, { timeout: 60_000 }, async () => {
    const bounds = { runtime, seconds: SECONDS, most: MOST, calmMs: 200, recoveryMs: 500 };
    const outcome = await measureAttack(find(words), bounds);
    expect(outcome.hasSurvived).toBe(true);
    expect(outcome.faults).toEqual([]);
    const { light, tool, login } = outcome.during;
    expect([light.refused, tool.refused, login.refused]).toEqual([0, 0, 0]);
    expect(outcome.peakMiB).toBeLessThan(BUDGET_MIB + BESIDE_MIB);
  });
});
