import type { TestCase, TestModule } from "vitest/node";

/** What became of one file. */
export interface FileResult {
  readonly file: string;
  readonly project: string;
  readonly passed: number;
  /** Their names, with the reason. */
  readonly skipped: readonly string[];
  /** Why a test, the set-up of a group or the whole file failed, by its name. */
  readonly failures: ReadonlyMap<string, string>;
  /** By what was done in this time. */
  readonly seconds: { readonly loading: number; readonly testing: number };
  /** Of the processor, whatever else the machine did; only Linux tells. */
  readonly processorSeconds: number | undefined;
}

/** A test whose result is not the same each time. */
export interface Flaky {
  readonly name: string;
  readonly why: string;
}

/** Results are read while a run is fresh: what is run once more replaces them. */
export function resultOf(module: TestModule): FileResult {
  const { collectDuration, setupDuration, prepareDuration, duration } = module.diagnostic();
  const tests = [...module.children.allTests()];
  return {
    file: module.relativeModuleId,
    project: module.project.name,
    passed: tests.filter((test) => test.result().state === "passed").length,
    skipped: tests.filter((test) => test.result().state === "skipped").map(nameOfSkipped),
    failures: failuresOf(module, tests),
    seconds: {
      loading: (collectDuration + setupDuration + prepareDuration) / 1000,
      testing: duration / 1000,
    },
    processorSeconds: module.meta().processorSeconds,
  };
}

function failuresOf(module: TestModule, tests: readonly TestCase[]): Map<string, string> {
  const groups = [...module.children.allSuites()].map((group) => ({
    name: `${group.fullName} (its set-up)`,
    errors: group.errors(),
  }));
  const cases = tests.map((test) => ({ name: test.fullName, errors: test.result().errors ?? [] }));
  const all = [{ name: "(the file)", errors: module.errors() }, ...groups, ...cases];
  const failed = all.filter(({ errors }) => errors.length > 0);
  return new Map(failed.map(({ name, errors }) => [name, errors.map(({ message }) => message).join("\n")]));
}

function nameOfSkipped(test: TestCase): string {
  const result = test.result();
  const note = result.state === "skipped" && result.note ? ` [${result.note}]` : "";
  return `${test.module.relativeModuleId}: ${test.fullName}${note}`;
}

/** The results after some files were run once more, and what was different then. */
export function withRepeated(
  first: readonly FileResult[],
  second: readonly FileResult[],
): { results: readonly FileResult[]; flaky: readonly Flaky[] } {
  const flaky: Flaky[] = [];
  const results = first.map((before) => {
    const after = second.find(({ file, project }) => file === before.file && project === before.project);
    if (!after) return before;
    const both = [...after.failures].filter(([name]) => before.failures.has(name));
    for (const [name, why] of before.failures)
      if (!after.failures.has(name)) flaky.push({ name: `${before.file}: ${name}`, why: `first: ${why}` });
    for (const [name, why] of after.failures)
      if (!before.failures.has(name)) flaky.push({ name: `${before.file}: ${name}`, why: `then: ${why}` });
    // What passed one of two times is counted as passed.
    const passed = after.passed + after.failures.size - both.length;
    return { ...after, passed, failures: new Map(both) };
  });
  return { results, flaky };
}
