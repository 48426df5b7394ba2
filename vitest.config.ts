import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { findMachine } from "./test/machine/things.ts";

// Two cores: a third file at once made the whole suite slower, not faster.
const MAX_WORKERS = 2;
const ROOT = new URL("./", import.meta.url);

/** Browsers, generated clients, servers, races and files made to harm: minutes that a commit need not wait for. */
const SLOW_MARK = "// slow\n";

/** Every test file whose first line is the mark. */
function findSlowFiles(): string[] {
  const names = readdirSync(new URL("test/", ROOT), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".test.ts")).map((name) => `test/${name}`);
  return files.filter((file) => readFileSync(new URL(file, ROOT), "utf8").startsWith(SLOW_MARK));
}

const slow = findSlowFiles();

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What comes in a moment takes seconds on a machine that does much else.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: MAX_WORKERS,
    // Found once for all files; `test/machine/skips.ts` leaves out what the machine lacks.
    provide: { machine: await findMachine() },
    reporters: ["default", "./test/machine/report.ts"],
    projects: [
      {
        extends: true,
        // Modules are loaded once for all files, which takes half of the time.
        test: { name: "quick", include: ["test/**/*.test.ts"], exclude: slow, isolate: false },
      },
      { extends: true, test: { name: "slow", include: slow } },
    ],
  },
});
