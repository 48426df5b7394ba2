import { dictAt, type Pdf, replaceObject, resolve } from "../model/document.ts";
import { pageAnnotations } from "../model/pages.ts";
import { keyOf } from "../model/trees.ts";
import { type ActionContext, pruneTargets } from "../navigation/actions.ts";
import { destinationByReference } from "../navigation/destinations.ts";
import { isDict, isRef, pushAll, refTo, type Value } from "../syntax/values.ts";
import type { MergeSource } from "./merge-source.ts";

interface Pointing {
  readonly source: MergeSource;
  /** By name: what it stands for in this file. */
  readonly clashing: ReadonlyMap<string, Value>;
}

/** Lets links and bookmarks of a file lead to its own pages, instead of by a clashing name or by the number of a page. */
export function pointDirectly(pdf: Pdf, { source, clashing }: Pointing): void {
  const context: ActionContext = {
    changeDestination: (dest) =>
      destinationByReference(pdf, { dest: explicit(pdf, { dest, clashing }), pages: source.pages }),
    isKept: () => true,
    isFieldName: () => true,
    isLayerKept: () => true,
  };
  for (const page of source.pages) {
    pointOne(pdf, { num: page.num, context });
    for (const { num } of pageAnnotations(pdf, page)) pointOne(pdf, { num, context });
  }
  for (const num of bookmarksOf(pdf, source)) pointOne(pdf, { num, context });
}

function bookmarksOf(pdf: Pdf, { catalog }: MergeSource): Set<number> {
  const nums = new Set<number>();
  const waiting = [dictAt(pdf, catalog.get("Outlines"))?.get("First")];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (!isRef(item) || nums.has(item.num)) continue;
    nums.add(item.num);
    const dict = dictAt(pdf, item);
    pushAll(
      waiting,
      ["Next", "First"].flatMap((key) => dict?.get(key) ?? []),
    );
  }
  return nums;
}

function pointOne(pdf: Pdf, { num, context }: { num: number; context: ActionContext }): void {
  const dict = dictAt(pdf, refTo(num));
  const pointed = dict && pruneTargets(pdf, { dict, context });
  if (pointed && pointed !== dict) replaceObject(pdf, { num, value: pointed });
}

interface Naming {
  readonly dest: Value | undefined;
  readonly clashing: ReadonlyMap<string, Value>;
}

/** What a name that clashes stands for; every other destination as it is. */
function explicit(pdf: Pdf, { dest, clashing }: Naming): Value | undefined {
  const name = keyOf(resolve(pdf, dest));
  const found = name === undefined ? undefined : resolve(pdf, clashing.get(name));
  return (isDict(found) ? resolve(pdf, found.get("D")) : found) ?? dest;
}
