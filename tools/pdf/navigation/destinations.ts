import { catalogOf, dictAt, dictIn, type Pdf, resolve } from "../model/document.ts";
import type { Page } from "../model/pages.ts";
import { keyOf, type Pair, readTree } from "../model/trees.ts";
import { type Dict, isDict, isRef, isString, refTo, type Value } from "../syntax/values.ts";
import type { IsKept } from "../prune/kept.ts";

/** Named destinations (ISO 32000-1, 12.3.2.3), old ones by name and new ones by string, with their pages. */
export interface Destinations {
  readonly pages: readonly Page[];
  readonly pairs: readonly Pair[];
  readonly old: Dict;
  /** By name: the object number of the page; 0 if it leads to none. */
  readonly targets: ReadonlyMap<string, number>;
  readonly pageNums: ReadonlySet<number>;
}

export function readDestinations(pdf: Pdf, pages: readonly Page[]): Destinations {
  const catalog = catalogOf(pdf);
  const pairs = readTree(pdf, {
    root: dictIn(pdf, { dict: catalog, key: "Names" })?.get("Dests"),
    kind: "Names",
  });
  const old: Dict = dictIn(pdf, { dict: catalog, key: "Dests" }) ?? new Map();
  const targets = new Map<string, number>();
  for (const [name, value] of [...old, ...pairs]) {
    const key = keyOf(name);
    if (key !== undefined) targets.set(key, explicitTarget(pdf, { pages, value }));
  }
  return { pages, pairs, old, targets, pageNums: new Set(pages.map(({ num }) => num)) };
}

function explicitTarget(
  pdf: Pdf,
  { pages, value }: { pages: readonly Page[]; value: Value | undefined },
): number {
  const found = resolve(pdf, value);
  const dest = isDict(found) ? resolve(pdf, found.get("D")) : found;
  const first = Array.isArray(dest) ? dest[0] : undefined;
  if (isRef(first)) return first.num;
  return typeof first === "number" ? (pages[first]?.num ?? 0) : 0;
}

/**
 * The object number of the page a bookmark or link leads to by /Dest or a go-to action; 0 when that is
 * nowhere, undefined when it does not lead into this document.
 */
export function targetOf(
  pdf: Pdf,
  { dict, destinations }: { dict: Dict; destinations: Destinations },
): number | undefined {
  const action = dictAt(pdf, dict.get("A"));
  if (dict.has("Dest")) return targetOfDest(pdf, { dest: dict.get("Dest"), destinations });
  if (action?.get("S") !== "GoTo") return undefined;
  return targetOfDest(pdf, { dest: action.get("D"), destinations });
}

interface Target {
  readonly dest: Value | undefined;
  readonly destinations: Destinations;
}

function targetOfDest(pdf: Pdf, { dest, destinations }: Target): number {
  const value = resolve(pdf, dest);
  const name = isString(value) || typeof value === "string" ? keyOf(value) : undefined;
  if (name !== undefined) return destinations.targets.get(name) ?? 0;
  return explicitTarget(pdf, { pages: destinations.pages, value });
}

/** A destination whose page is kept, by reference if it was by page number; undefined if the page is not kept. */
export function keepDestination(
  pdf: Pdf,
  { dest, destinations, isKept }: Target & { isKept: IsKept },
): Value | undefined {
  const target = targetOfDest(pdf, { dest, destinations });
  if (!destinations.pageNums.has(target) || !isKept(target)) return undefined;
  return destinationByReference(pdf, { dest, pages: destinations.pages });
}

/**
 * The same destination with its page by reference instead of by number, which would be another page's elsewhere;
 * undefined if there is no such page.
 */
export function destinationByReference(
  pdf: Pdf,
  { dest, pages }: { dest: Value | undefined; pages: readonly Page[] },
): Value | undefined {
  const found = resolve(pdf, dest);
  const inner = isDict(found) ? resolve(pdf, found.get("D")) : found;
  if (!Array.isArray(inner) || typeof inner[0] !== "number") return dest;
  const page = pages[inner[0]];
  if (!page) return undefined;
  const byReference: Value[] = [refTo(page.num), ...inner.slice(1)];
  return isDict(found) ? new Map([...found, ["D", byReference]]) : byReference;
}
