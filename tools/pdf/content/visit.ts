import { spend } from "../limits.ts";
import { arrayAt, catalogOf, dictAt, dictIn, type Pdf, resolve } from "../model/document.ts";
import { changeCatalog } from "../model/catalog.ts";
import { pageDict, type PdfPage, rebuildPageTree } from "../model/pages.ts";
import { fieldsOf, itemsAt } from "../model/trees.ts";
import { type Dict, isRef, isString, refTo, unsignedOf, type Value } from "../syntax/values.ts";
import {
  type Drawing,
  drawingsOf,
  drawingsOfAnnotation,
  namedPages,
  otherDrawings,
  type Scope,
} from "./drawings.ts";
import {
  createUsage,
  formResources,
  isOutside,
  NO_RESOURCES,
  pageResources,
  pruneResources,
  registerResources,
  type Resources,
  type Usage,
  useLayer,
} from "./usage.ts";
import { createContentNames, namesUsed } from "./read.ts";
import { RESOURCE_KINDS, type ResourceKind, type UsedNames, scanContent } from "./scan.ts";
import { stringBytes } from "../syntax/strings.ts";

/** Streams that are read in sequence. */
interface Content {
  readonly nums: readonly number[];
  readonly scope: Scope;
}

/** The cost of a visit, in bytes read. */
const VISIT = 64;

/** Removes from resources, also those of the form, what neither pages nor fields name. */
export function pruneUnused(pdf: Pdf, pages: readonly PdfPage[]): void {
  // So that no node of the tree has what no page uses.
  if (pages.some(({ inherited }) => inherited.has("Resources")))
    changeCatalog(pdf, { Pages: rebuildPageTree(pdf, pages) });
  const all = [...pages, ...namedPages(pdf)];
  const usage = createUsage(pdf, { cache: createContentNames(), pages: all });
  const form = formResources(pdf);
  for (const page of all) visitPage(pdf, { page, usage, form });
  visitFields(pdf, { usage, form, fields: fieldsOf(pdf, catalogOf(pdf)) });
  visitOthers(pdf, { usage, resources: form ?? NO_RESOURCES });
  pruneResources(pdf, usage);
}

/** Visits drawings outside of pages, which may share their resources; an XML form finds fonts by their names. */
function visitOthers(pdf: Pdf, { usage, resources }: { usage: Usage; resources: Resources }): void {
  const walk: Walk = { usage, waiting: [] };
  const scope: Scope = { resources, outer: resources };
  for (const drawing of otherDrawings(pdf, scope)) enter(pdf, walk, drawing);
  if (dictIn(pdf, catalogOf(pdf), "AcroForm")?.has("XFA")) useAll(pdf, { walk, scope });
  visitWaiting(pdf, walk);
}

/** Visits the content of a page, its annotations, and everything that they draw. */
export function visitPage(
  pdf: Pdf,
  { page, usage, form }: { page: PdfPage; usage: Usage; form: Resources | undefined },
): void {
  const dict = pageDict(pdf, page);
  const contents = itemsAt(pdf, dict.get("Contents"));
  const resources = pageResources(pdf, page) ?? NO_RESOURCES;
  const nums = contents.filter(isRef).map(({ num }) => num);
  visitWaiting(pdf, { usage, waiting: [{ nums, scope: { resources, outer: resources } }] });
  for (const each of arrayAt(pdf, dict.get("Annots")) ?? []) {
    const annotation = dictAt(pdf, isRef(each) ? refTo(each.num) : each);
    if (annotation) visitAnnotation(pdf, { usage, annotation, resources, form });
  }
}

/** Records names that were looked up outside of content; if they are unknown, all resources count as used. */
function visitNames(
  pdf: Pdf,
  { usage, names, resources }: { usage: Usage; names: UsedNames | undefined; resources: Resources },
): void {
  const walk: Walk = { usage, waiting: [] };
  const scope: Scope = { resources, outer: resources };
  if (names) useNames(pdf, { walk, scope, names });
  else useAll(pdf, { walk, scope });
  visitWaiting(pdf, walk);
}

interface Walk {
  readonly usage: Usage;
  readonly waiting: Content[];
}

function visitWaiting(pdf: Pdf, walk: Walk): void {
  for (let content = walk.waiting.pop(); content; content = walk.waiting.pop()) visit(pdf, { walk, content });
}

