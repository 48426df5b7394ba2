import { intAt, countRanges, rangeAt, type RangeList, makeRangeList } from "../int-list.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import type { LineScript } from "../diff/lines.ts";
import { type Texts, lengthOf, type RangePair } from "../diff/ranges.ts";
import { compareRanges } from "../diff/inline.ts";
import type { TokenRules } from "../tokens/tokens.ts";

/**
 * One line, without its line feed. `a` and `b` are line numbers from 1, null where the text does not have the line;
 * `textB` is b's form of an equal line when an ignore option hides a difference. `changed` lists the parts of a
 * deleted or inserted line that changed, as [start, end] in UTF-16 code units; without it all of the line did.
 * `ignored` stands at blank lines that `ignoreBlankLines` ignores, `moved` at lines that are elsewhere in the other text.
 */
export type Row = {
  op: "equal" | "delete" | "insert";
  a: number | null;
  b: number | null;
  text: string;
  textB?: string;
  changed?: [start: number, end: number][];
  ignored?: true;
  moved?: number;
};

type Writer = {
  texts: Texts;
  /** Where each line of the middle starts. */
  starts: { a: Int32Array; b: Int32Array };
  rows: Row[];
  a: number;
  b: number;
  words: RangeList;
  /** The first of the changed words that can be in the next line. */
  nextWord: { a: number; b: number };
};

// A row takes about 100 bytes, and 45 of JSON, besides its text; some engines end strings near 500 million characters.
const MAX_ROWS = 4_000_000;

/** Every line of both texts in order. @throws ToolFailure result_too_large past four million rows. */
export function makeRows(texts: Texts, script: LineScript, changedWords: ChangedWords): Row[] {
  const { changes, middle, aStarts, bStarts } = script;
  const rowCount = countRows(script);
  if (rowCount > MAX_ROWS) throw tooManyRows(rowCount);
  const writer: Writer = {
    texts,
    starts: { a: aStarts, b: bStarts },
    rows: [],
    a: 0,
    b: 0,
    words: changedWords.words,
    nextWord: { a: 0, b: 0 },
  };
  writeSame(writer, 0, middle.aFrom);
  let [a, b] = [0, 0];
  for (let i = 0; i < countRanges(changes); i++) {
    const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, i);
    writeEqual(writer, { a, b, count: aFrom - a });
    const isIgnored = script.ignorable?.[i] === 1;
    const isCompared = changedWords.isCompared[i] === 1;
    writeChanged(writer, "a", { from: aFrom, to: aTo, isIgnored, isCompared });
    writeChanged(writer, "b", { from: bFrom, to: bTo, isIgnored, isCompared });
    [a, b] = [aTo, bTo];
  }
  writeEqual(writer, { a, b, count: aStarts.length - 1 - a });
  writeSame(writer, middle.aTo, texts.a.length);
  return writer.rows;
}

/** Lines that are exactly the same in both texts; they are split here, as they were never read. */
function writeSame(writer: Writer, from: number, to: number): void {
  const text = writer.texts.a;
  for (let at = from; at < to;) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 || feed >= to ? to : feed;
    writer.rows.push({ op: "equal", a: ++writer.a, b: ++writer.b, text: text.slice(at, end) });
    at = end + 1;
  }
}

/** Lines that are equal under the rules of the comparison. */
function writeEqual(writer: Writer, { a, b, count }: { a: number; b: number; count: number }): void {
  const { texts, starts } = writer;
  for (let i = 0; i < count; i++) {
    const text = lineAt(texts.a, starts.a, a + i);
    const textB = lineAt(texts.b, starts.b, b + i);
    const row: Row = { op: "equal", a: ++writer.a, b: ++writer.b, text };
    writer.rows.push(text === textB ? row : { ...row, textB });
  }
}

