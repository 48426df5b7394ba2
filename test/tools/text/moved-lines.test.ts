import { describe, expect, test } from "vitest";
import { compareTexts, type CompareOptions, type LineComparison } from "../../../tools/text-compare.ts";

async function compare(a: readonly string[], b: readonly string[], options: Partial<CompareOptions> = {}) {
  const texts = { a: a.map((line) => `${line}\n`).join(""), b: b.map((line) => `${line}\n`).join("") };
  const defaults = {
    granularity: "line",
    ignoreCase: false,
    ignoreWhitespace: "none",
    format: "json",
  } as const;
  // By line and as rows.
  return (await compareTexts(texts, { ...defaults, moved: true, ...options })) as LineComparison;
}

function movedOf({ rows }: LineComparison) {
  return rows.flatMap(({ op, a, b, moved }) => (moved === undefined ? [] : [[op, a ?? b, moved]]));
}

const BLOCK = ["function readPageRange(text) {", "  return parse(text);", "}"];
const REST = Array.from({ length: 12 }, (_, i) => `line ${i} that stays where it is`);

describe("lines that moved", () => {
  test("are marked on both sides, with their number on the other", async () => {
    const made = await compare([...BLOCK, ...REST], [...REST, ...BLOCK]);
    expect(movedOf(made)).toEqual([
      ["delete", 1, 13],
      ["delete", 2, 14],
      ["delete", 3, 15],
      ["insert", 13, 1],
      ["insert", 14, 2],
      ["insert", 15, 3],
    ]);
    expect(made.stats).toMatchObject({ deleted: 3, inserted: 3 });
  });

  test("are a block without what was changed in it", async () => {
    const changed = BLOCK.with(1, "  return parse(text, {});");
    const made = await compare([...BLOCK, ...REST], [...REST, ...changed]);
    expect(movedOf(made)).toEqual([
      ["delete", 1, 13],
      ["insert", 13, 1],
    ]);
  });

  test("are none where they are too short to mean anything, and none without the option", async () => {
    expect(movedOf(await compare(["}", ...REST], [...REST, "}"]))).toEqual([]);
    expect(movedOf(await compare([...BLOCK, ...REST], [...REST, ...BLOCK], { moved: false }))).toEqual([]);
  });

  test("move once, however often they were inserted", async () => {
    const [line = ""] = BLOCK;
    const made = await compare([line, ...REST], [...REST, line, "between", line]);
    expect(movedOf(made)).toEqual([
      ["delete", 1, 13],
      ["insert", 13, 1],
    ]);
  });

  test("among very many equal ones are found in time", async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `the same line, again and again ${i % 7}`);
    const made = await compare([...many, ...REST], [...REST, ...many.toReversed()]);
    expect(made.rows.length).toBeGreaterThan(10_000);
  });

  test.each([{ granularity: "word" }, { granularity: "character" }, { format: "unified" }] as const)(
    "cannot be marked with %j",
    async (options) => {
      await expect(compare(["a"], ["b"], options)).rejects.toMatchObject({
        code: "invalid_parameter",
        fields: { parameter: "moved" },
      });
    },
  );
});
