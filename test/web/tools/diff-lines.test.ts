// slow
import { expect, test } from "vitest";
import { compareTexts, type Row } from "../../../tools/text-compare.ts";
import {
  changeStarts,
  foldEqual,
  isUnchanged,
  listRows,
  pairRows,
  partsOf,
} from "../../../web/compare/diff-lines.ts";

async function rowsOf(a: string, b: string): Promise<Row[]> {
  const options = {
    granularity: "line",
    format: "json",
    ignoreCase: false,
    ignoreWhitespace: false,
  } as const;
  const made = await compareTexts({ a, b }, options);
  return "rows" in made ? made.rows : [];
}

const LINES = Array.from({ length: 20 }, (_, i) => `${i + 1}`);

test("puts what was removed beside what came in its place", async () => {
  const lines = pairRows(await rowsOf("a\nb\nc\nd\n", "a\nx\nd\n"));
  expect(lines.map((line) => (line.is === "pair" ? [line.a?.text, line.b?.text] : []))).toEqual([
    ["a", "a"],
    ["b", "x"],
    ["c", undefined],
    ["d", "d"],
  ]);
});

test("lists a removal above what came in its place in one column", async () => {
  const lines = listRows(await rowsOf("a\nb\n", "a\nx\n"));
  expect(lines.map((line) => (line.is === "pair" ? [line.a?.a, line.b?.b] : []))).toEqual([
    [1, 1],
    [2, undefined],
    [undefined, 2],
  ]);
});

test("folds equal lines but for three next to a change, until they are asked for", async () => {
  const changed = LINES.with(0, "one").with(19, "twenty").join("\n");
  const lines = pairRows(await rowsOf(LINES.join("\n"), changed));
  const folded = foldEqual(lines, { open: new Set(), context: 3 });
  expect(folded.flatMap((line) => (line.is === "fold" ? [[line.from, line.count]] : []))).toEqual([[4, 12]]);
  expect(folded).toHaveLength(20 - 12 + 1);
  expect(foldEqual(lines, { open: new Set([4]), context: 3 })).toHaveLength(20);
});

test("shows a run of more lines than a call may have arguments", () => {
  const equal = Array.from({ length: 300_000 }, (): Row => ({ op: "equal", a: 1, b: 1, text: "" }));
  const changed = Array.from({ length: 300_000 }, (): Row => ({ op: "insert", a: null, b: 1, text: "" }));
  const lines = pairRows([...equal, ...changed]);
  expect(lines).toHaveLength(600_000);
  expect(foldEqual(lines, { open: new Set([0]), context: 3 })).toHaveLength(600_000);
});

test("marks the words that changed inside lines, and nothing in a line that changed as a whole", async () => {
  const rows = await rowsOf("the old text here\n\nabc\n", "the new text here\n\nxyz\n");
  const marked = rows
    .filter(({ op }) => op !== "equal")
    .map((row) =>
      partsOf(row)
        .map(({ text, isChanged }) => (isChanged ? `[${text}]` : text))
        .join(""),
    );
  expect(marked).toEqual(["the [old] text here", "the [new] text here", "abc", "xyz"]);
});

test("tells where each change begins, also across a fold", async () => {
  const [first, ...rest] = LINES;
  const a = LINES.join("\n");
  const b = [`${first}!`, ...rest.slice(0, -1), "new", "last"].join("\n");
  const lines = foldEqual(pairRows(await rowsOf(a, b)), { open: new Set(), context: 3 });
  const starts = changeStarts(lines.map(isUnchanged));
  expect(starts[0]).toBe(0);
  expect(starts).toHaveLength(2);
  expect(changeStarts([])).toEqual([]);
  expect(changeStarts([true, false, false, true, false])).toEqual([1, 4]);
});
