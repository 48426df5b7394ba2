import { type WithByteParts, withBytes, ByteParts } from "../wire/byte-pieces.ts";
import { bytesOf, type Bytes } from "../wire/bytes.ts";
import { checkFile, PDF_OPTIONS, type PdfOptions, readOptions } from "./file/arguments.ts";
import { type PdfResult, savePdf } from "./pdf/writer/save.ts";
import { withPdf } from "./pdf/reader/open.ts";
import { readMendedPages, readPages } from "./pdf/model/pages.ts";
import { keepClaims } from "./pdf/standards/keep-claims.ts";
import {
  neededPassword,
  readingWarnings,
  signatureWarnings,
  unchangedWarnings,
} from "./pdf/model/warnings.ts";

export type UnlockPdfOptions = PdfOptions;

export interface UnlockedPdf extends PdfResult {
  readonly encrypted: boolean;
  /** What the document did not allow, such as `print` and `copy`. */
  readonly removed: string[];
}

/**
 * Removes the password and the restrictions of a PDF (ISO 32000-2, 7.6) and leaves the content unchanged; a document
 * that is not encrypted is returned byte for byte, so that its signatures stay valid.
 * @throws ToolFailure password_required, password_wrong (field `passwordNeeded`); wrong_file_type, damaged_file,
 * no_pages, certificate_required, unsupported_feature, too_complex, result_too_large
 */
export async function unlockPdf(file: Uint8Array | Blob, options?: UnlockPdfOptions): Promise<UnlockedPdf> {
  checkFile(file);
  const given = readOptions(options, PDF_OPTIONS);
  return withBytes(await unlockPdfToParts(await bytesOf(file), given));
}

/** unlockPdf for callers that only send the bytes on. */
export function unlockPdfToParts(
  file: Bytes,
  { password, maxBytes, onProgress }: UnlockPdfOptions = {},
): Promise<WithByteParts<UnlockedPdf>> {
  return withPdf([{ file, password }], {
    maxBytes,
    work: async (pdf) => {
      const { encryption } = pdf.main;
      const { list } = encryption ? readMendedPages(pdf) : readPages(pdf);
      const lost = encryption ? keepClaims(pdf) : [];
      return {
        bytes: encryption ? await savePdf(pdf, { isWhole: true, onProgress }) : new ByteParts([file]),
        encrypted: encryption !== undefined,
        passwordNeeded: neededPassword(pdf),
        removed: [...(encryption?.restrictions ?? [])],
        pages: list.length,
        warnings: encryption
          ? [...readingWarnings(pdf.main), ...signatureWarnings(pdf), ...lost]
          : unchangedWarnings(pdf.main),
      };
    },
  });
}
