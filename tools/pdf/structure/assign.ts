import { dictAt } from "../model/document.ts";
import { assignToPage, type KidPosition, type PageObjects } from "../prune/page-objects.ts";
import { isRef, pushTo, refTo } from "../syntax/values.ts";

/** Assigns an element, and every one above it that is not yet on the page. */
export function assignElement(objects: PageObjects, num: number, page: number): void {
  for (let next = num; next > 0;) {
    const element = objects.structElements.get(next);
    if (!assignToPage(objects, next, page)) return;
    if (element) noteKid(objects, page, element);
    next = element?.parent ?? 0;
  }
}

/** Notes that this kid is on the page. */
export function noteKid({ elements }: PageObjects, page: number, { parent, index }: KidPosition): void {
  const kids = elements.get(page) ?? new Map<number, number[]>();
  elements.set(page, kids);
  pushTo(kids, parent, index);
}

/**
 * Assigns elements without content to the page that they name, or else to all pages of the element that they are in.
 * `empty` has those without kids, such as the empty cells of a table; those with no others are added.
 */
export function assignEmpty(objects: PageObjects, empty: Set<number>): void {
  if (empty.size === 0) return;
  placeEmpty(objects, empty);
  const { structElements } = objects;
  const around = [...empty].flatMap((num) => structElements.get(num)?.parent ?? []);
  const pages = pagesOf(objects, new Set(around));
  // An element comes before its kids.
  for (const [num, { parent }] of structElements) {
    if (!empty.has(num)) continue;
    const own = pages.get(parent) ?? [];
    pages.set(num, own);
    for (const page of own) assignElement(objects, num, page);
  }
}

/** From the kids up: leaves those that name no page, with the elements that have only such kids. */
function placeEmpty(objects: PageObjects, empty: Set<number>): void {
  const { pdf, structElements } = objects;
  const emptyKids = new Map<number, number>();
  for (const [num, { kidCount, parent }] of [...structElements].reverse()) {
    if (kidCount !== (emptyKids.get(num) ?? 0)) continue;
    const page = dictAt(pdf, refTo(num))?.get("Pg");
    if (isRef(page)) {
      empty.delete(num);
      assignElement(objects, num, page.num);
    } else {
      empty.add(num);
      emptyKids.set(parent, (emptyKids.get(parent) ?? 0) + 1);
    }
  }
}

function pagesOf({ byPage }: PageObjects, nums: ReadonlySet<number>): Map<number, number[]> {
  const pages = new Map<number, number[]>();
  for (const [page, onPage] of byPage) {
    for (const num of onPage) {
      if (nums.has(num)) pages.set(num, [...(pages.get(num) ?? []), page]);
    }
  }
  return pages;
}
