import { type WithByteParts, withBytes } from "../wire/byte-pieces.ts";
import { bytesOf, type Bytes } from "../wire/bytes.ts";
import {
  checkFile,
  oneOf,
  type OptionKinds,
  PDF_OPTIONS,
  type PdfOptions,
  readOptions,
  TEXT,
} from "./file/arguments.ts";
import { pageSet, readPageRange } from "./page-range.ts";
import { replaceObject, type Pdf } from "./pdf/model/document.ts";
import { type PdfResult, savePdf } from "./pdf/writer/save.ts";
import { withPdf } from "./pdf/reader/open.ts";
import { type PdfPage, pageDict, pageRotation, readMendedPages } from "./pdf/model/pages.ts";
import { keepClaims } from "./pdf/standards/keep-claims.ts";
import { changeWarnings, neededPassword, readingWarnings } from "./pdf/model/warnings.ts";

export interface RotateOptions extends PdfOptions {
  /** Degrees clockwise, added to each page's rotation; 90 when absent. */
  readonly angle?: 90 | 180 | 270 | -90 | undefined;
  /** Pages to turn, such as `1-3,end`; all when absent. */
  readonly range?: string | undefined;
}

const OPTIONS: OptionKinds<RotateOptions> = {
  ...PDF_OPTIONS,
  angle: oneOf([90, 180, 270, -90]),
  range: TEXT,
};

export interface RotatedPdf extends PdfResult {
  /** How many pages were turned. */
  readonly rotated: number;
}

/**
 * Turns pages of a PDF clockwise (ISO 32000-1, 7.7.3.3, /Rotate); the content does not change.
 * @throws ToolFailure missing_parameter, invalid_parameter, invalid_range, page_out_of_range, too_many_pages; password_required, password_wrong;
 * wrong_file_type, damaged_file, no_pages, certificate_required, unsupported_feature, too_complex, result_too_large
 */
export async function rotatePdf(file: Uint8Array | Blob, options?: RotateOptions): Promise<RotatedPdf> {
  checkFile(file);
  const given = readOptions(options, OPTIONS);
  return withBytes(await rotatePdfToParts(await bytesOf(file), given));
}

/** rotatePdf for callers that only send the bytes on. */
export function rotatePdfToParts(
  file: Bytes,
  { angle = 90, range, password, maxBytes, onProgress }: RotateOptions = {},
): Promise<WithByteParts<RotatedPdf>> {
  const asked = readPageRange(range);
  return withPdf([{ file, password }], {
    maxBytes,
    work: async (pdf) => {
      const { list } = readMendedPages(pdf);
      const turned = asked ? pageSet(asked, list.length) : undefined;
      const chosen = list.filter((_, i) => turned?.has(i + 1) ?? true);
      for (const page of chosen) turn(pdf, page, angle);
      const lost = keepClaims(pdf);
      const bytes = await savePdf(pdf, { isWhole: true, onProgress });
      return {
        bytes,
        pages: list.length,
        rotated: chosen.length,
        passwordNeeded: neededPassword(pdf),
        warnings: [...readingWarnings(pdf.main), ...changeWarnings(pdf), ...lost],
      };
    },
  });
}

function turn(pdf: Pdf, page: PdfPage, angle: number): void {
  const rotate = (pageRotation(pdf, page) + angle + 360) % 360;
  replaceObject(pdf, page.num, new Map([...pageDict(pdf, page), ["Rotate", rotate]]));
}
