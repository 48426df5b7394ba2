// slow
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { nodePath } from "./support/runtimes.ts";

const PROGRAM = fileURLToPath(new URL("../bench/tools/files-per-call.ts", import.meta.url));
const BUDGETS = new URL("../bench/budgets.json", import.meta.url);

// On SQLite and on Node, whatever the tests run on: the coverage is V8's.
const { TEST_DATABASE_URL: _, ...env } = process.env;
const passed = JSON.parse(
  execFileSync(nodePath(), ["--no-warnings", PROGRAM, "--json"], { env, encoding: "utf8" }),
) as Record<string, Record<string, string[]>>;
const { files: budgets } = JSON.parse(readFileSync(BUDGETS, "utf8")) as { files: Record<string, number> };

it.each(Object.entries(budgets))("a warm call, %s, passes no more than %i of our files", (call, most) => {
  const files = Object.keys(passed[call] ?? {});
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
  expect(files.length).toBeGreaterThan(0);
});
