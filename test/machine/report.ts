import type { Reporter, TestModule } from "vitest/node";

/** Prints one plain closing line that scripts can read. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) count[stateOf(test.result().state)]++;
      // A file that does not even load has no tests to count.
      if (module.errors().length > 0) count.failed++;
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${skipped}\n`);
  }
}

function stateOf(state: string): "passed" | "failed" | "skipped" {
  return state === "passed" || state === "failed" ? state : "skipped";
}
