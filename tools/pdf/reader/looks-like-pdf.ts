import { findKeyword } from "../syntax/lexer.ts";

/** Whether anything in these bytes is what only a PDF has; the header of some is damaged. */
export function looksLikePdf(bytes: Uint8Array): boolean {
  return ["%PDF-", "endobj", "startxref"].some((word) => findKeyword(bytes, { word }) >= 0);
}
