import { countRanges, rangeAt, setRange } from "./range-list.ts";
import type { Tokens } from "../tokens/tokenize.ts";
import type { RangeList } from "./range-list.ts";
import type { Cooperative } from "../cooperative.ts";

/** The lines of one text, in which a run of them may be moved. */
type Lines = { text: string; tokens: Tokens };

/** A run of lines, and the indexes between which it can move. */
type Run = { from: number; to: number; low: number; high: number };

// As far as git looks; among many equal lines a run could slide very far.
const MAX_SLIDE = 100;
const MAX_BLANKS = 20;
const TAB_WIDTH = 8;
// Beginning after a blank line outweighs an indent of a step.
const BLANK_BONUS = 6;
const CHANGES_PER_TURN = 5_000;

/**
 * Moves runs that were only deleted or only inserted to where a reader expects them. A run may move over a line
 * that is the same as the one it leaves at its other end; no edit more is made. The position is
 * taken whose borders are indented least and follow a blank line, as git's indent heuristic does.
 */
export function* slideChanges(changes: RangeList, sides: { a: Lines; b: Lines }): Cooperative<void> {
  const count = countRanges(changes);
  for (let i = 0; i < count; i++) {
    const { aFrom, aTo, bFrom, bTo } = rangeAt(changes, i);
    if (aFrom < aTo && bFrom < bTo) continue;
    const isDeletion = aFrom < aTo;
    const lines = isDeletion ? sides.a : sides.b;
    const before = i > 0 ? rangeAt(changes, i - 1) : { aTo: -1, bTo: -1 };
    const length = lines.tokens.ids.length;
    const after = i + 1 < count ? rangeAt(changes, i + 1) : { aFrom: length + 1, bFrom: length + 1 };
    // A line must stay between two changes, or they would be one.
    const run = isDeletion
      ? { from: aFrom, to: aTo, low: before.aTo + 1, high: after.aFrom - 1 }
      : { from: bFrom, to: bTo, low: before.bTo + 1, high: after.bFrom - 1 };
    const by = bestSlide(lines, run);
    if (by !== 0)
      setRange(changes, i, { aFrom: aFrom + by, aTo: aTo + by, bFrom: bFrom + by, bTo: bTo + by });
    if (i % CHANGES_PER_TURN === 0) yield;
  }
}

/** By how many lines to move a run, down or (negative) up. */
function bestSlide({ text, tokens }: Lines, run: Run): number {
  const ids = tokens.ids.values;
  let up = 0;
  while (up < MAX_SLIDE && run.from - up > run.low && ids[run.from - up - 1] === ids[run.to - up - 1]) up++;
  let down = 0;
  while (down < MAX_SLIDE && run.to + down < run.high && ids[run.from + down] === ids[run.to + down]) down++;
  if (up + down === 0) return 0;
  let best = down;
  let least = Infinity;
  for (let by = down; by >= -up; by--) {
    const cost = borderCost({ text, tokens }, run.from + by) + borderCost({ text, tokens }, run.to + by);
    if (cost >= least) continue;
    least = cost;
    best = by;
  }
  return best;
}

/** The cost of a border before a line: the less it is indented, the better. */
function borderCost(lines: Lines, index: number): number {
  let next = index;
  while (next < index + MAX_BLANKS && indentAt(lines, next) < 0 && next < lines.tokens.ids.length) next++;
  const followsBlank = index > 0 && indentAt(lines, index - 1) < 0;
  return Math.max(0, indentAt(lines, next)) - (followsBlank ? BLANK_BONUS : 0);
}

/** The indentation of a line in columns; −1 for a blank line or none. */
function indentAt({ text, tokens }: Lines, index: number): number {
  if (index >= tokens.ids.length) return -1;
  let width = 0;
  for (let at = tokens.starts.values[index]!; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 9) width += TAB_WIDTH - (width % TAB_WIDTH);
    else if (unit === 32) width++;
    else return unit === 10 || unit === 13 ? -1 : width;
  }
  return -1;
}
