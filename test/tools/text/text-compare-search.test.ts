import fc from "fast-check";
import { expect, test } from "vitest";
import { findChain } from "../../../tools/text/diff/hunt-szymanski.ts";
import { markChanges } from "../../../tools/text/diff/myers.ts";
import type { Effort, Marks } from "../../../tools/text/diff/myers.ts";
import type { Sliced } from "../../../tools/text/cooperative.ts";

// TEXT_RUNS=20000 for a long run.
const numRuns = Number(process.env["TEXT_RUNS"] ?? 1000);

const ID_COUNT = 6;
const sequence = fc
  .array(fc.nat({ max: ID_COUNT - 1 }), { maxLength: 40 })
  .map((ids) => Int32Array.from(ids));

test("both ways to a shortest script find one as long as the table of all of them says", () => {
  const property = fc.property(sequence, sequence, (as, bs) => {
    const longest = lengthByTable(as, bs);
    const marks = mark({ as, bs }, { steps: Infinity, splitCost: Infinity });
    expect(marks.isExact).toBe(true);
    expect(unmarked(as, marks.a)).toEqual(unmarked(bs, marks.b));
    expect(unmarked(as, marks.a)).toHaveLength(longest);
    const chain = run(findChain({ as, bs }, { idCount: ID_COUNT, onlyUnique: false }));
    expect(chain.a.map((i) => as[i]!)).toEqual(chain.b.map((j) => bs[j]!));
    expect(isRising(chain.a) && isRising(chain.b)).toBe(true);
    expect(chain.a).toHaveLength(longest);
  });
  fc.assert(property, { numRuns });
});

test("whatever the bounds, the script turns one sequence into the other", () => {
  const effort = fc.record({ steps: fc.nat({ max: 400 }), splitCost: fc.integer({ min: 1, max: 6 }) });
  const property = fc.property(sequence, sequence, effort, (as, bs, bounds) => {
    const marks = mark({ as, bs }, bounds);
    const kept = unmarked(as, marks.a);
    expect(kept).toEqual(unmarked(bs, marks.b));
    if (marks.isExact) expect(kept).toHaveLength(lengthByTable(as, bs));
  });
  fc.assert(property, { numRuns });
});

test("anchors stand once on either side", () => {
  const property = fc.property(sequence, sequence, (as, bs) => {
    const chain = run(findChain({ as, bs }, { idCount: ID_COUNT, onlyUnique: true }));
    const isUnique = (id: number) =>
      as.indexOf(id) === as.lastIndexOf(id) && bs.indexOf(id) === bs.lastIndexOf(id);
    expect([...chain.a].every((i) => isUnique(as[i]!))).toBe(true);
    const [uniqueOfA, uniqueOfB] = [as.filter(isUnique), bs.filter(isUnique)];
    expect(chain.a).toHaveLength(lengthByTable(uniqueOfA, uniqueOfB));
  });
  fc.assert(property, { numRuns });
});

function mark({ as, bs }: { as: Int32Array; bs: Int32Array }, effort: Effort): Marks {
  const boxes = [{ aFrom: 0, aTo: as.length, bFrom: 0, bTo: bs.length }];
  return run(markChanges({ as, bs, boxes }, effort));
}

function run<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

function unmarked(ids: Int32Array, marks: Uint8Array): number[] {
  return [...ids.filter((_, i) => marks[i] === 0)];
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
