import { arrayAt, catalogOf, dictAt, dictIn, type Pdf, resolve } from "../model/document.ts";
import type { PdfPage } from "../model/pages.ts";
import { keyOf, readTree } from "../model/trees.ts";
import {
  type Dict,
  isDict,
  isRef,
  isString,
  pushTo,
  refTo,
  type Value,
  type IsKept,
} from "../syntax/values.ts";

/** Named destinations (ISO 32000-1, 12.3.2.3) with their pages: the old kind by name, the new kind by string. */
export interface Destinations {
  readonly pages: readonly PdfPage[];
  /** By name: the object number of the page; 0 for no page. */
  readonly targets: ReadonlyMap<string, number>;
  /** By the object number of a page: the destinations that lead to it. */
  readonly byPage: ReadonlyMap<number, readonly NamedDestination[]>;
  readonly pageNums: ReadonlySet<number>;
}

export interface NamedDestination {
  readonly name: Value;
  readonly dest: Value;
  /** The old kind is an entry of the catalog's /Dests, the new kind an entry of a name tree. */
  readonly isOld: boolean;
  /** Its index among all destinations. */
  readonly at: number;
}

export function readDestinations(pdf: Pdf, pages: readonly PdfPage[]): Destinations {
  const all = readNamed(pdf);
  const targets = new Map<string, number>();
  for (const { name, dest } of all) {
    const key = keyOf(name);
    if (key !== undefined) targets.set(key, explicitTarget(pdf, pages, dest));
  }
  const pageNums = new Set(pages.map(({ num }) => num));
  const byPage = new Map<number, NamedDestination[]>();
  const destinations = { pages, targets, byPage, pageNums };
  for (const named of all) {
    const target = targetOfDest(pdf, named.dest, destinations);
    if (pageNums.has(target)) pushTo(byPage, target, named);
  }
  return destinations;
}

function readNamed(pdf: Pdf): NamedDestination[] {
  const catalog = catalogOf(pdf);
  const root = dictIn(pdf, catalog, "Names")?.get("Dests");
  const old = [...(dictIn(pdf, catalog, "Dests") ?? [])];
  const pairs = readTree(pdf, root, "Names").filter(([key]) => keyOf(key) !== undefined);
  return [...old, ...pairs].map(([name, dest], at) => ({ name, dest, at, isOld: at < old.length }));
}

/** The destinations on some pages, in document order. A part of a long document reads only its own. */
export function destinationsTo({ byPage }: Destinations, pages: readonly PdfPage[]): NamedDestination[] {
  const nums = new Set(pages.map(({ num }) => num));
  return [...nums].flatMap((num) => byPage.get(num) ?? []).sort((a, b) => a.at - b.at);
}

function explicitTarget(pdf: Pdf, pages: readonly PdfPage[], value: Value | undefined): number {
  const [first] = explicitDestination(pdf, value) ?? [];
  if (isRef(first)) return first.num;
  return typeof first === "number" ? (pages[first]?.num ?? 0) : 0;
}

/** The array of a destination that has no name, also where it stands in a dictionary. */
function explicitDestination(pdf: Pdf, value: Value | undefined): Value[] | undefined {
  const found = resolve(pdf, value);
  return arrayAt(pdf, isDict(found) ? found.get("D") : found);
}

/**
 * The object number of the page that a bookmark or link leads to by /Dest or a go-to action; 0 if that page does not
 * exist, undefined if it does not lead into this document.
 */
export function targetOf(pdf: Pdf, dict: Dict, destinations: Destinations): number | undefined {
  const action = dictAt(pdf, dict.get("A"));
  if (dict.has("Dest")) return targetOfDest(pdf, dict.get("Dest"), destinations);
  if (action?.get("S") !== "GoTo") return undefined;
  return targetOfDest(pdf, action.get("D"), destinations);
}

function targetOfDest(pdf: Pdf, dest: Value | undefined, destinations: Destinations): number {
  const value = resolve(pdf, dest);
  const name = isString(value) || typeof value === "string" ? keyOf(value) : undefined;
  if (name !== undefined) return destinations.targets.get(name) ?? 0;
  return explicitTarget(pdf, destinations.pages, value);
}

/** A destination whose page is kept, with a reference in place of a page number; undefined if the page is not kept. */
export function keepDestination(
  pdf: Pdf,
  dest: Value | undefined,
  { destinations, isKept }: { destinations: Destinations; isKept: IsKept },
): Value | undefined {
  const target = targetOfDest(pdf, dest, destinations);
  if (!destinations.pageNums.has(target) || !isKept(target)) return undefined;
  return destinationByReference(pdf, dest, destinations.pages);
}

/**
 * The same destination with a reference in place of the page number, which would mean another page in another document;
 * undefined if there is no such page.
 */
export function destinationByReference(
  pdf: Pdf,
  dest: Value | undefined,
  pages: readonly PdfPage[],
): Value | undefined {
  const found = resolve(pdf, dest);
  const [index, ...fit] = explicitDestination(pdf, found) ?? [];
  if (typeof index !== "number") return dest;
  const page = pages[index];
  if (!page) return undefined;
  const byReference: Value[] = [refTo(page.num), ...fit];
  return isDict(found) ? new Map([...found, ["D", byReference]]) : byReference;
}
