import { findKeyword } from "../syntax/lexer.ts";

/** Whether these bytes contain anything that only a PDF has; some files have a damaged header. */
export function looksLikePdf(bytes: Uint8Array): boolean {
  return ["%PDF-", "endobj", "startxref"].some((word) => findKeyword(bytes, { word }) >= 0);
}
