import { expect, test } from "vitest";
import { withRepeated, type FileResult } from "./results.ts";

function result(file: string, passed: number, failures: Record<string, string> = {}): FileResult {
  const seconds = { loading: 0, testing: 0 };
  return {
    file,
    project: "process",
    passed,
    skipped: [],
    failures: new Map(Object.entries(failures)),
    seconds,
    processorSeconds: undefined,
  };
}

test("a test that fails twice has failed, with the reason of the second time", () => {
  const first = [result("a", 1, { x: "why" }), result("b", 2)];
  const { results, flaky } = withRepeated(first, [result("a", 1, { x: "why then" })]);
  expect(results.map(({ passed, failures }) => [passed, ...failures])).toEqual([[1, ["x", "why then"]], [2]]);
  expect(flaky).toEqual([]);
});

test("a test that passes one of two times is flaky, and counted as passed", () => {
  const first = [result("a", 2, { x: "why" })];
  const { results, flaky } = withRepeated(first, [result("a", 2, { y: "so" })]);
  expect(results.map(({ passed, failures }) => [passed, failures.size])).toEqual([[3, 0]]);
  expect(flaky).toEqual([
    { name: "a: x", why: "first: why" },
    { name: "a: y", why: "then: so" },
  ]);
});

test("a file that was not run once more keeps its failures", () => {
  const { results, flaky } = withRepeated([result("a", 0, { x: "why" })], []);
  expect([results[0]?.failures.size, flaky.length]).toEqual([1, 0]);
});
