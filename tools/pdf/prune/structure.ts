import { arrayAt, change, dictAt, type Pdf, resolve } from "../document.ts";
import { type Page, pageDict } from "../pages.ts";
import { keyOf, makeTree, type Pair, readTree } from "../trees.ts";
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
} from "../values.ts";
import { bindUp, type Index } from "./binding.ts";

interface Visit {
  readonly kid: Value;
  readonly parent: number;
  /** The page of the element around, which marked content without its own is on. */
  readonly page: number;
}

/** Structure elements (ISO 32000-1, 14.7) belong to the pages their content is on. */
export function bindElements(pdf: Pdf, { index, root }: { index: Index; root: Value | undefined }): void {
  if (!isDict(root)) return;
  const parents = new Map<number, number>();
  const waiting: Visit[] = kidsOf(pdf, root).map((kid) => ({ kid, parent: 0, page: 0 }));
  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const { kid, parent } = visit;
    const dict = dictAt(pdf, kid);
    if (dict && isElement(dict)) pushAll(waiting, enter(pdf, { ...visit, dict, index, parents }));
    else if (parent > 0)
      bindUp(pdf, { index, num: parent, page: contentPage(pdf, { ...visit, dict }), parents });
  }
}

interface Entering extends Visit {
  readonly dict: Dict;
  readonly index: Index;
  readonly parents: Map<number, number>;
}

function enter(pdf: Pdf, { kid, parent, page, dict, index, parents }: Entering): Visit[] {
  if (isRef(kid)) {
    if (parents.has(kid.num)) return [];
    parents.set(kid.num, parent);
    index.bound.add(kid.num);
  }
  const own = dict.get("Pg");
  const on = isRef(own) ? own.num : page;
  const above = isRef(kid) ? kid.num : parent;
  return kidsOf(pdf, dict).map((each) => ({ kid: each, parent: above, page: on }));
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

/** The structure of what stays; undefined when nothing does. */
export function pruneElements(pdf: Pdf, { root, isAlive, pages, parentTree }: Pruning): Dict | undefined {
  const waiting: number[] = [];
  const seen = new Set<number>();
  const keep = (dict: Dict, on: number): Value[] =>
    kidsOf(pdf, dict).filter((kid) => {
      if (isRef(kid) && (seen.has(kid.num) || !isAlive(kid.num))) return false;
      const below = dictAt(pdf, kid);
      if (!below || !isElement(below)) return isAlive(contentPage(pdf, { dict: below, page: on }));
      if (!isRef(kid)) return false;
      seen.add(kid.num);
      waiting.push(kid.num);
      return true;
    });
  const top = keep(root, 0);
  if (top.length === 0) return undefined;
  const pageOf = new Map<number, number>();
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const dict: Dict = dictAt(pdf, refTo(num)) ?? new Map();
    const own = dict.get("Pg");
    const on = isRef(own) ? own.num : (pageOf.get(num) ?? 0);
    const before = waiting.length;
    const kids = keep(dict, on);
    for (const each of waiting.slice(before)) pageOf.set(each, on);
    // An element that keeps all its kids is copied as it lies.
    const isWhole = kids.length === kidsOf(pdf, dict).length;
    if (!isWhole) change(pdf, { num, value: new Map([...dict, ["K", kids]]) });
  }
  const kept: Dict = new Map([...root, ["K", top]]);
  const keys = [...new Set(pages.flatMap((page) => keysOf(pdf, page)))].sort((a, b) => a - b);
  const pairs = keys.flatMap((key): Pair[] => (parentTree.has(key) ? [[key, parentTree.get(key)!]] : []));
  kept.set("ParentTree", makeTree(pdf, { pairs, kind: "Nums" }));
  if (root.has("IDTree")) kept.set("IDTree", pruneIds(pdf, { root, isAlive }));
  return kept;
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
