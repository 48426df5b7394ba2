import { readFileSync } from "node:fs";
import type { FileResult } from "./results.ts";
import type { Machine } from "./things.ts";

/** Of so many files each is told by the run itself. */
const FEW = 10;
/** How many of the slowest files are told; TEST_SLOWEST=999 tells all. */
const listed = Number(process.env["TEST_SLOWEST"] ?? FEW);
const BUDGETS = new URL("../../bench/budgets.json", import.meta.url);

/** Where the time of a run went: a line for each project, and the files that kept the machine busy longest. */
export function describeTimes(results: readonly FileResult[]): string[] {
  const projects = [...Map.groupBy(results, ({ project }) => project)].map(([name, files]) => {
    const sum = (of: (file: FileResult) => number) => files.reduce((total, file) => total + of(file), 0);
    const [loading, testing] = [sum(({ seconds }) => seconds.loading), sum(({ seconds }) => seconds.testing)];
    const tests = sum(({ passed, failures, skipped }) => passed + failures.size + skipped.length);
    const used = sum(({ processorSeconds }) => processorSeconds ?? 0);
    const processor = used > 0 ? `, ${format(used)} of processor` : "";
    return `  ${name}: ${files.length} files, ${tests} tests, ${format(loading)} loading, ${format(testing)} testing${processor}`;
  });
  const slowest = results.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, listed);
  const files = slowest.map((result) => `  ${format(secondsOf(result))} ${result.file}`);
  return ["time, added up over all workers:", ...projects, ...(results.length > FEW ? files : [])];
}

/** Time goes by on a busy machine too; what the processor did is the same each time. */
function secondsOf({ seconds, processorSeconds }: FileResult): number {
  return processorSeconds ?? seconds.loading + seconds.testing;
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
