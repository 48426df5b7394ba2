import type { Pdf } from "./document.ts";

/** What the caller should know about how the files were read. */
export function warningsOf(pdf: Pdf): string[] {
  const isRepaired = pdf.sources.some((source) => source.isRepaired);
  return isRepaired ? ["The cross-reference of the document was damaged and has been rebuilt."] : [];
}
