import type { ToolWarning } from "../../../wire/tool-warning.ts";
import type { PdfSource } from "../reader/source.ts";
import { catalogOf, dictIn, type Pdf } from "./document.ts";
import { findSignatures } from "./signatures.ts";

/** Warnings about how a file was read. To be asked at the end, as damage is found while objects are read. */
export function readingWarnings({ repairs }: PdfSource): ToolWarning[] {
  const { isRebuilt, found, hasLostObjects, garbage, lostPages, hasSearchedPages } = repairs;
  return codesOf([
    [isRebuilt, "xref_rebuilt"],
    [found > 0, "objects_found"],
    [hasLostObjects || garbage > 0, "objects_lost"],
    [lostPages > 0 && !hasSearchedPages, "pages_lost"],
    [hasSearchedPages, "pages_found"],
  ]);
}

/** Warnings about a file that is sent back as it came. */
export function unchangedWarnings({ repairs }: PdfSource): ToolWarning[] {
  const { isRebuilt, found, hasLostObjects, garbage, lostPages } = repairs;
  const isDamaged = isRebuilt || found > 0 || hasLostObjects || garbage > 0 || lostPages > 0;
  return isDamaged ? [{ code: "damage_left" }] : [];
}

/** Warnings for a document that is changed, whose signatures were made over its old bytes. */
export function signatureWarnings(pdf: Pdf): ToolWarning[] {
  const { isSigned, isCertified, hasUsageRights } = findSignatures(pdf);
  return codesOf([
    [isSigned, "signatures_broken"],
    [isCertified, "certification_broken"],
    [hasUsageRights, "usage_rights_broken"],
  ]);
}

/** Whether the file opened only with the password sent. */
export function neededPassword({ main }: Pdf): boolean {
  return main.encryption?.passwordNeeded ?? false;
}

/** Warnings about what a part of a document leaves out. */
export function partWarnings(pdf: Pdf, { isPart }: { isPart: boolean }): ToolWarning[] {
  const catalog = catalogOf(pdf);
  const names = dictIn(pdf, { dict: catalog, key: "Names" });
  return [
    ...mergeWarnings(pdf),
    ...codesOf([
      [names?.has("Renditions") ?? false, "media_left_out"],
      [isPart && (names?.has("EmbeddedFiles") ?? false), "attachments_left_out"],
      [isPart && (names?.has("JavaScript") ?? false), "scripts_left_out"],
    ]),
  ];
}

/** Warnings about what a merge leaves out of a file of which it takes all pages. */
export function mergeWarnings(pdf: Pdf): ToolWarning[] {
  const catalog = catalogOf(pdf);
  const form = dictIn(pdf, { dict: catalog, key: "AcroForm" });
  return codesOf([
    [form?.has("XFA") ?? false, "xfa_left_out"],
    [catalog?.has("Threads") ?? false, "threads_left_out"],
    [catalog?.has("Collection") ?? false, "portfolio_left_out"],
  ]);
}

function codesOf<Code extends string>(all: readonly (readonly [applies: boolean, code: Code])[]) {
  return all.filter(([applies]) => applies).map(([, code]) => ({ code }));
}
