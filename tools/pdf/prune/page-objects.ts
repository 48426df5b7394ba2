import { spend } from "../limits.ts";
import { dictAt, type Pdf } from "../model/document.ts";
import type { PdfPage } from "../model/pages.ts";
import type { Destinations } from "../navigation/destinations.ts";
import { refTo, type Value } from "../syntax/values.ts";

/**
 * Which objects belong to which pages: the pages themselves, annotations, fields, bookmarks and structure elements.
 * Collected once per document, so that extracting a part costs no more than the part's own size.
 */
export interface PageObjects {
  /** The whole document. */
  readonly pdf: Pdf;
  readonly pages: readonly PdfPage[];
  readonly indexes: ReadonlyMap<number, number>;
  readonly destinations: Destinations;
  /** Objects that are removed unless one of their pages is kept. */
  readonly owned: Set<number>;
  readonly byPage: ReadonlyMap<number, Set<number>>;
  /** The number of pages that an object belongs to. */
  readonly pageCounts: Map<number, number>;
  /** By object number of a field, bookmark or element, or 0 for the top level: its children in order. */
  readonly fields: Map<number, number[]>;
  readonly fieldParents: Map<number, number>;
  readonly bookmarks: Map<number, number[]>;
  /** By page, then by object number of an element (0 for the root): the indexes of its children on that page. */
  readonly elements: Map<number, Map<number, number[]>>;
  /** By the number of the element. */
  readonly structElements: Map<number, StructElement>;
  /** By identifier: the object numbers of the elements that have it. */
  readonly elementIds: Map<string, number[]>;
}

/** The position of a child: the object number of its parent element (0 for the root), and its index in /K. */
export interface KidPosition {
  readonly parent: number;
  readonly index: number;
}

/** The facts about a structure element that pruning needs, so that it parses only those it changes. */
export interface StructElement extends KidPosition {
  readonly kidCount: number;
  readonly type: Value | undefined;
  readonly classes: Value | undefined;
  readonly hasAttributes: boolean;
  /** Whether it refers to other elements (ISO 32000-2, table 355, /Ref). */
  readonly hasRefs: boolean;
  /** Whether a child is an object of another kind, which can be removed by itself. */
  hasObjectKids: boolean;
}

/** Records that an object belongs to a page, both by number; false if that was known. */
export function assignToPage(objects: PageObjects, num: number, page: number): boolean {
  const onPage = objects.byPage.get(page);
  if (!onPage || onPage.has(num)) return false;
  // A deep tree over many pages grows faster than the file.
  spend(objects.pdf.budget.read, 32);
  onPage.add(num);
  objects.owned.add(num);
  objects.pageCounts.set(num, (objects.pageCounts.get(num) ?? 0) + 1);
  return true;
}

/** The same for an object and all its ancestors. */
export function assignWithAncestors(
  objects: PageObjects,
  { num, page, parents }: { num: number; page: number; parents: ReadonlyMap<number, number> },
): void {
  let next: number | undefined = num;
  while (next !== undefined && next !== 0) {
    if (!assignToPage(objects, next, page) && next !== num) return;
    next = parents.get(next);
  }
}

/** A page outside the page tree is not part of the document, so it is removed together with what only it needs. */
export function disownPage(objects: PageObjects, num: number): void {
  if (num === 0 || objects.byPage.has(num) || objects.owned.has(num)) return;
  if (dictAt(objects.pdf, refTo(num))?.get("Type") === "Page") objects.owned.add(num);
}
