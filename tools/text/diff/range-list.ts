import { append, makeIntList } from "../int-list.ts";
import type { IntList } from "../int-list.ts";
import type { Region } from "./ranges.ts";

/** Regions in order, four numbers each: there may be millions, too many to be objects. */
export type RegionList = IntList;

export function makeRegionList(capacity = 16): RegionList {
  return makeIntList(capacity * 4 + 64);
}

export function countRegions(list: RegionList): number {
  return list.length / 4;
}

export function regionAt({ values }: RegionList, index: number): Region {
  const at = index * 4;
  return { aFrom: values[at]!, aTo: values[at + 1]!, bFrom: values[at + 2]!, bTo: values[at + 3]! };
}

export function addRegion(list: RegionList, { aFrom, aTo, bFrom, bTo }: Region): void {
  append(list, aFrom);
  append(list, aTo);
  append(list, bFrom);
  append(list, bTo);
}

export function setRegion(list: RegionList, index: number, { aFrom, aTo, bFrom, bTo }: Region): void {
  list.values.set([aFrom, aTo, bFrom, bTo], index * 4);
}

/** Takes the last region off a list that is not empty. */
export function takeLastRegion(list: RegionList): Region {
  const last = regionAt(list, countRegions(list) - 1);
  list.length -= 4;
  return last;
}
