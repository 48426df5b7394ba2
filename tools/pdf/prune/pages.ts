import type { OnProgress } from "../../file/progress.ts";
import { visitFields, visitPage } from "../content/visit.ts";
import { createUsage, pruneResources, type Usage } from "../content/usage.ts";
import { arrayAt, dictAt, type Pdf, replaceObject, resolve } from "../model/document.ts";
import { type PdfPage, pageDict } from "../model/pages.ts";
import { type ActionContext, pruneTargets } from "../navigation/actions.ts";
import { keepDestination } from "../navigation/destinations.ts";
import { movieFinder, pruneSteps } from "../navigation/presentation.ts";
import { textOf } from "../syntax/strings.ts";
import { type Dict, isRef, refTo, isString, without, type IsKept } from "../syntax/values.ts";
import type { KeptFields } from "./fields.ts";
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
): { usage: Usage; context: ActionContext; kidsOf: KeptFields } {
  const isKept: IsKept = (num) => !kept.isRemoved(num);
  const kidsOf: KeptFields = (parent) => [
    ...(objects.fields.get(parent) ?? []).filter(isKept),
    ...(fields.get(parent) ?? []),
  ];
  const usage = createUsage(part, contentNames, pages);
  let names: ReadonlySet<string> | undefined;
  const context: ActionContext = {
    pdf: part,
    changeDestination: (dest) => keepDestination(part, dest, { destinations: objects.destinations, isKept }),
    isKept,
    changeFieldName: (name) => {
      // Only few actions name fields.
      names ??= new Set(Array.from(keptFields(part, kidsOf), ({ fullName }) => fullName));
      return names.has(textOf(name)) ? name : undefined;
    },
    changeFileName: (name) => name,
    findMovie: movieFinder(part, pages),
    isLayerKept: (num) => usage.layers.has(num),
  };
  for (const [i, page] of pages.entries()) {
    visitPage(usage, page);
    onProgress?.((i + 1) / pages.length);
  }
  visitFields(
    usage,
    Array.from(keptFields(part, kidsOf), ({ num }) => num),
  );
  pruneResources(usage);
  for (const page of pages) prunePage(page, objects, context);
  return { usage, context, kidsOf };
}

function prunePage(page: PdfPage, objects: PageObjects, context: ActionContext): void {
  const { pdf: part } = context;
  const dict = without(pageDict(part, page), LEFT_OUT);
  const value = pruneSteps(pruneTargets(dict, context), context);
  replaceObject(part, page.num, value);
  for (const annotation of arrayAt(part, dict.get("Annots")) ?? []) {
    const link = dictAt(part, annotation);
    if (!isRef(annotation) || !link) continue;
    const value = placeOnPage(pruneTargets(link, context), page, objects);
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
function* keptFields(pdf: Pdf, kidsOf: KeptFields): Generator<{ num: number; fullName: string }> {
  const waiting = [{ num: 0, fullName: "" }];
  for (let above = waiting.pop(); above; above = waiting.pop()) {
    for (const num of kidsOf(above.num)) {
      const value = resolve(pdf, dictAt(pdf, refTo(num))?.get("T"));
      const own = isString(value) ? textOf(value) : "";
      const field = { num, fullName: [above.fullName, own].filter(Boolean).join(".") };
      yield field;
      waiting.push(field);
    }
  }
}
