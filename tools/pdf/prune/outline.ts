import { replaceObject, dictAt, type Pdf } from "../model/document.ts";
import { type Dict, isRef, numberOf, refTo, type Value, pushAll } from "../syntax/values.ts";
import { targetOf } from "./destinations.ts";
import { assignWithAncestors, type PageObjects } from "./page-objects.ts";

/** Assigns bookmarks (ISO 32000-1, 12.3.3) to the page they lead to and to the pages of their kids. */
export function collectBookmarks(
  pdf: Pdf,
  { objects, outline }: { objects: PageObjects; outline: Dict | undefined },
): void {
  const parents = new Map<number, number>();
  const waiting = [...takeKids(pdf, { parent: 0, first: outline?.get("First"), objects, parents })];
  const free: number[] = [];
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const item: Dict = dictAt(pdf, refTo(num)) ?? new Map();
    const kids = takeKids(pdf, { parent: num, first: item.get("First"), objects, parents });
    const page = targetOf(pdf, { dict: item, destinations: objects.destinations });
    if (page !== undefined) assignWithAncestors(pdf, { objects, num, page, parents });
    else if (kids.length === 0 || item.has("A")) free.push(num);
    objects.owned.add(num);
    pushAll(waiting, kids);
  }
  // Bookmarks that lead out of the document, for example to a web site, always stay.
  for (const num of free) releaseWithAncestors(num, { objects, parents });
}

function releaseWithAncestors(
  num: number,
  { objects, parents }: { objects: PageObjects; parents: ReadonlyMap<number, number> },
): void {
  let next: number | undefined = num;
  while (next && objects.owned.delete(next)) next = parents.get(next);
}

interface Taking {
  readonly parent: number;
  readonly first: Value | undefined;
  readonly objects: PageObjects;
  readonly parents: Map<number, number>;
}

function takeKids(pdf: Pdf, { parent, first, objects, parents }: Taking): number[] {
  const kids: number[] = [];
  for (let item = first; isRef(item) && !parents.has(item.num); item = dictAt(pdf, item)?.get("Next")) {
    if (!dictAt(pdf, item)) break;
    parents.set(item.num, parent);
    kids.push(item.num);
  }
  if (kids.length > 0) objects.bookmarks.set(parent, kids);
  return kids;
}

interface Pruning {
  readonly objects: PageObjects;
  readonly outline: Value;
  readonly isAlive: (num: number) => boolean;
}

/** Links the remaining bookmarks to each other; undefined if none remains. */
export function pruneOutline(pdf: Pdf, { objects, outline, isAlive }: Pruning): Value | undefined {
  const order: number[] = [];
  const waiting = [0];
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const kids = (objects.bookmarks.get(num) ?? []).filter(isAlive);
    order.push(num);
    pushAll(waiting, kids);
  }
  if (order.length < 2 || !isRef(outline)) return undefined;
  const counts = new Map<number, number>();
  // From the leaves up, because each /Count includes the visible kids.
  for (const num of order.toReversed()) relink(pdf, { num, objects, isAlive, counts, outline: outline.num });
  return outline;
}

interface Linking {
  readonly num: number;
  readonly objects: PageObjects;
  readonly isAlive: (num: number) => boolean;
  readonly counts: Map<number, number>;
  readonly outline: number;
}

function relink(pdf: Pdf, { num, objects, isAlive, counts, outline }: Linking): void {
  const own = num || outline;
  const kids = (objects.bookmarks.get(num) ?? []).filter(isAlive);
  const item: Dict = new Map(dictAt(pdf, refTo(own)) ?? []);
  const visible = kids.reduce((sum, kid) => sum + 1 + Math.max(0, counts.get(kid) ?? 0), 0);
  const count = (numberOf(item.get("Count")) ?? 0) < 0 && num ? -visible : visible;
  counts.set(num, count);
  setEntries(item, {
    First: refOr(kids[0]),
    Last: refOr(kids.at(-1)),
    Count: count === 0 ? undefined : count,
  });
  const page = targetOf(pdf, { dict: item, destinations: objects.destinations });
  if (page !== undefined && !(objects.indexes.has(page) && isAlive(page)))
    setEntries(item, { Dest: undefined, A: undefined, SE: undefined });
  replaceObject(pdf, { num: own, value: item });
  kids.forEach((kid, i) => {
    const dict: Dict = new Map(dictAt(pdf, refTo(kid)) ?? []);
    setEntries(dict, { Parent: refTo(own), Prev: refOr(kids[i - 1]), Next: refOr(kids[i + 1]) });
    replaceObject(pdf, { num: kid, value: dict });
  });
}

function refOr(num: number | undefined): Value | undefined {
  return num === undefined ? undefined : refTo(num);
}

/** Sets entries; undefined removes one. */
export function setEntries(dict: Dict, entries: Readonly<Record<string, Value | undefined>>): void {
  for (const [key, value] of Object.entries(entries)) {
    if (value === undefined) dict.delete(key);
    else dict.set(key, value);
  }
}
