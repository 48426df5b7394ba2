import { arrayAt, replaceObject, dictAt, type Pdf, resolve } from "../model/document.ts";
import { type Page, pageDict } from "../model/pages.ts";
import { keyOf, makeTree, type Pair, readTree } from "../model/trees.ts";
import {
  unsignedOf,
  type Dict,
  dictOf,
  isDict,
  isRef,
  numberOf,
  refTo,
  type Value,
  pushAll,
} from "../syntax/values.ts";
import { assignToPage, type PageObjects } from "./page-objects.ts";

/** The position of a kid: the number of its parent element (0 for the root), and its index in /K. */
interface KidPosition {
  readonly parent: number;
  readonly at: number;
}

interface Visit extends KidPosition {
  readonly kid: Value;
  /** The page of the parent element; content that names no page is on that one. */
  readonly page: number;
}

/** Stands for kids that are on no page of the document. They always stay. */
const NO_PAGE = 0;

/** Structure elements (ISO 32000-1, 14.7) belong to the pages their content is on. */
export function collectStructElements(
  pdf: Pdf,
  { objects, root }: { objects: PageObjects; root: Value | undefined },
): void {
  if (!isDict(root)) return;
  const collecting: Collecting = { objects, positions: new Map() };
  const waiting = visitsOf(pdf, { dict: root, parent: 0, page: NO_PAGE });
  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const dict = dictAt(pdf, visit.kid);
    if (dict && isElement(dict)) pushAll(waiting, enterElement(pdf, { ...visit, ...collecting, dict }));
    else assignContent(pdf, { ...collecting, position: visit, page: contentPage(pdf, { ...visit, dict }) });
  }
}

interface Collecting {
  readonly objects: PageObjects;
  /** By the number of an element. */
  readonly positions: Map<number, KidPosition>;
}

function visitsOf(pdf: Pdf, of: { dict: Dict; parent: number; page: number }): Visit[] {
  const { dict, parent, page } = of;
  return kidsOf(pdf, dict).map((kid, at) => ({ kid, parent, page, at }));
}

function enterElement(
  pdf: Pdf,
  { kid, parent, at, page, dict, objects, positions }: Visit & Collecting & { dict: Dict },
): Visit[] {
  if (isRef(kid)) {
    if (positions.has(kid.num)) return [];
    positions.set(kid.num, { parent, at });
    objects.owned.add(kid.num);
  }
  const own = dict.get("Pg");
  const on = isRef(own) ? own.num : page;
  return visitsOf(pdf, { dict, parent: isRef(kid) ? kid.num : parent, page: on });
}

/** Assigns content, and every element above it, to the page that it is on. */
function assignContent(
  pdf: Pdf,
  { objects, positions, position, page }: Collecting & { position: KidPosition; page: number },
): void {
  if (objects.byPage.has(page)) noteKid(objects, { page, position });
  else if (!objects.owned.has(page)) noteKid(objects, { page: NO_PAGE, position });
  for (let num = position.parent; num > 0;) {
    const above = positions.get(num);
    const isNew = assignToPage(pdf, { objects, num, page });
    if (!isNew && num !== position.parent) return;
    if (isNew && above) noteKid(objects, { page, position: above });
    num = above?.parent ?? 0;
  }
}

function noteKid(
  { elements }: PageObjects,
  { page, position: { parent, at } }: { page: number; position: KidPosition },
): void {
  const kids = elements.get(page) ?? new Map<number, number[]>();
  elements.set(page, kids);
  const indexes = kids.get(parent);
  if (indexes) indexes.push(at);
  else kids.set(parent, [at]);
}

function kidsOf(pdf: Pdf, dict: Dict): Value[] {
  const kids = dict.get("K");
  const found = resolve(pdf, kids);
  if (Array.isArray(found)) return found;
  return kids === undefined ? [] : [kids];
}

function isElement(dict: Dict): boolean {
  const type = dict.get("Type");
  return type === "StructElem" || (type !== "MCR" && type !== "OBJR" && dict.has("S"));
}

function contentPage(pdf: Pdf, { dict, page }: { dict: Dict | undefined; page: number }): number {
  const own = dict?.get("Pg");
  if (isRef(own)) return own.num;
  const object = dictAt(pdf, dict?.get("Obj"))?.get("P");
  return isRef(object) ? object.num : page;
}

