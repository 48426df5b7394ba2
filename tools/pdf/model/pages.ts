import {
  keepOnly,
  without,
  type Dict,
  isDict,
  isRef,
  isStream,
  makeDict,
  numberOf,
  type Ref,
  refTo,
  type Value,
} from "../syntax/values.ts";
import {
  addObject,
  arrayAt,
  catalogOf,
  replaceObject,
  dictAt,
  getObject,
  makeIndirect,
  isLost,
  type Pdf,
  resolve,
} from "./document.ts";
import { changeCatalog } from "./catalog.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { MAX_PAGE_LEVELS, MAX_PAGES, spend, tooComplex } from "../limits.ts";
import { damaged } from "../reader/open.ts";
import { NeedsRepair } from "../reader/source.ts";

/** A page: its object number, and the attributes it inherits (ISO 32000-1, 7.7.3.4). */
export interface PdfPage {
  readonly num: number;
  readonly inherited: Dict;
}

/** The pages of a document in order, and whether its page tree is valid and can be kept. */
export interface PdfPages {
  readonly list: readonly PdfPage[];
  readonly isSound: boolean;
  /** The object numbers of the tree's nodes. */
  readonly nodes: readonly number[];
}

const INHERITED = ["Resources", "MediaBox", "CropBox", "Rotate"];
const FANOUT = 64;
const MAX_SEARCHED_LEVELS = 10;
/** Letter, which readers assume for pages that say no size. */
const DEFAULT_SIZE = [0, 0, 612, 792];

interface Walk {
  readonly pdf: Pdf;
  readonly seen: Set<number>;
  readonly list: PdfPage[];
  /** The nodes of the page tree whose kids are being visited. */
  readonly stack: { num: number | undefined; kids: readonly Value[]; inherited: Dict; next: number }[];
  readonly nodes: number[];
  isSound: boolean;
}

/**
 * Walks the page tree without trusting /Count or /Type. Each node is visited once; a leaf that is listed twice is two pages.
 * @throws ToolFailure no_pages, damaged_file, too_complex
 */
export function readPages(pdf: Pdf): PdfPages {
  const source = pdf.main;
  const walk: Walk = { pdf, seen: new Set(), list: [], stack: [], nodes: [], isSound: true };
  const root = catalogOf(pdf)?.get("Pages");
  visitNode(walk, root ?? null, new Map());
  for (let node = walk.stack.at(-1); node; node = walk.stack.at(-1)) {
    const kid = node.kids[node.next++];
    if (kid === undefined) walk.stack.pop();
    else visitNode(walk, kid, node.inherited);
  }
  const tree = dictAt(pdf, root);
  if (walk.list.length === 0) {
    // If the tree has kids and none is a page, its pages are lost.
    if (walk.isSound && tree?.has("Kids")) throw withoutPages();
    if (!source.repairs.isRebuilt) throw new NeedsRepair(source);
    const list = searchPages(pdf);
    if (list.length === 0) throw tree?.get("Count") === 0 ? withoutPages() : damaged();
    return { list, isSound: false, nodes: walk.nodes };
  }
  const isCounted = numberOf(resolve(pdf, tree?.get("Count"))) === walk.list.length;
  const isSound = walk.isSound && isCounted && !source.repairs.isRebuilt;
  return { list: walk.list, isSound, nodes: walk.nodes };
}

/**
 * The same, with a new page tree where that of the document is not valid, for tools that leave it as it is.
 * @throws ToolFailure no_pages, damaged_file, too_complex
 */
export function readMendedPages(pdf: Pdf): PdfPages {
  const pages = readPages(pdf);
  if (!pages.isSound) changeCatalog(pdf, { Pages: rebuildPageTree(pdf, pages.list) });
  return pages;
}

function withoutPages(): ToolFailure {
  return new ToolFailure("no_pages", "The document has no pages; send one that has at least one page.");
}

