import { describe, expect, test } from "vitest";
import { compareTexts } from "../../../tools/text-compare.ts";
import { tokenEndOf } from "../../../tools/text/tokens/tokens.ts";
import type { Granularity, IgnoredWhitespace } from "../../../tools/text-compare.ts";
import { compareLines, compareSpans, makePatch } from "./support/text-checks.ts";

const STRICT = { ignoreCase: false, ignoreWhitespace: false };

describe("an answer", () => {
  test("by line has a row for every line, with its number on either side", async () => {
    expect(await compareLines({ a: "one\ntwo\nthree", b: "one\n2\nthree\n" })).toEqual({
      granularity: "line",
      format: "json",
      identical: false,
      minimal: true,
      stats: { equal: 1, deleted: 2, inserted: 2, hunks: 1 },
      rows: [
        { op: "equal", a: 1, b: 1, text: "one" },
        { op: "delete", a: 2, b: null, text: "two" },
        { op: "delete", a: 3, b: null, text: "three", changed: [] },
        { op: "insert", a: null, b: 2, text: "2" },
        { op: "insert", a: null, b: 3, text: "three", changed: [] },
      ],
      endsWithNewline: { a: false, b: true },
    });
  });

  test("by word is one flow of spans", async () => {
    const a = "The quick brown fox, it's said,\njumped.";
    const b = "The slow brown fox, it's told,\njumped!";
    expect(await compareSpans({ a, b }, { granularity: "word" })).toEqual({
      granularity: "word",
      format: "json",
      identical: false,
      minimal: true,
      stats: { equal: 13, deleted: 3, inserted: 3 },
      spans: [
        { op: "equal", text: "The " },
        { op: "delete", text: "quick" },
        { op: "insert", text: "slow" },
        { op: "equal", text: " brown fox, it's " },
        { op: "delete", text: "said" },
        { op: "insert", text: "told" },
        { op: "equal", text: ",\njumped" },
        { op: "delete", text: "." },
        { op: "insert", text: "!" },
      ],
    });
  });

  test("by character finds the shortest script of Myers' own example", async () => {
    const { stats, minimal } = await compareSpans(
      { a: "ABCABBA", b: "CBABAC" },
      { granularity: "character" },
    );
    expect({ ...stats, minimal }).toEqual({ equal: 4, deleted: 3, inserted: 2, minimal: true });
  });

  test("shows b's form too where an ignore option hides a difference", async () => {
    const options = { ignoreCase: true, ignoreWhitespace: true };
    const texts = { a: "Big  Dog\nx\n", b: "big dog \nX" };
    expect((await compareLines(texts, options)).rows).toEqual([
      { op: "equal", a: 1, b: 1, text: "Big  Dog", textB: "big dog " },
      { op: "equal", a: 2, b: 2, text: "x", textB: "X" },
    ]);
    expect((await compareSpans(texts, { ...options, granularity: "word" })).spans).toEqual([
      { op: "equal", text: "Big  Dog\nx\n", textB: "big dog \nX" },
    ]);
  });

  test("tells an empty text from an empty line", async () => {
    const [none, empty] = [await compareLines({ a: "", b: "" }), await compareLines({ a: "", b: "\n" })];
    expect(none).toMatchObject({ identical: true, rows: [], stats: { equal: 0, hunks: 0 } });
    expect(empty).toMatchObject({ identical: false, rows: [{ op: "insert", a: null, b: 1, text: "" }] });
  });

  test.each(["word", "character"] as const)(
    "refuses a patch by %s and names what is allowed",
    async (granularity) => {
      const options = { ...STRICT, granularity, format: "unified" } as const;
      await expect(compareTexts({ a: "", b: "" }, options)).rejects.toMatchObject({
        code: "invalid_parameter",
        message: expect.stringContaining(`granularity=${granularity}`),
        fields: { parameter: "format", allowed: ["json"], received: "unified" },
      });
    },
  );
});

describe("a change is shown where a reader expects it", () => {
  const method = (name: string) => `def ${name}():\n    if x:\n        return 1\n\n`;

  test.each([
    ["an inserted function", method("a") + method("c"), method("a") + method("b") + method("c"), [5, 8]],
    ["a deleted function", method("a") + method("b") + method("c"), method("a") + method("c"), [5, 8]],
    ["one more of equal lines", "a\na\na\n", "a\na\na\na\n", [4, 4]],
    ["an inserted block of a list", "- a\n  x\n- b\n  x\n", "- a\n  x\n- c\n  x\n- b\n  x\n", [3, 4]],
  ] as const)("%s", async (_, a, b, [first, last]) => {
    const changed = (await compareLines({ a, b })).rows.filter((row) => row.op !== "equal");
    const numbers = changed.map((row) => row.a ?? row.b);
    expect([numbers.at(0), numbers.at(-1)]).toEqual([first, last]);
  });
});

