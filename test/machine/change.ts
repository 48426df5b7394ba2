// What a change has touched, and which tests it can reach.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../fuzz/random.ts";

const BASE = "origin/main";
/** Of the tests that a change reaches only through others, or not at all, one of so many is tried. */
const ONE_OF = 12;
/** So many imports away a test is still about what was changed. */
const NEAR = 2;
const IMPORT = /(?:\bfrom|\bimport\(?)\s*"(\.[^"]+)"/g;

/** Files that differ from the branch that the change is for, or from the last commit; those deleted are left out. */
export function changedFiles(): string[] {
  const ask = (...args: string[]) => spawnSync("git", args, { encoding: "utf8" }).stdout?.split("\n") ?? [];
  const names = [
    ...ask("diff", "--name-only", "--diff-filter=d", `${BASE}...`),
    ...ask("diff", "--name-only", "--diff-filter=d", "HEAD"),
    ...ask("ls-files", "--others", "--exclude-standard"),
  ];
  return [...new Set(names)].filter((name) => name !== "");
}

/** The tests that import a changed file at most so many steps away, and a few of the others, drawn by the seed. */
export function testsOf(
  changed: readonly string[],
  { tests, seed, users = usersOfModules() }: { tests: readonly string[]; seed: number; users?: Users },
): string[] {
  let last = new Set(changed);
  const near = new Set(last);
  for (let step = 0; step < NEAR; step++) {
    last = new Set([...last].flatMap((file) => users.get(file) ?? []).filter((file) => !near.has(file)));
    for (const file of last) near.add(file);
  }
  const random = new Random(seed);
  // Drawn for each, so that the same seed draws the same of them whatever was changed.
  return tests.filter((file) => [random.oneIn(ONE_OF), near.has(file)].includes(true));
}

/** For each module those that import it. */
type Users = ReadonlyMap<string, readonly string[]>;

function usersOfModules(): Users {
  const files = globSync(
    "{adapters,bin,cli,client,db,release,router,server,test,tools,web,wire}/**/*.{ts,tsx}",
    { exclude: (name) => name === "node_modules" || name === "dist" },
  );
  const users = new Map<string, string[]>();
  for (const file of files)
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const module = join(file, "..", name);
      users.set(module, [...(users.get(module) ?? []), file]);
    }
  return users;
}
