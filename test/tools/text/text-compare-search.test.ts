import { expect, test } from "vitest";
import { findCommonSubsequence } from "../../../tools/text/diff/hunt-szymanski.ts";
import { flagChanges } from "../../../tools/text/diff/myers.ts";
import type { SearchLimits, ChangeFlags } from "../../../tools/text/diff/myers.ts";
import { fc, runs } from "../../support/properties.ts";

// TEXT_RUNS=20000 for a long run.
const numRuns = Number(process.env["TEXT_RUNS"] ?? runs(1000).numRuns);

const ID_COUNT = 6;
const sequence = fc
  .array(fc.nat({ max: ID_COUNT - 1 }), { maxLength: 40 })
  .map((ids) => Int32Array.from(ids));

test("both ways to a shortest script find one as long as the table of all of them says", () => {
  const property = fc.property(sequence, sequence, (as, bs) => {
    const longest = lengthByTable(as, bs);
    const flags = mark({ as, bs }, { steps: Infinity, maxCost: Infinity });
    expect(flags.isExact).toBe(true);
    expect(unchanged(as, flags.a)).toEqual(unchanged(bs, flags.b));
    expect(unchanged(as, flags.a)).toHaveLength(longest);
    const common = findCommonSubsequence({ as, bs }, { idCount: ID_COUNT, onlyUnique: false });
    expect(common.a.map((i) => as[i]!)).toEqual(common.b.map((j) => bs[j]!));
    expect(isRising(common.a) && isRising(common.b)).toBe(true);
    expect(common.a).toHaveLength(longest);
  });
  fc.assert(property, { numRuns });
});

test("whatever the bounds, the script turns one sequence into the other", () => {
  const limits = fc.record({ steps: fc.nat({ max: 400 }), maxCost: fc.integer({ min: 1, max: 6 }) });
  const property = fc.property(sequence, sequence, limits, (as, bs, bounds) => {
    const flags = mark({ as, bs }, bounds);
    const kept = unchanged(as, flags.a);
    expect(kept).toEqual(unchanged(bs, flags.b));
    if (flags.isExact) expect(kept).toHaveLength(lengthByTable(as, bs));
  });
  fc.assert(property, { numRuns });
});

test("anchors stand once on either side", () => {
  const property = fc.property(sequence, sequence, (as, bs) => {
    const common = findCommonSubsequence({ as, bs }, { idCount: ID_COUNT, onlyUnique: true });
    const isUnique = (id: number) =>
      as.indexOf(id) === as.lastIndexOf(id) && bs.indexOf(id) === bs.lastIndexOf(id);
    expect([...common.a].every((i) => isUnique(as[i]!))).toBe(true);
    const [uniqueOfA, uniqueOfB] = [as.filter(isUnique), bs.filter(isUnique)];
    expect(common.a).toHaveLength(lengthByTable(uniqueOfA, uniqueOfB));
  });
  fc.assert(property, { numRuns });
});

function mark({ as, bs }: { as: Int32Array; bs: Int32Array }, limits: SearchLimits): ChangeFlags {
  const boxes = [{ aFrom: 0, aTo: as.length, bFrom: 0, bTo: bs.length }];
  return flagChanges({ as, bs, boxes }, limits);
}

function unchanged(ids: Int32Array, flags: Uint8Array): number[] {
  return [...ids.filter((_, i) => flags[i] === 0)];
}

function isRising(places: Int32Array): boolean {
  return places.every((place, i) => i === 0 || place > places[i - 1]!);
}

/** The length of a longest common subsequence, from the table of Wagner and Fischer. */
function lengthByTable(as: Int32Array, bs: Int32Array): number {
  let above = Array.from({ length: bs.length + 1 }, () => 0);
  for (const id of as) {
    const row = [0];
    for (let j = 0; j < bs.length; j++) {
      row.push(bs[j] === id ? above[j]! + 1 : Math.max(above[j + 1]!, row[j]!));
    }
    above = row;
  }
  return above[bs.length]!;
}