/** Deleted lines of a, or inserted lines of b. */
function writeChanged(
  writer: Writer,
  side: "a" | "b",
  { from, to, isIgnored, isCompared }: { from: number; to: number; isIgnored: boolean; isCompared: boolean },
): void {
  const starts = writer.starts[side];
  for (let index = from; index < to; index++) {
    const text = lineAt(writer.texts[side], starts, index);
    const row: Row =
      side === "a"
        ? { op: "delete", a: ++writer.a, b: null, text }
        : { op: "insert", a: null, b: ++writer.b, text };
    const start = intAt(starts, index);
    const changed = isCompared && changedParts(writer, side, [start, start + text.length]);
    if (changed) row.changed = changed;
    if (isIgnored) row.ignored = true;
    writer.rows.push(row);
  }
}

/** The changed parts of a line; undefined if all of it changed. */
function changedParts(
  { words, nextWord }: Writer,
  side: "a" | "b",
  [from, to]: readonly [number, number],
): Row["changed"] {
  const parts: [number, number][] = [];
  for (let i = nextWord[side]; i < countRanges(words); i++) {
    const { aFrom, aTo, bFrom, bTo } = rangeAt(words, i);
    const [start, end] = side === "a" ? [aFrom, aTo] : [bFrom, bTo];
    if (start > to) break;
    nextWord[side] = i;
    const part: [number, number] = [Math.max(from, start) - from, Math.min(to, end) - from];
    if (part[0] < part[1]) parts.push(part);
  }
  const isWhole = from === to || (parts[0]?.[0] === 0 && parts[0][1] === to - from);
  return isWhole ? undefined : parts;
}

function lineAt(text: string, starts: Int32Array, index: number): string {
  const end = intAt(starts, index + 1);
  return text.slice(starts[index], text.charCodeAt(end - 1) === 10 ? end - 1 : end);
}

function countRows({ changes, linesBefore, linesAfter, aStarts }: LineScript): number {
  let count = linesBefore + linesAfter + aStarts.length - 1;
  for (let i = 0; i < countRanges(changes); i++) {
    const { bFrom, bTo } = rangeAt(changes, i);
    count += bTo - bFrom;
  }
  return count;
}

function tooManyRows(actual: number): ToolFailure {
  return new ToolFailure(
    "result_too_large",
    `The answer would have ${actual} rows and may have ${MAX_ROWS}; format=unified lists changed lines only.`,
    { limit: "rows", value: MAX_ROWS, unit: "rows", actual },
  );
}

// Beyond these, changed lines are marked as a whole: words found in so large a change would mean nothing.
const MAX_CHANGE_LENGTH = 1_000_000;
const MAX_TOTAL_LENGTH = 8_000_000;
const MAX_STEPS = 20_000_000;

/** The changed words of changed lines, as offsets, and 1 for each change whose lines were compared by word. */
type ChangedWords = { words: RangeList; isCompared: Uint8Array };

/** Compares the lines of each change by word. */
export function findChangedWords(texts: Texts, script: LineScript, rules: TokenRules): ChangedWords {
  const isCompared = new Uint8Array(countRanges(script.changes));
  const ranges: RangePair[] = [];
  let total = 0;
  for (let i = 0; i < countRanges(script.changes); i++) {
    const change = offsetsOfLines(rangeAt(script.changes, i), script);
    const length = lengthOf(change);
    if (change.aFrom === change.aTo || change.bFrom === change.bTo || length > MAX_CHANGE_LENGTH) continue;
    total += length;
    if (total > MAX_TOTAL_LENGTH) break;
    ranges.push(change);
    isCompared[i] = 1;
  }
  if (ranges.length === 0) return { words: makeRangeList(), isCompared };
  const byWord = { ...rules, granularity: "word" } as const;
  return { words: compareRanges(texts, { ranges, rules: byWord, steps: MAX_STEPS }), isCompared };
}

function offsetsOfLines({ aFrom, aTo, bFrom, bTo }: RangePair, { aStarts, bStarts }: LineScript): RangePair {
  return {
    aFrom: intAt(aStarts, aFrom),
    aTo: intAt(aStarts, aTo),
    bFrom: intAt(bStarts, bFrom),
    bTo: intAt(bStarts, bTo),
  };
}
