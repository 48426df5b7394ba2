// A program that this machine has hides that a test cannot do without it: here all files are collected as on machines that lack some.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nodePath } from "../support/runtimes.ts";
import { bareEnvironment, makeBarePath } from "../machine/bare-path.ts";
import { THING_NAMES, type Thing } from "../machine/things.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MINUTES = 60_000;

/** The titles of the tests of each file. */
type Collected = ReadonlyMap<string, readonly string[]>;

const place = mkdtempSync(join(tmpdir(), "hushkit-collected-"));
afterAll(() => rmSync(place, { recursive: true }));

let bare: Collected;
/** The files that leave something out where a thing is missing. */
const usersOf = new Map<Thing, readonly string[]>();

beforeAll(async () => {
  const { folder, remove } = makeBarePath();
  bare = await collect([], bareEnvironment(folder)).finally(remove);
  for (const thing of THING_NAMES) {
    const users = [...bare].filter(([, titles]) => titles.some((title) => lacks(title, thing)));
    usersOf.set(
      thing,
      users.map(([file]) => file),
    );
  }
}, 3 * MINUTES);

test("every file has a test, or a skip with the reason, where nothing optional is found", () => {
  expect(bare.size).toBeGreaterThan(100);
  expect(withoutTests(bare)).toEqual([]);
});

test("everything that is looked for is used by a test, which is left out without it", () => {
  expect([...usersOf].filter(([, users]) => users.length === 0)).toEqual([]);
});

test("and so it is where one thing alone is missing", async () => {
  for (const group of disjointGroups()) await expectTestsWithout(group);
});

async function expectTestsWithout(group: readonly Thing[]): Promise<void> {
  const users = group.flatMap((thing) => usersOf.get(thing) ?? []);
  const found = THING_NAMES.map((thing) => [
    thing,
    group.includes(thing) ? { lacks: "hidden" } : { at: "/nowhere" },
  ]);
  const env = { ...process.env, TEST_MACHINE: JSON.stringify(Object.fromEntries(found)) };
  const collected = await collect(users, env);
  expect(collected.size).toBe(users.length);
  expect(withoutTests(collected), `without ${group.join(", ")}`).toEqual([]);
}

/** Things that no file uses two of can be missing at once: each file misses one. */
function disjointGroups(): Thing[][] {
  const groups: { things: Thing[]; users: Set<string> }[] = [];
  for (const [thing, users] of usersOf) {
    let group = groups.find((each) => users.every((file) => !each.users.has(file)));
    if (!group) groups.push((group = { things: [], users: new Set() }));
    group.things.push(thing);
    for (const file of users) group.users.add(file);
  }
  return groups.map(({ things }) => things);
}

function lacks(title: string, thing: Thing): boolean {
  return /\[needs .*\]/.test(title) && title.includes(`${thing} (`);
}

/** Loads files as a machine sees them, and asks for their tests. */
async function collect(some: readonly string[], env: NodeJS.ProcessEnv): Promise<Collected> {
  const path = join(place, crypto.randomUUID());
  const args = ["--no-warnings", "test/machine/collect.ts", path, ...some];
  // Also those of a change, which a release alone would leave out. Folders that files make as they are loaded stay.
  const all = { ...env, TEST_SUITE: "all", TMPDIR: place };
  await promisify(execFile)(nodePath(), args, { cwd: ROOT, env: all, maxBuffer: 1 << 26 });
  const collected = JSON.parse(readFileSync(path, "utf8")) as {
    files: [string, string[]][];
    errors: string[];
  };
  expect(collected.errors).toEqual([]);
  return new Map(collected.files);
}

function withoutTests(collected: Collected): string[] {
  return [...collected].flatMap(([file, titles]) => (titles.length === 0 ? [file] : []));
}
