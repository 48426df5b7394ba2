import { expect, describe, onTestFinished, test } from "vitest";
import { runtimesHere } from "../../machine/skips.ts";
import { startServer } from "../../process/support/server.ts";
import type { Attack } from "./attack.ts";
import { ATTACKS } from "./attacks.ts";
import { callLightly, createVictim, summarize } from "./lights.ts";
import { listFaults, startAttack, VICTIM, watchMemory } from "./measure.ts";

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
  test(`refuses nobody else on ${runtime.name}, and lives`, async () => {
    // A new server for each: one address may send only so much, and must not have sent it before.
    const server = await startServer(runtime, VICTIM);
    onTestFinished(() => server.kill());
    await createVictim(server.url);
    const memory = watchMemory(server);
    const attacker = startAttack(find(words), { url: server.url, seconds: SECONDS, most: MOST });
    const { light, tool, login } = summarize(await callLightly(server.url, { until: attacker.ended }));
    expect([light.refused, tool.refused, login.refused]).toEqual([0, 0, 0]);
    expect(memory.isAlive()).toBe(true);
    expect(memory.end()).toBeLessThan(BUDGET_MIB + BESIDE_MIB);
    expect(listFaults(server)).toEqual([]);
  });
});
