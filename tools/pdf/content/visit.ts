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
  const usage = createUsage(pdf, createContentNames(), all);
  for (const page of all) visitPage(usage, page);
  visitFields(usage, fieldsOf(pdf, catalogOf(pdf)));
  visitOthers(usage);
  pruneResources(usage);
}

/** Visits drawings outside of pages, which may share their resources; an XML form finds fonts by their names. */
function visitOthers(usage: Usage): void {
  const { pdf, form = NO_RESOURCES } = usage;
  const walk: Walk = { usage, waiting: [] };
  const scope: Scope = { resources: form, outer: form };
  for (const drawing of otherDrawings(pdf, scope)) enter(walk, drawing);
  if (dictIn(pdf, catalogOf(pdf), "AcroForm")?.has("XFA")) useAll(walk, scope);
  visitWaiting(walk);
}

/** Visits the content of a page, its annotations, and everything that they draw. */
export function visitPage(usage: Usage, page: PdfPage): void {
  const { pdf } = usage;
  const dict = pageDict(pdf, page);
  const contents = itemsAt(pdf, dict.get("Contents"));
  const resources = pageResources(pdf, page) ?? NO_RESOURCES;
  const nums = contents.filter(isRef).map(({ num }) => num);
  visitWaiting({ usage, waiting: [{ nums, scope: { resources, outer: resources } }] });
  for (const each of arrayAt(pdf, dict.get("Annots")) ?? []) {
    const annotation = dictAt(pdf, isRef(each) ? refTo(each.num) : each);
    if (annotation) visitAnnotation(usage, annotation, resources);
  }
}

/** Records names that were looked up outside of content; if they are unknown, all resources count as used. */
function visitNames(usage: Usage, names: UsedNames | undefined, resources: Resources): void {
  const walk: Walk = { usage, waiting: [] };
  const scope: Scope = { resources, outer: resources };
  if (names) useNames(walk, scope, names);
  else useAll(walk, scope);
  visitWaiting(walk);
}

interface Walk {
  readonly usage: Usage;
  readonly waiting: Content[];
}

function visitWaiting(walk: Walk): void {
  for (let content = walk.waiting.pop(); content; content = walk.waiting.pop()) visit(walk, content);
}

function visit(walk: Walk, { nums, scope }: Content): void {
  const { usage } = walk;
  const { pdf } = usage;
  const { resources, outer } = scope;
  // Content that all pages share is visited again only if some of it depends on the page.
  const id = `${nums.join(" ")} / ${resources.key} / ${usage.hasUnresolved ? outer.key : ""}`;
  if (usage.visited.has(id)) return;
  usage.visited.add(id);
  spend(pdf.budget.read, VISIT);
  registerResources(usage, resources);
  // Most pages of a document use the same few fonts: then their content need not be decoded.
  if (resources === outer && isAllUsed(usage, resources)) return useAll(walk, scope);
  const names = namesUsed(pdf, nums, usage.cache);
  if (!names) {
    usage.isIncomplete = true;
    // It may name what its own resources lack and those of a page have.
    if (resources !== outer) usage.hasUnresolved = true;
    return useAll(walk, scope);
  }
  for (const each of names) useNames(walk, scope, each);
}

/** Larger resource dictionaries are not compared for each content. */
const MAX_LOOKED_THROUGH = 64;

/** Whether everything in a resource dictionary is kept anyway. */
function isAllUsed(usage: Usage, resources: Resources): boolean {
  const used = usage.used.get(resources.key)?.names;
  return RESOURCE_KINDS.every((kind) => {
    const entries = dictAt(usage.pdf, resources.dict.get(kind));
    if (!entries || entries.size === used?.get(kind)?.size) return true;
    if (entries.size > MAX_LOOKED_THROUGH) return false;
    return [...entries.values()].every((value) => isRef(value) && usage.objects.has(value.num));
  });
}

function useNames(walk: Walk, scope: Scope, names: UsedNames): void {
  for (const [kind, each] of names) for (const name of each) useName(walk, scope, { kind, name });
}

function useAll(walk: Walk, scope: Scope): void {
  const { resources, outer } = scope;
  const { pdf, visited, hasUnresolved } = walk.usage;
  // A page may have thousands of drawings without resources of their own.
  const id = `all / ${resources.key} / ${hasUnresolved || resources !== outer ? outer.key : ""}`;
  if (visited.has(id)) return;
  visited.add(id);
  for (const each of new Set([resources, outer])) {
    for (const kind of RESOURCE_KINDS) {
      const names = dictAt(pdf, each.dict.get(kind))?.keys() ?? [];
      for (const name of names) useName(walk, { resources: each, outer }, { kind, name });
    }
  }
}

