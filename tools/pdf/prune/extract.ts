import type { ToolWarning } from "../../../wire/tool-warning.ts";
import type { Pdf } from "../model/document.ts";
import { type PdfPage, rebuildPageTree, replaceCatalog } from "../model/pages.ts";
import { claimName, claimsOf } from "../standards/claims.ts";
import { keepClaims } from "../standards/keep-claims.ts";
import type { Dict } from "../syntax/values.ts";
import { pruneCatalog } from "./catalog.ts";
import { prunePageContents } from "./pages.ts";
import { type PageSelection, keepObjectsOf, type PreparedDocument } from "./prepare.ts";
import { copyRepeats } from "./repeats.ts";

/** The document with only these pages, in this order, and nothing that belongs only to others. */
export function extractPages(
  prepared: PreparedDocument,
  { pages, isPart, onProgress }: Omit<PageSelection, "prepared" | "kept">,
): { part: Pdf; warnings: ToolWarning[] } {
  const kept = keepObjectsOf(prepared, pages);
  const { pdf } = prepared;
  const part: Pdf = { ...pdf, changed: new Map(), changedBefore: pdf.changed, isRemoved: kept.isRemoved };
  const extracted = prunePages(part, { prepared, pages, kept, isPart, onProgress });
  const pageTree = rebuildPageTree(part, extracted.pages);
  replaceCatalog(part, new Map([...extracted.catalog, ["Pages", pageTree]]));
  const hasUntagged = extracted.warnings.some(({ code }) => code === "tags_not_repeated");
  const lost = keepClaims(part, { hasUntagged });
  const unchecked = claimsOf(part).map((claim) => ({
    code: "standard_unchecked" as const,
    standard: claimName(claim),
  }));
  return { part, warnings: [...extracted.warnings, ...lost, ...unchecked] };
}

/** Removes from these pages and from the catalog what belongs only to other pages. The new catalog has no /Pages. */
export function prunePages(
  part: Pdf,
  pageSelection: PageSelection,
): { pages: PdfPage[]; catalog: Dict; warnings: ToolWarning[] } {
  const own = pageSelection.pages.flatMap(({ num }) => pageSelection.prepared.pages.get(num) ?? []);
  const { pages, fields, hasUntagged } = copyRepeats(part, { ...pageSelection, pages: own });
  const { usage, context } = prunePageContents(part, { ...pageSelection, pages, fields });
  const catalog = pruneCatalog(part, { ...pageSelection, copies: pages, fields, usage, context });
  const warnings: ToolWarning[] = [];
  if (usage.isIncomplete) warnings.push({ code: "content_unreadable" });
  if (hasUntagged) warnings.push({ code: "tags_not_repeated" });
  return { pages, catalog, warnings };
}
