import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import { endLeftovers, markRun } from "./leftovers.ts";
import { describeMachine } from "./things.ts";

const SLOWEST = 10;

/** Says what the machine has, which tests it left out, which files took longest, and one line that scripts can read. */
export default class Report implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    markRun();
  }

  onTestRunStart(): void {
    const context = this.#vitest?.getRootProject().getProvidedContext();
    if (context) write(describeMachine(context.machine));
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const isIn = (state: string) => tests.filter((test) => test.result().state === state);
    const [passed, failed, skipped] = ["passed", "failed", "skipped"].map(isIn);
    for (const test of skipped ?? []) write(`skipped ${nameOf(test)}`);
    for (const command of endLeftovers()) write(`ended what a test had left running: ${command}`);
    if (modules.length > SLOWEST) write(slowest(modules));
    // A file that does not even load has no tests to count.
    const unloaded = modules.filter((module) => module.errors().length > 0).length;
    const end = skipped?.length ? `, ${skipped.length} skipped` : "";
    write(`\n${passed?.length} passed, ${(failed?.length ?? 0) + unloaded + errors.length} failed${end}`);
  }
}

function nameOf(test: TestCase): string {
  const result = test.result();
  const note = result.state === "skipped" && result.note ? ` [${result.note}]` : "";
  return `${test.module.relativeModuleId}: ${test.fullName}${note}`;
}

function slowest(modules: readonly TestModule[]): string {
  const timed = modules.map((module) => ({ name: module.relativeModuleId, seconds: secondsOf(module) }));
  const top = timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
  return ["slowest files:", ...top.map(({ name, seconds }) => `  ${seconds.toFixed(1)} s ${name}`)].join(
    "\n",
  );
}

function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}

function write(text: string): void {
  process.stdout.write(`${text}\n`);
}