function visit(pdf: Pdf, { walk, content: { nums, scope } }: { walk: Walk; content: Content }): void {
  const { usage } = walk;
  const { resources, outer } = scope;
  // Content that all pages share is visited again only if some of it depends on the page.
  const id = `${nums.join(" ")} / ${resources.key} / ${usage.hasUnresolved ? outer.key : ""}`;
  if (usage.visited.has(id)) return;
  usage.visited.add(id);
  spend(pdf.budget.read, VISIT);
  registerResources(pdf, usage, resources);
  // Most pages of a document use the same few fonts: then their content need not be decoded.
  if (resources === outer && isAllUsed(pdf, usage, resources)) return useAll(pdf, { walk, scope });
  const names = namesUsed(pdf, nums, usage.cache);
  if (!names) {
    usage.isIncomplete = true;
    // It may name what its own resources lack and those of a page have.
    if (resources !== outer) usage.hasUnresolved = true;
    return useAll(pdf, { walk, scope });
  }
  for (const each of names) useNames(pdf, { walk, scope, names: each });
}

/** Larger resource dictionaries are not compared for each content. */
const MAX_LOOKED_THROUGH = 64;

/** Whether everything in a resource dictionary is kept anyway. */
function isAllUsed(pdf: Pdf, usage: Usage, resources: Resources): boolean {
  const used = usage.used.get(resources.key)?.names;
  return RESOURCE_KINDS.every((kind) => {
    const entries = dictAt(pdf, resources.dict.get(kind));
    if (!entries || entries.size === used?.get(kind)?.size) return true;
    if (entries.size > MAX_LOOKED_THROUGH) return false;
    return [...entries.values()].every((value) => isRef(value) && usage.objects.has(value.num));
  });
}

interface ScopedWalk {
  readonly walk: Walk;
  readonly scope: Scope;
}

function useNames(pdf: Pdf, { walk, scope, names }: ScopedWalk & { names: UsedNames }): void {
  for (const [kind, each] of names) {
    for (const name of each) useName(pdf, { walk, scope, kind, name });
  }
}

function useAll(pdf: Pdf, { walk, scope }: ScopedWalk): void {
  const { resources, outer } = scope;
  const { visited, hasUnresolved } = walk.usage;
  // A page may have thousands of drawings without resources of their own.
  const id = `all / ${resources.key} / ${hasUnresolved || resources !== outer ? outer.key : ""}`;
  if (visited.has(id)) return;
  visited.add(id);
  for (const each of new Set([resources, outer])) {
    for (const kind of RESOURCE_KINDS) {
      const names = dictAt(pdf, each.dict.get(kind))?.keys() ?? [];
      for (const name of names) useName(pdf, { walk, scope: { resources: each, outer }, kind, name });
    }
  }
}

function useName(
  pdf: Pdf,
  { walk, scope, kind, name }: ScopedWalk & { kind: ResourceKind; name: string },
): void {
  const { resources, outer } = scope;
  const own = dictIn(pdf, resources.dict, kind)?.get(name);
  // Also where the page has the same resources: the next page may have others.
  if (own === undefined && resources !== outer && isOutside(pdf, walk.usage, kind, name))
    walk.usage.hasUnresolved = true;
  // What is drawn from there looks up its names here first.
  const holder = own === undefined ? outer : resources;
  const value = own ?? dictIn(pdf, holder.dict, kind)?.get(name);
  if (value === undefined) return;
  const names = usedNamesOf(pdf, walk.usage, holder, kind);
  if (names.has(name) && !walk.usage.hasUnresolved) return;
  names.add(name);
  if (isRef(value)) walk.usage.objects.add(value.num);
  if (kind === "Properties") useLayer(pdf, walk.usage.layers, value);
  const num = kind === "Font" && isRef(value) ? value.num : undefined;
  if (num !== undefined && isSettled(pdf, { usage: walk.usage, num, scope })) return;
  const drawings = drawingsOf(pdf, { kind, name, holder, scope });
  if (num !== undefined) settle(pdf, { usage: walk.usage, num, glyphs: drawings, scope });
  for (const drawing of drawings) enter(pdf, walk, drawing);
}

