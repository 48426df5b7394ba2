import type { Removable } from "../../file/document-options.ts";
import { catalogOf, dictAt, type Pdf, resolve } from "../model/document.ts";
import { pageAnnotations, type PdfPage } from "../model/pages.ts";
import { fieldsOf } from "../model/trees.ts";
import { type Dict, numberOf } from "../syntax/values.ts";
import { type CleanedDocument, takesOut } from "./cleaned-document.ts";
import { leadsNowhere } from "./bookmarks.ts";
import { type FlattenResult, flattenWidgets, openDrawings } from "./flatten.ts";
import { readLayerStates } from "./layer-states.ts";

/** Bits of /F: not shown at all, or not on a screen (ISO 32000-2, table 167). */
const HIDDEN = 0b10_0010;

/**
 * Collects the annotations to remove, before the objects that lead to them change, and draws form fields onto their
 * pages.
 */
export function collectAnnotations(cleaned: CleanedDocument, pages: readonly PdfPage[]): FlattenResult {
  const { pdf, kinds, removed } = cleaned;
  const isShown = kinds.has("layers") ? readLayerStates(pdf) : () => true;
  const drawings = openDrawings(pdf);
  const all = { undrawn: 0, hasFlattened: false };
  // Thousands of pages can share one long list.
  const kept = new Set<number>();
  for (const page of pages) {
    const shown: Dict[] = [];
    for (const ref of pageAnnotations(pdf, page)) {
      if (kept.has(ref.num)) continue;
      const annotation: Dict = dictAt(pdf, ref) ?? new Map();
      const isOff = !isShown(annotation.get("OC"));
      const kind = isOff ? "layers" : kindOf(cleaned, annotation);
      const goes = kind ? takesOut(cleaned, kind) : leadsNowhere(cleaned, annotation);
      (goes ? removed : kept).add(ref.num);
      if (!goes) continue;
      if (kind === "forms" && !isHidden(pdf, annotation)) shown.push(annotation);
    }
    const { undrawn, hasFlattened } = flattenWidgets(pdf, { page, widgets: shown, drawings });
    all.undrawn += undrawn;
    all.hasFlattened ||= hasFlattened;
  }
  // Structure elements and actions may name fields without a widget on any page.
  if (kinds.has("forms")) for (const num of fieldsOf(pdf, catalogOf(pdf))) removed.add(num);
  return all;
}

/** Links are navigation and widgets belong to the form; some annotations attach files to a page. */
function kindOf({ pdf, kinds }: CleanedDocument, annotation: Dict): Removable | undefined {
  const subtype = resolve(pdf, annotation.get("Subtype"));
  if (subtype === "Link") return undefined;
  if (subtype === "Widget" || (subtype === undefined && annotation.has("FT"))) return "forms";
  return subtype === "FileAttachment" && !kinds.has("annotations") ? "attachments" : "annotations";
}

function isHidden(pdf: Pdf, annotation: Dict): boolean {
  return ((numberOf(resolve(pdf, annotation.get("F"))) ?? 0) & HIDDEN) !== 0;
}
