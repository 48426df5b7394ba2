import { append, makeIntList } from "./ints.ts";
import { SLICE } from "./slices.ts";
import type { IntList } from "./ints.ts";
import type { Marks } from "./myers.ts";
import type { Streams } from "./read.ts";
import type { Region } from "./regions.ts";
import type { Sliced } from "./slices.ts";

/** Changed regions in order, four numbers each; what lies between two of them is equal. */
export type Changes = IntList;

export function makeChanges(): Changes {
  return makeIntList(64);
}

export function countChanges(changes: Changes): number {
  return changes.length / 4;
}

export function changeAt({ values }: Changes, index: number): Region {
  const at = index * 4;
  return { aFrom: values[at]!, aTo: values[at + 1]!, bFrom: values[at + 2]!, bTo: values[at + 3]! };
}

export function addChange(changes: Changes, { aFrom, aTo, bFrom, bTo }: Region): void {
  append(changes, aFrom);
  append(changes, aTo);
  append(changes, bFrom);
  append(changes, bTo);
}

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

/** The changed regions of one box, as places of tokens. */
export function* listChanges(marks: Marks, box: Region): Sliced<Changes> {
  const changes = makeChanges();
  let rest = box;
  let pauseAt = SLICE;
  for (let change = nextChange(marks, rest); change; change = nextChange(marks, rest)) {
    addChange(changes, change);
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