interface Pruning {
  readonly objects: PageObjects;
  readonly root: Dict;
  readonly isAlive: (num: number) => boolean;
  readonly pages: readonly Page[];
  /** The /ParentTree of the whole document, by key. */
  readonly parentTree: ReadonlyMap<number, Value>;
}

export function readParentTree(pdf: Pdf, root: Dict | undefined): Map<number, Value> {
  const pairs = readTree(pdf, { root: root?.get("ParentTree"), kind: "Nums" });
  return new Map(pairs.map(([key, value]) => [numberOf(key) ?? -1, value]));
}

/** The structure of what stays; undefined when nothing does. The cost grows with the elements of these pages only. */
export function pruneElements(
  pdf: Pdf,
  { objects, root, isAlive, pages, parentTree }: Pruning,
): Dict | undefined {
  const indexes = kidsOnPages(objects, pages);
  const waiting: number[] = [];
  const keep = (num: number, all: readonly Value[]): Value[] => {
    const inOrder = (indexes.get(num) ?? []).toSorted((a, b) => a - b);
    const once = inOrder.filter((at, i) => at !== inOrder[i - 1]);
    const kids = once.map((at) => all[at]!).filter((kid) => !isRef(kid) || isAlive(kid.num));
    for (const kid of kids) {
      const below = isRef(kid) ? dictAt(pdf, kid) : undefined;
      if (isRef(kid) && below && isElement(below)) waiting.push(kid.num);
    }
    return kids;
  };
  const top = keep(0, kidsOf(pdf, root));
  if (top.length === 0) return undefined;
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const dict: Dict = dictAt(pdf, refTo(num)) ?? new Map();
    const all = kidsOf(pdf, dict);
    const kids = keep(num, all);
    // An element that keeps all its kids need not be rewritten.
    if (kids.length < all.length) replaceObject(pdf, { num, value: new Map([...dict, ["K", kids]]) });
  }
  const kept: Dict = new Map([...root, ["K", top]]);
  const keys = [...new Set(pages.flatMap((page) => keysOf(pdf, page)))].sort((a, b) => a - b);
  const pairs = keys.flatMap((key): Pair[] => (parentTree.has(key) ? [[key, parentTree.get(key)!]] : []));
  kept.set("ParentTree", makeTree(pdf, { pairs, kind: "Nums" }));
  if (root.has("IDTree")) kept.set("IDTree", pruneIds(pdf, { root, isAlive }));
  return kept;
}

/** By element, which of its kids are on these pages; one that is on two of them comes twice. */
function kidsOnPages(
  { elements }: PageObjects,
  pages: readonly Page[],
): ReadonlyMap<number, readonly number[]> {
  const indexes = new Map<number, number[]>();
  for (const page of new Set([NO_PAGE, ...pages.map(({ num }) => num)])) {
    for (const [parent, each] of elements.get(page) ?? []) {
      const known = indexes.get(parent);
      if (known) pushAll(known, each);
      else indexes.set(parent, [...each]);
    }
  }
  return indexes;
}

function pruneIds(pdf: Pdf, { root, isAlive }: { root: Dict; isAlive: (num: number) => boolean }): Value {
  const all = readTree(pdf, { root: root.get("IDTree"), kind: "Names" });
  const pairs = all.filter(([key, value]) => keyOf(key) !== undefined && isRef(value) && isAlive(value.num));
  return makeTree(pdf, { pairs, kind: "Names" });
}

/** The keys under which a page, its annotations and its drawings find their elements. */
function keysOf(pdf: Pdf, page: Page): number[] {
  const dict = pageDict(pdf, page);
  const resources = dictAt(pdf, dict.get("Resources") ?? page.inherited.get("Resources"));
  const drawings = dictAt(pdf, resources?.get("XObject"))?.values() ?? [];
  const dicts = [...(arrayAt(pdf, dict.get("Annots")) ?? []), ...drawings].map((each) =>
    dictOf(resolve(pdf, each)),
  );
  return [dict, ...dicts]
    .flatMap((each) => [unsignedOf(each?.get("StructParents")), unsignedOf(each?.get("StructParent"))])
    .filter((key) => key !== undefined);
}
