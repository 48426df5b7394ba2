import { countRegions, regionAt } from "../diff/range-list.ts";
import type { RegionList } from "../diff/range-list.ts";
import type { Region, Texts } from "../diff/ranges.ts";
import type { Sliced } from "../cooperative.ts";

/** A run of text; `textB` is b's form of an equal run when an ignore option hides a difference. */
export type Span = { op: "equal" | "delete" | "insert"; text: string; textB?: string };

const CHANGES_PER_SLICE = 5_000;

/** All of both texts as one flow of runs; a deletion stands before the insertion in its place. */
export function* makeSpans(texts: Texts, changes: RegionList): Sliced<Span[]> {
  const spans: Span[] = [];
  let [a, b] = [0, 0];
  for (let i = 0; i < countRegions(changes); i++) {
    const { aFrom, aTo, bFrom, bTo } = regionAt(changes, i);
    addEqual(spans, { texts, region: { aFrom: a, aTo: aFrom, bFrom: b, bTo: bFrom } });
    if (aTo > aFrom) spans.push({ op: "delete", text: texts.a.slice(aFrom, aTo) });
    if (bTo > bFrom) spans.push({ op: "insert", text: texts.b.slice(bFrom, bTo) });
    [a, b] = [aTo, bTo];
    if (i % CHANGES_PER_SLICE === CHANGES_PER_SLICE - 1) yield;
  }
  addEqual(spans, { texts, region: { aFrom: a, aTo: texts.a.length, bFrom: b, bTo: texts.b.length } });
  return spans;
}

function addEqual(spans: Span[], { texts, region }: { texts: Texts; region: Region }): void {
  const text = texts.a.slice(region.aFrom, region.aTo);
  const textB = texts.b.slice(region.bFrom, region.bTo);
  if (text === "" && textB === "") return;
  spans.push(text === textB ? { op: "equal", text } : { op: "equal", text, textB });
}
