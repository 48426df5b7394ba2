// slow
import { describe, expect, test } from "vitest";
import { compareTexts } from "../../../tools/text-compare.ts";
import { chunkEndOf } from "../../../tools/text/diff/changed-chunks.ts";
import type { CompareOptions, SpanComparison } from "../../../tools/text-compare.ts";
import { Random } from "../../fuzz/random.ts";
import { compareLines, compareSpans, makePatch, type Texts } from "./support/text-checks.ts";

const LINES: CompareOptions = {
  granularity: "line",
  format: "json",
  ignoreCase: false,
  ignoreWhitespace: false,
};

describe("texts that have next to nothing in common", () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}`);

  test.each([
    ["reversed", lines.toReversed(), 1],
    ["moved in halves", [...lines.slice(10_000), ...lines.slice(0, 10_000)], 10_000],
    ["all other lines", lines.map((line) => `not ${line}`), 0],
    ["every second line other", lines.map((line, i) => (i % 2 ? line : `not ${line}`)), 10_000],
  ])("get a shortest script: %s", async (_, edited, equal) => {
    const texts = { a: `${lines.join("\n")}\n`, b: `${edited.join("\n")}\n` };
    const { stats, minimal } = await compareLines(texts);
    expect({ equal: stats.equal, minimal }).toEqual({ equal, minimal: true });
  });

  test("get a whole answer that says it may not be the shortest: few distinct lines in any order", async () => {
    const texts = pickTwo(30_000, ["x\n", "y\n", "z\n"]);
    const { rows, stats, minimal } = await compareLines(texts);
    expect(minimal).toBe(false);
    expect(
      rows
        .filter((row) => row.op !== "insert")
        .map((row) => `${row.text}\n`)
        .join(""),
    ).toBe(texts.a);
    expect(
      rows
        .filter((row) => row.op !== "delete")
        .map((row) => `${row.text}\n`)
        .join(""),
    ).toBe(texts.b);
    // A common subsequence of random texts over three signs is about 0.72 of their length.
    expect(stats.equal).toBeGreaterThan(30_000 * 0.6);
    expect(stats.deleted + stats.equal).toBe(30_000);
  });

  test.each([
    ["words", 30_000, "word" as const, ["one ", "two, ", "three\n", "four.", "five\n"]],
    ["characters of one line", 20_000, "character" as const, [..."abcdefghijklmnop"]],
    ["characters of many lines", 30_000, "character" as const, [..."abcdefgh \n"]],
  ])(
    "get a whole answer that says it may not be the shortest: random %s",
    async (_, count, granularity, parts) => {
      const texts = pickTwo(count, parts);
      const answer = await compareSpans(texts, { granularity });
      expect(answer.minimal).toBe(false);
      checkWhole(texts, answer);
      expect(answer.stats.equal).toBeGreaterThan(0);
    },
  );
});

describe("large texts", () => {
  test("by character, more than is compared at once: small changes all over a long line are found", async () => {
    const a = pick(4_010_000, [..."abcdefghijklmnopqrstuvwxyz"]);
    const b = a.replaceAll("abc", "aXc");
    const answer = await compareSpans({ a, b }, { granularity: "character" });
    checkWhole({ a, b }, answer);
    const changed = a.split("abc").length - 1;
    expect(answer.stats).toEqual({ equal: a.length - changed, deleted: changed, inserted: changed });
  });

  test("by word, when every line of many has changed", async () => {
    const a = pick(30_000, ["let x = 1;\n", "  return y;\n", "}\n", "if (z) {\n"]);
    const b = a.replace(/^/gm, "\t");
    const options = { granularity: "word" as const, ignoreWhitespace: true };
    const answer = await compareSpans({ a, b }, options);
    checkWhole({ a, b }, answer);
    expect(answer.stats.equal).toBeGreaterThan(answer.stats.inserted);
  });

  test("by word without white space, past what is compared exactly", async () => {
    // Long words, so that few of them are past that length.
    const words = Array.from({ length: 997 }, (_, i) => `${"word".repeat(20)}${i} `);
    const a = pick(210_000, ["one, ", "two(", ...words]);
    const b = `${a.replaceAll("one, ", "   one , ")}!`;
    const answer = await compareSpans({ a, b }, { granularity: "word", ignoreWhitespace: "all" });
    checkWhole({ a, b }, answer);
    expect(answer).toMatchObject({ minimal: false, stats: { deleted: 0, inserted: 1 } });
  });

  test("have at most four million rows; a patch has no such limit", async () => {
    const limit = 4_000_000;
    expect((await compareLines({ a: "\n".repeat(limit), b: "\n".repeat(limit) })).rows).toHaveLength(limit);
    const texts = { a: `a\n${"\n".repeat(limit - 1)}`, b: `b\n${"\n".repeat(limit - 1)}` };
    await expect(compareTexts(texts, LINES)).rejects.toMatchObject({
      code: "result_too_large",
      message: expect.stringContaining("format=unified"),
      fields: { limit: "rows", value: limit, unit: "rows", actual: limit + 1 },
    });
    expect((await makePatch(texts)).patch).toBe("--- a/text\n+++ b/text\n@@ -1,4 +1,4 @@\n-a\n+b\n \n \n \n");
  });
});

test("the pieces of a long line end where words and characters end, and find each other after an edit", () => {
  const line = pick(20_000, ["word", " ", "  ", ", ", "'", "é", "👩‍👧", "e\u0301", "(", "漢", "\t", "9"]);
  for (const granularity of ["word", "character"] as const) {
    const rules = { granularity, ignoreCase: false, ignoreWhitespace: "none" } as const;
    const pieces = cut(line, chunkEndOf(rules));
    expect(pieces.length).toBeGreaterThan(20);
    const others = new Set(cut(`(${line.slice(3)}`, chunkEndOf(rules)));
    expect(pieces.filter((piece) => !others.has(piece)).length).toBeLessThan(5);
  }
});

function checkWhole({ a, b }: Texts, { spans, stats, identical }: SpanComparison): void {
  expect(spans.map(({ op, text }) => (op === "insert" ? "" : text)).join("") === a).toBe(true);
  expect(spans.map(({ op, text, textB }) => (op === "delete" ? "" : (textB ?? text))).join("") === b).toBe(
    true,
  );
  expect(spans.every(({ op }, i) => op !== spans[i - 1]?.op)).toBe(true);
  expect(spans.every(({ op }, i) => op !== "delete" || spans[i - 1]?.op !== "insert")).toBe(true);
  expect(identical).toBe(stats.deleted + stats.inserted === 0);
}

function cut(text: string, tokenEnd: ReturnType<typeof chunkEndOf>): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = tokenEnd({ text, end: text.length }, at);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

function pickTwo(count: number, parts: readonly string[]): Texts {
  return { a: pick(count, parts), b: pick(count, parts, 20_261_122) };
}

/** The same text in each run: what is found in it is known. */
function pick(count: number, parts: readonly string[], seed = 7): string {
  const random = new Random(seed);
  return Array.from({ length: count }, () => random.pick(parts)).join("");
}
