// slow
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { testWith } from "../../machine/skips.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { applyAll, PROGRAMS } from "./support/patching.ts";
import { compareLines, makePatch, plainKey, splitLines } from "./support/text-checks.ts";
import type { Shown, Texts } from "./support/text-checks.ts";

// TEXT_RUNS=20000 for a long run.
const runs = Number(process.env["TEXT_RUNS"] ?? 1500);

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

const OPTIONS: Shown[] = [
  {},
  { ignoreCase: true },
  { ignoreWhitespace: true },
  { ignoreCase: true, ignoreWhitespace: true },
  { ignoreWhitespace: "all" },
  { ignoreBlankLines: true },
  { ignoreBlankLines: true, ignoreWhitespace: "all", context: 1 },
  { ignoreBlankLines: true, ignoreWhitespace: true, context: 1 },
  { context: 0 },
  { context: 0, ignoreWhitespace: true },
  { context: 100 },
];

describe.each(PROGRAMS)("$name", (program) => {
  testWith(program.name).each(OPTIONS)("turns a into b by the patch with %o", async (options) => {
    const pairs = [...EDGES, ...makePairs(Math.ceil(runs / OPTIONS.length))];
    const patched = await applyAll(program, { pairs, options });
    expect(patched.length).toBeGreaterThan(pairs.length / 3);
    for (const { result, b } of patched) expect(patchKey(result, options)).toBe(patchKey(b, options));
  });

  testWith(program.name).each([
    ["my notes.txt", "my notes.txt"],
    ['say "hello"\\now.txt', 'say "hello"\\now.txt'],
    ["résumé/日本 👍.txt", "résumé/日本 👍.txt"],
    ["/etc/../.git/./x", "etc/x"],
    ["..", "text"],
    ["a\u2028b\u00a0c", "a\u2028b\u00a0c"],
    ["-", "-"],
  ])("finds the file that is named %j", async (name, path) => {
    const cwd = makeTempFolder();
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), "old\n");
    const { patch } = await makePatch({ a: "old\n", b: "new\n" }, { nameA: name, nameB: name });
    writeFileSync(join(cwd, "all.patch"), patch);
    const { stderr, status } = spawnSync(program.name, program.args, { cwd, encoding: "utf8" });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(readFileSync(join(cwd, path), "utf8")).toBe("new\n");
  });
});

test.each(["nameA", "nameB"] as const)(
  "a %s has at most 255 characters, none of control",
  async (parameter) => {
    const texts = { a: "x", b: "y" };
    await expect(makePatch(texts, { [parameter]: "👍".repeat(255) })).resolves.toBeDefined();
    for (const name of ["x".repeat(256), "a\nb", "a\u0085b", "\ud83d"]) {
      await expect(makePatch(texts, { [parameter]: name })).rejects.toMatchObject({
        code: "invalid_parameter",
        fields: { parameter, maximum: 255 },
      });
    }
  },
);

test("the context is a whole number from 0 to 100", async () => {
  const texts = { a: "x\n".repeat(300) + "a\n", b: "x\n".repeat(300) + "b\n" };
  for (const context of [0, 1, 100]) {
    const { patch } = await makePatch(texts, { context });
    expect(patch.match(/^ x$/gm) ?? []).toHaveLength(context);
  }
  for (const context of [-1, 101, 1.5, NaN]) {
    await expect(makePatch(texts, { context })).rejects.toMatchObject({
      code: "invalid_parameter",
      fields: { parameter: "context", minimum: 0, maximum: 100 },
    });
  }
});

describe("as GNU diff", () => {
  testWith("GNU diff").each([
    ["-b", { ignoreWhitespace: "amount" }],
    ["-w", { ignoreWhitespace: "all" }],
    ["-B", { ignoreBlankLines: true }],
    ["-bB", { ignoreWhitespace: "amount", ignoreBlankLines: true }],
    ["-wB", { ignoreWhitespace: "all", ignoreBlankLines: true }],
  ] as const)("%s tells which texts differ", async (flag, options) => {
    const pairs = makeSpacedPairs(flag.includes("w")).filter(({ a, b }) => a !== "" && b !== "");
    const cwd = makeTempFolder();
    for (const side of ["a", "b"] as const) {
      mkdirSync(join(cwd, side));
      for (const [i, texts] of pairs.entries()) writeFileSync(join(cwd, side, String(i)), texts[side]);
    }
    const { stdout } = spawnSync("diff", ["-rq", flag, "a", "b"], { cwd, encoding: "utf8" });
    const different = new Set(stdout.match(/(?<=^Files a\/)\d+/gm));
    expect(different.size).toBeGreaterThan(0);
    expect(different.size).toBeLessThan(pairs.length);
    for (const [i, texts] of pairs.entries()) {
      const { identical } = await compareLines(texts, options);
      expect(identical, JSON.stringify(texts)).toBe(!different.has(String(i)));
    }
  });
});

function patchKey(text: string, options: Shown): string {
  const lines = splitLines(text).map((line) => plainKey(line, options));
  return options.ignoreBlankLines
    ? lines.filter((line) => line.trim() !== "").join("\n")
    : plainKey(text, options);
}

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

/** Texts that mostly differ in blanks; `diff -b` takes more for a blank than a space or a tab. */
function makeSpacedPairs(isAll: boolean): Texts[] {
  const words = [
    "a",
    "b",
    "",
    " ",
    "a ",
    "\t",
    "a b",
    "a \t b",
    ...(isAll ? ["ab", "\ra", "a\v\fb", "\r"] : []),
  ];
  const blanks = isAll ? ["", " ", "\t", "\r", "\v\f"] : [" ", "\t", "  "];
  const respaced = makePairs(150, words).map(({ a }, i) => ({
    a,
    b: a.replace(/ |(?=\n)/g, (found) => (found || isAll ? (blanks[i % blanks.length] ?? "") : "  ")),
  }));
  return [...makePairs(150, words), ...respaced];
}

/** Texts of few distinct lines, and edited copies; every third without a final line feed. */
function makePairs(count: number, choices: readonly string[] = LINES): Texts[] {
  let state = 20_260_101;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const line = () => choices[random(choices.length)]!;
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