describe("what is overlooked", () => {
  test.each([
    ["nothing", {}, "a b", "a  b", false],
    ["a longer run of blanks", { ignoreWhitespace: true }, "a b", "a \t  b", true],
    ["blanks at a line's end", { ignoreWhitespace: true }, "a \t\nb\t", "a\nb", true],
    ["a CR before LF", { ignoreWhitespace: true }, "a\r\nb \r\n", "a\nb\n", true],
    ["the last line feed", { ignoreWhitespace: true }, "a\nb", "a\nb\n", true],
    ["not an empty line at the end", { ignoreWhitespace: true }, "a\n", "a\n\n", false],
    ["not blanks where there are none", { ignoreWhitespace: true }, "a b", "ab", false],
    ["not an indent against none", { ignoreWhitespace: true }, " a", "a", false],
    ["a deeper indent", { ignoreWhitespace: true }, " a", "\t\ta", true],
    ["not a no-break space", { ignoreWhitespace: true }, "a b", "a\u00a0b", false],
    ["not a CR alone", { ignoreWhitespace: true }, "a\r", "a", false],
    ["not case", { ignoreWhitespace: true }, "a", "A", false],
    ["blanks where there are none", { ignoreWhitespace: "all" }, "a b\n", "ab\n", true],
    ["an indent against none", { ignoreWhitespace: "all" }, " \ta\n", "a\n", true],
    ["a CR alone, VT and FF", { ignoreWhitespace: "all" }, "a\r\v\fb\r\n", "ab\n", true],
    ["the last line feed with all blanks", { ignoreWhitespace: "all" }, "a\nb", "a\nb\n", true],
    ["not a line feed inside", { ignoreWhitespace: "all" }, "a\nb", "ab", false],
    ["not a line of blanks", { ignoreWhitespace: "all" }, "a\n", "a\n  ", false],
    ["not a no-break space among blanks", { ignoreWhitespace: "all" }, "ab", "a\u00a0b", false],
    ["a blank before a mark", { ignoreWhitespace: "all" }, "e\u0301", "e \u0301", true],
    ["words that are cut elsewhere", { ignoreWhitespace: "all" }, "a ba", "ab a", true],
    ["blanks and case", { ignoreWhitespace: "all", ignoreCase: true }, "É a", "éA", true],
    ["what its name says", { ignoreWhitespace: "amount" }, "a b", "a  b", true],
    ["nothing by its name", { ignoreWhitespace: "none" }, "a b", "a  b", false],
    ["case", { ignoreCase: true }, "ÄÖÜ straße", "äöü STRAßE", true],
    ["the case of a final sigma", { ignoreCase: true }, "ΟΔΟΣ", "οδος", true],
    ["not what only folds alike", { ignoreCase: true }, "straße", "strasse", false],
    ["not an accent", { ignoreCase: true }, "e", "é", false],
    ["not blanks", { ignoreCase: true }, "a ", "a", false],
  ] as const)("%s", async (_, ignoring, a, b, identical) => {
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const texts = { a: from, b: to };
      expect((await compareLines(texts, ignoring)).identical).toBe(identical);
      expect((await makePatch(texts, ignoring)).patch === "").toBe(identical);
      for (const granularity of ["word", "character"] as const) {
        expect((await compareSpans(texts, { ...ignoring, granularity })).identical).toBe(identical);
      }
    }
  });
});

