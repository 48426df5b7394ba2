import { dictAt, type Pdf, replaceObject } from "../model/document.ts";
import {
  type Dict,
  isRef,
  numberOf,
  refTo,
  type Value,
  pushAll,
  keepOnly,
  setEntries,
  type IsKept,
} from "../syntax/values.ts";
import { catalogEntry } from "../model/catalog.ts";
import { type ActionContext, pruneTargets } from "./actions.ts";
import { targetOf } from "./destinations.ts";
import { assignWithAncestors, type PageObjects } from "../prune/page-objects.ts";

/** Assigns bookmarks (ISO 32000-1, 12.3.3) to their own pages and to the pages of their descendants. */
export function collectBookmarks(objects: PageObjects): void {
  const { pdf, bookmarks } = objects;
  const outline = dictAt(pdf, catalogEntry(pdf, "Outlines"));
  const parents = new Map<number, number>();
  const waiting = [...takeKids(pdf, { parent: 0, first: outline?.get("First"), bookmarks, parents })];
  const free: number[] = [];
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const item: Dict = dictAt(pdf, refTo(num)) ?? new Map();
    const kids = takeKids(pdf, { parent: num, first: item.get("First"), bookmarks, parents });
    const page = targetOf(pdf, item, objects.destinations);
    if (page !== undefined) assignWithAncestors(objects, { num, page, parents });
    else if (kids.length === 0 || item.has("A")) free.push(num);
    objects.owned.add(num);
    pushAll(waiting, kids);
  }
  // Bookmarks that lead out of the document, for example to a web site, always stay.
  for (const num of free) releaseWithAncestors(num, objects, parents);
}

function releaseWithAncestors(num: number, objects: PageObjects, parents: ReadonlyMap<number, number>): void {
  let next: number | undefined = num;
  while (next && objects.owned.delete(next)) next = parents.get(next);
}

/** Child bookmarks by the object number of their parent; 0 stands for the outline itself. */
type Bookmarks = Map<number, number[]>;

/** Reads the bookmarks of an outline, each once. */
export function readBookmarks(pdf: Pdf, outline: Dict): Bookmarks {
  const [bookmarks, parents]: [Bookmarks, Map<number, number>] = [new Map(), new Map()];
  const waiting = takeKids(pdf, { parent: 0, first: outline.get("First"), bookmarks, parents });
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const first = dictAt(pdf, refTo(num))?.get("First");
    pushAll(waiting, takeKids(pdf, { parent: num, first, bookmarks, parents }));
  }
  return bookmarks;
}

function takeKids(
  pdf: Pdf,
  options: {
    parent: number;
    first: Value | undefined;
    bookmarks: Bookmarks;
    parents: Map<number, number>;
  },
): number[] {
  const { parent, first, bookmarks, parents } = options;
  const kids: number[] = [];
  for (let item = first; isRef(item) && !parents.has(item.num); item = dictAt(pdf, item)?.get("Next")) {
    if (!dictAt(pdf, item)) break;
    parents.set(item.num, parent);
    kids.push(item.num);
  }
  if (kids.length > 0) bookmarks.set(parent, kids);
  return [...kids];
}

/** Links the kept bookmarks to each other; undefined if there are none. */
export function pruneOutline(
  outline: Value,
  { bookmarks }: PageObjects,
  context: ActionContext,
): Value | undefined {
  const { pdf, isKept } = context;
  const change = (dict: Dict) => pruneTargets(dict, context);
  return relinkBookmarks(pdf, { bookmarks, outline, isKept, change });
}

interface BookmarkLinks {
  readonly bookmarks: ReadonlyMap<number, readonly number[]>;
  readonly outline: Value;
  readonly isKept: IsKept;
  /** Returns the changed bookmark without its links to others. */
  readonly change: (bookmark: Dict) => Dict;
}

/** Links the kept bookmarks to each other; undefined if there are none. */
export function relinkBookmarks(pdf: Pdf, bookmarkLinks: BookmarkLinks): Value | undefined {
  const { bookmarks, outline, isKept } = bookmarkLinks;
  const order: number[] = [];
  const waiting = [0];
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const kids = (bookmarks.get(num) ?? []).filter(isKept);
    order.push(num);
    pushAll(waiting, kids);
  }
  if (order.length < 2 || !isRef(outline)) return undefined;
  const counts = new Map<number, number>();
  // Bottom-up, because each /Count includes the visible descendants.
  for (const num of order.toReversed()) relink(pdf, { ...bookmarkLinks, num, counts, root: outline.num });
  return outline;
}

function relink(
  pdf: Pdf,
  options: Omit<BookmarkLinks, "outline"> & { num: number; counts: Map<number, number>; root: number },
): void {
  const { num, bookmarks, isKept, change, counts, root } = options;
  const own = num || root;
  const kids = (bookmarks.get(num) ?? []).filter(isKept);
  const dict: Dict = dictAt(pdf, refTo(own)) ?? new Map();
  const item: Dict = num ? new Map(change(dict)) : keepOnly(dict, ["Type", "Count"]);
  const visible = kids.reduce((sum, kid) => sum + 1 + Math.max(0, counts.get(kid) ?? 0), 0);
  const count = (numberOf(item.get("Count")) ?? 0) < 0 && num ? -visible : visible;
  counts.set(num, count);
  setEntries(item, {
    First: refOr(kids[0]),
    Last: refOr(kids.at(-1)),
    Count: count === 0 ? undefined : count,
  });
  if (item.has("SE") && !item.has("Dest") && !item.has("A")) item.delete("SE");
  replaceObject(pdf, own, item);
  kids.forEach((kid, i) => {
    const changed: Dict = new Map(dictAt(pdf, refTo(kid)) ?? []);
    setEntries(changed, { Parent: refTo(own), Prev: refOr(kids[i - 1]), Next: refOr(kids[i + 1]) });
    replaceObject(pdf, kid, changed);
  });
}

function refOr(num: number | undefined): Value | undefined {
  return num === undefined ? undefined : refTo(num);
}
