import { readFileSync } from "node:fs";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { readCostly } from "./test/machine/draw.ts";
import { testFiles } from "./test/machine/kinds.ts";
import { findMachine } from "./test/machine/things.ts";
import { wordParts } from "./web/build/words.ts";

// Measured on two cores: 627 s with three files at once and 536 s with four, because tests of programs wait.
const MAX_WORKERS = 4;
const MINUTE = 60_000;
const ROOT = new URL("./", import.meta.url);
/** For what starts servers. */
const BUILD = "./test/process/support/build.ts";

const filesOf = testFiles();
const files = [...filesOf.values()].flat();

/** Files of which a run tries a part, and the tests before a release try everything. */
const costly = new Set(Object.keys(readCostly()));
const sampling = files.filter(
  (file) =>
    (costly.has(file) && !file.startsWith("test/timing/")) ||
    /\/(sampled|properties)\.ts"|describeShared\(/.test(readFileSync(new URL(file, ROOT), "utf8")),
);

/** What puts a module in the place of another needs modules of its own. */
const mocks = (file: string) =>
  /vi\.mock\(|\/cheap-passwords\.ts"/.test(readFileSync(new URL(file, ROOT), "utf8"));
const { true: mocking = [], false: plain = [] } = Object.groupBy(filesOf.get("process") ?? [], (file) =>
  mocks(file) ? "true" : "false",
);

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}

// Real time: alone, and at the end.
const TIMING = project("timing", {
  include: filesOf.get("timing") ?? [],
  testTimeout: 3 * MINUTE,
  globalSetup: BUILD,
  maxWorkers: 1,
  sequence: { groupOrder: 1 },
});

// Modules that are loaded once for all files take half of the time.
const CHANGE = [
  project("unit", { include: filesOf.get("unit") ?? [], isolate: false }),
  project("slow", { include: filesOf.get("slow") ?? [], isolate: false }),
  // One browser for all files of a worker.
  project("browser", { include: filesOf.get("browser") ?? [], isolate: false, testTimeout: 3 * MINUTE }),
  project("process", { include: plain, isolate: false, testTimeout: 3 * MINUTE, globalSetup: BUILD }),
  project("mocked", { include: mocking, testTimeout: 3 * MINUTE, globalSetup: BUILD }),
  TIMING,
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
  TIMING,
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
    projects:
      { release: RELEASE, all: [...new Set([...CHANGE, ...RELEASE])] }[process.env.TEST_SUITE ?? ""] ??
      CHANGE,
  },
});
