import { ToolFailure } from "../wire/tool-failure.ts";
import {
  checkFields,
  definedOf,
  FLAG,
  NUMBER,
  oneOf,
  type OptionKinds,
  readOptions,
  required,
  TEXT,
} from "./file/arguments.ts";
import type { ToolWarning } from "../wire/tool-warning.ts";
import { findChangedWords, makeRows, type Row } from "./text/output/rows.ts";
import { compareInline, type InlineStats } from "./text/diff/inline.ts";
import { compareLines, type LineScript } from "./text/diff/lines.ts";
import { isRangeSameInNfc, isSameInNfc } from "./text/diff/normalization.ts";
import { countRanges, rangeAt, type RangeList } from "./text/int-list.ts";
import { findBodies, findMiddle, type Texts, type RangePair } from "./text/diff/ranges.ts";
import { countHunks, listShownChanges, makePatch } from "./text/output/patch.ts";
import { markMoved } from "./text/output/moved-lines.ts";
import { checkName } from "./text/output/patch-names.ts";
import { usesDictionary, type Granularity } from "./text/tokens/tokens.ts";
import { readIgnoredWhitespace, type IgnoredWhitespace } from "./text/tokens/characters.ts";

export type { Granularity, IgnoredWhitespace, Row, Span };

/**
 * `identical` means equal under the options, `minimal` that no shorter edit script exists. `warnings` is there where
 * there is one.
 */
type Comparison<Of extends Granularity, Format, Stats = LineStats> = {
  granularity: Of;
  format: Format;
  identical: boolean;
  minimal: boolean;
  stats: Stats;
  warnings?: ToolWarning[];
};

/** Lines as rows, all of them. `hunks` counts those of the patch, in either format. */
export type LineComparison = Comparison<"line", "json"> & {
  rows: Row[];
  endsWithNewline: { a: boolean; b: boolean };
};

/** Words or characters as a list of spans. */
export type SpanComparison = Comparison<"word" | "character", "json", InlineStats> & { spans: Span[] };

/** A patch, empty when the texts are identical. */
export type PatchComparison = Comparison<"line", "unified"> & { patch: string };

/** In lines. Changes that `ignoreBlankLines` ignores do not count; `hunks` are those with `context`. */
type LineStats = InlineStats & { hunks: number };

export type TextComparison = LineComparison | SpanComparison | PatchComparison;

export type CompareOptions = {
  granularity: Granularity;
  ignoreCase: boolean;
  /** All of it as `diff -w` does, or its amount as `diff -b` does; true is the amount. */
  ignoreWhitespace: IgnoredWhitespace | boolean;
  format: "json" | "unified";
  /** Ignores changes of blank lines only, as `diff -B` does; by line only. */
  ignoreBlankLines?: boolean;
  /** Marks blocks of lines that were moved; by line and as rows only. */
  moved?: boolean;
  /** Lines around the changes of a hunk, 0 to 100. `git apply` takes 0 only with `--unidiff-zero`. */
  context?: number;
  /** The names in the header of a patch, after `a/` and `b/`. */
  nameA?: string | undefined;
  nameB?: string | undefined;
};

const OPTIONS: OptionKinds<CompareOptions> = {
  granularity: oneOf(["line", "word", "character"]),
  ignoreCase: FLAG,
  ignoreWhitespace: oneOf(["all", "amount", "none", true, false]),
  format: oneOf(["json", "unified"]),
  ignoreBlankLines: FLAG,
  moved: FLAG,
  context: NUMBER,
  nameA: TEXT,
  nameB: TEXT,
};
const DEFAULTS = {
  granularity: "line",
  ignoreCase: false,
  ignoreWhitespace: false,
  format: "json",
} as const satisfies CompareOptions;
const TEXTS = { a: required(TEXT), b: required(TEXT) };

/**
 * Compares two texts by Myers' algorithm, without pauses: run it in a worker where others must continue meanwhile.
 * Never gives up because of size: beyond a bound of work the script is no longer the shortest and `minimal` is false.
 * @throws ToolFailure invalid_parameter for options that only apply by line, and for a context or name outside its
 * limits; result_too_large beyond 4,000,000 rows, too_complex beyond 60,000,000 differing lines.
 */
export async function compareTexts(
  texts: Texts,
  asked?: { readonly [Name in keyof CompareOptions]?: CompareOptions[Name] | undefined },
): Promise<TextComparison> {
  checkFields(texts, TEXTS, { name: "texts", path: "" });
  const options = { ...DEFAULTS, ...definedOf(readOptions(asked, OPTIONS)) };
  checkOptions(options);
  return compare(texts, options);
}

const MAX_CONTEXT = 100;
const DEFAULT_CONTEXT = 3;

function checkOptions({ context = DEFAULT_CONTEXT, ...options }: CompareOptions): void {
  const { granularity, format, ignoreBlankLines, moved } = options;
  const byLine = `is available with granularity=line only; with granularity=${granularity} it must be`;
  if (granularity !== "line" && format === "unified")
    throw unfit("format", `format=unified ${byLine} json.`, { allowed: ["json"], received: format });
  if (granularity !== "line" && ignoreBlankLines)
    throw unfit("ignoreBlankLines", `ignoreBlankLines ${byLine} false.`, ONLY_FALSE);
  if (moved && (granularity !== "line" || format !== "json")) {
    const message =
      "moved is available with granularity=line and format=json only; with others it must be false.";
    throw unfit("moved", message, ONLY_FALSE);
  }
  checkName("nameA", options.nameA);
  checkName("nameB", options.nameB);
  if (Number.isInteger(context) && context >= 0 && context <= MAX_CONTEXT) return;
  const message = `Parameter "context" must be a whole number from 0 to ${MAX_CONTEXT}`;
  throw unfit("context", message, { minimum: 0, maximum: MAX_CONTEXT });
}