function visitNode(walk: Walk, kid: Value, inherited: Dict): void {
  const { pdf, seen, stack } = walk;
  const dict = dictAt(pdf, kid);
  const kids = kidsOf(pdf, dict);
  const isAgain = isRef(kid) && seen.has(kid.num);
  const isLost = !dict || (!kids && isNodeWithoutKids(dict));
  if (isLost || (kids && isAgain)) {
    if (isLost) pdf.main.repairs.lostPages++;
    walk.isSound = false;
    return;
  }
  if (isRef(kid)) seen.add(kid.num);
  // Readers that follow /Parent may be led in a circle by one that names another node.
  const parent = dict.get("Parent") ?? null;
  if (parent !== null && !(isRef(parent) && parent.num === stack.at(-1)?.num)) walk.isSound = false;
  if (!kids) return addPage(walk, { kid: isAgain ? dict : kid, dict, inherited });
  if (stack.length >= MAX_PAGE_LEVELS)
    throw tooComplex({ limit: "depth", value: MAX_PAGE_LEVELS, unit: "levels of pages" });
  if (isRef(kid)) walk.nodes.push(kid.num);
  if (dict.get("Type") !== "Pages" || !arrayAt(pdf, dict.get("Kids"))) walk.isSound = false;
  const num = isRef(kid) ? kid.num : undefined;
  stack.push({ num, kids, inherited: inheritAttributes(dict, inherited), next: 0 });
}

/** As in qpdf, a single page or node instead of a list counts as a list of one. */
function kidsOf(pdf: Pdf, dict: Dict | undefined): readonly Value[] | undefined {
  const kids = dict?.get("Kids");
  return arrayAt(pdf, kids) ?? (isRef(kids) && dictAt(pdf, kids) ? [kids] : undefined);
}

/** A page may have a wrong type, but without content it is not a page. */
function isNodeWithoutKids(dict: Dict): boolean {
  return dict.get("Type") === "Pages" && !dict.has("Contents");
}

function inheritAttributes(dict: Dict, inherited: Dict): Dict {
  const own = keepOnly(dict, INHERITED);
  return own.size === 0 ? inherited : new Map([...inherited, ...own]);
}

function addPage(walk: Walk, { kid, dict, inherited }: { kid: Value; dict: Dict; inherited: Dict }): void {
  if (walk.list.length >= MAX_PAGES) throw tooComplex({ limit: "pages", value: MAX_PAGES, unit: "pages" });
  // A root without kids, or a page written directly into /Kids, is invalid and needs a new tree.
  if (!isRef(kid) || walk.stack.length === 0 || dict.get("Type") !== "Page") walk.isSound = false;
  if (!dict.has("MediaBox") && !inherited.has("MediaBox")) walk.isSound = false;
  if (isContentLost(walk.pdf, dict.get("Contents"))) walk.pdf.main.repairs.hasLostObjects = true;
  const page = withIndirectContents(walk.pdf, dict);
  const num = isRef(kid) ? kid.num : addObject(walk.pdf, page).num;
  if (page !== dict) replaceObject(walk.pdf, num, page);
  walk.list.push({ num, inherited });
}

function isContentLost(pdf: Pdf, contents: Value | undefined): boolean {
  return [contents, ...(arrayAt(pdf, contents) ?? [])].some((each) => isRef(each) && isLost(pdf, each));
}

/** Streams written directly into a page or into the list of its contents become objects of their own. */
function withIndirectContents(pdf: Pdf, dict: Dict): Dict {
  const contents = dict.get("Contents");
  const list = isStream(contents) ? [contents] : arrayAt(pdf, contents);
  const refs = list && makeIndirect(pdf, list, isStream);
  return refs === list || !refs ? dict : new Map([...dict, ["Contents", refs]]);
}

/** The pages of a document whose tree leads to none, in the order of their numbers. */
function searchPages(pdf: Pdf): PdfPage[] {
  const { entries, firstNum, repairs } = pdf.main;
  const list: PdfPage[] = [];
  for (const own of [...entries.keys()].sort((a, b) => a - b)) {
    const num = own + firstNum;
    const dict = dictAt(pdf, getObject(pdf, num));
    if (dict?.get("Type") === "Page") list.push({ num, inherited: attributesAbove(pdf, dict) });
    if (list.length > MAX_PAGES) throw tooComplex({ limit: "pages", value: MAX_PAGES, unit: "pages" });
  }
  repairs.hasSearchedPages = true;
  return list;
}

/** The attributes that a page inherits along /Parent, for a few levels, because a cycle would not be recognized. */
function attributesAbove(pdf: Pdf, page: Dict): Dict {
  let inherited: Dict = new Map();
  let node = dictAt(pdf, page.get("Parent"));
  for (let level = 0; node && level < MAX_SEARCHED_LEVELS; level++) {
    inherited = new Map([...inheritAttributes(node, new Map()), ...inherited]);
    node = dictAt(pdf, node.get("Parent"));
  }
  return inherited;
}

/** The dictionary of a page. */
export function pageDict(pdf: Pdf, { num }: PdfPage): Dict {
  const value = getObject(pdf, num);
  return isDict(value) ? value : new Map();
}

