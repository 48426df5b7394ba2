import type { OnProgress } from "../../file/progress.ts";
import { visitFields, visitPage } from "../content/visit.ts";
import { createUsage, formResources, pruneResources, type Usage } from "../content/usage.ts";
import { arrayAt, dictAt, type Pdf, replaceObject, resolve } from "../model/document.ts";
import { type PdfPage, pageDict } from "../model/pages.ts";
import { type ActionContext, pruneTargets } from "../navigation/actions.ts";
import { keepDestination } from "../navigation/destinations.ts";
import { movieFinder, pruneSteps } from "../navigation/presentation.ts";
import { textOf } from "../syntax/strings.ts";
import { type Dict, isRef, refTo, isString, without, type IsKept } from "../syntax/values.ts";
import type { PageObjects } from "./page-objects.ts";
import type { KeptObjects, PreparedDocument } from "./prepare.ts";

interface KeptPages {
  readonly prepared: PreparedDocument;
  readonly kept: KeptObjects;
  readonly pages: readonly PdfPage[];
  readonly fields: ReadonlyMap<number, readonly number[]>;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Page entries that lead to other pages: article beads, document parts, and private data of programs, in which
 * Illustrator stores the drawings of all pages.
 */
const LEFT_OUT = ["B", "DPart", "PieceInfo"];

/** Removes references to other pages, and resources that these pages do not use. */
export function prunePageContents(
  part: Pdf,
  { prepared: { objects, contentNames }, kept, pages, fields, onProgress }: KeptPages,
): { usage: Usage; context: ActionContext } {
  const isKept: IsKept = (num) => !kept.isRemoved(num);
  const formFields = { objects, isKept, copies: fields };
  const usage = createUsage(part, { cache: contentNames, pages });
  let names: ReadonlySet<string> | undefined;
  const context: ActionContext = {
    changeDestination: (dest) => keepDestination(part, { dest, destinations: objects.destinations, isKept }),
    isKept,
    changeFieldName: (name) => {
      // Only few actions name fields.
      names ??= new Set(Array.from(keptFields(part, formFields), ({ fullName }) => fullName));
      return names.has(textOf(name)) ? name : undefined;
    },
    changeFileName: (name) => name,
    findMovie: movieFinder(part, pages),
    isLayerKept: (num) => usage.layers.has(num),
  };
  const form = formResources(part);
  for (const [i, page] of pages.entries()) {
    visitPage(part, { page, usage, form });
    onProgress?.((i + 1) / pages.length);
  }
  const nums = Array.from(keptFields(part, formFields), ({ num }) => num);
  visitFields(part, { usage, form, fields: nums });
  pruneResources(part, usage);
  for (const page of pages) prunePage(part, { page, objects, context });
  return { usage, context };
}

function prunePage(
  part: Pdf,
  { page, objects, context }: { page: PdfPage; objects: PageObjects; context: ActionContext },
): void {
  const dict = without(pageDict(part, page), LEFT_OUT);
  const value = pruneSteps(part, pruneTargets(part, dict, context), context);
  replaceObject(part, page.num, value);
  for (const annotation of arrayAt(part, dict.get("Annots")) ?? []) {
    const link = dictAt(part, annotation);
    if (!isRef(annotation) || !link) continue;
    const value = placeOnPage(pruneTargets(part, link, context), page, objects);
    if (value !== link) replaceObject(part, annotation.num, value);
  }
}

/** An annotation may claim a page outside the document as its own. */
function placeOnPage(annotation: Dict, page: PdfPage, objects: PageObjects): Dict {
  const named = annotation.get("P");
  if (!isRef(named) || named.num === page.num || objects.byPage.has(named.num)) return annotation;
  return new Map([...annotation, ["P", refTo(page.num)]]);
}

/** The kept fields, with their full names (ISO 32000-1, 12.7.3.2). */
function* keptFields(
  pdf: Pdf,
  of: {
    objects: PageObjects;
    isKept: IsKept;
    /** Fields of pages that are taken again, by the number of their parent, or 0. */
    copies: ReadonlyMap<number, readonly number[]>;
  },
): Generator<{ num: number; fullName: string }> {
  const { objects, isKept, copies } = of;
  const waiting = [{ num: 0, fullName: "" }];
  for (let above = waiting.pop(); above; above = waiting.pop()) {
    const kids = [...(objects.fields.get(above.num) ?? []).filter(isKept), ...(copies.get(above.num) ?? [])];
    for (const num of kids) {
      const value = resolve(pdf, dictAt(pdf, refTo(num))?.get("T"));
      const own = isString(value) ? textOf(value) : "";
      const field = { num, fullName: [above.fullName, own].filter(Boolean).join(".") };
      yield field;
      waiting.push(field);
    }
  }
}
