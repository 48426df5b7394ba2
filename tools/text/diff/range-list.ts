import { append, intAt, makeIntList } from "../int-list.ts";
import type { IntList } from "../int-list.ts";
import type { RangePair } from "./ranges.ts";

/** Regions in order, four numbers each: there may be millions, too many for objects. */
export type RangeList = IntList;

export function makeRangeList(capacity = 16): RangeList {
  return makeIntList(capacity * 4 + 64);
}

export function countRanges(list: RangeList): number {
  return list.length / 4;
}

export function rangeAt({ values }: RangeList, index: number): RangePair {
  const at = index * 4;
  return {
    aFrom: intAt(values, at),
    aTo: intAt(values, at + 1),
    bFrom: intAt(values, at + 2),
    bTo: intAt(values, at + 3),
  };
}

export function addRange(list: RangeList, { aFrom, aTo, bFrom, bTo }: RangePair): void {
  append(list, aFrom);
  append(list, aTo);
  append(list, bFrom);
  append(list, bTo);
}

export function setRange(list: RangeList, index: number, { aFrom, aTo, bFrom, bTo }: RangePair): void {
  list.values.set([aFrom, aTo, bFrom, bTo], index * 4);
}

/** Takes the last range off a list that is not empty. */
export function takeLastRange(list: RangeList): RangePair {
  const last = rangeAt(list, countRanges(list) - 1);
  list.length -= 4;
  return last;
}
