import { add, arrayAt, catalogOf, change, dictAt, dictIn, type Pdf, resolve } from "../model/document.ts";
import { changeCatalog, type Page, pageDict, type Pages, plantPages } from "../model/pages.ts";
import { countUses, usedResources } from "../model/resources.ts";
import { keyOf, makeTree } from "../model/trees.ts";
import { type Dict, isDict, isRef, type Value } from "../syntax/values.ts";
import { targetOf, targetOfDest } from "./dests.ts";
import { pruneFields } from "./fields.ts";
import type { Index } from "./binding.ts";
import { indexPages } from "./index.ts";
import { labelAt, type LabelRun, makeLabels, readLabels } from "./labels.ts";
import { pruneOutline, put } from "./outline.ts";
import { pruneElements, readParentTree } from "./structure.ts";

/** A document made ready to give parts of itself. */
export interface Whole {
  readonly pdf: Pdf;
  readonly index: Index;
  readonly uses: ReadonlyMap<number, number>;
  readonly labels: readonly LabelRun[];
  readonly parentTree: ReadonlyMap<number, Value>;
}

export function prepareParts(pdf: Pdf, { list, nodes }: Pages): Whole {
  const catalog = catalogOf(pdf);
  return {
    pdf,
    index: indexPages(pdf, { pages: list, nodes }),
    uses: countUses(pdf, list),
    labels: readLabels(pdf, catalog?.get("PageLabels")),
    parentTree: readParentTree(pdf, dictAt(pdf, catalog?.get("StructTreeRoot"))),
  };
}

/** The part of a document that `pages` are, in that order; nothing that belongs only to other pages is in it. */
export function selectPages(
  whole: Whole,
  { pages, isLean }: { pages: readonly Page[]; isLean: boolean },
): Pdf {
  const isGone = goneWithout(whole, pages);
  const part: Pdf = { ...whole.pdf, changed: new Map(whole.pdf.changed), isGone };
  const pruned = prunePages(part, { whole, pages, isLean });
  changeCatalog(part, { ...pruned.entries, Pages: plantPages(part, pruned.pages) });
  return part;
}

/** Tells of an object whether it belongs to pages, but to none of these. */
export function goneWithout({ index }: Whole, pages: readonly Page[]): (num: number) => boolean {
  const alive = new Set<number>();
  for (const page of pages) for (const num of index.byPage.get(page.num) ?? []) alive.add(num);
  return (num) => index.bound.has(num) && !alive.has(num);
}

/** Frees pages from what is gone in `part`, and says what has to change in the catalog. */
export function prunePages(
  part: Pdf,
  { whole, pages, isLean }: Cataloguing,
): { pages: Page[]; entries: Record<string, Value | undefined> } {
  const copies = copyRepeats(part, pages);
  const named = new Set<number>();
  copies.forEach((page) => tidyPage(part, { page, whole, named, isAlive: (num) => !part.isGone?.(num) }));
  return { pages: copies, entries: catalogEntries(part, { whole, pages, isLean }) };
}

/** A page that comes twice is an object of its own the second time. */
function copyRepeats(part: Pdf, pages: readonly Page[]): Page[] {
  const seen = new Set<number>();
  return pages.map((page) => {
    if (!seen.has(page.num) && seen.add(page.num)) return page;
    return { ...page, num: add(part, new Map(pageDict(part, page))).num };
  });
}

interface Tidying {
  readonly page: Page;
  readonly whole: Whole;
  readonly named: Set<number>;
  readonly isAlive: (num: number) => boolean;
}

function tidyPage(part: Pdf, { page, whole: { index, uses }, named, isAlive }: Tidying): void {
  const dict: Dict = new Map(pageDict(part, page));
  const resources = usedResources(part, { page, uses, named });
  if (resources) dict.set("Resources", resources);
  // Beads of an article lead from page to page.
  dict.delete("B");
  change(part, { num: page.num, value: dict });
  for (const annotation of arrayAt(part, dict.get("Annots")) ?? []) {
    const holder = dictAt(part, annotation);
    const target = holder && targetOf(part, { holder, dests: index.dests });
    if (!isRef(annotation) || !holder || target === undefined || (target > 0 && isAlive(target))) continue;
    change(part, { num: annotation.num, value: withoutTarget(holder) });
  }
}

