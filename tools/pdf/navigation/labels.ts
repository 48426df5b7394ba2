import { dictAt, type Pdf } from "../model/document.ts";
import { makeTree, type Pair, readTree } from "../model/trees.ts";
import { type Dict, numberOf, type Value } from "../syntax/values.ts";

interface Label {
  readonly dict: Dict;
  /** The number of this page within its run. */
  readonly number: number;
}

/** A range of pages with the same style of label. */
export interface LabelRun {
  readonly from: number;
  readonly dict: Dict;
}

/** The ranges of a /PageLabels tree (ISO 32000-1, 12.4.2) in order. */
export function readLabels(pdf: Pdf, tree: Value | undefined): LabelRun[] {
  return readTree(pdf, tree, "Nums")
    .map(([key, value]) => ({
      from: numberOf(key) ?? 0,
      dict: dictAt(pdf, value) ?? new Map<string, Value>(),
    }))
    .sort((a, b) => a.from - b.from);
}

/** The label of the page with this index, counted from 0. */
export function labelAt(runs: readonly LabelRun[], index: number): Label {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.from ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  const run = runs[low - 1];
  if (!run) return { dict: DECIMAL, number: index + 1 };
  return { dict: run.dict, number: (numberOf(run.dict.get("St")) ?? 1) + index - run.from };
}

const DECIMAL: Dict = new Map([["S", "D"]]);

/** A /PageLabels tree that gives these labels to the pages in this order. */
export function makeLabels(pdf: Pdf, labels: readonly Label[]): Dict {
  const pairs = labels.flatMap(({ dict, number }, index): Pair[] => {
    const before = labels[index - 1];
    if (before?.dict === dict && before.number + 1 === number) return [];
    return [[index, new Map([...dict, ["St", number]])]];
  });
  return makeTree(pdf, pairs, "Nums");
}
