import { arrayAt, change, dictAt, type Pdf, resolve } from "../model/document.ts";
import { type Page, pageDict } from "../model/pages.ts";
import { keyOf, makeTree, type Pair, readTree } from "../model/trees.ts";
import {
  countOf,
  type Dict,
  dictOf,
  isDict,
  isRef,
  numberOf,
  refTo,
  type Value,
  pushAll,
} from "../syntax/values.ts";
import { bind, type Index } from "./binding.ts";

/** Where a kid stands: its element above (0 for the root), and its index there. */
interface Spot {
  readonly parent: number;
  readonly at: number;
}

interface Visit extends Spot {
  readonly kid: Value;
  /** The page of the element around, which marked content without its own is on. */
  readonly page: number;
}

/** The key of kids that are on no page of the document and stay whatever goes. */
const NO_PAGE = 0;

/** Structure elements (ISO 32000-1, 14.7) belong to the pages their content is on. */
export function bindElements(pdf: Pdf, { index, root }: { index: Index; root: Value | undefined }): void {
  if (!isDict(root)) return;
  const binding: Binding = { index, spots: new Map() };
  const waiting = visitsOf(pdf, { dict: root, parent: 0, page: NO_PAGE });
  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const dict = dictAt(pdf, visit.kid);
    if (dict && isElement(dict)) pushAll(waiting, enter(pdf, { ...visit, ...binding, dict }));
    else bindContent(pdf, { ...binding, spot: visit, page: contentPage(pdf, { ...visit, dict }) });
  }
}

interface Binding {
  readonly index: Index;
  /** By the number of an element. */
  readonly spots: Map<number, Spot>;
}

function visitsOf(pdf: Pdf, of: { dict: Dict; parent: number; page: number }): Visit[] {
  const { dict, parent, page } = of;
  return kidsOf(pdf, dict).map((kid, at) => ({ kid, parent, page, at }));
}

function enter(
  pdf: Pdf,
  { kid, parent, at, page, dict, index, spots }: Visit & Binding & { dict: Dict },
): Visit[] {
  if (isRef(kid)) {
    if (spots.has(kid.num)) return [];
    spots.set(kid.num, { parent, at });
    index.bound.add(kid.num);
  }
  const own = dict.get("Pg");
  const on = isRef(own) ? own.num : page;
  return visitsOf(pdf, { dict, parent: isRef(kid) ? kid.num : parent, page: on });
}

/** Notes where content of a page stands, and every element above it. */
function bindContent(pdf: Pdf, { index, spots, spot, page }: Binding & { spot: Spot; page: number }): void {
  if (index.byPage.has(page)) note(index, { page, spot });
  else if (!index.bound.has(page)) note(index, { page: NO_PAGE, spot });
  for (let num = spot.parent; num > 0;) {
    const above = spots.get(num);
    const isNew = bind(pdf, { index, num, page });
    if (!isNew && num !== spot.parent) return;
    if (isNew && above) note(index, { page, spot: above });
    num = above?.parent ?? 0;
  }
}

function note({ elements }: Index, { page, spot: { parent, at } }: { page: number; spot: Spot }): void {
  const kids = elements.get(page) ?? new Map<number, number[]>();
  elements.set(page, kids);
  const places = kids.get(parent);
  if (places) places.push(at);
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
  readonly index: Index;
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

/** The structure of what stays; undefined when nothing does. Costs no more than the elements of these pages. */
export function pruneElements(
  pdf: Pdf,
  { index, root, isAlive, pages, parentTree }: Pruning,
): Dict | undefined {
  const places = placesOn(index, pages);
  const waiting: number[] = [];
  const keep = (num: number, all: readonly Value[]): Value[] => {
    const inOrder = (places.get(num) ?? []).toSorted((a, b) => a - b);
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
    // An element that keeps all its kids is copied as it lies.
    if (kids.length < all.length) change(pdf, { num, value: new Map([...dict, ["K", kids]]) });
  }
  const kept: Dict = new Map([...root, ["K", top]]);
  const keys = [...new Set(pages.flatMap((page) => keysOf(pdf, page)))].sort((a, b) => a - b);
  const pairs = keys.flatMap((key): Pair[] => (parentTree.has(key) ? [[key, parentTree.get(key)!]] : []));
  kept.set("ParentTree", makeTree(pdf, { pairs, kind: "Nums" }));
  if (root.has("IDTree")) kept.set("IDTree", pruneIds(pdf, { root, isAlive }));
  return kept;
}

/** By element, which of its kids are on these pages; one that is on two of them comes twice. */
function placesOn({ elements }: Index, pages: readonly Page[]): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>();
  for (const page of new Set([NO_PAGE, ...pages.map(({ num }) => num)])) {
    for (const [parent, each] of elements.get(page) ?? []) {
      const known = places.get(parent);
      if (known) pushAll(known, each);
      else places.set(parent, [...each]);
    }
  }
  return places;
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
  const holders = [...(arrayAt(pdf, dict.get("Annots")) ?? []), ...drawings].map((each) =>
    dictOf(resolve(pdf, each)),
  );
  return [dict, ...holders]
    .flatMap((holder) => [countOf(holder?.get("StructParents")), countOf(holder?.get("StructParent"))])
    .filter((key) => key !== undefined);
}
