import type { Pdf } from "../model/document.ts";
import { type PdfPage, pageAnnotations } from "../model/pages.ts";
import { collectBookmarks } from "../navigation/outline.ts";
import { readDestinations } from "../navigation/destinations.ts";
import { collectFields } from "./fields.ts";
import { assignToPage, type PageObjects } from "./page-objects.ts";
import { collectStructElements } from "../structure/elements.ts";

/** Finds what belongs to each page. Objects that are written directly into others become indirect. */
export function collectPageObjects(
  pdf: Pdf,
  { pages, nodes }: { pages: readonly PdfPage[]; nodes: readonly number[] },
): PageObjects {
  const objects: PageObjects = {
    pages,
    indexes: new Map(pages.map(({ num }, i) => [num, i])),
    destinations: readDestinations(pdf, pages),
    owned: new Set(nodes),
    byPage: new Map(pages.map(({ num }) => [num, new Set<number>()])),
    pageCounts: new Map(),
    fields: new Map(),
    fieldParents: new Map(),
    bookmarks: new Map(),
    elements: new Map(),
    structElements: new Map(),
    elementIds: new Map(),
  };
  for (const page of pages) collectAnnotations(pdf, { objects, page });
  collectFields(pdf, objects);
  collectBookmarks(pdf, objects);
  collectStructElements(pdf, objects);
  return objects;
}

function collectAnnotations(pdf: Pdf, { objects, page }: { objects: PageObjects; page: PdfPage }): void {
  assignToPage(pdf, { objects, num: page.num, page: page.num });
  for (const { num } of pageAnnotations(pdf, page)) assignToPage(pdf, { objects, num, page: page.num });
}