describe("a text is cut", () => {
  test.each([
    ["after LF only", "a\r\nb\rc\u2028d\u0085e\n\nf", ["a\r\n", "b\rc\u2028d\u0085e\n", "\n", "f"]],
    ["with the last line as it is", "a\n", ["a\n"]],
    ["into nothing when empty", "", []],
  ])("by line %s", (_, text, lines) => {
    expect(cut(text, { granularity: "line" })).toEqual(lines);
  });

  test.each([
    ["words, blanks, line breaks and signs", "Hi,  you!\r\n\n", ["Hi", ",", "  ", "you", "!", "\r\n", "\n"]],
    ["digits and underscores with letters", "max_size=10px", ["max_size", "=", "10px"]],
    ["apostrophes inside words only", "'don't' l’été'", ["'", "don't", "'", " ", "l’été", "'"]],
    ["accents with their letters", "e\u0301te\u0301", ["e\u0301te\u0301"]],
    ["letters beyond the basic plane", "𝒜𝒷𝒸 𐐷x", ["𝒜𝒷𝒸", " ", "𐐷x"]],
    ["spaceless scripts letter by letter", "漢字かな", ["漢", "字", "か", "な"]],
    ["Thai letters with their marks", "ไทยกี่", ["ไ", "ท", "ย", "กี่"]],
    ["Korean words whole", "한국어 말", ["한국어", " ", "말"]],
    ["Persian words with their joiner", "می\u200cخواهم", ["می\u200cخواهم"]],
    ["emoji whole", "ok👩‍👧!🇩🇪🇫🇷", ["ok", "👩‍👧", "!", "🇩🇪", "🇫🇷"]],
    ["no-break space and wide space alone", "a\u00a0\u3000b", ["a", "\u00a0", "\u3000", "b"]],
  ])("by word: %s", (_, text, words) => {
    expect(cut(text, { granularity: "word" })).toEqual(words);
  });

  test.each([
    ["CR LF", "a\r\nb\r\r\n", ["a", "\r\n", "b", "\r", "\r\n"]],
    ["a flag", "🇩🇪🇫🇷🇩", ["🇩🇪", "🇫🇷", "🇩"]],
    ["an emoji with its skin", "👍🏽👍", ["👍🏽", "👍"]],
    ["a family", "👨‍👩‍👧‍👦x", ["👨‍👩‍👧‍👦", "x"]],
    ["a keycap and a sign in colour", "1️⃣☺️☺", ["1️⃣", "☺️", "☺"]],
    ["a flag of tags", "🏴󠁧󠁢󠁥󠁮󠁧󠁿.", ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "."]],
    ["a letter with marks", "e\u0301\u0327a", ["e\u0301\u0327", "a"]],
    ["a blank with a mark", "a \u0301b", ["a", " \u0301", "b"]],
    ["conjoining Hangul", "\u1112\u1161\u11ab\u1100각\u11a8", ["\u1112\u1161\u11ab", "\u1100각\u11a8"]],
    ["a mark at the start of a line", "\n\u0301a", ["\n", "\u0301", "a"]],
    ["half a surrogate pair, which is no character", "\ud83dx\udc4d", ["\ud83d", "x", "\udc4d"]],
    ["letters of two units", "𝒜𝒷", ["𝒜", "𝒷"]],
  ])("by character, never through %s", (_, text, characters) => {
    expect(cut(text, { granularity: "character" })).toEqual(characters);
  });

  test.each([
    ["word", "a \t b  \r\n c\r \n", ["a", " \t ", "b", "  \r\n", " ", "c", "\r", " \n"]],
    ["character", "a \t b  \r\n c", ["a", " \t ", "b", "  \r\n", " ", "c"]],
  ] as const)(
    "by %s with blanks and the line's end as one when their amount is ignored",
    (granularity, text, tokens) => {
      expect(cut(text, { granularity, ignoreWhitespace: "amount" })).toEqual(tokens);
    },
  );

  test.each([
    [
      "word",
      " one \t two,\r\n  three\n  \n ",
      [" one \t ", "two", ",\r", "\n", "  three", "\n", "  \n", " "],
    ],
    ["character", " a b\v\n c", [" a ", "b\v", "\n", " c"]],
  ] as const)("by %s with blanks around a token in it when all are ignored", (granularity, text, tokens) => {
    expect(cut(text, { granularity, ignoreWhitespace: "all" })).toEqual(tokens);
  });

  test("by word, without the words that only a blank takes apart", async () => {
    const texts = { a: "f (x, y) -> x\n", b: "f(x,y)->z\nnew\n" };
    const options = { granularity: "word", ignoreWhitespace: "all" } as const;
    expect((await compareSpans(texts, options)).spans).toEqual([
      { op: "equal", text: "f (x, y) -> ", textB: "f(x,y)->" },
      { op: "delete", text: "x" },
      { op: "insert", text: "z\nnew" },
      { op: "equal", text: "\n" },
    ]);
    const joined = await compareSpans({ a: "no thing, or x", b: "nothing, or y" }, options);
    expect(joined.spans[0]).toEqual({ op: "equal", text: "no thing, or ", textB: "nothing, or " });
  });
});

function cut(
  text: string,
  options: { granularity: Granularity; ignoreWhitespace?: IgnoredWhitespace },
): string[] {
  const tokenEnd = tokenEndOf({ ignoreCase: false, ignoreWhitespace: "none", ...options });
  const tokens: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = tokenEnd({ text, end: text.length }, at);
    tokens.push(text.slice(at, end));
    at = end;
  }
  return tokens;
}