const ONLY_FALSE = { allowed: [false], received: true };

function unfit(parameter: keyof CompareOptions, message: string, fields: object): ToolFailure {
  return new ToolFailure("invalid_parameter", message, { parameter, ...fields });
}

function compare(texts: Texts, options: CompareOptions): TextComparison {
  const { granularity, format, ignoreCase } = options;
  const ignoreWhitespace = readIgnoredWhitespace(options.ignoreWhitespace);
  const rules = {
    granularity,
    ignoreCase,
    ignoreWhitespace,
    usesDictionary: granularity === "word" && usesDictionary(texts),
  };
  const body = findBodies(texts, rules);
  if (granularity !== "line") {
    const { changes, stats, minimal } = compareInline(texts, body, rules);
    const spans = makeSpans(texts, changes);
    const identical = countRanges(changes) === 0;
    const isSame = !identical && isRangeSameInNfc(texts, findMiddle(texts, body), rules);
    return { granularity, format: "json", identical, minimal, stats, spans, ...normalizationWarning(isSame) };
  }
  const { context = DEFAULT_CONTEXT, ignoreBlankLines = false } = options;
  const script = compareLines(texts, { body, rules, ignoreBlankLines });
  const stats = countLineStats(script, context);
  const identical = stats.deleted + stats.inserted === 0;
  const warned = normalizationWarning(!identical && isSameInNfc(texts, script, rules));
  const about = { identical, minimal: script.minimal, stats, ...warned };
  if (format === "unified") {
    const patch = makePatch(texts, script, { ...options, context });
    return { granularity, format, ...about, patch };
  }
  const changedWords = findChangedWords(texts, script, rules);
  const rows = makeRows(texts, script, changedWords);
  if (options.moved) markMoved(rows);
  const endsWithNewline = { a: texts.a.endsWith("\n"), b: texts.b.endsWith("\n") };
  return { granularity, format, ...about, rows, endsWithNewline };
}

function normalizationWarning(isSameInNfc: boolean): { warnings?: ToolWarning[] } {
  return isSameInNfc ? { warnings: [{ code: "only_normalization_differs" }] } : {};
}

function countLineStats(script: LineScript, context: number): LineStats {
  const { changes, ignorable, aStarts, linesBefore, linesAfter } = script;
  let [deleted, inserted, ignored] = [0, 0, 0];
  for (let i = 0; i < countRanges(changes); i++) {
    const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, i);
    if (ignorable?.[i] === 1) ignored += aTo - aFrom;
    else [deleted, inserted] = [deleted + aTo - aFrom, inserted + bTo - bFrom];
  }
  const equal = linesBefore + linesAfter + aStarts.length - 1 - deleted - ignored;
  const hunks = countHunks(listShownChanges(script, context), context);
  return { equal, deleted, inserted, hunks };
}

/** A run of text; `textB` is b's form of an equal run when an ignore option hides a difference. */
type Span = { op: "equal" | "delete" | "insert"; text: string; textB?: string };

/** All of both texts as one flow of runs; a deletion stands before the insertion in its place. */
function makeSpans(texts: Texts, changes: RangeList): Span[] {
  const spans: Span[] = [];
  let [a, b] = [0, 0];
  for (let i = 0; i < countRanges(changes); i++) {
    const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, i);
    addEqual(spans, texts, { aFrom: a, aTo: aFrom, bFrom: b, bTo: bFrom });
    if (aTo > aFrom) spans.push({ op: "delete", text: texts.a.slice(aFrom, aTo) });
    if (bTo > bFrom) spans.push({ op: "insert", text: texts.b.slice(bFrom, bTo) });
    [a, b] = [aTo, bTo];
  }
  addEqual(spans, texts, { aFrom: a, aTo: texts.a.length, bFrom: b, bTo: texts.b.length });
  return spans;
}

function addEqual(spans: Span[], texts: Texts, range: RangePair): void {
  const text = texts.a.slice(range.aFrom, range.aTo);
  const textB = texts.b.slice(range.bFrom, range.bTo);
  if (text === "" || textB === "") return addIgnoredEnd(spans, text, textB);
  spans.push(text === textB ? { op: "equal", text } : { op: "equal", text, textB });
}

/** White space that is ignored at the end of one text only: with the change before it, for no span is empty. */
function addIgnoredEnd(spans: Span[], text: string, textB: string): void {
  if (text === "" && textB === "") return;
  const op = text === "" ? "insert" : "delete";
  const before = spans.findLast((span, i) => i >= spans.length - 2 && span.op === op);
  if (before) before.text += text + textB;
  else if (op === "insert") spans.push({ op, text: textB });
  else spans.splice(spans.at(-1)?.op === "insert" ? -1 : spans.length, 0, { op, text });
}
