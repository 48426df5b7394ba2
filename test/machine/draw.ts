// Which tests a whole run leaves to others: of those that cost much, so many are drawn by the seed. Runs of single files,
// and the sweeps before a release, try all.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { TestModule } from "vitest/node";
import { Random } from "../fuzz/random.ts";

/** Of the processor, with all that a test starts. */
const COSTLY_SECONDS = 0.25;
/** Of so many costly tests of a file one is tried. */
const ONE_OF = 8;
/** What each change can break without anybody's notice: bytes of pages, which come one by one. */
const ALWAYS: readonly string[] = ["test/web/serving/lightness.test.ts"];
const LIST = new URL("costly.json", import.meta.url);
const ROOT = new URL("../../", import.meta.url);

/** The full names of costly tests, by file. */
export type Costly = Readonly<Record<string, readonly string[]>>;

/** Those that cost much when they were measured last; one that is not among them is tried in each run. */
export function readCostly(): Costly {
  return JSON.parse(readFileSync(LIST, "utf8")) as Costly;
}

/** The costly tests of a file that a run with this seed does not try. */
export function leftOut(file: string, seed: number, costly = readCostly()): readonly string[] {
  // Files are drawn apart, so that not always the first of each is tried.
  const ofFile = Buffer.from(file).reduce((sum, byte) => Math.imul(sum, 31) + byte, seed);
  const first = new Random(ofFile).below(ONE_OF);
  return (costly[file] ?? []).filter((_, place) => place % ONE_OF !== first);
}

/** What a test's name must match to be tried, where these are left out. */
export function allBut(names: readonly string[]): RegExp {
  const escaped = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^(?!(?:${escaped.join("|")})$)`);
}

/** A test of one of two databases, which another seed draws on the other one. */
function onBoth(name: string): string[] {
  const kinds = ["SQLite", "PostgreSQL"] as const;
  return kinds.map((kind) => name.replace(/\b(?:SQLite|PostgreSQL)\b/, kind));
}

/** Notes which tests of a run were costly (TEST_DRAW=measure); of those that were not run it keeps what is known. */
export function writeCostly(modules: readonly TestModule[]): void {
  const known = new Map(Object.entries(readCostly()).filter(([file]) => existsSync(new URL(file, ROOT))));
  for (const module of modules) {
    const { relativeModuleId: file } = module;
    const tests = [...module.children.allTests()].filter((test) => test.result().state !== "skipped");
    const costly = tests.filter((test) => (test.meta().processorSeconds ?? 0) > COSTLY_SECONDS);
    const ran = new Set(tests.flatMap(({ fullName }) => onBoth(fullName)));
    const names = new Set([
      ...(known.get(file) ?? []).filter((name) => !ran.has(name)),
      ...costly.flatMap(({ fullName }) => onBoth(fullName)),
    ]);
    known.delete(file);
    if (names.size > 0 && !ALWAYS.includes(file)) known.set(file, [...names]);
  }
  const sorted = Object.fromEntries([...known].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(LIST, `${JSON.stringify(sorted, null, 2)}\n`);
}