/** What it costs to look at an annotation, in bytes read. */
const ANNOTATION = 32;

/** The annotations of a page. Those written directly into it become objects of their own. */
export function pageAnnotations(pdf: Pdf, page: PdfPage): Ref[] {
  const dict = pageDict(pdf, page);
  const annotations = arrayAt(pdf, dict.get("Annots")) ?? [];
  // Thousands of pages can share one long list.
  spend(pdf.budget.read, annotations.length * ANNOTATION);
  const refs = makeIndirect(pdf, annotations);
  if (refs !== annotations) replaceObject(pdf, page.num, new Map([...dict, ["Annots", refs]]));
  return refs.filter(isRef);
}

/** An attribute of a page, its own or inherited. */
function pageValue(pdf: Pdf, page: PdfPage, key: string): Value | undefined {
  return resolve(pdf, pageDict(pdf, page).get(key) ?? page.inherited.get(key));
}

/** By how many degrees clockwise a page is turned when it is shown, from 0 to 270; 0 for an invalid value. */
export function pageRotation(pdf: Pdf, page: PdfPage): number {
  const degrees = numberOf(pageValue(pdf, page, "Rotate")) ?? 0;
  return degrees % 90 === 0 ? ((degrees % 360) + 360) % 360 : 0;
}

/** A new page without content, as large as another. */
export function addBlankPage(pdf: Pdf, like: PdfPage): PdfPage {
  const dict = makeDict({ Type: "Page", Resources: new Map() });
  for (const key of ["MediaBox", "CropBox", "Rotate"]) {
    const value = pageValue(pdf, like, key);
    if (value !== undefined) dict.set(key, value);
  }
  return { num: addObject(pdf, dict).num, inherited: new Map() };
}

/** Makes a new page tree with these pages in this order; inherited attributes are copied to the pages. */
export function rebuildPageTree(pdf: Pdf, pages: readonly PdfPage[]): Ref {
  let level = pages.map(({ num }) => ({ num, count: 1 }));
  for (const page of shareInherited(pdf, pages)) {
    const own = without(pageDict(pdf, page), ["Kids", "Count"]);
    const dict: Dict = new Map([...page.inherited, ...own, ["Type", "Page"]]);
    if (!dict.has("MediaBox")) dict.set("MediaBox", DEFAULT_SIZE);
    mendContents(pdf, dict);
    replaceObject(pdf, page.num, dict);
  }
  for (;;) {
    const groups = Array.from({ length: Math.max(1, Math.ceil(level.length / FANOUT)) }, (_, i) =>
      level.slice(i * FANOUT, (i + 1) * FANOUT),
    );
    level = groups.map((group) => addPageTreeNode(pdf, group));
    const [root, second] = level;
    if (root && !second) return refTo(root.num);
  }
}

/** Makes an inline resource dictionary of a page-tree node an indirect object, which its pages continue to share. */
export function shareInherited(pdf: Pdf, pages: readonly PdfPage[]): PdfPage[] {
  const made = new Map<Value, Value>();
  return pages.map((page) => {
    const resources = page.inherited.get("Resources");
    if (!isDict(resources)) return page;
    const ref = made.get(resources) ?? addObject(pdf, resources);
    made.set(resources, ref);
    return { ...page, inherited: new Map([...page.inherited, ["Resources", ref]]) };
  });
}

/** Removes non-streams from the contents of a page, because of which other programs refuse to read the rest. */
function mendContents(pdf: Pdf, dict: Dict): void {
  const contents = resolve(pdf, dict.get("Contents"));
  if (isStream(contents)) return;
  const streams = Array.isArray(contents) ? contents.filter((each) => isStream(resolve(pdf, each))) : [];
  if (streams.length > 0) dict.set("Contents", streams);
  else dict.delete("Contents");
}

function addPageTreeNode(
  pdf: Pdf,
  kids: readonly { num: number; count: number }[],
): { num: number; count: number } {
  const count = kids.reduce((sum, kid) => sum + kid.count, 0);
  const refs = kids.map(({ num }) => refTo(num));
  const { num } = addObject(pdf, makeDict({ Type: "Pages", Count: count, Kids: refs }));
  for (const kid of kids) {
    const dict = dictAt(pdf, refTo(kid.num));
    if (dict) replaceObject(pdf, kid.num, new Map([...dict, ["Parent", refTo(num)]]));
  }
  return { num, count };
}
