import type { RangePair } from "./diff/ranges.ts";

/** A growing list of 32-bit integers: an eighth of the memory of an array of numbers and of known type. */
export type IntList = { values: Int32Array; length: number };

export function makeIntList(capacity = 1024): IntList {
  return { values: new Int32Array(capacity), length: 0 };
}

export function append(list: IntList, value: number): void {
  if (list.length === list.values.length) list.values = enlarge(list.values);
  list.values[list.length++] = value;
}

/** The number at an index that is inside: one cast here instead of one at each use. */
export function intAt(values: Int32Array, index: number): number {
  return values[index] as number;
}

/** The used part, as a view. */
export function usedPart(list: IntList): Int32Array {
  return list.values.subarray(0, list.length);
}

/** A copy of twice the length, the new half zero. */
export function enlarge(values: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length * 2);
  larger.set(values);
  return larger;
}

/** Appends some of a list's values, each greater by `shift`. */
export function appendSome(
  list: IntList,
  from: IntList,
  part: { from: number; to: number; shift: number },
): void {
  while (list.length + part.to - part.from > list.values.length) list.values = enlarge(list.values);
  const { values } = list;
  let at = list.length;
  for (let i = part.from; i < part.to; i++) values[at++] = intAt(from.values, i) + part.shift;
  list.length = at;
}

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