function withoutTarget(holder: Dict): Dict {
  const rest: Dict = new Map(holder);
  put(rest, { Dest: undefined, A: undefined, PA: undefined });
  return rest;
}

interface Cataloguing {
  readonly whole: Whole;
  readonly pages: readonly Page[];
  readonly isLean: boolean;
}

function catalogEntries(part: Pdf, { whole, pages, isLean }: Cataloguing): Record<string, Value | undefined> {
  const { index, labels, parentTree } = whole;
  const catalog: Dict = catalogOf(part) ?? new Map();
  const isAlive = (num: number): boolean => !part.isGone?.(num);
  const form = dictAt(part, catalog.get("AcroForm"));
  const root = dictAt(part, catalog.get("StructTreeRoot"));
  const places = pages.map(({ num }) => index.places.get(num) ?? 0);
  return {
    Outlines: pruneOutline(part, { index, outline: catalog.get("Outlines") ?? null, isAlive }),
    AcroForm: form && pruneFields(part, { index, form, isAlive }),
    StructTreeRoot:
      root &&
      keepRoot(part, {
        ref: catalog.get("StructTreeRoot"),
        root: pruneElements(part, { index, root, isAlive, pages, parentTree }),
      }),
    PageLabels:
      labels.length > 0
        ? makeLabels(
            part,
            places.map((place) => labelAt(labels, place)),
          )
        : undefined,
    Dests: keepOld(index, isAlive),
    Names: keepNames(part, { index, isAlive, isLean, names: dictIn(part, { dict: catalog, key: "Names" }) }),
    OpenAction: keepOpening(part, { index, isAlive, action: catalog.get("OpenAction") }),
    Threads: undefined,
    SpiderInfo: undefined,
  };
}

/** Elements point back to the root, so it stays the same object. */
function keepRoot(
  part: Pdf,
  { ref, root }: { ref: Value | undefined; root: Dict | undefined },
): Value | undefined {
  if (!root) return undefined;
  if (!isRef(ref)) return root;
  change(part, { num: ref.num, value: root });
  return ref;
}

type Alive = (num: number) => boolean;

function keepOld({ dests }: Index, isAlive: Alive): Value | undefined {
  const kept = [...dests.old].filter(([name]) => leadsOn(dests.targets.get(name), isAlive));
  return kept.length > 0 ? new Map(kept) : undefined;
}

function leadsOn(target: number | undefined, isAlive: Alive): boolean {
  return target !== undefined && target > 0 && isAlive(target);
}

interface Names {
  readonly index: Index;
  readonly isAlive: Alive;
  readonly isLean: boolean;
  readonly names: Dict | undefined;
}

/** What a part of a single page leaves out, because a copy in each would outweigh the page. */
const HEAVY = ["EmbeddedFiles", "JavaScript", "Renditions", "AlternatePresentations"];
/** Hidden pages and captured web pages, which belong to none that stays. */
const FOREIGN = ["Pages", "Templates", "IDS", "URLS"];

function keepNames(part: Pdf, { index: { dests }, isAlive, isLean, names }: Names): Value | undefined {
  if (!names) return undefined;
  const kept: Dict = new Map(names);
  for (const key of isLean ? [...FOREIGN, ...HEAVY] : FOREIGN) kept.delete(key);
  const pairs = dests.pairs.filter(([key]) => leadsOn(dests.targets.get(keyOf(key) ?? ""), isAlive));
  put(kept, { Dests: pairs.length > 0 ? makeTree(part, { pairs, kind: "Names" }) : undefined });
  return kept.size > 0 ? kept : undefined;
}

interface Opening {
  readonly index: Index;
  readonly isAlive: Alive;
  readonly action: Value | undefined;
}

function keepOpening(part: Pdf, { index: { dests }, isAlive, action }: Opening): Value | undefined {
  const value = resolve(part, action);
  const isGoing = !isDict(value) || value.get("S") === "GoTo";
  if (!isGoing) return action;
  const target = targetOfDest(part, { dest: isDict(value) ? value.get("D") : value, dests });
  return leadsOn(target, isAlive) ? action : undefined;
}
