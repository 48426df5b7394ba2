import { expect } from "vitest";
import { compareTexts } from "../../../../tools/text-compare.ts";
import { readIgnoredWhitespace } from "../../../../tools/text/tokens/characters.ts";
import type {
  Granularity,
  IgnoredWhitespace,
  LineComparison,
  PatchComparison,
  Row,
  Span,
  SpanComparison,
} from "../../../../tools/text-compare.ts";

export type Texts = { a: string; b: string };
export type IgnoreOptions = {
  ignoreCase?: boolean;
  ignoreWhitespace?: IgnoredWhitespace | boolean;
  ignoreBlankLines?: boolean;
};
export type Shown = IgnoreOptions & { context?: number; nameA?: string; nameB?: string };

const STRICT = { ignoreCase: false, ignoreWhitespace: false };

export async function compareLines(texts: Texts, ignoring: Shown = {}): Promise<LineComparison> {
  const answer = await compareTexts(texts, { ...STRICT, ...ignoring, granularity: "line", format: "json" });
  if (!("rows" in answer)) throw new Error("expected rows");
  return answer;
}

export async function compareSpans(
  texts: Texts,
  options: IgnoreOptions & { granularity: "word" | "character" },
): Promise<SpanComparison> {
  const answer = await compareTexts(texts, { ...STRICT, ...options, format: "json" });
  if (!("spans" in answer)) throw new Error("expected spans");
  return answer;
}

export async function makePatch(texts: Texts, ignoring: Shown = {}): Promise<PatchComparison> {
  const answer = await compareTexts(texts, {
    ...STRICT,
    ...ignoring,
    granularity: "line",
    format: "unified",
  });
  if (!("patch" in answer)) throw new Error("expected a patch");
  return answer;
}

/** All documented invariants of an answer, at any granularity. */
export async function checkAnswer(texts: Texts, options: IgnoreOptions & { granularity: Granularity }) {
  if (options.granularity === "line") return checkLines(texts, await compareLines(texts, options), options);
  const { granularity } = options;
  return checkSpans(texts, await compareSpans(texts, { ...options, granularity }), options);
}

export function checkLines(
  texts: Texts,
  answer: LineComparison,
  options: IgnoreOptions = {},
): LineComparison {
  const { rows, stats, endsWithNewline } = answer;
  expect(
    joinLines(
      ofA(rows).map((row) => row.text),
      endsWithNewline.a,
    ),
  ).toBe(texts.a);
  expect(joinLines(ofB(rows).map(textOfB), endsWithNewline.b)).toBe(texts.b);
  expect(ofA(rows).map((row) => row.a)).toEqual(ofA(rows).map((_, i) => i + 1));
  expect(ofB(rows).map((row) => row.b)).toEqual(ofB(rows).map((_, i) => i + 1));
  expect(
    rows.every((row) => (row.op === "insert" ? row.a : row.op === "delete" ? row.b : null) === null),
  ).toBe(true);
  expect(stats).toEqual({ ...countOps(rows), hunks: stats.hunks });
  for (const row of rows) checkParts(row, options);
  checkCommon(answer, { items: rows, options });
  return answer;
}

export function checkSpans(
  texts: Texts,
  answer: SpanComparison,
  options: IgnoreOptions = {},
): SpanComparison {
  const { spans } = answer;
  expect(
    ofA(spans)
      .map((span) => span.text)
      .join(""),
  ).toBe(texts.a);
  expect(ofB(spans).map(textOfB).join("")).toBe(texts.b);
  for (let i = 1; i < spans.length; i++) expect(spans[i]!.op).not.toBe(spans[i - 1]!.op);
  expect(spans.every((span) => span.text !== "" && span.textB !== "")).toBe(true);
  checkCommon(answer, { items: spans, options });
  return answer;
}

type Item = Row | Span;

function isIgnored(item: Item): boolean {
  return "ignored" in item && item.ignored === true;
}

