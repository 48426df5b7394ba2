import { arrayAt, catalogOf, dictAt, type Pdf, resolve } from "../model/document.ts";
import { type Page, pageDict } from "../model/pages.ts";
import { isRef } from "../syntax/values.ts";
import { assignToPage, type PageObjects } from "./page-objects.ts";
import { readDestinations } from "./destinations.ts";
import { collectFields } from "./fields.ts";
import { collectBookmarks } from "./outline.ts";
import { collectStructElements } from "./structure.ts";

/** Finds what belongs to each page. */
export function collectPageObjects(
  pdf: Pdf,
  { pages, nodes }: { pages: readonly Page[]; nodes: readonly number[] },
): PageObjects {
  const objects: PageObjects = {
    pages,
    indexes: new Map(pages.map(({ num }, i) => [num, i])),
    destinations: readDestinations(pdf, pages),
    owned: new Set(nodes),
    byPage: new Map(pages.map(({ num }) => [num, new Set<number>()])),
    fields: new Map(),
    bookmarks: new Map(),
    elements: new Map(),
  };
  for (const page of pages) {
    assignToPage(pdf, { objects, num: page.num, page: page.num });
    for (const annotation of arrayAt(pdf, pageDict(pdf, page).get("Annots")) ?? []) {
      if (isRef(annotation)) assignToPage(pdf, { objects, num: annotation.num, page: page.num });
    }
  }
  const catalog = catalogOf(pdf);
  collectFields(pdf, { objects, form: dictAt(pdf, catalog?.get("AcroForm")) });
  collectBookmarks(pdf, { objects, outline: dictAt(pdf, catalog?.get("Outlines")) });
  collectStructElements(pdf, { objects, root: resolve(pdf, catalog?.get("StructTreeRoot")) });
  return objects;
}
