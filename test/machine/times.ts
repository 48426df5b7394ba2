import { readFileSync } from "node:fs";
import type { FileResult } from "./results.ts";
import type { Machine } from "./things.ts";

const SLOWEST = 10;
const BUDGETS = new URL("../../bench/budgets.json", import.meta.url);

/** Where the time of a run went: a line for each project, and the files that took longest. */
export function describeTimes(results: readonly FileResult[]): string[] {
  const projects = [...Map.groupBy(results, ({ project }) => project)].map(([name, files]) => {
    const sum = (of: (file: FileResult) => number) => files.reduce((total, file) => total + of(file), 0);
    const [loading, testing] = [sum(({ seconds }) => seconds.loading), sum(({ seconds }) => seconds.testing)];
    const tests = sum(({ passed, failures, skipped }) => passed + failures.size + skipped.length);
    return `  ${name}: ${files.length} files, ${tests} tests, ${format(loading)} loading, ${format(testing)} testing`;
  });
  const slowest = results.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, SLOWEST);
  const files = slowest.map((result) => `  ${format(secondsOf(result))} ${result.file}`);
  return ["time, added up over all workers:", ...projects, ...(results.length > SLOWEST ? files : [])];
}

function secondsOf({ seconds }: FileResult): number {
  return seconds.loading + seconds.testing;
}

function format(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}

/** What bench/budgets.json allows the whole suite on such a machine, for the end of a line. It is told and never fails. */
export function describeBudget(machine: Machine): string {
  const { suite } = JSON.parse(readFileSync(BUDGETS, "utf8")) as { suite: { bare: number; full: number } };
  const isFull = "at" in machine.Chromium && "at" in machine.PostgreSQL;
  const isBare = !("at" in machine.Chromium) && !("at" in machine.PostgreSQL);
  if (isFull) return ` of ${suite.full} s`;
  return isBare ? ` of ${suite.bare} s` : "";
}
