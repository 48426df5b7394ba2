import { getObject, objectExists, type Pdf, resolve } from "../../model/document.ts";
import {
  type Dict,
  dictOf,
  isDict,
  isRef,
  isStream,
  refTo,
  type Value,
  pushTo,
} from "../../syntax/values.ts";

/** What needs an object: pages by index, and entries of the catalog and the trailer. */
export interface Users {
  /** By the document's object number: the indexes of the pages that reach it. */
  readonly pages: ReadonlyMap<number, readonly number[]>;
  /**
   * By object number: the entries of the catalog ("Root/Outlines") and the trailer ("Info"), and thumbnails ("Thumb
   * 0").
   */
  readonly entries: ReadonlyMap<number, readonly string[]>;
}

/** Finds what each page and each entry reaches, without going through other pages (ISO 32000-2, annex F.2). */
export function findUsers(
  pdf: Pdf,
  { trailer, root, pages }: { trailer: Dict; root: Dict; pages: readonly number[] },
): Users {
  const byPage = new Map<number, number[]>();
  const byEntry = new Map<number, string[]>();
  pages.forEach((num, page) => {
    const note = (each: number) => pushTo(byPage, each, page);
    const seen = new Set<number>();
    const thumbnail = walk(pdf, refTo(num), { page: num, note, seen });
    const noteThumbnail = (each: number) => pushTo(byEntry, each, `Thumb ${page}`);
    if (thumbnail !== undefined) walk(pdf, thumbnail, { note: noteThumbnail, seen });
  });
  for (const [name, dict] of [["", trailer] as const, ["Root/", root] as const]) {
    for (const [key, value] of dict) {
      if (dict === trailer && key === "Root") continue;
      const note = (each: number) => pushTo(byEntry, each, name + key);
      walk(pdf, value, { note, seen: new Set() });
    }
  }
  return { pages: byPage, entries: byEntry };
}

/**
 * Records every object that is reached, each once, and follows no other page. Returns the page's thumbnail, which is not
 * one of its objects; `seen` has those that were recorded before for it.
 */
function walk(
  pdf: Pdf,
  value: Value,
  { page, note, seen }: { page?: number; note: (num: number) => void; seen: Set<number> },
): Value | undefined {
  let thumbnail: Value | undefined;
  const waiting: Value[] = [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    let found: Value = each;
    if (isRef(each)) {
      if (seen.has(each.num) || !objectExists(pdf, each)) continue;
      found = getObject(pdf, each.num);
      // qpdf does not count objects that are null, and writes references to them as null.
      if (found === null || (each.num !== page && isPage(pdf, found))) continue;
      seen.add(each.num);
      // An object that was replaced with a reference is not written itself.
      if (!isRef(found)) note(each.num);
      else waiting.push(found);
    }
    if (Array.isArray(found)) for (const item of found) waiting.push(item);
    const isTop = isRef(each) && each.num === page;
    for (const [key, item] of isDict(found) || isStream(found) ? (dictOf(found) ?? []) : []) {
      if (isTop && key === "Thumb") thumbnail = item;
      else if (!(isTop && key === "Parent") && !(isStream(found) && key === "Length")) waiting.push(item);
    }
  }
  return thumbnail;
}

function isPage(pdf: Pdf, value: Value): boolean {
  return isDict(value) && resolve(pdf, value.get("Type")) === "Page";
}
