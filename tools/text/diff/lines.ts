import { ToolFailure } from "../../../wire/tool-failure.ts";
import {
  append,
  usedPart,
  type IntList,
  intAt,
  type RangeList,
  countRanges,
  rangeAt,
  addRange,
  makeRangeList,
} from "../int-list.ts";
import { readTokens, type TokenBox, type Streams } from "../tokens/tokenize.ts";
import { lineEnd, type TokenRules } from "../tokens/tokens.ts";
import { isBlank, isWhitespace, type IgnoredWhitespace } from "../tokens/characters.ts";
import { findApproximate, findShortest, MAX_STEPS } from "./edit-script.ts";
import { countLines, findMiddle, type RangePair, type Texts } from "./ranges.ts";
import { slideChanges, type Side, type BorderScore } from "./slide.ts";
import type { ChangeFlags } from "./myers.ts";

const LF = 10;
const CR = 13;
// The constants of git's indent heuristic (xdiff/xdiffi.c), found by training on hand-optimised diffs.
const MAX_INDENT = 200;
const MAX_BLANKS = 20;
const START_OF_FILE = 1;
const END_OF_FILE = 21;
const TOTAL_BLANKS = -30;
const BLANKS_AFTER = 6;
const INDENT = { plain: -4, withBlanks: 10 };
const OUTDENT = { plain: 24, withBlanks: 17 };
const DEDENT = { plain: 23, withBlanks: 17 };
const TAB_WIDTH = 8;

/** Two texts compared line by line. */
export type LineScript = {
  /** Changed lines, counted from zero at the start of the middle. */
  changes: RangeList;
  /** The part that was compared; before and after it the texts are equal, byte for byte. */
  middle: RangePair;
  /** Where each line of the middle starts, and last where the middle ends. */
  aStarts: Int32Array;
  bStarts: Int32Array;
  linesBefore: number;
  linesAfter: number;
  minimal: boolean;
  /** 1 for each change of blank lines only, if these are ignored. */
  ignorable: Uint8Array | null;
};

// Texts of 25 MB cannot have more; with more, the lists of lines would take gigabytes.
const MAX_LINES = 60_000_000;

/** Compares the bodies of two texts by line. @throws ToolFailure too_complex past 60 million lines. */
export function compareLines(
  texts: Texts,
  of: { body: RangePair; rules: TokenRules; ignoreBlankLines: boolean },
): LineScript {
  const { rules } = of;
  const middle = findMiddle(texts, of.body);
  const options = { ranges: [middle], rules, tokenEnd: lineEnd, limit: MAX_LINES };
  const streams = readTokens(texts, options);
  if (streams.isCut) {
    const message = `The texts have more than ${MAX_LINES} lines where they differ; fewer can be compared.`;
    throw new ToolFailure("too_complex", message, { limit: "lines", value: MAX_LINES, unit: "lines" });
  }
  const flags = findShortest(streams) ?? findApproximate(streams, true, MAX_STEPS);
  // All tokens are of the one range.
  const box = { aFrom: 0, aTo: streams.a.ids.length, bFrom: 0, bTo: streams.b.ids.length };
  const changes = listChanges(flags, box);
  const sides = { a: { text: texts.a, tokens: streams.a }, b: { text: texts.b, tokens: streams.b } };
  slideChanges(changes, { ...sides, box, scoreBorder: scoreLineBorder });
  const ignorable = of.ignoreBlankLines ? flagBlankChanges(changes, sides, rules.ignoreWhitespace) : null;
  return {
    changes,
    ignorable,
    middle,
    aStarts: closeStarts(streams.a.starts, middle.aTo),
    bStarts: closeStarts(streams.b.starts, middle.bTo),
    linesBefore: countLines(texts.a, of.body.aFrom, middle.aFrom),
    linesAfter: countLines(texts.a, middle.aTo, of.body.aTo),
    minimal: flags.isExact,
  };
}

function closeStarts(starts: IntList, end: number): Int32Array {
  append(starts, end);
  return usedPart(starts);
}

/** Flags the changes whose lines, deleted or inserted, are all blank: those that `diff -B` ignores. */
function flagBlankChanges(
  changes: RangeList,
  { a, b }: { a: Side; b: Side },
  ignored: IgnoredWhitespace,
): Uint8Array {
  const areBlank = (side: Side, from: number, to: number) => {
    for (let index = from; index < to; index++) if (!isBlankLine(side, index, ignored)) return false;
    return true;
  };
  const ignorable = new Uint8Array(countRanges(changes));
  for (let i = 0; i < ignorable.length; i++) {
    const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, i);
    if (areBlank(a, aFrom, aTo) && areBlank(b, bFrom, bTo)) ignorable[i] = 1;
  }
  return ignorable;
}