function useName(walk: Walk, scope: Scope, { kind, name }: { kind: ResourceKind; name: string }): void {
  const { usage } = walk;
  const { pdf } = usage;
  const { resources, outer } = scope;
  const own = dictIn(pdf, resources.dict, kind)?.get(name);
  // Also where the page has the same resources: the next page may have others.
  if (own === undefined && resources !== outer && isOutside(usage, kind, name)) usage.hasUnresolved = true;
  // What is drawn from there looks up its names here first.
  const holder = own === undefined ? outer : resources;
  const value = own ?? dictIn(pdf, holder.dict, kind)?.get(name);
  if (value === undefined) return;
  const names = usedNamesOf(usage, holder, kind);
  if (names.has(name) && !usage.hasUnresolved) return;
  names.add(name);
  if (isRef(value)) usage.objects.add(value.num);
  if (kind === "Properties") useLayer(usage, value);
  const num = kind === "Font" && isRef(value) ? value.num : undefined;
  if (num !== undefined && isSettled(usage, num, scope)) return;
  const drawings = drawingsOf(pdf, { kind, name, holder, scope });
  if (num !== undefined) settle(usage, scope, { num, glyphs: drawings });
  for (const drawing of drawings) enter(walk, drawing);
}

/** Records a font that every page draws alike, so that one of hundreds of glyphs is not visited for each page. */
function settle(
  usage: Usage,
  scope: Scope,
  { num, glyphs }: { num: number; glyphs: readonly Drawing[] },
): void {
  const found = new Map<ResourceKind, Set<string>>();
  for (const glyph of glyphs) {
    if (glyph.scope.resources !== scope.resources) continue;
    const used = namesUsed(usage.pdf, [glyph.num], usage.cache);
    if (!used?.every((each) => !isNamedOutside(usage, each))) return;
    for (const [kind, names] of used.flatMap((each) => [...each])) {
      const all = found.get(kind) ?? new Set();
      found.set(kind, all);
      for (const name of names) all.add(name);
    }
  }
  usage.settled.set(num, found);
}

/** Whether everything that a font draws with these resources was visited. */
function isSettled(usage: Usage, num: number, { resources, outer }: Scope): boolean {
  const { pdf } = usage;
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
function isNamedOutside(usage: Usage, used: UsedNames): boolean {
  return [...used].some(([kind, names]) => [...names].some((name) => isOutside(usage, kind, name)));
}

function usedNamesOf(usage: Usage, resources: Resources, kind: ResourceKind): Set<string> {
  const { names } = registerResources(usage, resources);
  const ofKind = names.get(kind) ?? new Set();
  names.set(kind, ofKind);
  return ofKind;
}

/** Queues the content of a drawing. */
function enter({ usage, waiting }: Walk, { num, stream: { dict }, scope }: Drawing): void {
  useLayer(usage, dict.get("OC"));
  for (const key of ["StructParents", "StructParent"]) {
    const parentKey = unsignedOf(dict.get(key));
    if (parentKey !== undefined) usage.parentKeys.add(parentKey);
  }
  if (dict.get("Subtype") !== "Image") waiting.push({ nums: [num], scope });
}

/** Visits what an annotation draws: its appearances and the icons of a button. */
function visitAnnotation(usage: Usage, annotation: Dict, resources: Resources): void {
  const { pdf, form } = usage;
  useLayer(usage, annotation.get("OC"));
  const text = annotation.get("DA") ?? dictIn(pdf, annotation, "Parent")?.get("DA");
  visitDefaultAppearance(usage, text, form);
  // Without resources of its own, programs use those of the page or those of the form.
  for (const each of form ? [resources, form] : [resources]) {
    const walk: Walk = { usage, waiting: [] };
    for (const drawing of drawingsOfAnnotation(pdf, annotation, { resources: each, outer: each })) {
      // Some programs put the font of an empty field only there, and others take it from there.
      visitDefaultAppearance(usage, text, drawing.scope.resources);
      enter(walk, drawing);
    }
    visitWaiting(walk);
  }
}

/** Records the fonts in which fields show new text: widgets inherit these from their fields and from the form. */
export function visitFields(usage: Usage, fields: Iterable<number>): void {
  const { pdf, form } = usage;
  visitDefaultAppearance(usage, dictIn(pdf, catalogOf(pdf), "AcroForm")?.get("DA"), form);
  for (const num of fields) visitDefaultAppearance(usage, dictAt(pdf, refTo(num))?.get("DA"), form);
}

/** Records the fonts in a default appearance string, such as "/Helv 9 Tf" (ISO 32000-1, 12.7.3.3). */
function visitDefaultAppearance(
  usage: Usage,
  value: Value | undefined,
  resources: Resources | undefined,
): void {
  const text = resolve(usage.pdf, value);
  if (resources && isString(text)) visitNames(usage, scanContent(stringBytes(text)), resources);
}
