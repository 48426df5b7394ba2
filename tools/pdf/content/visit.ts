import { spend } from "../limits.ts";
import { arrayAt, dictAt, type Pdf, resolve } from "../model/document.ts";
import { pageDict, type PdfPage } from "../model/pages.ts";
import { itemsAt } from "../model/trees.ts";
import {
  isRef,
  isStream,
  unsignedOf,
  type Value,
  type Dict,
  isDict,
  isString,
  refTo,
} from "../syntax/values.ts";
import {
  useLayer,
  NO_RESOURCES,
  pageResources,
  registerResources,
  type Resources,
  resourcesFrom,
  type Usage,
} from "./usage.ts";
import { namesUsed } from "./read.ts";
import { RESOURCE_KINDS, type ResourceKind, type UsedNames, scanContent } from "./scan.ts";
import { stringBytes } from "../syntax/strings.ts";

/** Where names are looked up. */
interface Scope {
  readonly resources: Resources;
  /** The resources of the page, in which poppler and others search for what the resources of a form XObject lack. */
  readonly outer: Resources;
}

/** Streams that are read in sequence. */
interface Content {
  readonly nums: readonly number[];
  readonly scope: Scope;
}

/** The cost of a visit, in bytes read. */
const VISIT = 64;

/** Visits the content of a page, its annotations, and everything that they draw. */
export function visitPage(
  pdf: Pdf,
  { page, usage, form }: { page: PdfPage; usage: Usage; form: Resources | undefined },
): void {
  const dict = pageDict(pdf, page);
  const contents = itemsAt(pdf, dict.get("Contents"));
  const resources = pageResources(pdf, page) ?? NO_RESOURCES;
  const nums = contents.filter(isRef).map(({ num }) => num);
  visitAll(pdf, usage, { nums, scope: { resources, outer: resources } });
  for (const each of arrayAt(pdf, dict.get("Annots")) ?? []) {
    const annotation = dictAt(pdf, isRef(each) ? refTo(each.num) : each);
    if (annotation) visitAnnotation(pdf, { usage, annotation, resources, form });
  }
}

/** Visits a form XObject or appearance, which uses the given resources if it has none. */
function visitForm(
  pdf: Pdf,
  { usage, form, resources }: { usage: Usage; form: Value; resources: Resources },
): void {
  const waiting: Content[] = [];
  enterForm(pdf, { usage, waiting, value: form, scope: { resources, outer: resources } });
  for (const first of waiting) visitAll(pdf, usage, first);
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
  for (const first of walk.waiting) visitAll(pdf, usage, first);
}

interface Walk {
  readonly usage: Usage;
  readonly waiting: Content[];
}

