import { catalogOf, dictIn, type Pdf } from "./document.ts";
import { numberOf } from "../syntax/values.ts";

/** Warnings about how the files were read. */
export function warningsOf(pdf: Pdf): string[] {
  const isRepaired = pdf.sources.some((source) => source.isRepaired);
  return isRepaired ? ["The cross-reference of the document was damaged and has been rebuilt."] : [];
}

/** Warnings for a document that is changed: its signatures were made over the old bytes. */
export function changeWarnings(pdf: Pdf): string[] {
  const form = dictIn(pdf, { dict: catalogOf(pdf), key: "AcroForm" });
  const isSigned = ((numberOf(form?.get("SigFlags")) ?? 0) & 1) > 0;
  return [...warningsOf(pdf), ...(isSigned ? ["Signatures of the document no longer hold."] : [])];
}

/** Whether the file opened only with the password sent. */
export function neededPassword({ main }: Pdf): boolean {
  return main.encryption?.passwordNeeded ?? false;
}

/** Warnings about what a part of a document leaves out. */
export function partWarnings(pdf: Pdf, mode: "each" | "keep" | "drop"): string[] {
  const catalog = catalogOf(pdf);
  const names = dictIn(pdf, { dict: catalog, key: "Names" });
  const form = dictIn(pdf, { dict: catalog, key: "AcroForm" });
  const told: [boolean, string][] = [
    [form?.has("XFA") ?? false, "The XML form (XFA) was left out, since it repeats what is on every page."],
    [catalog?.has("Threads") ?? false, "Article threads were left out."],
    [
      mode === "each" && (names?.has("EmbeddedFiles") ?? false),
      "Attachments were left out of the single pages.",
    ],
    [mode === "each" && (names?.has("JavaScript") ?? false), "Scripts were left out of the single pages."],
  ];
  return [...changeWarnings(pdf), ...told.filter(([applies]) => applies).map(([, text]) => text)];
}
