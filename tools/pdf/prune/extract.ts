import type { ToolWarning } from "../../../wire/tool-warning.ts";
import type { Pdf } from "../model/document.ts";
import { type Page, rebuildPageTree, replaceCatalog } from "../model/pages.ts";
import type { Dict } from "../syntax/values.ts";
import { pruneCatalog } from "./catalog.ts";
import { prunePageContents } from "./pages.ts";
import { type Extracting, keepObjectsOf, type PreparedDocument } from "./prepare.ts";
import { copyRepeats } from "./repeats.ts";

interface Extracted {
  readonly pages: Page[];
  /** The catalog of the part, without /Pages. */
  readonly catalog: Dict;
  readonly warnings: ToolWarning[];
}

/** The document with only these pages, in this order, and nothing that belongs only to others. */
export function extractPages(
  prepared: PreparedDocument,
  { pages, isSinglePage, onProgress }: Omit<Extracting, "prepared" | "kept">,
): { part: Pdf; warnings: ToolWarning[] } {
  const kept = keepObjectsOf(prepared, pages);
  const { pdf } = prepared;
  const part: Pdf = { ...pdf, changed: new Map(), changedBefore: pdf.changed, isRemoved: kept.isRemoved };
  const extracted = prunePages(part, { prepared, pages, kept, isSinglePage, onProgress });
  const pageTree = rebuildPageTree(part, extracted.pages);
  replaceCatalog(part, new Map([...extracted.catalog, ["Pages", pageTree]]));
  return { part, warnings: extracted.warnings };
}

/** Removes from these pages and from the catalog what belongs only to other pages. */
export function prunePages(part: Pdf, extracting: Extracting): Extracted {
  const own = extracting.pages.map(({ num }) => extracting.prepared.pages.get(num)!);
  const { pages, fields, hasUntagged } = copyRepeats(part, { ...extracting, pages: own });
  const { usage, context } = prunePageContents(part, { ...extracting, pages, fields });
  const catalog = pruneCatalog(part, { ...extracting, copies: pages, fields, usage, context });
  const warnings: ToolWarning[] = [];
  if (usage.isIncomplete) warnings.push({ code: "content_unreadable" });
  if (hasUntagged) warnings.push({ code: "tags_not_repeated" });
  return { pages, catalog, warnings };
}
