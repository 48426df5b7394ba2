// The suite: what a change must not break; with --release, what only a release can break. All else that is given goes
// to vitest. Files that depend on the machine are run once more where they failed. Of the tests that cost much a whole
// run tries a part (test/machine/draw.ts), and all with TEST_DRAW=all; TEST_DRAW=seed draws also of files that are named,
// and TEST_DRAW=measure notes which tests those are. The last line is for scripts.
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createVitest,
  parseCLI,
  type TestModule,
  type TestRunResult,
  type TestSpecification,
} from "vitest/node";
import { allBut, leftOut, readCostly, writeCostly } from "./machine/draw.ts";
import { endRun, startRun } from "./machine/leftovers.ts";
import { resultOf, withRepeated, type FileResult, type Flaky } from "./machine/results.ts";
import { describeMachine } from "./machine/things.ts";
import { describeBudget, describeTimes } from "./machine/times.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Whose tests depend on the machine; those of functions never fail once only. */
const REPEATED: readonly string[] =
  process.env.TEST_REPEAT === "no" ? [] : ["browser", "process", "mocked", "timing"];
/** A message of several pages helps nobody at the end of a run; it stands above as a whole. */
const MOST_LINES = 12;

const given = process.argv.slice(2).filter((argument) => argument !== "--release");
const { filter, options } = parseCLI(["vitest", "run", ...given]);
const isRelease = process.argv.includes("--release") || filter.some((name) => name.includes("test/release"));
if (isRelease) process.env.TEST_SUITE ??= "release";
const isWhole = filter.length === 0 && options.project === undefined && !isRelease;
const { TEST_DRAW: draw } = process.env;
const isDrawn = draw === "seed" || (isWhole && draw === undefined && options.testNamePattern === undefined);
const costly = isDrawn ? readCostly() : {};
// Hundreds of servers are started from the same sources. Node ignores a folder that it cannot write.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, "node_modules/.cache/compiled");
// A third of the processor is the system's, most of it for fresh memory: glibc asks for large pages (Linux; others ignore it).
process.env.GLIBC_TUNABLES ??= "glibc.malloc.hugetlb=1";
process.env.TEST_SEED ??= String(Math.trunc(Math.random() * 1_000_000));
// What vitest's own command sets.
Object.assign(process.env, { TEST: "true", VITEST: "true", NODE_ENV: "test" });

const before = await startRun();
const start = performance.now();
const seed = Number(process.env.TEST_SEED);
const vitest = await createVitest({ ...options, watch: false });
const { machine } = vitest.getRootProject().getProvidedContext();
write(describeMachine(machine));
write(`seed ${seed}`);
const { results, flaky, others } = await run();
await vitest.close();
const failed = (await report()) + others;
process.exit(failed === 0 ? 0 : 1);

/** The results of all files, and how much failed outside of them. */
async function run(): Promise<{ results: readonly FileResult[]; flaky: readonly Flaky[]; others: number }> {
  const { testModules, unhandledErrors } = await firstRun();
  if (draw === "measure") writeCostly(testModules);
  const first = testModules.map(resultOf);
  const again = testModules.filter(mayRepeat);
  if (again.length === 0) return { results: first, flaky: [], others: unhandledErrors.length };
  write(`once more: ${again.map((module) => module.relativeModuleId).join(", ")}`);
  const second = await vitest.runTestSpecifications(
    again.map((module) => drawn(module.toTestSpecification())),
  );
  const repeated = second.testModules.filter((module) => again.some(isSame(module))).map(resultOf);
  const others = unhandledErrors.length + second.unhandledErrors.length;
  return { ...withRepeated(first, repeated), others };
}

/** Runs what is named; of all files together, of costly tests only those that are drawn. */
async function firstRun(): Promise<TestRunResult> {
  if (Object.keys(costly).length === 0) return vitest.start(filter);
  await vitest.standalone();
  const specifications = await vitest.globTestSpecifications(filter);
  return vitest.runTestSpecifications(specifications.map(drawn), true);
}

function drawn(specification: TestSpecification): TestSpecification {
  const { project, moduleId } = specification;
  const names = leftOut(relative(ROOT, moduleId).replaceAll("\\", "/"), seed, costly);
  return names.length === 0
    ? specification
    : project.createSpecification(moduleId, { testNamePattern: allBut(names) });
}

function mayRepeat(module: TestModule): boolean {
  return REPEATED.includes(module.project.name) && resultOf(module).failures.size > 0;
}

function isSame(module: TestModule): (other: TestModule) => boolean {
  return ({ moduleId, project }) => moduleId === module.moduleId && project.name === module.project.name;
}

/** Writes what somebody wants to know at the end, and answers how many tests failed. */
async function report(): Promise<number> {
  const left = new Set(
    results.flatMap(({ file }) => leftOut(file, seed, costly).map((name) => `${file}: ${name}`)),
  );
  const all = results.flatMap((result) => result.skipped);
  const skipped = all.filter((name) => !left.has(name));
  const failures = results.flatMap(({ file, failures: of }) =>
    [...of].map(([name, why]) => ({ file, name, why })),
  );
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const seconds = (performance.now() - start) / 1000;
  // With a pattern of names, all others are skipped.
  if (options.testNamePattern === undefined) for (const name of skipped) write(`skipped ${name}`);
  for (const line of describeTimes(results)) write(line);
  for (const line of await endRun(before)) write(line);
  const { TEST_REPORT: path } = process.env;
  if (path)
    writeFileSync(path, JSON.stringify(failures.map(({ file, name, why }) => [`${file}: ${name}`, why])));
  for (const { file, name, why } of failures)
    write(`failed: ${file}: ${name}\n${indent(why)}\n  again: ${repeatCommand(file, name)}`);
  for (const { name, why } of flaky) write(`flaky: ${name} (${indent(why).trim()})`);
  const undrawn = all.length - skipped.length;
  if (undrawn > 0)
    write(`drawn: ${undrawn} costly tests were left to other seeds; TEST_DRAW=all tries them too`);
  write(`\n${flaky.length} flaky, ${seconds.toFixed(0)} s${isWhole ? describeBudget(machine) : ""}`);
  const end = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
  write(`${passed} passed, ${failures.length + others} failed${end}`);
  return failures.length;
}

/** The one command that repeats a failure. */
function repeatCommand(file: string, name: string): string {
  // A whole file, or a group whose set-up failed.
  const isTest = !/\((the file|its set-up)\)$/.test(name);
  const title = name.replaceAll(" > ", " ").replaceAll(/[.*+?^${}()|[\]\\"`]/g, ".");
  return `TEST_SEED=${process.env.TEST_SEED} npm test -- ${file}${isTest ? ` -t "${title}"` : ""}`;
}

function indent(text: string): string {
  return text
    .split("\n")
    .slice(0, MOST_LINES)
    .map((line) => `  ${line}`)
    .join("\n");
}

function write(text: string): void {
  process.stdout.write(`${text}\n`);
}
