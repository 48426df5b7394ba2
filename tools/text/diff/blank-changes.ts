import { intAt } from "../int-list.ts";
import { isBlank, isWhitespace, type IgnoredWhitespace } from "../tokens/whitespace.ts";
import { countRanges, rangeAt } from "./range-list.ts";
import type { RangeList } from "./range-list.ts";
import type { Side } from "./slide.ts";

const LF = 10;
const CR = 13;

/** Flags the changes of which every line, deleted or inserted, is blank: those that `diff -B` ignores. */
export function flagBlankChanges(
  changes: RangeList,
  options: { a: Side; b: Side; ignoreWhitespace: IgnoredWhitespace },
): Uint8Array {
  const { a, b, ignoreWhitespace } = options;
  const ignorable = new Uint8Array(countRanges(changes));
  for (let i = 0; i < ignorable.length; i++) {
    const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, i);
    const isBlankInA = isBlankRun(a, { from: aFrom, to: aTo, ignoreWhitespace });
    if (isBlankInA && isBlankRun(b, { from: bFrom, to: bTo, ignoreWhitespace })) ignorable[i] = 1;
  }
  return ignorable;
}

function isBlankRun(
  side: Side,
  of: { from: number; to: number; ignoreWhitespace: IgnoredWhitespace },
): boolean {
  for (let index = of.from; index < of.to; index++) if (!isBlankLine(side, { ...of, index })) return false;
  return true;
}

/** An empty line is blank; if white space is ignored, one of nothing else is too. */
function isBlankLine(
  { text, tokens }: Side,
  of: { index: number; ignoreWhitespace: IgnoredWhitespace },
): boolean {
  for (let at = intAt(tokens.starts.values, of.index); at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF) return true;
    if (!isIgnored(unit, of.ignoreWhitespace)) return false;
  }
  return true;
}

function isIgnored(unit: number, ignored: IgnoredWhitespace): boolean {
  if (ignored === "all") return isWhitespace(unit);
  return ignored === "amount" && (isBlank(unit) || unit === CR);
}
