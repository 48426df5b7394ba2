// The everyday check: format, lint, types, and of the unit tests those that the change reaches with some others drawn by
// the seed, each told by name; ends with failure if one failed.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { changedFiles, testsOf } from "./machine/change.ts";
import { testFiles } from "./machine/kinds.ts";
import { nodePath } from "./support/runtimes.ts";

const OXLINT = "oxlint@1.94.0";
const MOST_OUTPUT = 1 << 26;
/** What was found the last time of files that have not changed since. */
const CACHE = "node_modules/.cache/check";

interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Not on every machine: its packages are fetched by name when it is first used. */
  readonly mayLack?: true;
}

process.env.TEST_SEED ??= String(Math.trunc(Math.random() * 1_000_000));
// Of what costs much a part, also of files that are named.
process.env.TEST_DRAW ??= "seed";
const node = nodePath();
const tests = testsOf(changedFiles(), {
  tests: testFiles().get("unit") ?? [],
  seed: Number(process.env.TEST_SEED),
});
const STEPS: readonly Step[] = [
  {
    name: "format",
    command: node,
    args: [
      ...["node_modules/prettier/bin/prettier.cjs", "--check", "--log-level", "warn"],
      ...["--cache", "--cache-strategy", "content", "--cache-location", `${CACHE}/prettier`, "."],
    ],
  },
  { name: "lint", command: "npx", args: ["--yes", OXLINT, "--deny-warnings"], mayLack: true },
  { name: "types", command: node, args: typesOf("tsconfig.json") },
  { name: "types of tools, no runtime named", command: node, args: typesOf("tsconfig.tools.json") },
  { name: "types of the pages", command: node, args: typesOf("web/tsconfig.json") },
  {
    name: `tests (${tests.length} files)`,
    command: node,
    args: ["test/run.ts", "--project", "unit", ...tests],
  },
];

const { suite } = JSON.parse(readFileSync("bench/budgets.json", "utf8")) as { suite: { check: number } };
const start = performance.now();
// All at once: most of them are one process, and tests wait now and then.
const results = await Promise.all(STEPS.map(async (step) => [step.name, await run(step)] as const));
const failed = results.filter(([, isRight]) => !isRight).map(([name]) => name);
if (failed.length > 0) {
  console.error(`failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
console.log(`${((performance.now() - start) / 1000).toFixed(0)} s of ${suite.check} s`);

function typesOf(project: string): string[] {
  const seen = `${CACHE}/${project.replace("/", "-")}.tsbuildinfo`;
  return ["node_modules/typescript/bin/tsc", "-p", project, "--incremental", "--tsBuildInfoFile", seen];
}

/** Runs a step, and writes what it has printed when it has ended. */
async function run({ name, command, args, mayLack }: Step): Promise<boolean> {
  if (mayLack && !(await ends(command, ["--yes", args[1] ?? "", "--version"])).isRight) {
    console.log(`skipped ${name}: ${args[1]} cannot be had on this machine`);
    return true;
  }
  const { isRight, printed } = await ends(command, args);
  console.log(`> ${name}\n${printed}`.trim());
  return isRight;
}

function ends(command: string, args: readonly string[]): Promise<{ isRight: boolean; printed: string }> {
  return new Promise((resolve) => {
    execFile(command, args, { maxBuffer: MOST_OUTPUT }, (error, stdout, stderr) =>
      resolve({ isRight: error === null, printed: stdout + stderr }),
    );
  });
}
