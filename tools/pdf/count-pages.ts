import { readPages } from "./model/pages.ts";
import { type PdfInput, withPdf } from "./reader/open.ts";

/**
 * How many pages a PDF has, for whoever asks before working on it.
 * @throws ToolFailure wrong_file_type, damaged_file, no_pages, password_required, password_wrong,
 *   certificate_required, unsupported_feature, too_complex
 */
export function countPages(input: PdfInput): Promise<number> {
  return withPdf([input], { work: async (pdf) => readPages(pdf).list.length });
}
