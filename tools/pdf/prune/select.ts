import {
  addObject,
  arrayAt,
  catalogOf,
  replaceObject,
  dictAt,
  dictIn,
  type Pdf,
  resolve,
} from "../model/document.ts";
import { changeCatalog, type Page, pageDict, type Pages, rebuildPageTree } from "../model/pages.ts";
import { countUses, usedResources } from "../model/resources.ts";
import { keyOf, makeTree } from "../model/trees.ts";
import { type Dict, isDict, isRef, type Value } from "../syntax/values.ts";
import { targetOf, targetOfDest } from "./destinations.ts";
import { pruneFields } from "./fields.ts";
import type { PageObjects } from "./page-objects.ts";
import { collectPageObjects } from "./collect.ts";
import { labelAt, type LabelRun, makeLabels, readLabels } from "./labels.ts";
import { pruneOutline, setEntries } from "./outline.ts";
import { pruneElements, readParentTree } from "./structure.ts";

/** A document with everything collected that extracting pages needs. */
export interface PreparedDocument {
  readonly pdf: Pdf;
  readonly objects: PageObjects;
  readonly uses: ReadonlyMap<number, number>;
  readonly labels: readonly LabelRun[];
  readonly parentTree: ReadonlyMap<number, Value>;
}

export function prepareDocument(pdf: Pdf, { list, nodes }: Pages): PreparedDocument {
  const catalog = catalogOf(pdf);
  return {
    pdf,
    objects: collectPageObjects(pdf, { pages: list, nodes }),
    uses: countUses(pdf, list),
    labels: readLabels(pdf, catalog?.get("PageLabels")),
    parentTree: readParentTree(pdf, dictAt(pdf, catalog?.get("StructTreeRoot"))),
  };
}

/** The document with only these pages, in this order, and nothing that belongs only to others. */
export function extractPages(
  prepared: PreparedDocument,
  { pages, isLean }: { pages: readonly Page[]; isLean: boolean },
): Pdf {
  const isRemoved = removedWithout(prepared, pages);
  const part: Pdf = { ...prepared.pdf, changed: new Map(prepared.pdf.changed), isRemoved };
  const pruned = prunePages(part, { prepared, pages, isLean });
  changeCatalog(part, { ...pruned.entries, Pages: rebuildPageTree(part, pruned.pages) });
  return part;
}

/** Tests whether an object belongs to other pages only. */
export function removedWithout(
  { objects }: PreparedDocument,
  pages: readonly Page[],
): (num: number) => boolean {
  const alive = new Set<number>();
  for (const page of pages) for (const num of objects.byPage.get(page.num) ?? []) alive.add(num);
  return (num) => objects.owned.has(num) && !alive.has(num);
}

/** Removes references to dropped pages from these pages; returns the changed entries of the catalog. */
export function prunePages(
  part: Pdf,
  { prepared, pages, isLean }: Cataloguing,
): { pages: Page[]; entries: Record<string, Value | undefined> } {
  const copies = copyRepeats(part, pages);
  const named = new Set<number>();
  copies.forEach((page) =>
    prunePage(part, { page, prepared, named, isAlive: (num) => !part.isRemoved?.(num) }),
  );
  return { pages: copies, entries: catalogEntries(part, { prepared, pages, isLean }) };
}

/** A page that is selected again becomes a new object. */
function copyRepeats(part: Pdf, pages: readonly Page[]): Page[] {
  const seen = new Set<number>();
  return pages.map((page) => {
    if (!seen.has(page.num) && seen.add(page.num)) return page;
    return { ...page, num: addObject(part, new Map(pageDict(part, page))).num };
  });
}

interface Tidying {
  readonly page: Page;
  readonly prepared: PreparedDocument;
  readonly named: Set<number>;
  readonly isAlive: (num: number) => boolean;
}

function prunePage(part: Pdf, { page, prepared: { objects, uses }, named, isAlive }: Tidying): void {
  const dict: Dict = new Map(pageDict(part, page));
  const resources = usedResources(part, { page, uses, named });
  if (resources) dict.set("Resources", resources);
  // Beads of an article lead from page to page.
  dict.delete("B");
  replaceObject(part, { num: page.num, value: dict });
  for (const annotation of arrayAt(part, dict.get("Annots")) ?? []) {
    const link = dictAt(part, annotation);
    const target = link && targetOf(part, { dict: link, destinations: objects.destinations });
    if (!isRef(annotation) || !link || target === undefined || (target > 0 && isAlive(target))) continue;
    replaceObject(part, { num: annotation.num, value: withoutDestination(link) });
  }
}