/** An empty line is blank; if white space is ignored, one of nothing else is too. */
function isBlankLine({ text, tokens }: Side, index: number, ignored: IgnoredWhitespace): boolean {
  for (let at = intAt(tokens.starts.values, index); at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF) return true;
    if (!isIgnored(unit, ignored)) return false;
  }
  return true;
}

function isIgnored(unit: number, ignored: IgnoredWhitespace): boolean {
  if (ignored === "all") return isWhitespace(unit);
  return ignored === "amount" && (isBlank(unit) || unit === CR);
}

/** Scores a border of a change before line `index` as git's indent heuristic does. */
function scoreLineBorder(side: Side, index: number): BorderScore {
  const indentHere = indentAt(side, index);
  const before = nextIndent(side, index - 1, -1);
  const after = nextIndent(side, index + 1, 1);
  const blanksAfter = indentHere === -1 ? 1 + after.blanks : 0;
  const blanks = before.blanks + blanksAfter;
  const indent = indentHere === -1 ? after.indent : indentHere;
  let penalty = TOTAL_BLANKS * blanks + BLANKS_AFTER * blanksAfter;
  if (before.indent === -1 && before.blanks === 0) penalty += START_OF_FILE;
  if (index >= side.tokens.ids.length) penalty += END_OF_FILE;
  if (indent !== -1 && before.indent !== -1 && indent !== before.indent) {
    const kind = indent > before.indent ? INDENT : after.indent > indent ? OUTDENT : DEDENT;
    penalty += blanks > 0 ? kind.withBlanks : kind.plain;
  }
  return { indent, penalty };
}

/** The indent of the nearest line that is not blank, and the blank lines before it. */
function nextIndent(side: Side, index: number, step: 1 | -1) {
  const end = side.tokens.ids.length;
  let blanks = 0;
  for (let at = index; at >= 0 && at < end; at += step) {
    const indent = indentAt(side, at);
    if (indent !== -1) return { indent, blanks };
    if (++blanks === MAX_BLANKS) return { indent: 0, blanks };
  }
  return { indent: -1, blanks };
}

/** The indentation of a line in columns; −1 for a blank line or none. */
function indentAt({ text, tokens }: Side, index: number): number {
  if (index >= tokens.ids.length) return -1;
  const start = tokens.starts.values[index] ?? text.length;
  let width = 0;
  for (let at = start; at < text.length && width < MAX_INDENT; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 9) width += TAB_WIDTH - (width % TAB_WIDTH);
    else if (unit === 32) width++;
    else if (unit === 10) return -1;
    else if (unit < 9 || unit > 13) return width;
  }
  return width < MAX_INDENT ? -1 : MAX_INDENT;
}

/** The first changed range in what is left of a box, or null. */
function nextChange(flags: ChangeFlags, rest: RangePair): RangePair | null {
  let { aFrom, bFrom } = rest;
  while (aFrom < rest.aTo && bFrom < rest.bTo && !flags.a[aFrom] && !flags.b[bFrom]) {
    aFrom++;
    bFrom++;
  }
  let [aTo, bTo] = [aFrom, bFrom];
  while (aTo < rest.aTo && flags.a[aTo]) aTo++;
  while (bTo < rest.bTo && flags.b[bTo]) bTo++;
  return aTo > aFrom || bTo > bFrom ? { aFrom, aTo, bFrom, bTo } : null;
}

/** The changed ranges of one box in order, as token indexes; what lies between two of them is equal. */
export function listChanges(flags: ChangeFlags, box: RangePair): RangeList {
  const changes = makeRangeList();
  let rest = box;
  for (let change = nextChange(flags, rest); change; change = nextChange(flags, rest)) {
    addRange(changes, change);
    rest = { ...rest, aFrom: change.aTo, bFrom: change.bTo };
  }
  return changes;
}

/** A box, and the tokens that it counts. */
export type TokenPlace = { streams: Streams; box: TokenBox };

/** Token indexes of one box as offsets into the texts. */
export function offsetsOf(tokens: RangePair, { streams, box }: TokenPlace): RangePair {
  const offsetInA = (index: number) =>
    index < box.aTo ? intAt(streams.a.starts.values, index) : box.range.aTo;
  const offsetInB = (index: number) =>
    index < box.bTo ? intAt(streams.b.starts.values, index) : box.range.bTo;
  return {
    aFrom: offsetInA(tokens.aFrom),
    aTo: offsetInA(tokens.aTo),
    bFrom: offsetInB(tokens.bFrom),
    bTo: offsetInB(tokens.bTo),
  };
}
