import { addRange, makeRangeList, takeLastRange, type RangeList } from "../int-list.ts";
import type { RangePair } from "./ranges.ts";

/**
 * A step is a diagonal visited or a pair compared. `maxCost` limits the edits of one search for a middle snake:
 * past it the box is split at the furthest reaching point, which may cost a few edits more than the minimum.
 * Past `steps`, what is left of a box is deleted and inserted as a whole.
 */
export type SearchLimits = { steps: number; maxCost: number };

/** Which tokens are deleted (a) or inserted (b); `isExact` is false once a limit was reached. */
export type ChangeFlags = { a: Uint8Array; b: Uint8Array; isExact: boolean };

/**
 * The search for the middle snake of one box. `forward` has the furthest reaching points from the start: for
 * diagonal d = a − b the index in a, at d + forwardShift, with the start's own diagonal in the middle of the
 * array. `backward` is the same from the end. The arrays grow with the edits, not with the texts. What is read of them is
 * inside, so `?? 0` never counts; intAt in its place takes a twentieth longer.
 */
type Search = {
  readonly as: Int32Array;
  readonly bs: Int32Array;
  forward: Int32Array;
  backward: Int32Array;
  forwardShift: number;
  backwardShift: number;
  box: RangePair;
  /** The range of diagonals in use, inclusive. */
  forwardLow: number;
  forwardHigh: number;
  backwardLow: number;
  backwardHigh: number;
  /** Edits so far from each corner. */
  cost: number;
  /** Where both searches met. */
  a: number;
  b: number;
  steps: number;
};

// Greater than any index: no backward path has reached the diagonal.
const UNREACHED = 0x7fffffff;

const FIRST_DIAGONALS = 256;

/**
 * Finds a shortest edit script of two sequences inside each box, in linear space: Myers, "An O(ND) Difference
 * Algorithm and Its Variations" (1986), 4b. Boxes are in order and do not overlap; outside them
 * nothing is flagged.
 */
export function flagChanges(
  { as, bs, boxes }: { as: Int32Array; bs: Int32Array; boxes: readonly RangePair[] },
  limits: SearchLimits,
): ChangeFlags {
  const flags = { a: new Uint8Array(as.length), b: new Uint8Array(bs.length), isExact: true };
  const search = makeSearch(as, bs);
  const open = makeRangeList(boxes.length);
  for (const box of boxes.toReversed()) addRange(open, box);
  while (open.length > 0) {
    const isOpen = beginSearch(search, takeLastRange(open));
    const state = isOpen ? advance(search, limits) : "whole";
    if (state === "whole") flagWhole(flags, search.box);
    else pushHalves(open, search);
    if (isOpen && state !== "met") flags.isExact = false;
  }
  return flags;
}

function makeSearch(as: Int32Array, bs: Int32Array): Search {
  return {
    as,
    bs,
    forward: new Int32Array(FIRST_DIAGONALS),
    backward: new Int32Array(FIRST_DIAGONALS),
    forwardShift: 0,
    backwardShift: 0,
    box: { aFrom: 0, aTo: 0, bFrom: 0, bTo: 0 },
    forwardLow: 0,
    forwardHigh: 0,
    backwardLow: 0,
    backwardHigh: 0,
    cost: 0,
    a: 0,
    b: 0,
    steps: 0,
  };
}

/** Trims the box's equal ends and sets both searches to its corners; false when one side is empty. */
function beginSearch(search: Search, box: RangePair): boolean {
  const { aFrom, aTo, bFrom, bTo } = (search.box = trimEnds(search, box));
  if (aFrom === aTo || bFrom === bTo) return false;
  search.cost = 0;
  search.forwardLow = search.forwardHigh = aFrom - bFrom;
  search.backwardLow = search.backwardHigh = aTo - bTo;
  setShifts(search);
  search.forward[aFrom - bFrom + search.forwardShift] = aFrom;
  search.backward[aTo - bTo + search.backwardShift] = aTo;
  return true;
}

function setShifts(search: Search): void {
  const { aFrom, aTo, bFrom, bTo } = search.box;
  const middle = search.forward.length / 2;
  search.forwardShift = middle - aFrom + bFrom;
  search.backwardShift = middle - aTo + bTo;
}

function growDiagonals(search: Search): void {
  const { forward, backward } = search;
  const margin = forward.length / 2;
  search.forward = new Int32Array(forward.length * 2);
  search.backward = new Int32Array(forward.length * 2);
  search.forward.set(forward, margin);
  search.backward.set(backward, margin);
  setShifts(search);
}

function trimEnds(search: Search, box: RangePair): RangePair {
  const { as, bs } = search;
  let { aFrom, aTo, bFrom, bTo } = box;
  while (aFrom < aTo && bFrom < bTo && as[aFrom] === bs[bFrom]) {
    aFrom++;
    bFrom++;
  }
  while (aFrom < aTo && bFrom < bTo && as[aTo - 1] === bs[bTo - 1]) {
    aTo--;
    bTo--;
  }
  search.steps += aFrom - box.aFrom + box.aTo - aTo + 1;
  return { aFrom, aTo, bFrom, bTo };
}

