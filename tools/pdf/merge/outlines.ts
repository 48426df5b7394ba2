import { addObject, dictAt, type Pdf } from "../model/document.ts";
import { textString } from "../syntax/strings.ts";
import { isRef, makeDict, numberOf, type Ref, refTo, type Value } from "../syntax/values.ts";
import { updateDict, type MergeSource } from "./merge-source.ts";

/** Joins the outlines in order; those of a file with a title come under a bookmark of that title. */
export function joinOutlines(pdf: Pdf, sources: readonly MergeSource[]): Ref | undefined {
  const items = sources.flatMap((source) => {
    const own = chain(pdf, dictAt(pdf, source.catalog.get("Outlines"))?.get("First"));
    return source.title === undefined ? own : [addParent(pdf, { ...source, title: source.title, own })];
  });
  if (items.length === 0) return undefined;
  const root = addObject(pdf, makeDict({ Type: "Outlines" }));
  linkKids(pdf, { parent: root, kids: items });
  return root;
}

/** A bookmark that leads to the first page of a file, and has the file's own ones as kids. */
function addParent(
  pdf: Pdf,
  { title, pages, own }: { title: string; pages: MergeSource["pages"]; own: readonly Ref[] },
): Ref {
  const parent = addObject(
    pdf,
    makeDict({ Title: textString(title), Dest: [refTo(pages[0]?.num ?? 0), "Fit"] }),
  );
  linkKids(pdf, { parent, kids: own });
  return parent;
}

/** Puts bookmarks below another, or below the root (ISO 32000-1, 12.3.3). */
function linkKids(pdf: Pdf, { parent, kids }: { parent: Ref; kids: readonly Ref[] }): void {
  const counts = kids.map((kid) => 1 + Math.max(0, numberOf(dictAt(pdf, kid)?.get("Count")) ?? 0));
  const visible = counts.reduce((sum, count) => sum + count, 0);
  const Count = visible === 0 ? undefined : visible;
  updateDict(pdf, { ref: parent, entries: { First: kids[0], Last: kids.at(-1), Count } });
  kids.forEach((ref, i) =>
    updateDict(pdf, { ref, entries: { Parent: parent, Prev: kids[i - 1], Next: kids[i + 1] } }),
  );
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
