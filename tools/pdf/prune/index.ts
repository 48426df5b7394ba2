import { arrayAt, catalogOf, dictAt, type Pdf, resolve } from "../model/document.ts";
import { type Page, pageDict } from "../model/pages.ts";
import { isRef } from "../syntax/values.ts";
import { bind, type Index } from "./binding.ts";
import { readDests } from "./dests.ts";
import { bindFields } from "./fields.ts";
import { bindOutline } from "./outline.ts";
import { bindElements } from "./structure.ts";

/** Finds what belongs to each page. */
export function indexPages(
  pdf: Pdf,
  { pages, nodes }: { pages: readonly Page[]; nodes: readonly number[] },
): Index {
  const index: Index = {
    pages,
    places: new Map(pages.map(({ num }, i) => [num, i])),
    dests: readDests(pdf, pages),
    bound: new Set(nodes),
    byPage: new Map(pages.map(({ num }) => [num, new Set<number>()])),
    fields: new Map(),
    bookmarks: new Map(),
    elements: new Map(),
  };
  for (const page of pages) {
    bind(pdf, { index, num: page.num, page: page.num });
    for (const annotation of arrayAt(pdf, pageDict(pdf, page).get("Annots")) ?? []) {
      if (isRef(annotation)) bind(pdf, { index, num: annotation.num, page: page.num });
    }
  }
  const catalog = catalogOf(pdf);
  bindFields(pdf, { index, form: dictAt(pdf, catalog?.get("AcroForm")) });
  bindOutline(pdf, { index, outline: dictAt(pdf, catalog?.get("Outlines")) });
  bindElements(pdf, { index, root: resolve(pdf, catalog?.get("StructTreeRoot")) });
  return index;
}
