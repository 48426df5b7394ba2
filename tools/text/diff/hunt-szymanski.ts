import { append, makeIntList } from "../int-list.ts";
import { inSlices, SLICE } from "../cooperative.ts";
import type { IntList } from "../int-list.ts";
import type { Sliced } from "../cooperative.ts";

/** Pairs of places, rising in both sequences. */
export type Chain = { a: Int32Array; b: Int32Array };

type Places = { first: Int32Array; next: Int32Array };

/** The chains found so far: the place in b where the shortest of each length ends, and how to walk it back. */
type Search = {
  tails: Int32Array;
  ends: Int32Array;
  length: number;
  a: IntList;
  b: IntList;
  before: IntList;
};

/**
 * The longest chain of equal pairs, which is a longest common subsequence, after Hunt and Szymanski (1977):
 * time grows with the number of equal pairs, however different the sequences are. With `onlyUnique`, of the
 * pairs whose token stands once on either side (patience).
 */
export function* findChain(
  { as, bs }: { as: Int32Array; bs: Int32Array },
  { idCount, onlyUnique }: { idCount: number; onlyUnique: boolean },
): Sliced<Chain> {
  const places = yield* listPlaces(bs, idCount);
  if (onlyUnique) yield* keepUnique(places, as);
  const room = Math.min(as.length, bs.length) + 1;
  const search: Search = {
    tails: new Int32Array(room),
    ends: new Int32Array(room).fill(-1),
    length: 0,
    a: makeIntList(),
    b: makeIntList(),
    before: makeIntList(),
  };
  let steps = 0;
  for (let i = 0; i < as.length; i++) {
    steps += 1 + addPairs(search, { i, at: places.first[as[i]!]!, next: places.next });
    if (steps < SLICE / 8) continue;
    steps = 0;
    yield;
  }
  return walkBack(search);
}

/** Counts the equal pairs of two sequences. */
export function countPairs(countsOfA: Int32Array, countsOfB: Int32Array): number {
  let pairs = 0;
  for (let id = 0; id < countsOfA.length; id++) pairs += countsOfA[id]! * countsOfB[id]!;
  return pairs;
}

/** Where each token stands in bs, the last place first. */
function* listPlaces(bs: Int32Array, idCount: number): Sliced<Places> {
  const first = new Int32Array(idCount).fill(-1);
  const next = new Int32Array(bs.length);
  yield* inSlices(bs.length, (from, to) => {
    for (let j = from; j < to; j++) {
      next[j] = first[bs[j]!]!;
      first[bs[j]!] = j;
    }
  });
  return { first, next };
}

function* keepUnique({ first, next }: Places, as: Int32Array): Sliced<void> {
  const count = new Int32Array(first.length);
  yield* inSlices(as.length, (from, to) => {
    for (let i = from; i < to; i++) count[as[i]!]!++;
  });
  yield* inSlices(first.length, (from, to) => {
    for (let id = from; id < to; id++) {
      if (first[id]! >= 0 && (count[id] !== 1 || next[first[id]!] !== -1)) first[id] = -1;
    }
  });
}

/** Lengthens chains by the pairs of place i; falling places in b keep two of them out of one chain. */
function addPairs(search: Search, of: { i: number; at: number; next: Int32Array }): number {
  const { tails, ends, a, b, before } = search;
  let pairs = 0;
  for (let j = of.at; j >= 0; j = of.next[j]!, pairs++) {
    const length = findLength(search, j);
    if (length < search.length && tails[length] === j) continue;
    append(before, length > 0 ? ends[length - 1]! : -1);
    append(a, of.i);
    append(b, j);
    tails[length] = j;
    ends[length] = a.length - 1;
    if (length === search.length) search.length++;
  }
  return pairs;
}

/** How many chains end before j, the shortest first: their ends rise with their lengths. */
function findLength({ tails, length }: Search, j: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tails[middle]! < j) low = middle + 1;
    else high = middle;
  }
  return low;
}

function walkBack({ ends, length, a, b, before }: Search): Chain {
  const chain = { a: new Int32Array(length), b: new Int32Array(length) };
  let node = length > 0 ? ends[length - 1]! : -1;
  for (let i = length - 1; i >= 0; i--) {
    chain.a[i] = a.values[node]!;
    chain.b[i] = b.values[node]!;
    node = before.values[node]!;
  }
  return chain;
}