/** Parts are in order, apart and inside of the line; only blank lines are ignored. */
function checkParts({ op, text, changed, ignored }: Row, options: IgnoreOptions): void {
  if (ignored) {
    expect(options.ignoreBlankLines).toBe(true);
    const blanks = { all: /[ \t\r\v\f]/g, amount: /[ \t\r]/g, none: "" };
    expect(text.replace(blanks[whitespaceOf(options)], "")).toBe("");
  }
  if (!changed) return;
  expect(op).not.toBe("equal");
  const ends = changed.flat();
  expect(ends.every((end, i) => end <= text.length && (i === 0 || end > ends[i - 1]!))).toBe(true);
  expect(changed).not.toEqual([[0, text.length]]);
}

function checkCommon(
  answer: LineComparison | SpanComparison,
  { items, options }: { items: readonly Item[]; options: IgnoreOptions },
): void {
  for (let i = 1; i < items.length; i++) {
    expect(items[i - 1]!.op === "insert" && items[i]!.op === "delete", "deletes stand before inserts").toBe(
      false,
    );
  }
  expect(answer.identical).toBe(items.every((item) => item.op === "equal" || isIgnored(item)));
  expect(answer.identical).toBe(answer.stats.deleted + answer.stats.inserted === 0);
  const ends = "rows" in answer ? lineEnds(answer) : undefined;
  for (const item of items) {
    const { op, text, textB } = item;
    if (textB === undefined) continue;
    expect(op).toBe("equal");
    expect(textB).not.toBe(text);
    expect(options.ignoreCase || whitespaceOf(options) !== "none").toBe(true);
    const [endA, endB] = ends?.(item) ?? ["", ""];
    expect(plainKey(textB + endB, options)).toBe(plainKey(text + endA, options));
  }
}

/** What stands behind a row's text in a and in b: its line feed, which the last line may lack. A CR there is text. */
function lineEnds({ rows, endsWithNewline }: LineComparison): (item: Item) => [string, string] {
  const [lastA, lastB] = [ofA(rows).length, ofB(rows).length];
  return (item) => {
    const { a, b } = "a" in item ? item : { a: null, b: null };
    return [a === lastA && !endsWithNewline.a ? "" : "\n", b === lastB && !endsWithNewline.b ? "" : "\n"];
  };
}

/** An independent, slow implementation of what the ignore options overlook. */
export function plainKey(text: string, options: IgnoreOptions): string {
  const ignored = whitespaceOf(options);
  let key = text;
  if (ignored === "amount") key = key.replace(/[ \t]*\r?\n/g, "\n").replace(/[ \t]+/g, " ");
  if (ignored === "all") key = key.replace(/\n$/, "").replace(/[ \t\r\v\f]/g, "");
  if (options.ignoreCase) key = key.toLowerCase().replaceAll("ς", "σ");
  return ignored === "amount" ? key.replace(/ ?\n?$/, "") : key;
}

function whitespaceOf({ ignoreWhitespace = "none" }: IgnoreOptions): IgnoredWhitespace {
  return readIgnoredWhitespace(ignoreWhitespace);
}

/** The lines of a text as `patch` sees them, each with its line feed. */
export function splitLines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function ofA<Kind extends Item>(items: readonly Kind[]): Kind[] {
  return items.filter((item) => item.op !== "insert");
}

function ofB<Kind extends Item>(items: readonly Kind[]): Kind[] {
  return items.filter((item) => item.op !== "delete");
}

function textOfB({ text, textB }: Item): string {
  return textB ?? text;
}

function joinLines(lines: readonly string[], endsWithNewline: boolean): string {
  return lines.join("\n") + (endsWithNewline ? "\n" : "");
}

function countOps(rows: readonly Row[]) {
  const count = (op: Row["op"]) => rows.filter((row) => row.op === op && !row.ignored).length;
  return { equal: count("equal"), deleted: count("delete"), inserted: count("insert") };
}
