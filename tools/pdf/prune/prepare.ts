import type { OnProgress } from "../../file/progress.ts";
import { type ContentNames, createContentNames } from "../content/read.ts";
import { catalogOf, dictAt, type Pdf } from "../model/document.ts";
import { type PdfPage, type PdfPages, pageAnnotations, shareInherited } from "../model/pages.ts";
import { readDestinations } from "../navigation/destinations.ts";
import { type LabelRun, readLabels } from "../navigation/labels.ts";
import { collectBookmarks } from "../navigation/outline.ts";
import { collectStructElements } from "../structure/elements.ts";
import { readParentTree } from "../structure/tree.ts";
import type { Value } from "../syntax/values.ts";
import { collectFields } from "./fields.ts";
import { type PageObjects, assignToPage } from "./page-objects.ts";

/** A document with everything collected that extracting pages needs. */
export interface PreparedDocument {
  readonly pdf: Pdf;
  /** All pages, by object number. */
  readonly pages: ReadonlyMap<number, PdfPage>;
  readonly objects: PageObjects;
  readonly labels: readonly LabelRun[];
  readonly parentTree: ReadonlyMap<number, Value>;
  readonly contentNames: ContentNames;
}

export function prepareDocument(pdf: Pdf, { list, nodes }: PdfPages): PreparedDocument {
  const pages = shareInherited(pdf, list);
  const objects = collectPageObjects(pdf, pages, nodes);
  const catalog = catalogOf(pdf);
  return {
    pdf,
    pages: new Map(pages.map((page) => [page.num, page])),
    objects,
    labels: readLabels(pdf, catalog?.get("PageLabels")),
    parentTree: readParentTree(pdf, dictAt(pdf, catalog?.get("StructTreeRoot"))),
    contentNames: createContentNames(),
  };
}

/** What remains of a document when only some of its pages are kept. */
export interface KeptObjects {
  readonly isRemoved: (num: number) => boolean;
  /** The number of kept pages that an object belongs to. */
  readonly keptCounts: ReadonlyMap<number, number>;
}

/** Tells which objects belong to other pages only. */
export function keepObjectsOf({ objects }: PreparedDocument, pages: readonly PdfPage[]): KeptObjects {
  const keptCounts = new Map<number, number>();
  for (const page of new Set(pages.map(({ num }) => num))) {
    for (const num of objects.byPage.get(page) ?? []) keptCounts.set(num, (keptCounts.get(num) ?? 0) + 1);
  }
  return { keptCounts, isRemoved: (num) => objects.owned.has(num) && !keptCounts.has(num) };
}

export interface PageSelection {
  readonly prepared: PreparedDocument;
  readonly pages: readonly PdfPage[];
  readonly kept: KeptObjects;
  /** Whether this is one of many parts, which omits what describes the document as a whole. */
  readonly isPart: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/** Finds what belongs to each page. Inline objects become indirect. */
function collectPageObjects(pdf: Pdf, pages: readonly PdfPage[], nodes: readonly number[]): PageObjects {
  const objects: PageObjects = {
    pdf,
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
  for (const page of pages) collectAnnotations(objects, page);
  collectFields(objects);
  collectBookmarks(objects);
  collectStructElements(objects);
  return objects;
}

function collectAnnotations(objects: PageObjects, page: PdfPage): void {
  assignToPage(objects, page.num, page.num);
  for (const { num } of pageAnnotations(objects.pdf, page)) assignToPage(objects, num, page.num);
}
