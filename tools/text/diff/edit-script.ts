import { countPairs, findChain } from "./hunt-szymanski.ts";
import { usedPart } from "../int-list.ts";
import { markChanges } from "./myers.ts";
import { inSlices } from "../cooperative.ts";
import type { Chain } from "./hunt-szymanski.ts";
import type { IntList } from "../int-list.ts";
import type { Effort, Marks } from "./myers.ts";
import type { Streams } from "../tokens/tokenize.ts";
import type { Region } from "./ranges.ts";
import type { Sliced } from "../cooperative.ts";

const EXACT: Effort = { steps: 1e8, splitCost: Infinity };
/** What an approximate search may spend after the exact one, in all. */
export const MAX_STEPS = 2e8;
// Past this many equal pairs the longest chain would take too much memory: 12 bytes each.
const MAX_PAIRS = 4e6;

/** The tokens that have an equal on the other side, with their places in the streams. */
type Kept = { as: Int32Array; bs: Int32Array; aPlaces: Int32Array; bPlaces: Int32Array; boxes: Region[] };

type Counts = { a: Int32Array; b: Int32Array };

/** Marks a shortest edit script of two streams of one box; null if the bounds do not allow it. */
export function* findShortest(streams: Streams): Sliced<Marks | null> {
  const counts = yield* countTokens(streams);
  const kept = yield* dropLoners(streams, counts);
  const marks = yield* markChanges(kept, EXACT);
  if (marks.isExact) return yield* spread(streams, { kept, marks });
  if (countPairs(counts.a, counts.b) > MAX_PAIRS) return null;
  const chain = yield* findChain(kept, { idCount: streams.idCount, onlyUnique: false });
  return yield* spread(streams, { kept, marks: markAllBut(chain, kept) });
}

/**
 * Marks a good edit script within bounded time, whatever the streams hold. With `anchored`, the longest rising
 * run of tokens that stand once on either side is taken as equal first.
 */
export function* findGood(
  streams: Streams,
  { anchored, steps }: { anchored: boolean; steps: number },
): Sliced<Marks> {
  const kept = yield* dropLoners(streams, yield* countTokens(streams));
  const chain = anchored ? yield* findChain(kept, { idCount: streams.idCount, onlyUnique: true }) : null;
  const boxes = chain ? yield* gapsOf(chain, kept) : kept.boxes;
  const marks = yield* markChanges({ ...kept, boxes }, boundEffort(steps, kept));
  return yield* spread(streams, { kept, marks: { ...marks, isExact: false } });
}

/** The more there is, the less each split may cost, so that all of it gets its share of the steps. */
function boundEffort(steps: number, { as, bs }: Kept): Effort {
  const size = as.length + bs.length;
  const most = size > 200_000 ? 512 : 1024;
  return { steps, splitCost: Math.max(8, Math.min(most, Math.floor(steps / 2 / (size + 1)))) };
}

function* countTokens({ a, b, idCount }: Streams): Sliced<Counts> {
  const counts = { a: new Int32Array(idCount), b: new Int32Array(idCount) };
  yield* countInto(counts.a, a.ids);
  yield* countInto(counts.b, b.ids);
  return counts;
}

function* countInto(counts: Int32Array, ids: IntList): Sliced<void> {
  yield* inSlices(ids.length, (from, to) => {
    for (let i = from; i < to; i++) counts[ids.values[i]!]!++;
  });
}

/**
 * Leaves out the tokens that stand on one side only. No common subsequence holds them, so the result stays
 * shortest, and two texts with little in common become two short ones.
 */
function* dropLoners(streams: Streams, counts: Counts): Sliced<Kept> {
  const aPlaces = yield* findPartnered(streams.a.ids, counts.b);
  const bPlaces = yield* findPartnered(streams.b.ids, counts.a);
  const as = yield* pick(streams.a.ids, aPlaces);
  const bs = yield* pick(streams.b.ids, bPlaces);
  return { as, bs, aPlaces, bPlaces, boxes: moveBoxes(streams.boxes, { aPlaces, bPlaces }) };
}

function* findPartnered(ids: IntList, countsOfOther: Int32Array): Sliced<Int32Array> {
  let count = 0;
  yield* inSlices(ids.length, (from, to) => {
    for (let i = from; i < to; i++) if (countsOfOther[ids.values[i]!]! > 0) count++;
  });
  const places = new Int32Array(count);
  count = 0;
  yield* inSlices(ids.length, (from, to) => {
    for (let i = from; i < to; i++) if (countsOfOther[ids.values[i]!]! > 0) places[count++] = i;
  });
  return places;
}

function* pick(ids: IntList, places: Int32Array): Sliced<Int32Array> {
  if (places.length === ids.length) return usedPart(ids);
  const picked = new Int32Array(places.length);
  yield* inSlices(places.length, (from, to) => {
    for (let k = from; k < to; k++) picked[k] = ids.values[places[k]!]!;
  });
  return picked;
}

/** The boxes as places among the kept tokens; boxes stand in order, so one walk finds them all. */
function moveBoxes(boxes: readonly Region[], kept: { aPlaces: Int32Array; bPlaces: Int32Array }): Region[] {
  let a = 0;
  let b = 0;
  return boxes.map(({ aTo, bTo }) => {
    const [aFrom, bFrom] = [a, b];
    while (a < kept.aPlaces.length && kept.aPlaces[a]! < aTo) a++;
    while (b < kept.bPlaces.length && kept.bPlaces[b]! < bTo) b++;
    return { aFrom, aTo: a, bFrom, bTo: b };
  });
}

/** What lies between the pairs of a chain. */
function* gapsOf(chain: Chain, { as, bs }: Kept): Sliced<Region[]> {
  const gaps: Region[] = [];
  let aFrom = 0;
  let bFrom = 0;
  yield* inSlices(chain.a.length + 1, (from, to) => {
    for (let i = from; i < to; i++) {
      const aTo = chain.a[i] ?? as.length;
      const bTo = chain.b[i] ?? bs.length;
      if (aTo > aFrom || bTo > bFrom) gaps.push({ aFrom, aTo, bFrom, bTo });
      aFrom = aTo + 1;
      bFrom = bTo + 1;
    }
  });
  return gaps;
}

function markAllBut(chain: Chain, { as, bs }: Kept): Marks {
  const marks = { a: new Uint8Array(as.length).fill(1), b: new Uint8Array(bs.length).fill(1), isExact: true };
  for (const place of chain.a) marks.a[place] = 0;
  for (const place of chain.b) marks.b[place] = 0;
  return marks;
}

/** Carries the marks of the kept tokens over to the streams, where all others are marked. */
function* spread({ a, b }: Streams, { kept, marks }: { kept: Kept; marks: Marks }): Sliced<Marks> {
  const all = { a: new Uint8Array(a.ids.length).fill(1), b: new Uint8Array(b.ids.length).fill(1) };
  yield* inSlices(kept.aPlaces.length, (from, to) => {
    for (let k = from; k < to; k++) all.a[kept.aPlaces[k]!] = marks.a[k]!;
  });
  yield* inSlices(kept.bPlaces.length, (from, to) => {
    for (let k = from; k < to; k++) all.b[kept.bPlaces[k]!] = marks.b[k]!;
  });
  return { ...all, isExact: marks.isExact };
}
