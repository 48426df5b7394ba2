import { arrayAt, dictAt, makeIndirect, type Pdf, replaceObject, resolve } from "../model/document.ts";
import { catalogEntry } from "../model/catalog.ts";
import { itemsAt, keyOf } from "../model/trees.ts";
import { type Dict, isDict, isRef, pushAll, pushTo, refTo, type Value, without } from "../syntax/values.ts";
import { disownPage, type KidPosition, type PageObjects } from "../prune/page-objects.ts";
import { assignElement, assignEmpty, noteKid } from "./assign.ts";

interface Visit extends KidPosition {
  readonly kid: Value;
  /** The page of the parent element; content that names no page is on that one. */
  readonly page: number;
}

/** Stands for kids that are on no page of the document. They always stay. */
export const NO_PAGE = 0;

/** Assigns structure elements (ISO 32000-1, 14.7) to the pages that their content is on. */
export function collectStructElements(objects: PageObjects): void {
  const { pdf } = objects;
  // Elements refer to it.
  const root = catalogEntry(pdf, "StructTreeRoot");
  if (!root) return;
  const empty = new Set<number>();
  const waiting = visitKids(pdf, { num: root.num, parent: 0, page: NO_PAGE });
  for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
    const dict = dictAt(pdf, visit.kid);
    if (!dict || !isElement(dict)) assignContent(objects, visit, contentPage(pdf, dict) ?? visit.page);
    else pushAll(waiting, enterElement(objects, { visit, dict, empty }));
  }
  assignEmpty(objects, empty);
}

function visitKids(pdf: Pdf, { num, parent, page }: { num: number; parent: number; page: number }): Visit[] {
  return indirectKids(pdf, num).map((kid, index) => ({ kid, parent, page, index }));
}

/** The kids of the object `num`. Elements written directly into /K become indirect, so that they can be left out. */
export function indirectKids(pdf: Pdf, num: number): readonly Value[] {
  const dict = dictAt(pdf, refTo(num));
  if (!dict) return [];
  const kids = itemsAt(pdf, dict.get("K"));
  const refs = makeIndirect(pdf, kids, (kid) => isDict(kid) && isElement(kid));
  if (refs !== kids) replaceObject(pdf, num, new Map([...dict, ["K", refs]]));
  return refs;
}

// Elements without kids are added to `empty`.
function enterElement(
  objects: PageObjects,
  { visit, dict, empty }: { visit: Visit; dict: Dict; empty: Set<number> },
): Visit[] {
  const { pdf, structElements, owned } = objects;
  const { kid, parent, index } = visit;
  if (!isRef(kid) || structElements.has(kid.num)) return [];
  owned.add(kid.num);
  const own = dict.get("Pg");
  if (isRef(own)) disownPage(objects, own.num);
  const kids = visitKids(pdf, { num: kid.num, parent: kid.num, page: isRef(own) ? own.num : visit.page });
  structElements.set(kid.num, {
    parent,
    index,
    type: dict.get("S"),
    classes: dict.get("C"),
    kidCount: kids.length,
    hasAttributes: dict.has("A"),
    hasRefs: dict.has("Ref"),
    hasObjectKids: false,
  });
  const id = keyOf(resolve(pdf, dict.get("ID")));
  if (id !== undefined) pushTo(objects.elementIds, id, kid.num);
  if (kids.length === 0) empty.add(kid.num);
  return kids;
}

/** Assigns content, and every element above it, to the page that it is on. */
function assignContent(objects: PageObjects, visit: Visit, page: number): void {
  const { byPage, owned, structElements } = objects;
  disownPage(objects, page);
  const parent = structElements.get(visit.parent);
  if (parent && isRef(visit.kid)) parent.hasObjectKids = true;
  if (byPage.has(page)) noteKid(objects, page, visit);
  else if (!owned.has(page)) noteKid(objects, NO_PAGE, visit);
  assignElement(objects, visit.parent, page);
}

/** Texts that stand for all of an element's or a mark's content (ISO 32000-2, 14.9.3 to 14.9.6). */
export const WHOLE_TEXTS = ["ActualText", "Alt", "E", "Phoneme", "PhoneticAlphabet"];

/** Whether a kid is an element, and not content. */
export function isElement(dict: Dict): boolean {
  const type = dict.get("Type");
  return type === "StructElem" || (type !== "MCR" && type !== "OBJR" && dict.has("S"));
}

/** The page that content names, or the object that it is. */
function contentPage(pdf: Pdf, dict: Dict | undefined): number | undefined {
  const own = dict?.get("Pg");
  if (isRef(own)) return own.num;
  const object = dictAt(pdf, dict?.get("Obj"))?.get("P");
  return isRef(object) ? object.num : undefined;
}

/** The changed identifier of an element; undefined for a removed element's. */
export type ChangeId = (id: Value) => Value | undefined;

/** A structure element with other /Headers in its attributes (ISO 32000-1, 14.8.5.7); the same one if none changes. */
export function changeHeaders(pdf: Pdf, element: Dict, changeId: ChangeId): Dict {
  const value = element.get("A");
  if (value === undefined) return element;
  const changed = changeInAttributes(pdf, value, changeId);
  return changed === value ? element : new Map([...element, ["A", changed]]);
}

/** The same for the attributes in a class map. */
export function changeClasses(pdf: Pdf, classes: Dict, changeId: ChangeId): Dict {
  return new Map([...classes].map(([name, value]) => [name, changeInAttributes(pdf, value, changeId)]));
}

/** Attributes are a dictionary or a list of them, each perhaps with a revision number after it. */
function changeInAttributes(pdf: Pdf, value: Value, changeId: ChangeId): Value {
  const found = resolve(pdf, value);
  if (!Array.isArray(found)) return changeInOne(pdf, value, changeId);
  const changed = found.map((each) => changeInOne(pdf, each, changeId));
  return changed.every((each, i) => each === found[i]) ? value : changed;
}

function changeInOne(pdf: Pdf, value: Value, changeId: ChangeId): Value {
  const attributes = dictAt(pdf, value);
  const ids = arrayAt(pdf, attributes?.get("Headers"));
  if (!attributes || !ids) return value;
  const changed = ids.flatMap((id) => changeId(id) ?? []);
  if (changed.length === ids.length && changed.every((id, i) => id === ids[i])) return value;
  return changed.length > 0
    ? new Map([...attributes, ["Headers", changed]])
    : without(attributes, ["Headers"]);
}
