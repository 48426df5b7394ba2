import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compareLines, makePatch, plainKey } from "./text-checks.ts";
import type { Ignoring, Texts } from "./text-checks.ts";

// TEXT_RUNS=20000 for a long run.
const runs = Number(process.env["TEXT_RUNS"] ?? 1500);

const folder = mkdtempSync(join(tmpdir(), "text-compare-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PROGRAMS = [
  { name: "patch", args: ["-p1", "--fuzz=0", "--no-backup-if-mismatch", "-i", "all.patch"] },
  { name: "git", args: ["apply", "--whitespace=nowarn", "all.patch"] },
];

const LINES = [
  "a",
  "b",
  "c",
  "",
  " ",
  "a ",
  " a",
  "\ta",
  "A",
  "a\r",
  "\r",
  "é",
  "👍",
  "@@ -1 +1 @@",
  "--- a/text",
  "+++ b/text",
  "-a",
  "+a",
  "\\ a",
  "\u2028a\u2028",
  "\u0085",
  "a\rb",
  "a\fb",
];

const EDGES: Texts[] = [
  ["", "a"],
  ["", "a\n"],
  ["", "\n"],
  ["a", ""],
  ["a\n", ""],
  ["\n", ""],
  ["a", "a\n"],
  ["a\n", "a"],
  ["a\nb", "a\nb\nc"],
  ["a\nb\nc", "a\nb"],
  ["a\nb\n", "a\nb\nc"],
  ["x\ny", "x\ny \nz\n"],
  ["x\r\ny\r\n", "x\ny\n"],
  ["x\r\ny\r", "x\r\ny\r\n"],
  ["\n\n\n", "\n\n"],
  ["a\nb\nc\nd\ne\nf\ng\nh\ni\n", "X\nb\nc\nd\ne\nf\ng\nh\nY\n"],
  ["a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n", "X\nb\nc\nd\ne\nf\ng\nh\ni\nY\n"],
  ["a\nA\nb", "A\na\nB\n"],
].map(([a = "", b = ""]) => ({ a, b }));

const IGNORING: Ignoring[] = [
  {},
  { ignoreCase: true },
  { ignoreWhitespace: true },
  { ignoreCase: true, ignoreWhitespace: true },
];

describe.each(PROGRAMS)("$name", (program) => {
  const isPresent = spawnSync(program.name, ["--version"]).status === 0;
  if (!isPresent) console.log(`skipped: ${program.name} is not installed`);

  test.runIf(isPresent).each(IGNORING)("turns a into b by the patch, ignoring %o", async (ignoring) => {
    const pairs = [...EDGES, ...makePairs(Math.ceil(runs / IGNORING.length))];
    const patched = await applyAll(program, { pairs, ignoring });
    expect(patched.length).toBeGreaterThan(pairs.length / 3);
    for (const { result, b } of patched) expect(plainKey(result, ignoring)).toBe(plainKey(b, ignoring));
  });
});

test("the patch of texts that are the same, or same but for what is ignored, is empty", async () => {
  expect(await makePatch({ a: "x\ny", b: "x\ny" })).toMatchObject({ identical: true, patch: "" });
  const loose = await makePatch({ a: "X \ny", b: "x\r\ny\n" }, { ignoreCase: true, ignoreWhitespace: true });
  expect(loose).toMatchObject({ identical: true, patch: "", stats: { equal: 2, hunks: 0 } });
});

test("the patch has git's headers, three lines of context and a's form of what is ignored", async () => {
  const a = "one\nTWO\nthree\nfour\nfive\nsix\n";
  const b = "ONE\ntwo\nTHREE\nfour\nfünf\nsix";
  const { patch, stats } = await makePatch({ a, b }, { ignoreCase: true });
  expect(patch).toBe(
    [
      "--- a/text",
      "+++ b/text",
      "@@ -2,5 +2,5 @@",
      " TWO",
      " three",
      " four",
      "-five",
      "-six",
      "+fünf",
      "+six",
      "\\ No newline at end of file",
      "",
    ].join("\n"),
  );
  expect(stats).toEqual({ equal: 4, deleted: 2, inserted: 2, hunks: 1 });
});

test("the rows count the patch's hunks: changes six lines apart share one, seven apart do not", async () => {
  for (const [apart, hunks] of [
    [0, 1],
    [6, 1],
    [7, 2],
  ] as const) {
    const same = "=\n".repeat(apart);
    const texts = { a: `a\n${same}b\n`, b: `A\n${same}B\n` };
    expect((await compareLines(texts)).stats.hunks).toBe(hunks);
    expect((await makePatch(texts)).patch.match(/^@@ /gm)).toHaveLength(hunks);
  }
});

/** Applies the patches of all pairs at once, as a patch of many files; answers what became of each. */
async function applyAll(
  program: { name: string; args: string[] },
  { pairs, ignoring }: { pairs: Texts[]; ignoring: Ignoring },
): Promise<{ result: string; b: string }[]> {
  const cwd = mkdtempSync(join(folder, "case-"));
  mkdirSync(join(cwd, "f"));
  const patches: string[] = [];
  const names: { name: string; b: string }[] = [];
  for (const [i, { a, b }] of pairs.entries()) {
    const { patch } = await makePatch({ a, b }, ignoring);
    if (patch === "") continue;
    const name = `f/${i}`;
    writeFileSync(join(cwd, name), a);
    patches.push(patch.replace("--- a/text\n+++ b/text\n", `--- a/${name}\n+++ b/${name}\n`));
    names.push({ name, b });
  }
  writeFileSync(join(cwd, "all.patch"), patches.join(""));
  const { status, stdout, stderr } = spawnSync(program.name, program.args, { cwd, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).not.toMatch(/offset|fuzz/);
  return names.map(({ name, b }) => ({ result: readFileSync(join(cwd, name), "utf8"), b }));
}

/** Texts of few distinct lines, and edited copies; every third without a final line feed. */
function makePairs(count: number): Texts[] {
  let state = 20_260_101;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const line = () => LINES[random(LINES.length)]!;
  const finish = (lines: string[]) => lines.join("\n") + (lines.length > 0 && random(3) > 0 ? "\n" : "");
  return Array.from({ length: count }, () => {
    const lines = Array.from({ length: random(30) }, line);
    const edited = lines.flatMap(
      (old) => [[old], [old], [old], [old], [], [line(), old], [old.toUpperCase() + " "]][random(7)]!,
    );
    return {
      a: finish(lines),
      b: finish(random(5) === 0 ? Array.from({ length: random(30) }, line) : edited),
    };
  });
}
