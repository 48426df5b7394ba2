import { countRanges, rangeAt, setRange, type RangeList } from "../int-list.ts";
import type { Tokens } from "../tokens/tokenize.ts";
import type { RangePair } from "./ranges.ts";

/** One text and its tokens. */
export type Side = { readonly text: string; readonly tokens: Tokens };

/** How bad a place is for the border of a change; the scores of both borders are added. */
export type BorderScore = { indent: number; penalty: number };

type SlideOptions = {
  readonly a: Side;
  readonly b: Side;
  /** Changes stay inside it. */
  readonly box: RangePair;
  readonly scoreBorder: (side: Side, index: number) => BorderScore;
};

// As in git.
const MAX_SLIDE = 100;
const INDENT_WEIGHT = 60;

/**
 * Moves runs that were only deleted or only inserted to where a reader expects them, as git's change compaction
 * does. A run can slide over a token that equals the one at its other end; the number of edits stays the same.
 * If it can slide to another change, the two become one. Otherwise the position with the best borders counts.
 */
export function slideChanges(changes: RangeList, options: SlideOptions): void {
  const count = countRanges(changes);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    let change = rangeAt(changes, i);
    const slideUp = () =>
      slide(change, options, { limit: limitBefore(changes, kept, options.box), step: -1 });
    let up = slideUp();
    while (up.touches && kept > 0) {
      change = union(rangeAt(changes, --kept), moveBy(change, -up.by));
      up = slideUp();
    }
    const next = i + 1 < count ? rangeAt(changes, i + 1) : null;
    const down = slide(change, options, { limit: next ?? boxEnd(options.box), step: 1 });
    if (next && down.touches) setRange(changes, i + 1, union(moveBy(change, down.by), next));
    else setRange(changes, kept++, moveBy(change, bestSlide(change, { options, up: up.by, down: down.by })));
  }
  changes.length = kept * 4;
}

type Slide = { by: number; touches: boolean };

type Sides = Pick<SlideOptions, "a" | "b">;

function limitBefore(changes: RangeList, kept: number, box: RangePair): RangePair {
  return kept > 0 ? rangeAt(changes, kept - 1) : { ...box, aTo: box.aFrom, bTo: box.bFrom };
}

function boxEnd(box: RangePair): RangePair {
  return { ...box, aFrom: box.aTo, bFrom: box.bTo };
}

/** How far a one-sided change can slide, up by -1 or down by 1; 0 for a change of both sides. */
function slide(change: RangePair, sides: Sides, { limit, step }: { limit: RangePair; step: 1 | -1 }): Slide {
  const run = oneSide(change, sides);
  if (!run) return { by: 0, touches: false };
  const most = step < 0 ? change.aFrom - limit.aTo : limit.aFrom - change.aTo;
  const ids = run.side.tokens.ids.values;
  const first = step < 0 ? -1 : 0;
  let by = 0;
  while (by < most && by < MAX_SLIDE && ids[run.from + first + step * by] === ids[run.to + first + step * by])
    by++;
  return { by, touches: by === most };
}

/** By how many tokens to move a change, down or (negative) up; of equally good positions the last one. */
function bestSlide(change: RangePair, of: { options: SlideOptions; up: number; down: number }): number {
  const run = oneSide(change, of.options);
  if (!run || of.up + of.down === 0) return 0;
  const { scoreBorder } = of.options;
  let best = -of.up;
  let least: BorderScore | null = null;
  for (let by = -of.up; by <= of.down; by++) {
    const start = scoreBorder(run.side, run.from + by);
    const end = scoreBorder(run.side, run.to + by);
    const score = { indent: start.indent + end.indent, penalty: start.penalty + end.penalty };
    if (least && compareScores(score, least) > 0) continue;
    least = score;
    best = by;
  }
  return best;
}

function compareScores(one: BorderScore, other: BorderScore): number {
  return INDENT_WEIGHT * Math.sign(one.indent - other.indent) + one.penalty - other.penalty;
}

function oneSide({ aFrom, aTo, bFrom, bTo }: RangePair, { a, b }: Sides) {
  if (aFrom < aTo && bFrom < bTo) return null;
  return aFrom < aTo ? { side: a, from: aFrom, to: aTo } : { side: b, from: bFrom, to: bTo };
}

function moveBy({ aFrom, aTo, bFrom, bTo }: RangePair, by: number): RangePair {
  return { aFrom: aFrom + by, aTo: aTo + by, bFrom: bFrom + by, bTo: bTo + by };
}

/** One change of two that touch. */
function union(first: RangePair, second: RangePair): RangePair {
  return { aFrom: first.aFrom, aTo: second.aTo, bFrom: first.bFrom, bTo: second.bTo };
}
