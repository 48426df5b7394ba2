import type { Pdf } from "./document.ts";

/** What the caller should know about how the files were read. */
export function warningsOf(pdf: Pdf): string[] {
  const isRepaired = pdf.sources.some((source) => source.isRepaired);
  return isRepaired ? ["The cross-reference of the document was damaged and has been rebuilt."] : [];
}

/** Whether the first file opened only with the password sent. */
export function neededPassword({ sources }: Pdf): boolean {
  return sources[0]?.lock?.passwordNeeded ?? false;
}
