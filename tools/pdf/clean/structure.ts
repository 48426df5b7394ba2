import { spend } from "../limits.ts";
import { dictAt, type Pdf, replaceObject, resolve } from "../model/document.ts";
import { catalogEntry } from "../model/catalog.ts";
import { makeTree, readTree } from "../model/trees.ts";
import { without, type Dict, isRef, type Ref, refTo, unsignedOf, type Value } from "../syntax/values.ts";
import { indirectKids, isElement, WHOLE_TEXTS } from "../structure/elements.ts";
import type { CleanedDocument } from "./cleaned-document.ts";

/** A structure element on the way, with what of its content is left. */
interface Element {
  readonly num: number;
  readonly parent: Element | undefined;
  /** The page of content that names none. */
  readonly page: number;
  hasLeft: boolean;
  hasLost: boolean;
}

/** What visiting an element costs, in bytes read. */
const VISIT = 64;

/**
 * Structure elements of which all content is gone go too, with all that they say of it; those that lose a part of theirs
 * lose the texts that stand for the whole (ISO 32000-2, 14.9.3 to 14.9.5). To be called when it is known what is gone.
 */
export function dropElements(cleaned: CleanedDocument, isReached: (num: number) => boolean): void {
  const { pdf, removed, hidden } = cleaned;
  if (removed.size === 0 && !hidden) return;
  const root = catalogEntry(pdf, "StructTreeRoot");
  if (!root) return;
  const order = readElements(cleaned, root, isReached);
  // From the leaves up.
  for (const { parent, hasLeft, hasLost } of order.toReversed()) {
    if (!parent) continue;
    parent.hasLeft ||= hasLeft;
    parent.hasLost ||= hasLost;
  }
  const dropped = new Set<Element>();
  for (const element of order) {
    if (!element.parent) continue;
    if (dropped.has(element.parent) || (element.hasLost && !element.hasLeft)) dropped.add(element);
    else if (element.hasLost) dropTexts(pdf, element.num);
  }
  if (dropped.size === 0) return;
  for (const { num } of dropped) removed.add(num);
  dropIds(cleaned, root);
}

/** The elements, each before those in it; the root is the first. */
function readElements(cleaned: CleanedDocument, root: Ref, isReached: (num: number) => boolean): Element[] {
  const { pdf } = cleaned;
  const order: Element[] = [];
  const seen = new Set<number>();
  const top: Element = { num: root.num, parent: undefined, page: 0, hasLeft: true, hasLost: false };
  const waiting = [top];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    spend(pdf.budget.read, VISIT);
    order.push(element);
    for (const kid of indirectKids(pdf, element.num)) {
      const dict = dictAt(pdf, kid);
      if (dict && isElement(dict)) {
        if (!isRef(kid) || seen.has(kid.num)) continue;
        seen.add(kid.num);
        const own = dict.get("Pg");
        const page = isRef(own) ? own.num : element.page;
        waiting.push({ num: kid.num, parent: element, page, hasLeft: false, hasLost: false });
      } else noteContent(cleaned, { element, kid, isReached });
    }
  }
  return order;
}

function noteContent(
  { pdf, removed, hidden }: CleanedDocument,
  { element, kid, isReached }: { element: Element; kid: Value; isReached: (num: number) => boolean },
): void {
  const dict = dictAt(pdf, kid);
  const object = dict?.get("Obj");
  const drawing = dict?.get("Stm");
  const holder = [object, drawing, dict?.get("Pg")].find(isRef)?.num ?? element.page;
  const id = unsignedOf(resolve(pdf, dict ? dict.get("MCID") : kid));
  const marked = object === undefined ? hidden?.content.get(holder) : undefined;
  // Content of which nobody says where it is stays.
  const isGone = (holder > 0 && !isReached(holder)) || removed.has(holder) || hidden?.drawings.has(holder);
  const isHidden = id !== undefined && marked?.hidden.has(id);
  if (isGone || isHidden || (id !== undefined && marked?.partly.has(id))) element.hasLost = true;
  if (!isGone && !isHidden) element.hasLeft = true;
}

function dropTexts(pdf: Pdf, num: number): void {
  const dict = dictAt(pdf, refTo(num));
  if (dict && WHOLE_TEXTS.some((key) => dict.has(key))) replaceObject(pdf, num, without(dict, WHOLE_TEXTS));
}

/** The identifiers of elements that are gone stand in a tree, also as the limits of its nodes. */
function dropIds({ pdf, removed }: CleanedDocument, { num }: Ref): void {
  const root: Dict = dictAt(pdf, refTo(num)) ?? new Map();
  const ids = readTree(pdf, root.get("IDTree"), "Names");
  const pairs = ids.filter(([, element]) => isRef(element) && !removed.has(element.num));
  if (pairs.length === ids.length) return;
  const tree = makeTree(pdf, pairs, "Names");
  replaceObject(pdf, num, new Map<string, Value>([...root, ["IDTree", tree]]));
}
