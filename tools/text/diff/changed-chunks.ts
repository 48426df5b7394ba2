import { listChanges, offsetsOf } from "./changes.ts";
import { countRegions, regionAt } from "./range-list.ts";
import { pieceEndOf } from "../tokens/chunk-end.ts";
import { readTokens } from "../tokens/tokenize.ts";
import { lengthOf } from "./ranges.ts";
import { findGood, MAX_STEPS } from "./edit-script.ts";
import type { Streams } from "../tokens/tokenize.ts";
import type { Region, Texts } from "./ranges.ts";
import type { Sliced } from "../cooperative.ts";
import type { Reading } from "../tokens/tokens.ts";

// Of both texts together: what a finer look takes at a time, at some 25 bytes a sign.
export const BATCH_LENGTH = 8_000_000;
const CHANGES_PER_SLICE = 5_000;

/**
 * The regions in which lines, or pieces of long ones, differ: what is left to look at more finely when all of
 * the middle is too much. A region longer than a batch is cut in proportion.
 */
export function* findChangedPieces(texts: Texts, of: { middle: Region; reading: Reading }): Sliced<Region[]> {
  const { middle, reading } = of;
  const tokenEnd = pieceEndOf(reading);
  const streams = yield* readTokens(texts, { regions: [middle], reading, tokenEnd });
  const marks = yield* findGood(streams, { anchored: true, steps: MAX_STEPS / 2 });
  const changes = yield* listChanges(marks, streams.boxes[0]!);
  const regions: Region[] = [];
  for (let i = 0; i < countRegions(changes); i++) {
    regions.push(...splitChange(regionAt(changes, i), { streams, middle }));
    if (i % CHANGES_PER_SLICE === 0) yield;
  }
  return regions;
}

function splitChange(change: Region, { streams, middle }: { streams: Streams; middle: Region }): Region[] {
  const places = { streams, box: streams.boxes[0]!, region: middle };
  const count = Math.ceil(lengthOf(offsetsOf(change, places)) / BATCH_LENGTH);
  return Array.from({ length: count }, (_, i) => {
    const [from, to] = [i / count, (i + 1) / count];
    return offsetsOf(
      {
        aFrom: between([change.aFrom, change.aTo], from),
        aTo: between([change.aFrom, change.aTo], to),
        bFrom: between([change.bFrom, change.bTo], from),
        bTo: between([change.bFrom, change.bTo], to),
      },
      places,
    );
  });
}

function between([from, to]: [number, number], fraction: number): number {
  return from + Math.floor((to - from) * fraction);
}

/** Groups regions so that each group fits a batch, or is one region. */
export function* groupRegions(regions: readonly Region[]): Generator<Region[], void, void> {
  let group: Region[] = [];
  let length = 0;
  for (const region of regions) {
    if (group.length > 0 && length + lengthOf(region) > BATCH_LENGTH) {
      yield group;
      [group, length] = [[], 0];
    }
    group.push(region);
    length += lengthOf(region);
  }
  if (group.length > 0) yield group;
}