function withoutDestination(link: Dict): Dict {
  const rest: Dict = new Map(link);
  setEntries(rest, { Dest: undefined, A: undefined, PA: undefined });
  return rest;
}

interface Cataloguing {
  readonly prepared: PreparedDocument;
  readonly pages: readonly Page[];
  readonly isLean: boolean;
}

function catalogEntries(
  part: Pdf,
  { prepared, pages, isLean }: Cataloguing,
): Record<string, Value | undefined> {
  const { objects, labels, parentTree } = prepared;
  const catalog: Dict = catalogOf(part) ?? new Map();
  const isAlive = (num: number): boolean => !part.isRemoved?.(num);
  const form = dictAt(part, catalog.get("AcroForm"));
  const root = dictAt(part, catalog.get("StructTreeRoot"));
  const pageIndexes = pages.map(({ num }) => objects.indexes.get(num) ?? 0);
  return {
    Outlines: pruneOutline(part, { objects, outline: catalog.get("Outlines") ?? null, isAlive }),
    AcroForm: form && pruneFields(part, { objects, form, isAlive }),
    StructTreeRoot:
      root &&
      keepStructTreeRoot(part, {
        ref: catalog.get("StructTreeRoot"),
        root: pruneElements(part, { objects, root, isAlive, pages, parentTree }),
      }),
    PageLabels:
      labels.length > 0
        ? makeLabels(
            part,
            pageIndexes.map((pageIndex) => labelAt(labels, pageIndex)),
          )
        : undefined,
    Dests: keepOldDestinations(objects, isAlive),
    Names: keepNames(part, {
      objects,
      isAlive,
      isLean,
      names: dictIn(part, { dict: catalog, key: "Names" }),
    }),
    OpenAction: keepOpenAction(part, { objects, isAlive, action: catalog.get("OpenAction") }),
    Threads: undefined,
    SpiderInfo: undefined,
  };
}

/** Elements refer to the root in /P, so it stays the same object. */
function keepStructTreeRoot(
  part: Pdf,
  { ref, root }: { ref: Value | undefined; root: Dict | undefined },
): Value | undefined {
  if (!root) return undefined;
  if (!isRef(ref)) return root;
  replaceObject(part, { num: ref.num, value: root });
  return ref;
}

type Alive = (num: number) => boolean;

function keepOldDestinations({ destinations }: PageObjects, isAlive: Alive): Value | undefined {
  const kept = [...destinations.old].filter(([name]) =>
    isKeptTarget(destinations.targets.get(name), isAlive),
  );
  return kept.length > 0 ? new Map(kept) : undefined;
}

function isKeptTarget(target: number | undefined, isAlive: Alive): boolean {
  return target !== undefined && target > 0 && isAlive(target);
}

interface Names {
  readonly objects: PageObjects;
  readonly isAlive: Alive;
  readonly isLean: boolean;
  readonly names: Dict | undefined;
}

/** Left out of single pages, because a copy in each file would be larger than the page. */
const NOT_IN_SINGLE_PAGES = ["EmbeddedFiles", "JavaScript", "Renditions", "AlternatePresentations"];
/** Hidden pages and captured web pages are not part of any page that is kept. */
const NEVER_KEPT = ["Pages", "Templates", "IDS", "URLS"];

function keepNames(
  part: Pdf,
  { objects: { destinations }, isAlive, isLean, names }: Names,
): Value | undefined {
  if (!names) return undefined;
  const kept: Dict = new Map(names);
  for (const key of isLean ? [...NEVER_KEPT, ...NOT_IN_SINGLE_PAGES] : NEVER_KEPT) kept.delete(key);
  const pairs = destinations.pairs.filter(([key]) =>
    isKeptTarget(destinations.targets.get(keyOf(key) ?? ""), isAlive),
  );
  setEntries(kept, { Dests: pairs.length > 0 ? makeTree(part, { pairs, kind: "Names" }) : undefined });
  return kept.size > 0 ? kept : undefined;
}

interface Opening {
  readonly objects: PageObjects;
  readonly isAlive: Alive;
  readonly action: Value | undefined;
}

function keepOpenAction(
  part: Pdf,
  { objects: { destinations }, isAlive, action }: Opening,
): Value | undefined {
  const value = resolve(part, action);
  const isGoing = !isDict(value) || value.get("S") === "GoTo";
  if (!isGoing) return action;
  const target = targetOfDest(part, { dest: isDict(value) ? value.get("D") : value, destinations });
  return isKeptTarget(target, isAlive) ? action : undefined;
}