/** Goes on, one more edit from both corners at a time, until the paths meet or a limit is reached. */
function advance(search: Search, limits: SearchLimits): "met" | "guessed" | "whole" {
  for (;;) {
    if (search.steps > limits.steps) return "whole";
    if (search.cost >= limits.maxCost) {
      takeFurthest(search);
      return "guessed";
    }
    if (++search.cost + 1 >= search.forward.length / 2) growDiagonals(search);
    if (stepForward(search) || stepBackward(search)) return "met";
  }
}

/** One more edit from the start on every diagonal; true when a path overlaps one from the end. */
function stepForward(search: Search): boolean {
  const { as, bs, forward, backward, forwardShift: shift, backwardShift, backwardLow, backwardHigh } = search;
  const { aFrom, aTo, bFrom, bTo } = search.box;
  if (search.forwardLow > aFrom - bTo) forward[--search.forwardLow - 1 + shift] = -1;
  else search.forwardLow++;
  if (search.forwardHigh < aTo - bFrom) forward[++search.forwardHigh + 1 + shift] = -1;
  else search.forwardHigh--;
  const mayMeet = ((aFrom - bFrom - aTo + bTo) & 1) !== 0;
  const low = search.forwardLow;
  let steps = 0;
  let left = forward[search.forwardHigh + 1 + shift] ?? 0;
  for (let d = search.forwardHigh; d >= low; d -= 2) {
    const right = left;
    left = forward[d - 1 + shift] ?? 0;
    const start = left < right ? right : left + 1;
    const stop = Math.min(aTo, bTo + d);
    let a = start;
    while (a < stop && as[a] === bs[a - d]) a++;
    steps += a - start + 1;
    forward[d + shift] = a;
    if (mayMeet && d >= backwardLow && d <= backwardHigh && (backward[d + backwardShift] ?? 0) <= a) {
      search.a = a;
      search.b = a - d;
      search.steps += steps;
      return true;
    }
  }
  search.steps += steps;
  return false;
}

/** The mirror image: one more edit from the end; true when a path overlaps one from the start. */
function stepBackward(search: Search): boolean {
  const { as, bs, forward, backward, forwardShift, backwardShift: shift, forwardLow, forwardHigh } = search;
  const { aFrom, aTo, bFrom, bTo } = search.box;
  if (search.backwardLow > aFrom - bTo) backward[--search.backwardLow - 1 + shift] = UNREACHED;
  else search.backwardLow++;
  if (search.backwardHigh < aTo - bFrom) backward[++search.backwardHigh + 1 + shift] = UNREACHED;
  else search.backwardHigh--;
  const mayMeet = ((aFrom - bFrom - aTo + bTo) & 1) === 0;
  const low = search.backwardLow;
  let steps = 0;
  let left = backward[search.backwardHigh + 1 + shift] ?? 0;
  for (let d = search.backwardHigh; d >= low; d -= 2) {
    const right = left;
    left = backward[d - 1 + shift] ?? 0;
    const start = left < right ? left : right - 1;
    const stop = Math.max(aFrom, bFrom + d);
    let a = start;
    while (a > stop && as[a - 1] === bs[a - d - 1]) a--;
    steps += start - a + 1;
    backward[d + shift] = a;
    if (mayMeet && d >= forwardLow && d <= forwardHigh && a <= (forward[d + forwardShift] ?? 0)) {
      search.a = a;
      search.b = a - d;
      search.steps += steps;
      return true;
    }
  }
  search.steps += steps;
  return false;
}

/** Splits at the furthest reaching point of either direction. */
function takeFurthest(search: Search): void {
  const { box, forward, backward, forwardShift, backwardShift } = search;
  let best = -1;
  for (let d = search.forwardLow; d <= search.forwardHigh; d += 2) {
    const a = Math.min(forward[d + forwardShift] ?? 0, box.aTo, box.bTo + d);
    const gain = a + a - d - box.aFrom - box.bFrom;
    if (gain > best) [best, search.a, search.b] = [gain, a, a - d];
  }
  for (let d = search.backwardLow; d <= search.backwardHigh; d += 2) {
    const a = Math.max(backward[d + backwardShift] ?? 0, box.aFrom, box.bFrom + d);
    const gain = box.aTo + box.bTo - a - a + d;
    if (gain > best) [best, search.a, search.b] = [gain, a, a - d];
  }
}

function pushHalves(open: RangeList, { box, a, b }: Search): void {
  addRange(open, { aFrom: a, aTo: box.aTo, bFrom: b, bTo: box.bTo });
  addRange(open, { aFrom: box.aFrom, aTo: a, bFrom: box.bFrom, bTo: b });
}

function flagWhole(flags: ChangeFlags, box: RangePair): void {
  flags.a.fill(1, box.aFrom, box.aTo);
  flags.b.fill(1, box.bFrom, box.bTo);
}
