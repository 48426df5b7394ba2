import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { readCostly } from "./test/machine/draw.ts";
import { findMachine } from "./test/machine/things.ts";
import { wordParts } from "./web/build/words.ts";

// Measured on two cores: 627 s with three files at once and 536 s with four, because tests of programs wait.
const MAX_WORKERS = 4;
const MINUTE = 60_000;
const ROOT = new URL("./", import.meta.url);
/** For what starts servers. */
const BUILD = "./test/process/support/build.ts";

/** What a test file is, as its first line or its folder says; all others are `unit`. */
type Kind = "slow" | "process" | "browser" | "timing" | "release" | "unit";

function kindOf(file: string): Kind {
  const [, folder] = /^test\/(timing|release)\//.exec(file) ?? [];
  const [, mark] = /^\/\/ (slow|process|browser)\n/.exec(readFileSync(new URL(file, ROOT), "utf8")) ?? [];
  // The two expressions name no other words.
  return (folder ?? mark ?? "unit") as Kind;
}

const names = readdirSync(new URL("test/", ROOT), { recursive: true, encoding: "utf8" });
const files = names.filter((name) => name.endsWith(".test.ts")).map((name) => `test/${name}`);
const filesOf = Map.groupBy(files, kindOf);

/** Those of which a run tries a part, and everything before a release. */
const costly = new Set(Object.keys(readCostly()));
const sampling = files.filter(
  (file) =>
    costly.has(file) ||
    /\/(sampled|properties)\.ts"|describeShared\(/.test(readFileSync(new URL(file, ROOT), "utf8")),
);

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}

// Modules that are loaded once for all files take half of the time.
const CHANGE = [
  project("unit", { include: filesOf.get("unit") ?? [], isolate: false }),
  project("slow", { include: filesOf.get("slow") ?? [] }),
  // One browser for all files of a worker.
  project("browser", { include: filesOf.get("browser") ?? [], isolate: false, testTimeout: 3 * MINUTE }),
  project("process", {
    include: filesOf.get("process") ?? [],
    testTimeout: 3 * MINUTE,
    globalSetup: BUILD,
  }),
  // Real time: alone, and at the end.
  project("timing", {
    include: filesOf.get("timing") ?? [],
    testTimeout: 3 * MINUTE,
    globalSetup: BUILD,
    maxWorkers: 1,
    sequence: { groupOrder: 1 },
  }),
];
const RELEASE = [
  project("release", {
    include: filesOf.get("release") ?? [],
    testTimeout: 5 * MINUTE,
    globalSetup: BUILD,
  }),
  project("sweeps", {
    include: sampling,
    testTimeout: 5 * MINUTE,
    globalSetup: BUILD,
    env: { TEST_SWEEP: "all" },
  }),
];

export default defineConfig({
  plugins: [wordParts()],
  test: {
    testTimeout: 2 * MINUTE,
    hookTimeout: 3 * MINUTE,
    // A busy machine can take seconds; what has not come after a minute does not come.
    expect: { poll: { timeout: MINUTE } },
    maxWorkers: MAX_WORKERS,
    setupFiles: "./test/machine/after-file.ts",
    // Found once for all files; `test/machine/skips.ts` leaves out what the machine lacks.
    provide: { machine: await findMachine() },
    projects: { release: RELEASE, all: [...CHANGE, ...RELEASE] }[process.env.TEST_SUITE ?? ""] ?? CHANGE,
  },
});
