import type { Pdf } from "../model/document.ts";
import { spend } from "../limits.ts";
import type { Page } from "../model/pages.ts";
import type { Destinations } from "./destinations.ts";

/**
 * Which objects belong to which pages: the pages themselves, annotations, fields, bookmarks and structure
 * elements. Made once for a document, so that each of its parts costs no more than the part.
 */
export interface PageObjects {
  readonly pages: readonly Page[];
  readonly indexes: ReadonlyMap<number, number>;
  readonly destinations: Destinations;
  /** Everything that goes unless one of its pages stays. */
  readonly owned: Set<number>;
  readonly byPage: ReadonlyMap<number, Set<number>>;
  /** By the number of a field, bookmark or element, or 0 for the top: its kids in order. */
  readonly fields: Map<number, number[]>;
  readonly bookmarks: Map<number, number[]>;
  /** By page, and by the number of an element or 0 for the top: which of its kids are there. */
  readonly elements: Map<number, Map<number, number[]>>;
}

interface Assignment {
  readonly objects: PageObjects;
  readonly num: number;
  /** The page's object number. */
  readonly page: number;
}

/** Notes that an object belongs to a page; false when that was known. */
export function assignToPage(pdf: Pdf, { objects, num, page }: Assignment): boolean {
  const owned = objects.byPage.get(page);
  if (!owned || owned.has(num)) return false;
  // A deep tree over many pages is the one thing here that grows faster than the file.
  spend(pdf.budget.read, 32);
  owned.add(num);
  objects.owned.add(num);
  return true;
}

/** The same for an object and all above it. */
export function assignWithAncestors(
  pdf: Pdf,
  { objects, num, page, parents }: Assignment & { parents: ReadonlyMap<number, number> },
): void {
  let next: number | undefined = num;
  while (next !== undefined && next !== 0) {
    if (!assignToPage(pdf, { objects, num: next, page }) && next !== num) return;
    next = parents.get(next);
  }
}
