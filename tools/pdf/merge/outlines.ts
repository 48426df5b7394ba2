import { addObject, dictAt, type Pdf } from "../model/document.ts";
import { isRef, numberOf, type Ref, type Value } from "../syntax/values.ts";
import { updateDict, type MergeSource } from "./merge-source.ts";

/** Joins the outlines in order. */
export function joinOutlines(pdf: Pdf, sources: readonly MergeSource[]): Ref | undefined {
  const outlines = sources.map(({ catalog }) => dictAt(pdf, catalog.get("Outlines")));
  const items = outlines.flatMap((outline) => chain(pdf, outline?.get("First")));
  if (items.length === 0) return undefined;
  const count = items.reduce(
    (sum, item) => sum + 1 + Math.max(0, numberOf(dictAt(pdf, item)?.get("Count")) ?? 0),
    0,
  );
  const root = addObject(
    pdf,
    new Map<string, Value>([
      ["Type", "Outlines"],
      ["First", items[0]!],
      ["Last", items.at(-1)!],
      ["Count", count],
    ]),
  );
  items.forEach((ref, i) =>
    updateDict(pdf, { ref, entries: { Parent: root, Prev: items[i - 1], Next: items[i + 1] } }),
  );
  return root;
}

function chain(pdf: Pdf, first: Value | undefined): Ref[] {
  const seen = new Set<number>();
  const items: Ref[] = [];
  for (let item = first; isRef(item) && !seen.has(item.num); item = dictAt(pdf, item)?.get("Next")) {
    if (!dictAt(pdf, item)) break;
    seen.add(item.num);
    items.push(item);
  }
  return items;
}
