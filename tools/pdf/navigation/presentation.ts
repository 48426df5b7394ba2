import { addObject, dictAt, type Pdf, replaceObject, resolve } from "../model/document.ts";
import {
  setEntries,
  type Dict,
  isRef,
  type Ref,
  type Value,
  isString,
  type PdfString,
} from "../syntax/values.ts";
import { type ActionContext, pruneAction } from "./actions.ts";
import { type PdfPage, pageAnnotations } from "../model/pages.ts";
import { textOf } from "../syntax/strings.ts";

/**
 * A page whose presentation steps (ISO 32000-1, 12.4.4.2) have no actions that lead to dropped pages; the same page if
 * it has no steps.
 */
export function pruneSteps(page: Dict, context: ActionContext): Dict {
  const { pdf } = context;
  const first = page.get("PresSteps");
  if (first === undefined || !dictAt(pdf, first)) return page;
  const start = byReference(pdf, first);
  const seen = prunedSteps.get(context) ?? new Set<number>();
  prunedSteps.set(context, seen);
  const waiting = [start];
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    if (seen.has(step.num)) continue;
    seen.add(step.num);
    waiting.push(...pruneStep(step, context));
  }
  return start === first ? page : new Map([...page, ["PresSteps", start]]);
}

/** The numbers of steps that are pruned already: the pages of a document may share one long chain. */
const prunedSteps = new WeakMap<ActionContext, Set<number>>();

/** Returns the previous and next steps. */
function pruneStep(step: Ref, context: ActionContext): Ref[] {
  const { pdf } = context;
  const pruned: Dict = new Map(dictAt(pdf, step) ?? []);
  const around: Ref[] = [];
  for (const key of ["Next", "Prev"]) {
    const next = pruned.get(key);
    if (next === undefined || !dictAt(pdf, next)) continue;
    const ref = byReference(pdf, next);
    pruned.set(key, ref);
    around.push(ref);
  }
  for (const key of ["NA", "PA"]) {
    if (pruned.has(key)) setEntries(pruned, { [key]: pruneAction(pruned.get(key), context) });
  }
  replaceObject(pdf, step.num, pruned);
  return around;
}

/** Steps refer to each other, so each is an indirect object. */
function byReference(pdf: Pdf, step: Value): Ref {
  return isRef(step) ? step : addObject(pdf, step);
}

/** Finds the movie annotations of these pages (ISO 32000-1, 12.5.6.17) by their titles. Few documents have any. */
export function movieFinder(pdf: Pdf, pages: readonly PdfPage[]): (title: PdfString) => Ref | undefined {
  let movies: Map<string, Ref> | undefined;
  return (title) => (movies ??= moviesOn(pdf, pages)).get(textOf(title));
}

function moviesOn(pdf: Pdf, pages: readonly PdfPage[]): Map<string, Ref> {
  const movies = new Map<string, Ref>();
  for (const annotation of pages.flatMap((page) => pageAnnotations(pdf, page))) {
    const dict = dictAt(pdf, annotation);
    const title = resolve(pdf, dict?.get("T"));
    if (dict?.get("Subtype") !== "Movie" || !isString(title)) continue;
    if (!movies.has(textOf(title))) movies.set(textOf(title), annotation);
  }
  return movies;
}
