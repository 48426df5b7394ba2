import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { diffWords } from "diff";
import { describe, expect, test } from "vitest";
import { testWith } from "../../machine/skips.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { checkSpans, compareLines, compareSpans, makePatch } from "./support/text-checks.ts";

const STRICT = { ignoreCase: false, ignoreWhitespace: false };

describe("spans are joined for reading", () => {
  test("a rewritten phrase is one change", async () => {
    const a = "The service keeps every file that is sent to it for an hour. Then it is gone.";
    const b = "The service never writes an upload to disk. Then it is gone.";
    const { spans } = await compareSpans({ a, b }, { granularity: "word" });
    expect(spans).toEqual([
      { op: "equal", text: "The service " },
      { op: "delete", text: "keeps every file that is sent to it for an hour" },
      { op: "insert", text: "never writes an upload to disk" },
      { op: "equal", text: ". Then it is gone." },
    ]);
  });

  test("a long equal run between two rewritten ones stays", async () => {
    const shared = " the part in the middle that nobody has touched at all ";
    const a = `${"one ".repeat(30)}${shared}${"two ".repeat(30)}`;
    const b = `${"red ".repeat(30)}${shared}${"blue ".repeat(30)}`;
    const { spans } = await compareSpans({ a, b }, { granularity: "word" });
    expect(spans.map(({ op }) => op)).toEqual(["delete", "insert", "equal", "delete", "insert", "equal"]);
  });

  test("letters of a replaced word that happen to agree do not split it", async () => {
    const { spans } = await compareSpans({ a: "a mouse", b: "a sofas" }, { granularity: "character" });
    expect(spans.map(({ text }) => text)).toEqual(["a ", "mouse", "sofas"]);
  });

  test("the counts are those of a shortest script", async () => {
    const texts = { a: "orange or violet", b: "seven or twelve" };
    const { spans, stats, minimal } = await compareSpans(texts, { granularity: "word" });
    expect(spans).toHaveLength(2);
    expect({ ...stats, minimal }).toEqual({ equal: 3, deleted: 2, inserted: 2, minimal: true });
  });

  test("an inserted sentence begins and ends where a sentence does", async () => {
    const texts = { a: "One is here. One is there.", b: "One is here. One is new. One is there." };
    const { spans } = await compareSpans(texts, { granularity: "word" });
    expect(spans.find(({ op }) => op === "insert")?.text).toBe("One is new. ");
  });

  test.each([1, 2, 3, 4])("random edits of prose make no more spans than jsdiff's, %i", async (seed) => {
    const random = makeRandom(seed);
    let [ours, theirs] = [0, 0];
    for (let i = 0; i < 40; i++) {
      const a = prose(random);
      const b = editProse(a, random);
      ours += checkSpans({ a, b }, await compareSpans({ a, b }, { granularity: "word" }), STRICT).spans
        .length;
      theirs += diffWords(a, b).length;
    }
    expect(ours).toBeLessThanOrEqual(theirs);
  });
});

describe("changed lines list the words that changed", () => {
  test.each([
    ["one word", "let size = 1;\n", "let size = 20;\n", [[11, 12]], [[11, 13]]],
    ["words inserted only", "a b\n", "a new b\n", [], [[2, 6]]],
    ["nothing in common", "one two\n", "three\n", undefined, undefined],
    ["the line feed only", "a b\n", "a b", [], []],
    ["a change of case beside an ignored one", "Old Name x\n", "old name y\n", [[9, 10]], [[9, 10]]],
  ])("%s", async (name, a, b, inA, inB) => {
    const options = { ignoreCase: name.includes("case") };
    const { rows } = await compareLines({ a, b }, options);
    expect(rows.map(({ changed }) => changed)).toEqual([inA, inB]);
  });

  test("also where one line became two", async () => {
    const { rows } = await compareLines({ a: "one two three four\n", b: "one two\nthree 4\n" });
    expect(rows.map(({ text, changed }) => [text, changed])).toEqual([
      [
        "one two three four",
        [
          [7, 8],
          [14, 18],
        ],
      ],
      ["one two", []],
      ["three 4", [[6, 7]]],
    ]);
  });

  test("not in a line that was only deleted, below one that was changed", async () => {
    const { rows } = await compareLines({ a: "say one\nx\ngone\n", b: "say two\nx\n" });
    expect(rows.find(({ text }) => text === "gone")).toEqual({ op: "delete", a: 3, b: null, text: "gone" });
  });
});

describe("hunks are where git has them", () => {
  testWith("git").each([
    ["a function with a comment above it", [0, 1, 2], [0, 1, 3, 2]],
    ["the last function", [0, 1], [0, 1, 2]],
    ["the first function", [1, 2], [0, 1, 2]],
    ["a deleted function", [0, 1, 2, 3], [0, 3]],
    ["two that changed places", [0, 1, 2], [2, 1, 0]],
    ["a repeated function", [0, 1], [0, 0, 1]],
  ])("%s", async (_, before, after) => {
    const texts = { a: code(before), b: code(after) };
    const { patch } = await makePatch(texts);
    expect(patch.split("\n").slice(2)).toEqual(gitDiff(texts));
  });

  function gitDiff({ a, b }: { a: string; b: string }): string[] {
    const folder = makeTempFolder();
    const paths = [join(folder, "a"), join(folder, "b")] as const;
    writeFileSync(paths[0], a);
    writeFileSync(paths[1], b);
    const args = ["diff", "--no-index", "--minimal", "--indent-heuristic", ...paths];
    const lines = spawnSync("git", args, { encoding: "utf8" }).stdout.split("\n");
    // Behind the second @@ git shows the function, which is no part of the hunk.
    return lines.slice(4).map((line) => line.replace(/^(@@ .* @@).*/, "$1"));
  }
});

const FUNCTIONS = ["open", "close", "read", "write"].map(
  (name) => `/** Does ${name}. */\nfunction ${name}(file) {\n  if (file) {\n    return ${name}d;\n  }\n}\n\n`,
);

function code(numbers: readonly number[]): string {
  return `import all;\n\n${numbers.map((number) => FUNCTIONS[number]).join("")}`;
}

const WORDS = "the a file page text is was are of in on key link name opens reads keeps never once".split(
  " ",
);

function prose(random: (below: number) => number): string {
  const sentence = () => `${Array.from({ length: 4 + random(9) }, () => pick(WORDS, random)).join(" ")}.`;
  return Array.from({ length: 12 }, sentence).join(" ");
}

/** Rewrites a few phrases of one to six words. */
function editProse(text: string, random: (below: number) => number): string {
  const words = text.split(" ");
  for (let edits = 1 + random(5); edits > 0; edits--) {
    const phrase = Array.from({ length: random(6) }, () => pick(WORDS, random));
    words.splice(random(words.length), random(6), ...phrase);
  }
  return words.join(" ");
}

function pick(words: readonly string[], random: (below: number) => number): string {
  return words[random(words.length)] ?? "";
}

function makeRandom(seed: number): (below: number) => number {
  let state = seed * 7919;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}
