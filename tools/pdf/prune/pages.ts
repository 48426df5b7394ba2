import {
  createUsage,
  registerResources,
  type Resources,
  resourcesFrom,
  type Usage,
  visitPageContent,
} from "../content/usage.ts";
import { visitAnnotation, visitDefaultAppearance } from "../content/annotations.ts";
import { pruneResources } from "../content/prune-resources.ts";
import { arrayAt, catalogOf, dictAt, type Pdf, replaceObject } from "../model/document.ts";
import { type Page, pageDict } from "../model/pages.ts";
import { type Dict, isRef, refTo } from "../syntax/values.ts";
import { type ActionContext, pruneTargets } from "../navigation/actions.ts";
import { keepDestination } from "../navigation/destinations.ts";
import { without } from "./entries.ts";
import type { KeptObjects, PreparedDocument } from "./prepare.ts";
import { fieldNames, inheritedAppearances } from "./field-names.ts";
import type { IsKept } from "./kept.ts";

interface Pruning {
  readonly prepared: PreparedDocument;
  readonly kept: KeptObjects;
  readonly pages: readonly Page[];
  readonly fields: ReadonlyMap<number, readonly number[]>;
}

/** Entries of a page that lead to others: beads of articles, parts of the document. */
const LEFT_OUT = ["B", "DPart"];

/** Removes from pages what leads to others, and from resource dictionaries what these pages do not show. */
export function prunePageContents(
  part: Pdf,
  { prepared: { objects, contentNames }, kept, pages, fields }: Pruning,
): { usage: Usage; context: ActionContext } {
  const isKept: IsKept = (num) => !kept.isRemoved(num);
  const keptFields = { objects, isKept, copies: fields };
  let names: ReadonlySet<string> | undefined;
  const context: ActionContext = {
    changeDestination: (dest) => keepDestination(part, { dest, destinations: objects.destinations, isKept }),
    isKept,
    // Few actions name fields.
    isFieldName: (name) => (names ??= fieldNames(part, keptFields)).has(name),
  };
  const usage = createUsage(contentNames);
  const form = formResources(part);
  if (form) registerResources(usage, form);
  for (const page of pages) {
    prunePage(part, { page, context });
    visitPage(part, { page, usage, form });
  }
  const defaults = dictAt(part, catalogOf(part)?.get("AcroForm"))?.get("DA");
  visitDefaultAppearance(part, { usage, value: defaults, resources: form });
  for (const value of inheritedAppearances(part, keptFields)) {
    visitDefaultAppearance(part, { usage, value, resources: form });
  }
  pruneResources(part, usage);
  return { usage, context };
}

/** The default resources of the form. */
function formResources(part: Pdf): Resources | undefined {
  const form = catalogOf(part)?.get("AcroForm");
  if (!isRef(form)) return undefined;
  return resourcesFrom(part, { value: dictAt(part, form)?.get("DR"), owner: form.num, entry: "DR" });
}

function prunePage(part: Pdf, { page, context }: { page: Page; context: ActionContext }): void {
  const dict = without(pageDict(part, page), LEFT_OUT);
  replaceObject(part, { num: page.num, value: pruneTargets(part, { dict, context }) });
  for (const annotation of arrayAt(part, dict.get("Annots")) ?? []) {
    const link = dictAt(part, annotation);
    if (!isRef(annotation) || !link) continue;
    const pruned = pruneTargets(part, { dict: link, context });
    if (pruned !== link) replaceObject(part, { num: annotation.num, value: pruned });
  }
}

interface Visiting {
  readonly page: Page;
  readonly usage: Usage;
  readonly form: Resources | undefined;
}

function visitPage(part: Pdf, { page, usage, form }: Visiting): void {
  const dict = pageDict(part, page);
  const value = dict.get("Resources") ?? page.inherited.get("Resources");
  const resources = resourcesFrom(part, { value, owner: page.num });
  visitPageContent(part, { usage, contents: dict.get("Contents"), resources });
  for (const each of arrayAt(part, dict.get("Annots")) ?? []) {
    const annotation: Dict | undefined = dictAt(part, isRef(each) ? refTo(each.num) : each);
    if (annotation) visitAnnotation(part, { usage, annotation, resources, form });
  }
}