/** Records a font that every page draws alike, so that one of hundreds of glyphs is not visited for each page. */
function settle(pdf: Pdf, of: { usage: Usage; num: number; glyphs: readonly Drawing[]; scope: Scope }): void {
  const { usage, num, glyphs, scope } = of;
  const found = new Map<ResourceKind, Set<string>>();
  for (const glyph of glyphs) {
    if (glyph.scope.resources !== scope.resources) continue;
    const used = namesUsed(pdf, [glyph.num], usage.cache);
    if (!used?.every((each) => !isNamedOutside(pdf, usage, each))) return;
    for (const [kind, names] of used.flatMap((each) => [...each])) {
      const all = found.get(kind) ?? new Set();
      found.set(kind, all);
      for (const name of names) all.add(name);
    }
  }
  usage.settled.set(num, found);
}

/** Whether everything that a font draws with these resources was visited. */
function isSettled(pdf: Pdf, { usage, num, scope }: { usage: Usage; num: number; scope: Scope }): boolean {
  const { resources, outer } = scope;
  const settled = usage.settled.get(num);
  if (!settled || usage.hasUnresolved) return false;
  // No page has these names, but a drawing may, whose resources are those of glyphs without their own.
  return (
    resources === outer ||
    ![...settled].some(([kind, names]) => {
      const entries = dictIn(pdf, resources.dict, kind);
      spend(pdf.budget.read, entries ? names.size : 0);
      return entries && [...names].some((name) => entries.has(name));
    })
  );
}

/** Whether some page or the form has one of these names. */
function isNamedOutside(pdf: Pdf, usage: Usage, used: UsedNames): boolean {
  return [...used].some(([kind, names]) => [...names].some((name) => isOutside(pdf, usage, kind, name)));
}

function usedNamesOf(pdf: Pdf, usage: Usage, resources: Resources, kind: ResourceKind): Set<string> {
  const { names } = registerResources(pdf, usage, resources);
  const ofKind = names.get(kind) ?? new Set();
  names.set(kind, ofKind);
  return ofKind;
}

/** Queues the content of a drawing. */
function enter(pdf: Pdf, { usage, waiting }: Walk, { num, stream: { dict }, scope }: Drawing): void {
  useLayer(pdf, usage.layers, dict.get("OC"));
  for (const key of ["StructParents", "StructParent"]) {
    const parentKey = unsignedOf(dict.get(key));
    if (parentKey !== undefined) usage.parentKeys.add(parentKey);
  }
  if (dict.get("Subtype") !== "Image") waiting.push({ nums: [num], scope });
}

/** Visits what an annotation draws: its appearances and the icons of a button. */
function visitAnnotation(
  pdf: Pdf,
  of: { usage: Usage; annotation: Dict; resources: Resources; form: Resources | undefined },
): void {
  const { usage, annotation, resources, form } = of;
  useLayer(pdf, usage.layers, annotation.get("OC"));
  const text = annotation.get("DA") ?? dictIn(pdf, annotation, "Parent")?.get("DA");
  visitDefaultAppearance(pdf, { usage, value: text, resources: form });
  // Without resources of its own, programs use those of the page or those of the form.
  for (const each of form ? [resources, form] : [resources]) {
    const walk: Walk = { usage, waiting: [] };
    for (const drawing of drawingsOfAnnotation(pdf, annotation, { resources: each, outer: each })) {
      // Some programs put the font of an empty field only there, and others take it from there.
      visitDefaultAppearance(pdf, { usage, value: text, resources: drawing.scope.resources });
      enter(pdf, walk, drawing);
    }
    visitWaiting(pdf, walk);
  }
}

/** Records the fonts in which fields show new text: widgets inherit these from their fields and from the form. */
export function visitFields(
  pdf: Pdf,
  { usage, form, fields }: { usage: Usage; form: Resources | undefined; fields: Iterable<number> },
): void {
  const defaults = dictIn(pdf, catalogOf(pdf), "AcroForm")?.get("DA");
  visitDefaultAppearance(pdf, { usage, value: defaults, resources: form });
  for (const num of fields) {
    const value = dictAt(pdf, refTo(num))?.get("DA");
    visitDefaultAppearance(pdf, { usage, value, resources: form });
  }
}

/** Records the fonts in a default appearance string, such as "/Helv 9 Tf" (ISO 32000-1, 12.7.3.3). */
function visitDefaultAppearance(
  pdf: Pdf,
  { usage, value, resources }: { usage: Usage; value: Value | undefined; resources: Resources | undefined },
): void {
  const text = resolve(pdf, value);
  if (!resources || !isString(text)) return;
  visitNames(pdf, { usage, names: scanContent(stringBytes(text)), resources });
}
