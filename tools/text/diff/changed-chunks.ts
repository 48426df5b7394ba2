import { listChanges, offsetsOf } from "./changes.ts";
import { countRanges, rangeAt } from "../int-list.ts";
import { chunkEndOf } from "../tokens/chunk-end.ts";
import { readTokens, type TokenBox, type Streams } from "../tokens/tokenize.ts";
import { lengthOf, type RangePair, type Texts } from "./ranges.ts";
import { findApproximate, MAX_STEPS } from "./edit-script.ts";
import type { TokenRules } from "../tokens/tokens.ts";

// Length of both texts together that is compared at a time, at about 25 bytes a character.
export const BATCH_LENGTH = 8_000_000;

/**
 * Finds the ranges in which lines, or chunks of long ones, differ. Only these are compared by word or character
 * when the whole middle is too long. A range longer than a batch is split in proportion.
 */
export function findChangedChunks(texts: Texts, of: { middle: RangePair; rules: TokenRules }): RangePair[] {
  const { middle, rules } = of;
  const tokenEnd = chunkEndOf(rules);
  const streams = readTokens(texts, { ranges: [middle], rules, tokenEnd });
  const flags = findApproximate(streams, { anchored: true, steps: MAX_STEPS / 2 });
  const ranges: RangePair[] = [];
  for (const box of streams.boxes) {
    const changes = listChanges(flags, box);
    for (let i = 0; i < countRanges(changes); i++)
      ranges.push(...splitChange(rangeAt(changes, i), { streams, box }));
  }
  return ranges;
}

function splitChange(change: RangePair, of: { streams: Streams; box: TokenBox }): RangePair[] {
  const count = Math.ceil(lengthOf(offsetsOf(change, of)) / BATCH_LENGTH);
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [i / count, (i + 1) / count];
    return offsetsOf(
      {
        aFrom: between([change.aFrom, change.aTo], from),
        aTo: between([change.aFrom, change.aTo], to),
        bFrom: between([change.bFrom, change.bTo], from),
        bTo: between([change.bFrom, change.bTo], to),
      },
      of,
    );
  });
}

function between([from, to]: [number, number], fraction: number): number {
  return from + Math.floor((to - from) * fraction);
}

/** Groups ranges so that each group fits a batch, or is one range. */
export function* groupRanges(ranges: readonly RangePair[]): Generator<RangePair[], void, void> {
  let group: RangePair[] = [];
  let length = 0;
  for (const range of ranges) {
    if (group.length > 0 && length + lengthOf(range) > BATCH_LENGTH) {
      yield group;
      [group, length] = [[], 0];
    }
    group.push(range);
    length += lengthOf(range);
  }
  if (group.length > 0) yield group;
}
