import { ByteParts, type WithByteParts, withBytes } from "../wire/byte-pieces.ts";
import { bytesOf, type Bytes } from "../wire/bytes.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import { DEFAULT_DPI, DEFAULT_QUALITY, DPI_RANGE, QUALITY_RANGE } from "./file/document-options.ts";
import {
  CALLBACK,
  checkFile,
  NUMBER,
  OBJECT,
  type OptionKinds,
  PDF_OPTIONS,
  type PdfOptions,
  readOptions,
  required,
} from "./file/arguments.ts";
import { compressStreams } from "./pdf/compress/compress-streams.ts";
import type { SampleCodec } from "./pdf/compress/recode-image.ts";
import { countRoom } from "./pdf/images/image-files.ts";
import { readMendedPages } from "./pdf/model/pages.ts";
import { changeWarnings, neededPassword, readingWarnings, unchangedWarnings } from "./pdf/model/warnings.ts";
import { withPdf } from "./pdf/reader/open.ts";
import { keepClaims } from "./pdf/standards/keep-claims.ts";
import { type PdfResult, savePdf } from "./pdf/writer/save.ts";

export type { SampleCodec };

export interface CompressPdfOptions extends PdfOptions {
  /** Of the images that become JPEGs, 1 to 100. */
  readonly quality?: number | undefined;
  /** The resolution, 36 to 600, of images that have more than one and a half times as much where they are drawn. */
  readonly dpi?: number | undefined;
}

/** What the images are decoded and encoded with. */
export interface WithCodec {
  readonly codec: SampleCodec;
  /** Called with the memory, in bytes, that an image takes, before it is decoded; throws to end the work. */
  readonly reserve?: ((bytes: number) => void) | undefined;
}

const OPTIONS: OptionKinds<CompressPdfOptions & WithCodec> = {
  ...PDF_OPTIONS,
  quality: NUMBER,
  dpi: NUMBER,
  codec: required(OBJECT),
  reserve: CALLBACK,
};

export interface CompressedPdf extends PdfResult {
  readonly sizeBefore: number;
  /** How many images became smaller. */
  readonly images: number;
}

/**
 * Makes a PDF smaller: images have no more pixels than `dpi` asks for and become JPEGs where that saves without being
 * seen, data that is there twice is stored once, and everything else is compressed as far as possible. Text, links, tags
 * and forms stay. A file that would not become smaller comes back byte for byte.
 * @throws ToolFailure missing_parameter, invalid_parameter; password_required, password_wrong; wrong_file_type, damaged_file, no_pages,
 *   certificate_required, unsupported_feature, too_complex, result_too_large
 */
export async function compressPdf(
  file: Uint8Array | Blob,
  options: CompressPdfOptions & WithCodec,
): Promise<CompressedPdf> {
  checkFile(file);
  const given = readOptions(options, OPTIONS);
  return withBytes(await compressPdfToParts(await bytesOf(file), given));
}

/** Compresses like `compressPdf`, with the bytes in parts for a caller that only sends them on. */
export async function compressPdfToParts(
  file: Bytes,
  options: CompressPdfOptions & WithCodec,
): Promise<WithByteParts<CompressedPdf>> {
  const { password, maxBytes, onProgress, codec } = options;
  const quality = readNumber(options, { parameter: "quality", usual: DEFAULT_QUALITY, ...QUALITY_RANGE });
  const dpi = readNumber(options, { parameter: "dpi", usual: DEFAULT_DPI, ...DPI_RANGE });
  // One image is held at a time: what was reserved for a larger one is enough.
  const { reserve } = countRoom(options.reserve ?? (() => {}));
  return withPdf([{ file, password }], {
    maxBytes,
    work: async (pdf) => {
      const { list } = readMendedPages(pdf);
      const onStreams = onProgress && ((part: number) => onProgress(part * STREAMS_PART));
      const recoding = { quality, dpi, codec, reserve, onProgress: onStreams };
      const { images, tooLarge } = await compressStreams(pdf, list, recoding);
      const lost = keepClaims(pdf);
      const bytes = await savePdf(pdf, { isWhole: true, isPacked: true });
      const facts = { sizeBefore: file.length, pages: list.length, passwordNeeded: neededPassword(pdf) };
      const left = tooLarge > 0 ? [{ code: "images_too_large" as const, images: tooLarge }] : [];
      if (bytes.length >= file.length) {
        const warnings = [...unchangedWarnings(pdf.main), ...left];
        return { bytes: new ByteParts([file]), images: 0, ...facts, warnings };
      }
      const warnings = [...readingWarnings(pdf.main), ...changeWarnings(pdf), ...lost, ...left];
      return { bytes, images, ...facts, warnings };
    },
  });
}

/** The share of the time that streams take; the rest is for writing. */
const STREAMS_PART = 0.95;

function readNumber(
  options: CompressPdfOptions,
  range: { parameter: "quality" | "dpi"; usual: number; minimum: number; maximum: number },
): number {
  const { parameter, usual, minimum, maximum } = range;
  const value = options[parameter] ?? usual;
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  const message = `Parameter "${parameter}" must be a whole number from ${minimum} to ${maximum}`;
  throw new ToolFailure("invalid_parameter", message, { parameter, minimum, maximum });
}
