import { catalogOf, dictAt, dictIn } from "../model/document.ts";
import { catalogEntry, changeCatalog } from "../model/catalog.ts";
import { readBookmarks, relinkBookmarks } from "../navigation/outline.ts";
import { type Dict, refTo } from "../syntax/values.ts";
import { cleanActions } from "./actions.ts";
import type { CleanedDocument } from "./cleaned-document.ts";

/**
 * Removes bookmarks that lead only to something removed, such as an attached file, and their parents if no other child
 * is left.
 */
export function dropBookmarks(cleaned: CleanedDocument): void {
  const { pdf, kinds } = cleaned;
  const outline = dictIn(pdf, catalogOf(pdf), "Outlines");
  if (!outline || kinds.has("bookmarks")) return;
  const bookmarks = readBookmarks(pdf, outline);
  const dropped = new Set<number>();
  // Parents come before their children.
  for (const kids of [...bookmarks.values()].toReversed()) {
    for (const kid of kids) {
      const below = bookmarks.get(kid) ?? [];
      if (below.some((each) => !dropped.has(each))) continue;
      const item: Dict = dictAt(pdf, refTo(kid)) ?? new Map();
      const isHeading = below.length > 0 && !item.has("A") && !item.has("Dest");
      if (isHeading || leadsNowhere(cleaned, item)) dropped.add(kid);
    }
  }
  if (dropped.size === 0) return;
  const isKept = (num: number) => !dropped.has(num);
  const left = relinkBookmarks(pdf, {
    bookmarks,
    outline: catalogEntry(pdf, "Outlines") ?? null,
    isKept,
    change: (item) => item,
  });
  if (!left) changeCatalog(pdf, { Outlines: undefined });
  for (const num of dropped) cleaned.removed.add(num);
}

/**
 * Whether a link or bookmark led only to something removed. One that was a script stays, because its frame is visible.
 */
export function leadsNowhere(cleaned: CleanedDocument, item: Dict): boolean {
  const action = item.get("A");
  if (action === undefined || item.has("Dest")) return false;
  const kinds = new Set(cleaned.kinds);
  kinds.delete("scripts");
  return cleanActions({ ...cleaned, kinds }, action) === undefined;
}
