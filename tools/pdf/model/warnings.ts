import type { ToolWarning } from "../../../wire/tool-warning.ts";
import type { PdfSource } from "../reader/source.ts";
import { pushAll, type Dict, isRef, type Value } from "../syntax/values.ts";
import { catalogOf, dictIn, type Pdf, arrayAt, dictAt, resolve } from "./document.ts";

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

/**
 * Warnings for a document that is changed, whose signatures were made over its old bytes. Signatures themselves are
 * looked for: /SigFlags is often missing, and set where a field still waits for one.
 */
export function signatureWarnings(pdf: Pdf): ToolWarning[] {
  const permissions = dictIn(pdf, catalogOf(pdf), "Perms");
  const signatures = signaturesIn(pdf);
  const certified = signatures.filter((each) => isCertification(pdf, each));
  const grants = (key: string) => dictIn(pdf, permissions, key) !== undefined;
  return codesOf([
    [signatures.length > certified.length, "signatures_broken"],
    // A certification says which changes the author allows (ISO 32000-1, 12.8.2.2).
    [certified.length > 0 || grants("DocMDP"), "certification_broken"],
    // Rights that Adobe Reader grants in this document only (12.8.2.3).
    [grants("UR") || grants("UR3"), "usage_rights_broken"],
  ]);
}

/** Warnings for a document that is changed: results hold neither its signatures nor its encryption. */
export function changeWarnings(pdf: Pdf): ToolWarning[] {
  const isRestricted = (pdf.main.encryption?.restrictions ?? []).length > 0;
  return [...signatureWarnings(pdf), ...codesOf([[isRestricted, "restrictions_removed"]])];
}

/** Whether the file opened only with the password sent. */
export function neededPassword({ main }: Pdf): boolean {
  return main.encryption?.passwordNeeded ?? false;
}

/** Warnings about what a part of a document leaves out. */
export function partWarnings(pdf: Pdf, { isPart }: { isPart: boolean }): ToolWarning[] {
  const catalog = catalogOf(pdf);
  const names = dictIn(pdf, catalog, "Names");
  return [
    ...mergeWarnings(pdf),
    ...codesOf([
      [names?.has("Renditions") ?? false, "media_left_out"],
      [isPart && (names?.has("EmbeddedFiles") ?? false), "attachments_left_out"],
      [isPart && (names?.has("JavaScript") ?? false), "scripts_left_out"],
    ]),
  ];
}

/** Warnings about what a merge leaves out of a file when it takes all pages. */
export function mergeWarnings(pdf: Pdf): ToolWarning[] {
  const catalog = catalogOf(pdf);
  const form = dictIn(pdf, catalog, "AcroForm");
  return codesOf([
    [form?.has("XFA") ?? false, "xfa_left_out"],
    [catalog?.has("Threads") ?? false, "threads_left_out"],
    [catalog?.has("Collection") ?? false, "portfolio_left_out"],
  ]);
}

function codesOf<Code extends string>(all: readonly (readonly [applies: boolean, code: Code])[]) {
  return all.filter(([applies]) => applies).map(([, code]) => ({ code }));
}

function signaturesIn(pdf: Pdf): Dict[] {
  const signatures: Dict[] = [];
  const seen = new Set<number>();
  const form = dictAt(pdf, catalogOf(pdf)?.get("AcroForm"));
  const waiting = fieldsIn(pdf, form?.get("Fields"), undefined);
  for (let field = waiting.pop(); field; field = waiting.pop()) {
    if (isRef(field.value) && (seen.has(field.value.num) || !seen.add(field.value.num))) continue;
    const dict = dictAt(pdf, field.value);
    const type = resolve(pdf, dict?.get("FT")) ?? field.type;
    const signature = type === "Sig" ? dictAt(pdf, dict?.get("V")) : undefined;
    if (signature) signatures.push(signature);
    pushAll(waiting, fieldsIn(pdf, dict?.get("Kids"), type));
  }
  return signatures;
}

// Kids inherit the type.
function fieldsIn(
  pdf: Pdf,
  list: Value | undefined,
  type: Value | undefined,
): { value: Value; type: Value | undefined }[] {
  return (arrayAt(pdf, list) ?? []).map((value) => ({ value, type }));
}

function isCertification(pdf: Pdf, signature: Dict): boolean {
  const references = arrayAt(pdf, signature.get("Reference")) ?? [];
  return references.some((each) => resolve(pdf, dictAt(pdf, each)?.get("TransformMethod")) === "DocMDP");
}