function visitAll(pdf: Pdf, usage: Usage, first: Content): void {
  const walk: Walk = { usage, waiting: [first] };
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
  registerResources(usage, resources);
  // Most pages of a document use the same few fonts: then their content need not be decoded.
  if (resources === outer && isAllUsed(pdf, usage, resources)) return useAll(pdf, { walk, scope });
  const names = namesUsed(pdf, nums, usage.cache);
  if (!names) {
    usage.isIncomplete = true;
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
  const value = dictAt(pdf, resources.dict.get(kind))?.get(name);
  if (value === undefined) {
    if (resources.key === outer.key) return;
    walk.usage.hasUnresolved = true;
    return useName(pdf, { walk, scope: { resources: outer, outer }, kind, name });
  }
  const names = usedNamesOf(walk.usage, resources, kind);
  if (names.has(name) && !walk.usage.hasUnresolved) return;
  names.add(name);
  if (isRef(value)) walk.usage.objects.add(value.num);
  follow(pdf, { walk, scope, kind, value });
}

function usedNamesOf(usage: Usage, resources: Resources, kind: ResourceKind): Set<string> {
  const { names } = registerResources(usage, resources);
  const ofKind = names.get(kind) ?? new Set();
  names.set(kind, ofKind);
  return ofKind;
}

/** Queues the content behind a resource: form XObjects, tiling patterns, glyphs, soft masks. */
function follow(
  pdf: Pdf,
  { walk, scope, kind, value }: ScopedWalk & { kind: ResourceKind; value: Value },
): void {
  if (kind === "XObject" || kind === "Pattern") enterForm(pdf, { ...walk, value, scope });
  if (kind === "Font") enterGlyphs(pdf, { ...walk, value, scope });
  if (kind === "Properties") useLayer(pdf, walk.usage.layers, value);
  if (kind !== "ExtGState") return;
  const mask = dictAt(pdf, dictAt(pdf, value)?.get("SMask"));
  const group = mask?.get("G");
  if (group !== undefined) enterForm(pdf, { ...walk, value: group, scope });
}

interface EnteredStream extends Walk {
  readonly value: Value;
  readonly scope: Scope;
}

function enterForm(pdf: Pdf, { usage, waiting, value, scope }: EnteredStream): void {
  const stream = resolve(pdf, value);
  if (!isStream(stream) || !isRef(value)) return;
  useLayer(pdf, usage.layers, stream.dict.get("OC"));
  for (const key of ["StructParents", "StructParent"]) {
    const parentKey = unsignedOf(stream.dict.get(key));
    if (parentKey !== undefined) usage.parentKeys.add(parentKey);
  }
  if (stream.dict.get("Subtype") === "Image") return;
  const own = resourcesFrom(pdf, { value: stream.dict.get("Resources"), owner: value.num });
  waiting.push({ nums: [value.num], scope: own ? { ...scope, resources: own } : scope });
}

/** The glyphs of a Type 3 font are content (9.6.5). */
function enterGlyphs(pdf: Pdf, { waiting, value, scope }: EnteredStream): void {
  const font = dictAt(pdf, value);
  const glyphs = dictAt(pdf, font?.get("CharProcs"));
  if (!font || !glyphs) return;
  const own = isRef(value)
    ? resourcesFrom(pdf, { value: font.get("Resources"), owner: value.num })
    : undefined;
  for (const glyph of glyphs.values()) {
    if (isRef(glyph)) waiting.push({ nums: [glyph.num], scope: own ? { ...scope, resources: own } : scope });
  }
}

/** Visits what an annotation draws: its appearances and the icons of a button. */
function visitAnnotation(
  pdf: Pdf,
  of: { usage: Usage; annotation: Dict; resources: Resources; form: Resources | undefined },
): void {
  const { usage, annotation, resources, form } = of;
  useLayer(pdf, usage.layers, annotation.get("OC"));
  visitDefaultAppearance(pdf, { usage, value: annotation.get("DA"), resources: form });
  for (const value of [...appearancesOf(pdf, annotation), annotation.get("RO")]) {
    if (value === undefined) continue;
    // Without resources of its own, programs use those of the page or those of the form.
    visitForm(pdf, { usage, form: value, resources });
    if (form) visitForm(pdf, { usage, form: value, resources: form });
  }
}

/** What an annotation shows: its appearances in all of their states, and the icons of a button. */
export function appearancesOf(pdf: Pdf, annotation: Dict): Value[] {
  const states = [...(dictAt(pdf, annotation.get("AP"))?.values() ?? [])].flatMap((each) => {
    const found = resolve(pdf, each);
    return isDict(found) ? [...found.values()] : [each];
  });
  const icons = dictAt(pdf, annotation.get("MK"));
  return [...states, ...["I", "RI", "IX"].flatMap((key) => icons?.get(key) ?? [])];
}

/** Records the fonts in a default appearance string, such as "/Helv 9 Tf" (ISO 32000-1, 12.7.3.3). */
export function visitDefaultAppearance(
  pdf: Pdf,
  { usage, value, resources }: { usage: Usage; value: Value | undefined; resources: Resources | undefined },
): void {
  const text = resolve(pdf, value);
  if (!resources || !isString(text)) return;
  visitNames(pdf, { usage, names: scanContent(stringBytes(text)), resources });
}
