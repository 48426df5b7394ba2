import { spend } from "../limits.ts";
import { arrayAt, dictAt, type Pdf, replaceObject, resolve } from "../model/document.ts";
import { type PdfPage, pageDict } from "../model/pages.ts";
import { itemsAt, keyOf, makeTree, type Pair, readTree } from "../model/trees.ts";
import {
  keepOnly,
  setEntries,
  without,
  type IsKept,
  type Dict,
  isRef,
  numberOf,
  refTo,
  unsignedOf,
  type Value,
} from "../syntax/values.ts";
import type { PageObjects, StructElement } from "../prune/page-objects.ts";
import { type ChangeId, changeClasses, changeHeaders, NO_PAGE, WHOLE_TEXTS } from "./elements.ts";

/** The cost of examining a namespace for each part of a document, in bytes read. */
const LOOK = 64;

interface StructSelection {
  readonly objects: PageObjects;
  readonly root: Dict;
  readonly isKept: IsKept;
  /** On how many of the pages an object is. */
  readonly keptCounts: ReadonlyMap<number, number>;
  readonly pages: readonly PdfPage[];
  /** The keys under which pages, annotations and drawings find their elements in /ParentTree. */
  readonly parentKeys: ReadonlySet<number>;
  /** The /ParentTree of the whole document, by key. */
  readonly parentTree: ReadonlyMap<number, Value>;
}

/** Entries of a structure tree's root (table 322 and ISO 32000-2, table 354). */
const ROOT_KEYS = [
  "Type",
  "ParentTreeNextKey",
  "RoleMap",
  "ClassMap",
  "Namespaces",
  "PronunciationLexicon",
  "AF",
];

export function readParentTree(pdf: Pdf, root: Dict | undefined): Map<number, Value> {
  const pairs = readTree(pdf, root?.get("ParentTree"), "Nums");
  return new Map(pairs.map(([key, value]) => [numberOf(key) ?? -1, value]));
}

/** The structure of these pages; undefined if there is none. The cost depends only on the elements of these pages. */
export function pruneStructTree(pdf: Pdf, structSelection: StructSelection): Dict | undefined {
  const { root, isKept, parentKeys, parentTree } = structSelection;
  const used: TagUse = { roles: new Set(), classes: new Set() };
  const changeId = keepIds(pdf, structSelection);
  const top = pruneElements(pdf, { ...structSelection, used, changeId });
  if (top.length === 0) return undefined;
  const kept = keepOnly(root, ROOT_KEYS);
  const keys = [...parentKeys].sort((a, b) => a - b);
  const pairs = keys
    .filter((key) => parentTree.has(key))
    .map((key): Pair => [key, parentTree.get(key) ?? null]);
  setEntries(kept, {
    K: top,
    ParentTree: makeTree(pdf, pairs, "Nums"),
    IDTree: root.has("IDTree") ? pruneIds(pdf, root, isKept) : undefined,
    Namespaces: pruneNamespaces(pdf, root.get("Namespaces"), used.roles),
    RoleMap: keepRoles(pdf, root.get("RoleMap"), used.roles),
    ClassMap: keepClasses(pdf, { map: root.get("ClassMap"), classes: used.classes, changeId }),
  });
  return kept;
}

/** The types and classes of the elements that stay. */
interface TagUse {
  readonly roles: Set<string>;
  readonly classes: Set<string>;
}

/** Leaves out elements and kids of other pages; returns the kids of the root that stay. */
function pruneElements(
  pdf: Pdf,
  of: StructSelection & { used: TagUse; changeId: ChangeId | undefined },
): Value[] {
  const { objects, root, isKept, keptCounts, pages, used, changeId } = of;
  const indexes = kidsOnPages(objects, pages);
  const keep = (num: number, all: readonly Value[]): Value[] =>
    [...(indexes.get(num) ?? [])]
      .sort((a, b) => a - b)
      .map((index) => all[index])
      .filter((kid) => kid !== undefined)
      .filter((kid) => !isRef(kid) || isKept(kid.num));
  for (const [num, own] of indexes) {
    const element = objects.structElements.get(num);
    if (!element || !isKept(num)) continue;
    noteUse(pdf, element, used);
    const isPart = (objects.pageCounts.get(num) ?? 0) > (keptCounts.get(num) ?? 0);
    const isAll = !element.hasObjectKids && own.size === element.kidCount;
    const namesOthers = element.hasAttributes && changeId !== undefined;
    // An element that keeps all its kids need not be rewritten, nor read again.
    if (!isPart && !namesOthers && !element.hasRefs && isAll) continue;
    const dict: Dict = dictAt(pdf, refTo(num)) ?? new Map();
    const kids = keep(num, itemsAt(pdf, dict.get("K")));
    const headed = namesOthers ? changeHeaders(pdf, dict, changeId) : dict;
    const named = element.hasRefs ? keepRefs(pdf, { element: headed, objects, isKept }) : headed;
    if (!isPart && named === dict && kids.length === element.kidCount) continue;
    // They stand for what is on dropped pages too.
    const rest = isPart ? without(named, WHOLE_TEXTS) : named;
    replaceObject(pdf, num, new Map([...rest, ["K", kids]]));
  }
  return keep(0, itemsAt(pdf, root.get("K")));
}

function noteUse(pdf: Pdf, element: StructElement, used: TagUse): void {
  if (typeof element.type === "string") used.roles.add(element.type);
  const classes = resolve(pdf, element.classes);
  for (const name of Array.isArray(classes) ? classes : [classes]) {
    if (typeof name === "string") used.classes.add(name);
  }
}

