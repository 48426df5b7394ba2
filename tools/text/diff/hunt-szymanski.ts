import { append, intAt, makeIntList } from "../int-list.ts";
import type { IntList } from "../int-list.ts";

/** A common subsequence as pairs of indexes, increasing in both sequences. */
export type CommonSubsequence = { a: Int32Array; b: Int32Array };

/** The last occurrence of each token, and for each occurrence the one before it (-1: none). */
type Occurrences = { first: Int32Array; next: Int32Array };

/**
 * The common subsequences found so far. `tails` has the least index in b where one of each length ends, `ends` its
 * node; a node is an index in a, one in b, and the node before it.
 */
type Search = {
  tails: Int32Array;
  ends: Int32Array;
  length: number;
  a: IntList;
  b: IntList;
  before: IntList;
};

/**
 * Finds a longest common subsequence by the algorithm of Hunt and Szymanski (1977). Its time grows with the
 * number of matching pairs, however different the sequences are. With `onlyUnique` only tokens that are unique
 * on both sides count, as in patience diff.
 */
export function findCommonSubsequence(
  { as, bs }: { as: Int32Array; bs: Int32Array },
  { idCount, onlyUnique }: { idCount: number; onlyUnique: boolean },
): CommonSubsequence {
  const occurrences = listOccurrences(bs, idCount);
  if (onlyUnique) keepUnique(occurrences, as);
  const room = Math.min(as.length, bs.length) + 1;
  const search: Search = {
    tails: new Int32Array(room),
    ends: new Int32Array(room).fill(-1),
    length: 0,
    a: makeIntList(),
    b: makeIntList(),
    before: makeIntList(),
  };
  for (let i = 0; i < as.length; i++)
    addMatches(search, { i, at: intAt(occurrences.first, intAt(as, i)), next: occurrences.next });
  return backtrack(search);
}

/** Counts the matching pairs of two sequences. */
export function countMatches(countsOfA: Int32Array, countsOfB: Int32Array): number {
  let pairs = 0;
  for (let id = 0; id < countsOfA.length; id++) pairs += intAt(countsOfA, id) * intAt(countsOfB, id);
  return pairs;
}

/** Where each token occurs in bs, last occurrence first. */
function listOccurrences(bs: Int32Array, idCount: number): Occurrences {
  const first = new Int32Array(idCount).fill(-1);
  const next = new Int32Array(bs.length);
  for (let j = 0; j < bs.length; j++) {
    const id = intAt(bs, j);
    next[j] = intAt(first, id);
    first[id] = j;
  }
  return { first, next };
}

function keepUnique({ first, next }: Occurrences, as: Int32Array): void {
  const count = new Int32Array(first.length);
  for (let i = 0; i < as.length; i++) count[intAt(as, i)] = intAt(count, intAt(as, i)) + 1;
  for (let id = 0; id < first.length; id++) {
    const last = intAt(first, id);
    if (last >= 0 && (count[id] !== 1 || next[last] !== -1)) first[id] = -1;
  }
}

/** Adds the matches of index i. Taking b backwards keeps two of them out of one subsequence. */
function addMatches(search: Search, of: { i: number; at: number; next: Int32Array }): void {
  const { tails, ends, a, b, before } = search;
  for (let j = of.at; j >= 0; j = intAt(of.next, j)) {
    const length = findLength(search, j);
    if (length < search.length && tails[length] === j) continue;
    append(before, length > 0 ? intAt(ends, length - 1) : -1);
    append(a, of.i);
    append(b, j);
    tails[length] = j;
    ends[length] = a.length - 1;
    if (length === search.length) search.length++;
  }
}

/** The length of the longest subsequence that ends before j; the tails increase with the length. */
function findLength({ tails, length }: Search, j: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (intAt(tails, middle) < j) low = middle + 1;
    else high = middle;
  }
  return low;
}

function backtrack({ ends, length, a, b, before }: Search): CommonSubsequence {
  const common = { a: new Int32Array(length), b: new Int32Array(length) };
  let node = length > 0 ? intAt(ends, length - 1) : -1;
  for (let i = length - 1; i >= 0; i--) {
    common.a[i] = intAt(a.values, node);
    common.b[i] = intAt(b.values, node);
    node = intAt(before.values, node);
  }
  return common;
}
