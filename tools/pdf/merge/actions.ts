import { arrayAt, dictAt, type Pdf, replaceObject } from "../model/document.ts";
import { pageAnnotations, pageDict } from "../model/pages.ts";
import { type ActionContext, pruneObject, pruneTargets } from "../navigation/actions.ts";
import { movieFinder, pruneSteps } from "../navigation/presentation.ts";
import { type Dict, isRef, pushAll, type Value } from "../syntax/values.ts";
import type { MergeSource } from "./merge-source.ts";

/** Changes where pages, annotations, bookmarks and form fields of a file lead, and the names they use. */
export function changeActions(pdf: Pdf, source: MergeSource, changes: Partial<ActionContext>): void {
  const context: ActionContext = {
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
    const changed = pruneSteps(pdf, pruneTargets(pdf, dict, context), context);
    if (changed !== dict) replaceObject(pdf, page.num, changed);
    for (const { num } of pageAnnotations(pdf, page)) pruneObject(pdf, num, context);
  }
  for (const num of [...bookmarksOf(pdf, source), ...fieldsOf(pdf, source)]) pruneObject(pdf, num, context);
}

function bookmarksOf(pdf: Pdf, { catalog }: MergeSource): Set<number> {
  const first = dictAt(pdf, catalog.get("Outlines"))?.get("First") ?? null;
  return objectsFrom(pdf, [first], (item) => ["Next", "First"].map((key) => item.get(key) ?? null));
}

/** The object numbers of a form's fields and of their widgets. */
export function fieldsOf(pdf: Pdf, { catalog }: MergeSource): Set<number> {
  const start = arrayAt(pdf, dictAt(pdf, catalog.get("AcroForm"))?.get("Fields")) ?? [];
  return objectsFrom(pdf, start, (field) => arrayAt(pdf, field.get("Kids")) ?? []);
}

/** The object numbers of these objects and of their descendants. */
function objectsFrom(pdf: Pdf, start: readonly Value[], next: (dict: Dict) => readonly Value[]): Set<number> {
  const nums = new Set<number>();
  const waiting = [...start];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const dict = dictAt(pdf, item);
    if (!isRef(item) || nums.has(item.num) || !dict) continue;
    nums.add(item.num);
    pushAll(waiting, next(dict));
  }
  return nums;
}
