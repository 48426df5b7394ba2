import {
  addObject,
  arrayAt,
  catalogOf,
  dictAt,
  makeIndirect,
  type Pdf,
  replaceObject,
} from "../model/document.ts";
import { changeCatalog } from "../model/pages.ts";
import { type Dict, isDict, isRef, pushAll, type Value } from "../syntax/values.ts";
import { assignToPage, disownPage, type PageObjects } from "../prune/page-objects.ts";

/** The position of a kid: the number of its parent element (0 for the root), and its index in /K. */
interface KidPosition {
  readonly parent: number;
  readonly index: number;
}

interface Visit extends KidPosition {
  readonly kid: Value;
  /** The page of the parent element; content that names no page is on that one. */
  readonly page: number;
}

/** Stands for kids that are on no page of the document. They always stay. */
export const NO_PAGE = 0;

interface Collecting {
  readonly objects: PageObjects;
  /** By the number of an element. */
  readonly positions: Map<number, KidPosition>;
}

/** Assigns structure elements (ISO 32000-1, 14.7) to the pages that their content is on. */
export function collectStructElements(pdf: Pdf, objects: PageObjects): void {
  const root = structTreeRoot(pdf);
  if (!root) return;
  const collecting: Collecting = { objects, positions: new Map() };
  const waiting = visitKids(pdf, { num: root.num, parent: 0, page: NO_PAGE });
  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const dict = dictAt(pdf, visit.kid);
    if (dict && isElement(dict)) pushAll(waiting, enterElement(pdf, { ...visit, ...collecting, dict }));
    else assignContent(pdf, { ...collecting, position: visit, page: contentPage(pdf, { ...visit, dict }) });
  }
}

/** The root as an indirect object, as its elements refer to it. */
function structTreeRoot(pdf: Pdf): { num: number } | undefined {
  const value = catalogOf(pdf)?.get("StructTreeRoot");
  const root = dictAt(pdf, value);
  if (!root || isRef(value)) return root && isRef(value) ? value : undefined;
  const ref = addObject(pdf, root);
  changeCatalog(pdf, { StructTreeRoot: ref });
  return ref;
}

/** The kids of the object `num`. Elements written directly into /K become indirect, so that they can be left out. */
function visitKids(pdf: Pdf, { num, parent, page }: { num: number; parent: number; page: number }): Visit[] {
  const dict = dictAt(pdf, { kind: "ref", num, gen: 0 });
  if (!dict) return [];
  const kids = kidsOf(pdf, dict);
  const refs = makeIndirect(pdf, kids, (kid) => isDict(kid) && isElement(kid));
  if (refs !== kids) replaceObject(pdf, { num, value: new Map([...dict, ["K", refs]]) });
  return refs.map((kid, index) => ({ kid, parent, page, index }));
}

function enterElement(
  pdf: Pdf,
  { kid, parent, index, page, dict, objects, positions }: Visit & Collecting & { dict: Dict },
): Visit[] {
  if (!isRef(kid) || positions.has(kid.num)) return [];
  positions.set(kid.num, { parent, index });
  objects.owned.add(kid.num);
  const own = dict.get("Pg");
  if (isRef(own)) disownPage(pdf, { objects, num: own.num });
  return visitKids(pdf, { num: kid.num, parent: kid.num, page: isRef(own) ? own.num : page });
}

/** Assigns content, and every element above it, to the page that it is on. */
function assignContent(
  pdf: Pdf,
  { objects, positions, position, page }: Collecting & { position: KidPosition; page: number },
): void {
  disownPage(pdf, { objects, num: page });
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

interface Noting {
  readonly page: number;
  readonly position: KidPosition;
}

function noteKid({ elements }: PageObjects, { page, position: { parent, index } }: Noting): void {
  const kids = elements.get(page) ?? new Map<number, number[]>();
  elements.set(page, kids);
  const indexes = kids.get(parent);
  if (indexes) indexes.push(index);
  else kids.set(parent, [index]);
}

/** /K is one kid or a list of them. */
export function kidsOf(pdf: Pdf, dict: Dict): Value[] {
  const kids = dict.get("K");
  const found = arrayAt(pdf, kids);
  if (found) return found;
  return kids === undefined ? [] : [kids];
}

export function isElement(dict: Dict): boolean {
  const type = dict.get("Type");
  return type === "StructElem" || (type !== "MCR" && type !== "OBJR" && dict.has("S"));
}

function contentPage(pdf: Pdf, { dict, page }: { dict: Dict | undefined; page: number }): number {
  const own = dict?.get("Pg");
  if (isRef(own)) return own.num;
  const object = dictAt(pdf, dict?.get("Obj"))?.get("P");
  return isRef(object) ? object.num : page;
}
