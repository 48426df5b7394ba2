import { countMatches, findCommonSubsequence } from "./hunt-szymanski.ts";
import { intAt, usedPart } from "../int-list.ts";
import { flagChanges } from "./myers.ts";
import type { CommonSubsequence } from "./hunt-szymanski.ts";
import type { IntList } from "../int-list.ts";
import type { SearchLimits, ChangeFlags } from "./myers.ts";
import type { Streams } from "../tokens/tokenize.ts";
import type { RangePair } from "./ranges.ts";

const EXACT: SearchLimits = { steps: 1e8, maxCost: Infinity };
/** Steps of all approximate searches that follow the exact one. */
export const MAX_STEPS = 2e8;
// Past this many equal pairs Hunt and Szymanski's algorithm would take too much memory: 12 bytes each.
const MAX_MATCHES = 4e6;

/** The tokens that occur on the other side too, with their indexes in the streams. */
type MatchedTokens = {
  as: Int32Array;
  bs: Int32Array;
  aIndexes: Int32Array;
  bIndexes: Int32Array;
  boxes: RangePair[];
};

type Counts = { a: Int32Array; b: Int32Array };

/** Finds a shortest edit script of two streams of one box; null if the limits do not allow it. */
export function findShortest(streams: Streams): ChangeFlags | null {
  const counts = countTokens(streams);
  const kept = dropUnmatched(streams, counts);
  const flags = flagChanges(kept, EXACT);
  if (flags.isExact) return expandFlags(streams, kept, flags);
  if (countMatches(counts.a, counts.b) > MAX_MATCHES) return null;
  const common = findCommonSubsequence(kept, { idCount: streams.idCount, onlyUnique: false });
  return expandFlags(streams, kept, flagAllBut(common, kept));
}

/**
 * Finds a good edit script within bounded time, whatever the streams hold. With `isAnchored`, the longest
 * common subsequence of tokens that are unique on both sides is taken as equal first (patience diff).
 */
export function findApproximate(streams: Streams, isAnchored: boolean, steps: number): ChangeFlags {
  const kept = dropUnmatched(streams, countTokens(streams));
  const common = isAnchored
    ? findCommonSubsequence(kept, { idCount: streams.idCount, onlyUnique: true })
    : null;
  const boxes = common ? gapsBetween(common, kept) : kept.boxes;
  const flags = flagChanges({ ...kept, boxes }, limitSearch(steps, kept));
  return expandFlags(streams, kept, { ...flags, isExact: false });
}

/** The longer the sequences, the less each split may cost, so that every part gets its share of the steps. */
function limitSearch(steps: number, { as, bs }: MatchedTokens): SearchLimits {
  const size = as.length + bs.length;
  const most = size > 200_000 ? 512 : 1024;
  return { steps, maxCost: Math.max(8, Math.min(most, Math.floor(steps / 2 / (size + 1)))) };
}

function countTokens({ a, b, idCount }: Streams): Counts {
  const counts = { a: new Int32Array(idCount), b: new Int32Array(idCount) };
  countInto(counts.a, a.ids);
  countInto(counts.b, b.ids);
  return counts;
}

function countInto(counts: Int32Array, ids: IntList): void {
  for (let i = 0; i < ids.length; i++) {
    const id = intAt(ids.values, i);
    counts[id] = intAt(counts, id) + 1;
  }
}

/**
 * Leaves out the tokens that occur on one side only. No common subsequence holds them, so the result stays
 * shortest, and two texts with little in common become two short ones.
 */
function dropUnmatched(streams: Streams, counts: Counts): MatchedTokens {
  const aIndexes = findMatched(streams.a.ids, counts.b);
  const bIndexes = findMatched(streams.b.ids, counts.a);
  const as = pick(streams.a.ids, aIndexes);
  const bs = pick(streams.b.ids, bIndexes);
  return { as, bs, aIndexes, bIndexes, boxes: moveBoxes(streams.boxes, { aIndexes, bIndexes }) };
}

function findMatched(ids: IntList, countsOfOther: Int32Array): Int32Array {
  let count = 0;
  for (let i = 0; i < ids.length; i++) if (intAt(countsOfOther, intAt(ids.values, i)) > 0) count++;
  const indexes = new Int32Array(count);
  count = 0;
  for (let i = 0; i < ids.length; i++)
    if (intAt(countsOfOther, intAt(ids.values, i)) > 0) indexes[count++] = i;
  return indexes;
}

function pick(ids: IntList, indexes: Int32Array): Int32Array {
  if (indexes.length === ids.length) return usedPart(ids);
  const picked = new Int32Array(indexes.length);
  for (let k = 0; k < indexes.length; k++) picked[k] = intAt(ids.values, intAt(indexes, k));
  return picked;
}

/** The boxes as indexes among the kept tokens; boxes are in order, so one walk finds them all. */
function moveBoxes(
  boxes: readonly RangePair[],
  kept: { aIndexes: Int32Array; bIndexes: Int32Array },
): RangePair[] {
  let a = 0;
  let b = 0;
  return boxes.map(({ aTo, bTo }) => {
    const [aFrom, bFrom] = [a, b];
    while (a < kept.aIndexes.length && intAt(kept.aIndexes, a) < aTo) a++;
    while (b < kept.bIndexes.length && intAt(kept.bIndexes, b) < bTo) b++;
    return { aFrom, aTo: a, bFrom, bTo: b };
  });
}

/** The boxes between the pairs of a common subsequence. */
function gapsBetween(common: CommonSubsequence, { as, bs }: MatchedTokens): RangePair[] {
  const gaps: RangePair[] = [];
  let aFrom = 0;
  let bFrom = 0;
  for (let i = 0; i < common.a.length + 1; i++) {
    const aTo = common.a[i] ?? as.length;
    const bTo = common.b[i] ?? bs.length;
    if (aTo > aFrom || bTo > bFrom) gaps.push({ aFrom, aTo, bFrom, bTo });
    aFrom = aTo + 1;
    bFrom = bTo + 1;
  }
  return gaps;
}

function flagAllBut(common: CommonSubsequence, { as, bs }: MatchedTokens): ChangeFlags {
  const flags = { a: new Uint8Array(as.length).fill(1), b: new Uint8Array(bs.length).fill(1), isExact: true };
  for (const index of common.a) flags.a[index] = 0;
  for (const index of common.b) flags.b[index] = 0;
  return flags;
}

/** Copies the flags of the kept tokens to the streams, where all other tokens are changed. */
function expandFlags({ a, b }: Streams, kept: MatchedTokens, flags: ChangeFlags): ChangeFlags {
  const all = { a: new Uint8Array(a.ids.length).fill(1), b: new Uint8Array(b.ids.length).fill(1) };
  for (let k = 0; k < kept.aIndexes.length; k++) all.a[intAt(kept.aIndexes, k)] = flags.a[k] ?? 0;
  for (let k = 0; k < kept.bIndexes.length; k++) all.b[intAt(kept.bIndexes, k)] = flags.b[k] ?? 0;
  return { ...all, isExact: flags.isExact };
}
