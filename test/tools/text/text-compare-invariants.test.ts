// slow
import { diffArrays } from "diff";
import { describe, expect, test } from "vitest";
import { checkAnswer, compareLines, compareSpans, plainKey, splitLines } from "./support/text-checks.ts";
import { countTokens } from "../../../tools/text/tokens/tokenize.ts";
import { tokenEndOf } from "../../../tools/text/tokens/tokens.ts";
import type { IgnoreOptions, Texts } from "./support/text-checks.ts";
import { fc, runs } from "../../support/properties.ts";

// TEXT_RUNS=100000 for a long run.
const numRuns = Number(process.env["TEXT_RUNS"] ?? runs(400).numRuns);

const PARTS = [
  "a",
  "b",
  "B",
  "ab",
  " ",
  "  ",
  "\t",
  "\n",
  "\n",
  "\r\n",
  "\r",
  "é",
  "É",
  "e\u0301",
  "\u0301",
  "Σ",
  "ς",
  "σ",
  "İ",
];
const RARE_PARTS = [
  "'",
  "_",
  "1",
  "漢",
  "字",
  "ไ",
  "👍",
  "👍🏽",
  "👩‍👧",
  "🇩🇪",
  "🇫",
  "\ud83d",
  "\udc4d",
  "\u2028",
  "\u0085",
  "\0",
  "각",
  "ᄀ",
  "ᅡ",
  ".",
];

const whitespace = fc.constantFrom("all" as const, "amount" as const, "none" as const);
const ignoring = fc.record({ ignoreCase: fc.boolean(), ignoreWhitespace: whitespace });
const granularity = fc.constantFrom("line" as const, "word" as const, "character" as const);
const freely = textOf([...PARTS, ...RARE_PARTS]);

/** Lines that repeat, go and come elsewhere in the second text. */
const movedLines: fc.Arbitrary<Texts> = fc
  .array(fc.constantFrom("", "a b", "a c b", "  }", "c, a"), { minLength: 1, maxLength: 20 })
  .chain((lines) =>
    fc.tuple(fc.constant(lines), fc.array(fc.nat({ max: lines.length - 1 }), { maxLength: 24 })),
  )
  .map(([lines, order]) => ({ a: lines.join("\n"), b: order.map((i) => lines[i]).join("\n") }));

/** Two texts of which the second is an edited form of the first, or any other. */
const texts: fc.Arbitrary<Texts> = fc.oneof(
  fc.record({ a: freely, b: freely }),
  movedLines,
  fc.record({ a: textOf(["a\n", "b\n", "\n", " \n"]), b: textOf(["a\n", "b\n", "\n", " a\n"]) }),
  fc.tuple(fc.array(freely, { maxLength: 12 }), fc.array(fc.nat({ max: 3 }), { maxLength: 12 })).map(edit),
);

function textOf(parts: string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...parts), { maxLength: 24 }).map((chosen) => chosen.join(""));
}

function edit([parts, acts]: [string[], number[]]): Texts {
  const edited = parts.flatMap((part, i) => [[part], [part], [], [part, part]][acts[i] ?? 0]!);
  return { a: parts.join(""), b: edited.join("") };
}

describe("any two texts", () => {
  test("come back whole from the rows or spans, counted, ordered, and differing only where told", async () => {
    const property = fc.asyncProperty(texts, granularity, ignoring, async (pair, granularity, options) => {
      await checkAnswer(pair, { ...options, granularity });
      await checkAnswer(pair, { ...options, ignoreBlankLines: true, granularity: "line" });
    });
    await fc.assert(property, { numRuns: numRuns * 3 });
  });

  test("come back from lines whose carriage return is a part of the line end in one text only", async () => {
    const pair = { a: "\r\n\r", b: "\r\n\r\r\n\r" };
    await checkAnswer(pair, { granularity: "line", ignoreWhitespace: "amount" });
  });

  test("are identical at every granularity or at none", async () => {
    const property = fc.asyncProperty(texts, ignoring, async (pair, options) => {
      const identical = isEqualText(pair, options);
      const lines = await compareLines(pair, options);
      const words = await compareSpans(pair, { ...options, granularity: "word" });
      const characters = await compareSpans(pair, { ...options, granularity: "character" });
      expect([lines.identical, words.identical, characters.identical]).toEqual([
        identical,
        identical,
        identical,
      ]);
    });
    await fc.assert(property, { numRuns: numRuns * 2 });
  });

  test("get as few changed lines as another implementation finds", async () => {
    const property = fc.asyncProperty(texts, async (pair) => {
      const { stats, minimal } = await compareLines(pair);
      expect(minimal).toBe(true);
      expect(stats.deleted + stats.inserted).toBe(countChanged(splitLines(pair.a), splitLines(pair.b)));
    });
    await fc.assert(property, { numRuns: numRuns * 2 });
  });

  test("get as few changed words as another implementation finds, whatever lines moved", async () => {
    const property = fc.asyncProperty(movedLines, async ({ a, b }) => {
      const { stats, minimal } = await compareSpans({ a, b }, { granularity: "word" });
      const [wordsOfA, wordsOfB] = [a, b].map((text) => text.match(/\w+| +|[^]/g) ?? []);
      expect(minimal).toBe(true);
      expect(stats.deleted + stats.inserted).toBe(countChanged(wordsOfA!, wordsOfB!));
      expect(stats.equal + stats.deleted).toBe(wordsOfA!.length);
    });
    await fc.assert(property, { numRuns: numRuns * 2 });
  });

  test("have as many words as are found one by one, whatever their letters and however long", () => {
    const rules = { granularity: "word", ignoreCase: false, ignoreWhitespace: "none" } as const;
    const tokenEnd = tokenEndOf(rules);
    const parts = textOf([...PARTS, "'", "\u2019", "n't", "한", "\u1100\u1161", "x".repeat(4090)]);
    // Read in lines of 4,096 characters and pieces of 16,384.
    const times = fc.constantFrom(1, 1, 4, 500);
    const property = fc.property(parts, parts, times, (once, often, count) => {
      const text = once + often.repeat(often.length > 1000 ? 1 : count);
      let found = 0;
      for (let at = 0; at < text.length; at = tokenEnd({ text, end: text.length }, at)) found++;
      expect(countTokens(text, { from: 0, to: text.length, rules })).toBe(found);
    });
    fc.assert(property, { numRuns });
  });

  test("get as few changed characters as another implementation finds", async () => {
    const few = textOf(["a", "b", "c", "\n"]);
    const property = fc.asyncProperty(few, few, async (a, b) => {
      const { stats, minimal } = await compareSpans({ a, b }, { granularity: "character" });
      expect(minimal).toBe(true);
      expect(stats.deleted + stats.inserted).toBe(countChanged([...a], [...b]));
      expect(stats.equal + stats.deleted).toBe(a.length);
    });
    await fc.assert(property, { numRuns: numRuns * 2 });
  });
});

function isEqualText({ a, b }: Texts, options: IgnoreOptions): boolean {
  // A text without a line is not one with an empty line, even where a line's end is overlooked.
  if ((a === "") !== (b === "")) return false;
  return plainKey(a, options) === plainKey(b, options);
}

function countChanged(a: string[], b: string[]): number {
  return diffArrays(a, b).reduce(
    (sum, part) => sum + (part.added || part.removed ? part.value.length : 0),
    0,
  );
}
