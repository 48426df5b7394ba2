import { addRegion, makeRegionList } from "./range-list.ts";
import { SLICE } from "../cooperative.ts";
import type { Marks } from "./myers.ts";
import type { Streams } from "../tokens/tokenize.ts";
import type { RegionList } from "./range-list.ts";
import type { Region } from "./ranges.ts";
import type { Sliced } from "../cooperative.ts";

/** The first changed region in what is left of a box, or null. */
export function nextChange(marks: Marks, rest: Region): Region | null {
  let { aFrom, bFrom } = rest;
  while (aFrom < rest.aTo && bFrom < rest.bTo && !marks.a[aFrom] && !marks.b[bFrom]) {
    aFrom++;
    bFrom++;
  }
  let [aTo, bTo] = [aFrom, bFrom];
  while (aTo < rest.aTo && marks.a[aTo]) aTo++;
  while (bTo < rest.bTo && marks.b[bTo]) bTo++;
  return aTo > aFrom || bTo > bFrom ? { aFrom, aTo, bFrom, bTo } : null;
}

/** The changed regions of one box in order, as places of tokens; what lies between two of them is equal. */
export function* listChanges(marks: Marks, box: Region): Sliced<RegionList> {
  const changes = makeRegionList();
  let rest = box;
  let pauseAt = SLICE;
  for (let change = nextChange(marks, rest); change; change = nextChange(marks, rest)) {
    addRegion(changes, change);
    rest = { ...rest, aFrom: change.aTo, bFrom: change.bTo };
    if (change.aTo + change.bTo < pauseAt) continue;
    pauseAt = change.aTo + change.bTo + SLICE;
    yield;
  }
  return changes;
}

/** Places of tokens in one box as offsets into the texts. */
export function offsetsOf(places: Region, of: { streams: Streams; box: Region; region: Region }): Region {
  const { streams, box, region } = of;
  const offsetInA = (place: number) => (place < box.aTo ? streams.a.starts.values[place]! : region.aTo);
  const offsetInB = (place: number) => (place < box.bTo ? streams.b.starts.values[place]! : region.bTo);
  return {
    aFrom: offsetInA(places.aFrom),
    aTo: offsetInA(places.aTo),
    bFrom: offsetInB(places.bFrom),
    bTo: offsetInB(places.bTo),
  };
}
