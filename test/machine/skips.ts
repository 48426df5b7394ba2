// What a test needs of the machine. What is missing leaves out tests by name, with the reason in the name.
import { describe, inject, test, type SuiteAPI, type TestAPI } from "vitest";
import { nodePath, RUNTIME_NAMES, runtimeAt, type Runtime, type RuntimeName } from "../support/runtimes.ts";
import type { Machine, Thing } from "./things.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly machine: Machine;
  }
}

const machine = inject("machine");

/** Whether this machine has something, for a check that is only one part of a test. */
export function hasThing(thing: Thing): boolean {
  return "at" in machine[thing];
}

/** Where something is; empty when the machine lacks it. */
export function placeOf(thing: Thing): string {
  const found = machine[thing];
  return "at" in found ? found.at : "";
}

/** A test for machines that have all of these. */
export function testWith(...things: readonly Thing[]): TestAPI {
  return testIf(lacks(things) === undefined, lacks(things) ?? "");
}

/** A test for some machines or runtimes only, and why it is left out elsewhere. */
export function testIf(isPossible: boolean, reason: string): TestAPI {
  return isPossible ? test : withReason(test.skip, reason);
}

/** A group of tests for machines that have all of these. */
export function describeWith(...things: readonly Thing[]): SuiteAPI {
  return describeIf(lacks(things) === undefined, lacks(things) ?? "");
}

export function describeIf(isPossible: boolean, reason: string): SuiteAPI {
  return isPossible ? describe : withReason(describe.skip, reason);
}

/** The one that runs the tests. `npm run test:all` runs them on each. */
const OWN: RuntimeName = process.versions.bun ? "bun" : process.versions.deno ? "deno" : "node";
/** Set before a release: packages and attacks are tried on all runtimes at once. */
const isRelease = process.env.TEST_SUITE !== undefined;

/** The runtimes that tests start programs on; `TEST_MIXED` has instances of all kinds work together. */
export function runtimesHere(): Runtime[] {
  const all = allRuntimes();
  return isRelease || process.env.TEST_MIXED ? all : all.filter(({ name }) => name === OWN);
}

/** All runtimes of this machine. */
export function allRuntimes(): Runtime[] {
  const places = RUNTIME_NAMES.map((name) => [name, name === "node" ? nodePath() : placeOf(name)] as const);
  return places.flatMap(([name, place]) => (place ? [runtimeAt(name, place)] : []));
}

interface Among {
  /** Only these runtimes. */
  readonly names?: readonly RuntimeName[];
  /** What all of them need besides. */
  readonly things?: readonly Thing[];
}

/**
 * Tests on the runtime that runs them, before a release on each; "$name" in the title is its name. What is left out is
 * one skipped test with the reason.
 */
export function describeEach(
  title: string,
  body: (runtime: Runtime) => void,
  { names = RUNTIME_NAMES, things = [] }: Among = {},
): void {
  const here = new Map(allRuntimes().map((runtime) => [runtime.name, runtime]));
  const wanted = isRelease ? names : names.filter((name) => name === OWN);
  if (wanted.length === 0)
    testIf(false, `runs on ${names.join(" and ")}`)(title.replace("$name", OWN), () => {});
  for (const name of wanted) {
    const runtime = here.get(name);
    const reason = lacksRuntime(name) ?? lacks(things);
    const titled = title.replace("$name", name);
    if (runtime && reason === undefined) describe(titled, () => body(runtime));
    else testIf(false, reason ?? "")(titled, () => {});
  }
}

function lacksRuntime(name: RuntimeName): string | undefined {
  return name === "node" ? undefined : lacks([name]);
}

function lacks(things: readonly Thing[]): string | undefined {
  const missing = things.flatMap((thing) => {
    const found = machine[thing];
    return "at" in found ? [] : [`${thing} (${found.lacks})`];
  });
  return missing.length === 0 ? undefined : `needs ${missing.join(" and ")}`;
}

// Of vitest's many overloads the tests use three, all with the title before everything else.
type Titled = (title: string, ...rest: never[]) => unknown;
type Listed = (...cases: never[]) => Titled;
type SkipApi = Titled & { each: Listed; for: Listed };

/** The same function, with the reason behind each title. */
function withReason<Api extends TestAPI | SuiteAPI>(skipping: object, reason: string): Api {
  const skip = skipping as SkipApi;
  const add =
    (make: Titled) =>
    (title: string, ...rest: never[]) =>
      make(`${title} [${reason}]`, ...rest);
  return Object.assign(add(skip), {
    each: (...cases: never[]) => add(skip.each(...cases)),
    for: (...cases: never[]) => add(skip.for(...cases)),
  }) as unknown as Api;
}
