import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { type Pdf, addObject, arrayAt, dictAt, replaceObject, resolve } from "../model/document.ts";
import { replaceCatalog } from "../model/catalog.ts";
import { type PdfPage, rebuildPageTree, pageDict } from "../model/pages.ts";
import { claimName, claimsOf } from "../standards/claims.ts";
import { keepClaims } from "../standards/keep-claims.ts";
import { type Dict, isRef, type Ref, refTo, type Value, without } from "../syntax/values.ts";
import { pruneCatalog } from "./catalog.ts";
import { prunePageContents } from "./pages.ts";
import { type PageSelection, keepObjectsOf, type PreparedDocument } from "./prepare.ts";
import { uniqueName, withSuffix } from "../syntax/strings.ts";
import { keyOf } from "../model/trees.ts";
import type { PageObjects } from "./page-objects.ts";

/** The document with only these pages, in this order, and nothing that belongs only to others. */
export function extractPages(
  prepared: PreparedDocument,
  { pages, isPart, onProgress }: Omit<PageSelection, "prepared" | "kept">,
): { part: Pdf; warnings: ToolWarning[] } {
  const kept = keepObjectsOf(prepared, pages);
  const { pdf } = prepared;
  const part: Pdf = { ...pdf, changed: new Map(), changedBefore: pdf.changed, isRemoved: kept.isRemoved };
  const extracted = prunePages(part, { prepared, pages, kept, isPart, onProgress });
  const pageTree = rebuildPageTree(part, extracted.pages);
  replaceCatalog(part, new Map([...extracted.catalog, ["Pages", pageTree]]));
  const hasUntagged = extracted.warnings.some(({ code }) => code === "tags_not_repeated");
  const lost = keepClaims(part, { hasUntagged });
  const unchecked = claimsOf(part).map((claim) => ({
    code: "standard_unchecked" as const,
    standard: claimName(claim),
  }));
  return { part, warnings: [...extracted.warnings, ...lost, ...unchecked] };
}

/** Removes from these pages and from the catalog what belongs only to other pages. The new catalog has no /Pages. */
export function prunePages(
  part: Pdf,
  pageSelection: PageSelection,
): { pages: PdfPage[]; catalog: Dict; warnings: ToolWarning[] } {
  const own = pageSelection.pages.flatMap(({ num }) => pageSelection.prepared.pages.get(num) ?? []);
  const { pages, fields, hasUntagged } = copyRepeats(part, own, pageSelection.prepared.objects);
  const pruned = prunePageContents(part, { ...pageSelection, pages, fields });
  const catalog = pruneCatalog(part, { ...pageSelection, ...pruned, copies: pages });
  const warnings: ToolWarning[] = [];
  if (pruned.usage.isIncomplete) warnings.push({ code: "content_unreadable" });
  if (hasUntagged) warnings.push({ code: "tags_not_repeated" });
  return { pages, catalog, warnings };
}

/**
 * A page that is selected again becomes a new object, with annotations and form fields of its own: `fields`, by the number
 * of their parent, or 0. A copy may lose its tags, because content can belong to one place in the structure only.
 */
function copyRepeats(
  part: Pdf,
  pages: readonly PdfPage[],
  objects: PageObjects,
): { pages: PdfPage[]; fields: Map<number, number[]>; hasUntagged: boolean } {
  const seen = new Set<number>();
  const fields = new Map<number, number[]>();
  const names = new Map<number, Set<string>>();
  let hasUntagged = false;
  const copies = pages.map((page) => {
    if (!seen.has(page.num) && seen.add(page.num)) return page;
    const dict = pageDict(part, page);
    if (dict.has("StructParents")) hasUntagged = true;
    const copy = addObject(part, without(dict, ["StructParents"]));
    const annotations = arrayAt(part, dict.get("Annots"));
    if (annotations) copyAnnotations(part, { annotations, page: copy, objects, fields, names });
    return { ...page, num: copy.num };
  });
  return { pages: copies, fields, hasUntagged };
}

interface AnnotationCopies {
  readonly annotations: readonly Value[];
  readonly page: Ref;
  readonly objects: PageObjects;
  readonly fields: Map<number, number[]>;
  /** By the number of a parent, or 0: the names that its fields and their copies have. */
  readonly names: Map<number, Set<string>>;
}

function copyAnnotations(part: Pdf, { annotations, page, objects, fields, names }: AnnotationCopies): void {
  const copies = new Map<number, Ref>();
  for (const each of annotations) {
    const dict = dictAt(part, each);
    if (isRef(each) && dict) copies.set(each.num, addObject(part, without(dict, ["StructParent"])));
  }
  for (const [num, copy] of copies) {
    const dict: Dict = new Map(dictAt(part, copy) ?? []);
    if (dict.has("P")) dict.set("P", page);
    // Pop-ups and replies lead to annotations of the same page.
    for (const key of ["Popup", "Parent", "IRT"]) {
      const value = dict.get(key);
      const other = isRef(value) ? copies.get(value.num) : undefined;
      if (other) dict.set(key, other);
    }
    if (objects.fieldParents.has(num)) copyField(part, { num, copy, dict, objects, fields, names });
    replaceObject(part, copy.num, dict);
  }
  const own = pageDict(part, { num: page.num, inherited: new Map() });
  const refs = annotations.flatMap((each) => (isRef(each) ? (copies.get(each.num) ?? []) : []));
  replaceObject(part, page.num, new Map([...own, ["Annots", refs]]));
}

/** A copied widget joins its field; one that is a field itself becomes another one with a new name. */
function copyField(
  part: Pdf,
  options: Pick<AnnotationCopies, "objects" | "fields" | "names"> & { num: number; copy: Ref; dict: Dict },
): void {
  const { num, copy, dict, objects, fields, names } = options;
  const parent = objects.fieldParents.get(num) ?? 0;
  const nameOf = (field: number) => keyOf(resolve(part, dictAt(part, refTo(field))?.get("T"))) ?? "";
  const name = keyOf(resolve(part, dict.get("T")));
  if (name !== undefined) {
    const taken = names.get(parent) ?? new Set(objects.fields.get(parent)?.map(nameOf));
    names.set(parent, taken);
    const unique = uniqueName(name, taken);
    dict.set("T", withSuffix(resolve(part, dict.get("T")), unique.slice(name.length)));
  }
  const copied = fields.get(parent) ?? [];
  fields.set(parent, copied);
  copied.push(copy.num);
}
