import type { OnProgress } from "../../file/progress.ts";
import { type ContentNames, createContentNames } from "../content/read.ts";
import { addObject, catalogOf, dictAt, type Pdf } from "../model/document.ts";
import type { PdfPage, PdfPages } from "../model/pages.ts";
import { isDict, type Value } from "../syntax/values.ts";
import { collectPageObjects } from "./collect.ts";
import { type LabelRun, readLabels } from "../navigation/labels.ts";
import type { PageObjects } from "./page-objects.ts";
import { readParentTree } from "../structure/tree.ts";

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
  const pages = withIndirectResources(pdf, list);
  const objects = collectPageObjects(pdf, { pages, nodes });
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

/** A resource dictionary written into a node of the page tree becomes an object, which its pages go on sharing. */
function withIndirectResources(pdf: Pdf, list: readonly PdfPage[]): PdfPage[] {
  const made = new Map<Value, Value>();
  return list.map((page) => {
    const resources = page.inherited.get("Resources");
    if (!isDict(resources)) return page;
    const ref = made.get(resources) ?? addObject(pdf, resources);
    made.set(resources, ref);
    return { ...page, inherited: new Map([...page.inherited, ["Resources", ref]]) };
  });
}

/** What is left of a document when only some of its pages are kept. */
export interface KeptObjects {
  readonly isRemoved: (num: number) => boolean;
  /** On how many of the kept pages an object is. */
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
  /** One of many parts leaves out what the whole document has. */
  readonly isPart: boolean;
  readonly onProgress?: OnProgress | undefined;
}
