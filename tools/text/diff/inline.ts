import { nextChange, offsetsOf } from "./changes.ts";
import { addRegion, countRegions, makeRegionList } from "./range-list.ts";
import { BATCH_LENGTH, findChangedPieces, groupRegions } from "./changed-chunks.ts";
import { countTokens, readTokens } from "../tokens/tokenize.ts";
import { findMiddle, lengthOf } from "./ranges.ts";
import { findGood, findShortest, MAX_STEPS } from "./edit-script.ts";
import { tokenEndOf } from "../tokens/tokens.ts";
import type { RegionList } from "./range-list.ts";
import type { Marks } from "./myers.ts";
import type { Streams } from "../tokens/tokenize.ts";
import type { Region, Texts } from "./ranges.ts";
import type { Sliced } from "../cooperative.ts";
import type { Reading } from "../tokens/tokens.ts";

/** Two texts compared by word or character: changed regions as offsets, and how many tokens they hold. */
export type FineScript = {
  changes: RegionList;
  stats: { equal: number; deleted: number; inserted: number };
  minimal: boolean;
};

type Refined = { regions: readonly Region[]; streams: Streams; marks: Marks };

// Bounds of memory: some 25 bytes a token, some 300 bytes a change once it is three spans.
const MAX_EXACT_TOKENS = 8_000_000;
// Longer than that, few texts have so few tokens, and reading them in vain takes half a second.
const MAX_EXACT_LENGTH = 32_000_000;
const MAX_CHANGES = 1_000_000;
const REGIONS_PER_SLICE = 5_000;

/** Compares two bodies by word or character; where that takes too long, only inside the lines that changed. */
export function* compareFinely(texts: Texts, of: { body: Region; reading: Reading }): Sliced<FineScript> {
  const { body, reading } = of;
  const script: FineScript = {
    changes: makeRegionList(),
    stats: { equal: 0, deleted: 0, inserted: 0 },
    minimal: true,
  };
  const middle = yield* findMiddle(texts, body);
  const exact = yield* compareExactly(texts, { middle, reading });
  if (exact) yield* collect(script, exact);
  const regions = exact ? [middle] : yield* findChangedPieces(texts, { middle, reading });
  if (!exact) yield* compareInside(texts, { script, regions, reading });
  script.stats.equal += yield* countOutside(texts.a, { body, regions, reading });
  return script;
}

function* compareExactly(texts: Texts, of: { middle: Region; reading: Reading }): Sliced<Refined | null> {
  if (lengthOf(of.middle) > MAX_EXACT_LENGTH) return null;
  const regions = [of.middle];
  const tokenEnd = tokenEndOf(of.reading);
  const streams = yield* readTokens(texts, { ...of, regions, tokenEnd, limit: MAX_EXACT_TOKENS });
  const marks = streams.isCut ? null : yield* findShortest(streams);
  return marks ? { regions, streams, marks } : null;
}

/** Compares inside each region, a batch at a time; the steps are shared out by length. */
function* compareInside(
  texts: Texts,
  of: { script: FineScript; regions: readonly Region[]; reading: Reading },
): Sliced<void> {
  const { script, reading } = of;
  const tokenEnd = tokenEndOf(reading);
  const total = sumLengths(of.regions);
  script.minimal = false;
  for (const regions of groupRegions(of.regions)) {
    const length = sumLengths(regions);
    if (length > 2 * BATCH_LENGTH) {
      yield* takeWhole(texts, { script, region: regions[0]!, reading });
      continue;
    }
    const streams = yield* readTokens(texts, { regions, reading, tokenEnd });
    const marks = yield* findGood(streams, { anchored: false, steps: ((MAX_STEPS / 2) * length) / total });
    yield* collect(script, { regions, streams, marks });
  }
}

/** One line without any place to cut it, longer than two batches. */
function* takeWhole(
  texts: Texts,
  of: { script: FineScript; region: Region; reading: Reading },
): Sliced<void> {
  const { aFrom, aTo, bFrom, bTo } = of.region;
  addRegion(of.script.changes, of.region);
  of.script.stats.deleted += yield* countTokens(texts.a, { from: aFrom, to: aTo, reading: of.reading });
  of.script.stats.inserted += yield* countTokens(texts.b, { from: bFrom, to: bTo, reading: of.reading });
}

/** Adds the changes of refined regions; once there are too many, a region is one change. */
function* collect(script: FineScript, { regions, streams, marks }: Refined): Sliced<void> {
  const { stats, changes } = script;
  let steps = 0;
  for (const [i, region] of regions.entries()) {
    const box = streams.boxes[i]!;
    let rest = box;
    for (let change = nextChange(marks, rest); change; change = nextChange(marks, rest)) {
      if (countRegions(changes) >= MAX_CHANGES) {
        change = rest;
        script.minimal = false;
      }
      addRegion(changes, offsetsOf(change, { streams, box, region }));
      stats.equal += change.aFrom - rest.aFrom;
      stats.deleted += change.aTo - change.aFrom;
      stats.inserted += change.bTo - change.bFrom;
      rest = { ...rest, aFrom: change.aTo, bFrom: change.bTo };
      if (++steps % 50_000 === 0) yield;
    }
    stats.equal += rest.aTo - rest.aFrom;
  }
}

/** Counts the tokens of a that lie outside the regions, all of them equal. */
function* countOutside(
  text: string,
  of: { body: Region; regions: readonly Region[]; reading: Reading },
): Sliced<number> {
  let count = 0;
  let from = of.body.aFrom;
  for (const [i, { aFrom, aTo }] of of.regions.entries()) {
    count += yield* countTokens(text, { from, to: aFrom, reading: of.reading });
    from = aTo;
    if (i % REGIONS_PER_SLICE === 0) yield;
  }
  return count + (yield* countTokens(text, { from, to: of.body.aTo, reading: of.reading }));
}

function sumLengths(regions: readonly Region[]): number {
  return regions.reduce((sum, region) => sum + lengthOf(region), 0);
}