/** The entries for types that are used, and for those they stand for in turn. */
function keepRoles(pdf: Pdf, map: Value | undefined, roles: ReadonlySet<string>): Dict | undefined {
  const all = dictAt(pdf, map);
  if (!all) return undefined;
  const kept: Dict = new Map();
  for (const first of roles) {
    for (let role: Value | undefined = first; typeof role === "string" && !kept.has(role);) {
      const next = all.get(role);
      if (next === undefined) break;
      kept.set(role, next);
      role = resolve(pdf, next);
    }
  }
  return kept.size > 0 ? kept : undefined;
}

function keepClasses(
  pdf: Pdf,
  options: { map: Value | undefined; classes: ReadonlySet<string>; changeId: ChangeId | undefined },
): Dict | undefined {
  const { map, classes, changeId } = options;
  const kept = keepOnly(dictAt(pdf, map) ?? new Map(), [...classes]);
  if (kept.size === 0) return undefined;
  return changeId ? changeClasses(pdf, kept, changeId) : kept;
}

/** By element, the indexes of its kids that are on these pages. */
function kidsOnPages({ elements }: PageObjects, pages: readonly PdfPage[]): Map<number, Set<number>> {
  const indexes = new Map<number, Set<number>>();
  for (const page of new Set([NO_PAGE, ...pages.map(({ num }) => num)])) {
    for (const [parent, each] of elements.get(page) ?? []) {
      const known = indexes.get(parent);
      if (known) for (const index of each) known.add(index);
      else indexes.set(parent, new Set(each));
    }
  }
  return indexes;
}

/** Keeps the identifiers of elements that stay; undefined in a document without identifiers. */
function keepIds(pdf: Pdf, { objects: { elementIds }, isKept }: StructSelection): ChangeId | undefined {
  if (elementIds.size === 0) return undefined;
  return (id) => (elementIds.get(keyOf(resolve(pdf, id)) ?? "")?.some(isKept) ? id : undefined);
}

function pruneIds(pdf: Pdf, root: Dict, isKept: IsKept): Value {
  const all = readTree(pdf, root.get("IDTree"), "Names");
  const pairs = all.filter(([key, value]) => keyOf(key) !== undefined && isRef(value) && isKept(value.num));
  return makeTree(pdf, pairs, "Names");
}

/** The keys under which a page and its annotations find their elements. */
export function parentKeysOf(pdf: Pdf, page: PdfPage): number[] {
  const dict = pageDict(pdf, page);
  const annotations = (arrayAt(pdf, dict.get("Annots")) ?? []).map((each) => dictAt(pdf, each));
  return [dict, ...annotations].flatMap(parentKeysIn);
}

/** The keys that an object itself names, if any. */
function parentKeysIn(dict: Dict | undefined): number[] {
  const keys = [unsignedOf(dict?.get("StructParents")), unsignedOf(dict?.get("StructParent"))];
  return keys.filter((key) => key !== undefined);
}

/**
 * A structure element that refers only to remaining elements (ISO 32000-2, table 355, /Ref); the same one if nothing
 * changes. References to anything outside of the tree are removed too, because it is unknown which page that belongs
 * to.
 */
function keepRefs(
  pdf: Pdf,
  options: { element: Dict; objects: Pick<PageObjects, "structElements">; isKept: IsKept },
): Dict {
  const { element, objects, isKept } = options;
  const value = element.get("Ref");
  if (value === undefined) return element;
  const all = itemsAt(pdf, value);
  const kept = all.filter((each) => isRef(each) && objects.structElements.has(each.num) && isKept(each.num));
  if (kept.length === all.length) return element;
  return kept.length > 0 ? new Map<string, Value>([...element, ["Ref", kept]]) : without(element, ["Ref"]);
}

/**
 * The namespaces of a structure (ISO 32000-2, 14.7.4), in whose role maps only the types stay that elements have, and
 * those that they stand for in turn, in whichever namespace, which are added to `roles`.
 */
function pruneNamespaces(pdf: Pdf, list: Value | undefined, roles: Set<string>): Value[] | undefined {
  const spaces = arrayAt(pdf, list)?.map((space) => {
    const kept: Dict = new Map();
    return { space, map: dictAt(pdf, dictAt(pdf, space)?.get("RoleMapNS")), kept };
  });
  if (!spaces) return undefined;
  spend(pdf.budget.read, LOOK * spaces.length);
  // A set gives what is added to it while it is walked.
  for (const role of roles) {
    spend(pdf.budget.read, spaces.length);
    for (const { map, kept } of spaces) {
      const target = map?.get(role);
      if (target === undefined) continue;
      kept.set(role, target);
      const name = typeof target === "string" ? target : resolve(pdf, arrayAt(pdf, target)?.[0]);
      if (typeof name === "string") roles.add(name);
    }
  }
  return spaces.map((each) => withRoles(pdf, each));
}

/** Elements refer to their namespace, so it stays the same object. */
function withRoles(
  pdf: Pdf,
  { space, map, kept }: { space: Value; map: Dict | undefined; kept: Dict },
): Value {
  const dict = dictAt(pdf, space);
  if (!dict || !map || map.size === kept.size) return space;
  const changed: Dict = new Map([...dict, ["RoleMapNS", kept]]);
  if (!isRef(space)) return changed;
  replaceObject(pdf, space.num, changed);
  return space;
}
