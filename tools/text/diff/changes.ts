import { intAt, addRange, makeRangeList, type RangeList } from "../int-list.ts";
import type { ChangeFlags } from "./myers.ts";
import type { TokenBox, Streams } from "../tokens/tokenize.ts";
import type { RangePair } from "./ranges.ts";

/** The first changed range in what is left of a box, or null. */
function nextChange(flags: ChangeFlags, rest: RangePair): RangePair | null {
  let { aFrom, bFrom } = rest;
  while (aFrom < rest.aTo && bFrom < rest.bTo && !flags.a[aFrom] && !flags.b[bFrom]) {
    aFrom++;
    bFrom++;
  }
  let [aTo, bTo] = [aFrom, bFrom];
  while (aTo < rest.aTo && flags.a[aTo]) aTo++;
  while (bTo < rest.bTo && flags.b[bTo]) bTo++;
  return aTo > aFrom || bTo > bFrom ? { aFrom, aTo, bFrom, bTo } : null;
}

/** The changed ranges of one box in order, as token indexes; what lies between two of them is equal. */
export function listChanges(flags: ChangeFlags, box: RangePair): RangeList {
  const changes = makeRangeList();
  let rest = box;
  for (let change = nextChange(flags, rest); change; change = nextChange(flags, rest)) {
    addRange(changes, change);
    rest = { ...rest, aFrom: change.aTo, bFrom: change.bTo };
  }
  return changes;
}

/** Token indexes of one box as offsets into the texts. */
export function offsetsOf(
  tokens: RangePair,
  { streams, box }: { streams: Streams; box: TokenBox },
): RangePair {
  const offsetInA = (index: number) =>
    index < box.aTo ? intAt(streams.a.starts.values, index) : box.range.aTo;
  const offsetInB = (index: number) =>
    index < box.bTo ? intAt(streams.b.starts.values, index) : box.range.bTo;
  return {
    aFrom: offsetInA(tokens.aFrom),
    aTo: offsetInA(tokens.aTo),
    bFrom: offsetInB(tokens.bFrom),
    bTo: offsetInB(tokens.bTo),
  };
}
