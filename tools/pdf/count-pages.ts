import { catalogOf, dictAt } from "./model/document.ts";
import { readPages } from "./model/pages.ts";
import { readDestinations } from "./navigation/destinations.ts";
import { readBookmarks } from "./navigation/outline.ts";
import { type PdfInput, withPdf } from "./reader/open.ts";
import { groupByBookmarks } from "./split/groups.ts";

/**
 * How many pages a PDF has.
 * @throws ToolFailure wrong_file_type, damaged_file, no_pages, password_required, password_wrong,
 *   certificate_required, unsupported_feature, too_complex
 */
export function countPages(input: PdfInput): Promise<number> {
  return withPdf([input], { work: async (pdf) => readPages(pdf).list.length });
}

/**
 * How many pages a PDF has, and how many files a split by bookmarks makes: none if no bookmark leads to a page.
 * @throws ToolFailure as `countPages`
 */
export function countParts(input: PdfInput): Promise<{ pages: number; byBookmarks: number }> {
  return withPdf([input], {
    work: async (pdf) => {
      const { list } = readPages(pdf);
      const outline = dictAt(pdf, catalogOf(pdf)?.get("Outlines"));
      const bookmarks = outline ? readBookmarks(pdf, outline) : new Map<number, number[]>();
      const objects = { bookmarks, destinations: readDestinations(pdf, list) };
      return { pages: list.length, byBookmarks: groupByBookmarks(pdf, list, objects).length };
    },
  });
}
