// The everyday check: format, lint, types and tests, each told by name; ends with failure if one failed.
import { spawnSync } from "node:child_process";
import { nodePath } from "./support/runtimes.ts";

const OXLINT = "oxlint@1.94.0";
/** What was found the last time of files that have not changed since. */
const CACHE = "node_modules/.cache/check";

interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Not on every machine: its packages are fetched by name when it is first used. */
  readonly mayLack?: true;
}

const node = nodePath();
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
    name: "tests",
    command: node,
    args: ["node_modules/vitest/vitest.mjs", "run", "--project", "quick"],
  },
];

const failed = STEPS.filter((step) => !run(step)).map(({ name }) => name);
if (failed.length > 0) {
  console.error(`failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}

function typesOf(project: string): string[] {
  const seen = `${CACHE}/${project.replace("/", "-")}.tsbuildinfo`;
  return ["node_modules/typescript/bin/tsc", "-p", project, "--incremental", "--tsBuildInfoFile", seen];
}

function run({ name, command, args, mayLack }: Step): boolean {
  if (mayLack && !isThere(args[1] ?? "")) {
    console.log(`skipped ${name}: ${args[1]} cannot be had on this machine`);
    return true;
  }
  console.log(`> ${name}`);
  return spawnSync(command, [...args], { stdio: "inherit" }).status === 0;
}

function isThere(packageName: string): boolean {
  return spawnSync("npx", ["--yes", packageName, "--version"], { stdio: "ignore" }).status === 0;
}
