import type { ToolWarning } from "../../../wire/tool-warning.ts";
import type { Pdf } from "../model/document.ts";
import { type PdfPage, rebuildPageTree, replaceCatalog } from "../model/pages.ts";
import { claimName, claimsOf } from "../standards/claims.ts";
import { keepClaims } from "../standards/keep-claims.ts";
import type { Dict } from "../syntax/values.ts";
import { pruneCatalog } from "./catalog.ts";
import { prunePageContents } from "./pages.ts";
import { type Extracting, keepObjectsOf, type PreparedDocument } from "./prepare.ts";
import { copyRepeats } from "./repeats.ts";

/** The document with only these pages, in this order, and nothing that belongs only to others. */
export function extractPages(
  prepared: PreparedDocument,
  { pages, isPart, onProgress }: Omit<Extracting, "prepared" | "kept">,
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
  extracting: Extracting,
): { pages: PdfPage[]; catalog: Dict; warnings: ToolWarning[] } {
  const own = extracting.pages.flatMap(({ num }) => extracting.prepared.pages.get(num) ?? []);
  const { pages, fields, hasUntagged } = copyRepeats(part, { ...extracting, pages: own });
  const { usage, context } = prunePageContents(part, { ...extracting, pages, fields });
  const catalog = pruneCatalog(part, { ...extracting, copies: pages, fields, usage, context });
  const warnings: ToolWarning[] = [];
  if (usage.isIncomplete) warnings.push({ code: "content_unreadable" });
  if (hasUntagged) warnings.push({ code: "tags_not_repeated" });
  return { pages, catalog, warnings };
}
