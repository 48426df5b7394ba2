import { dictAt, type Pdf, replaceObject } from "../model/document.ts";
import { pageAnnotations, pageDict } from "../model/pages.ts";
import { fieldsOf, objectsBelow } from "../model/trees.ts";
import { type ActionContext, pruneObject, pruneTargets } from "../navigation/actions.ts";
import { movieFinder, pruneSteps } from "../navigation/presentation.ts";
import type { MergeSource } from "./merge-source.ts";

/** Changes where pages, annotations, bookmarks and form fields of a file lead, and the names they use. */
export function changeActions(pdf: Pdf, source: MergeSource, changes: Partial<ActionContext>): void {
  const context: ActionContext = {
    pdf,
    changeDestination: (dest) => dest,
    isKept: () => true,
    changeFieldName: (name) => name,
    changeFileName: (name) => name,
    findMovie: movieFinder(pdf, source.pages),
    isLayerKept: () => true,
    ...changes,
  };
  for (const page of source.pages) {
    const dict = pageDict(pdf, page);
    const changed = pruneSteps(pruneTargets(dict, context), context);
    if (changed !== dict) replaceObject(pdf, page.num, changed);
    for (const { num } of pageAnnotations(pdf, page)) pruneObject(num, context);
  }
  for (const num of [...bookmarksOf(pdf, source), ...fieldsOf(pdf, source.catalog)])
    pruneObject(num, context);
}

function bookmarksOf(pdf: Pdf, { catalog }: MergeSource): Set<number> {
  const first = dictAt(pdf, catalog.get("Outlines"))?.get("First") ?? null;
  return objectsBelow(pdf, [first], (item) => ["Next", "First"].map((key) => item.get(key) ?? null));
}
