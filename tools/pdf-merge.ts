import { type WithByteParts, withBytes } from "../wire/byte-pieces.ts";
import { bytesOf, type Bytes } from "../wire/bytes.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import type { ToolWarning } from "../wire/tool-warning.ts";
import { listPages, type PageRange, readPageRange } from "./page-range.ts";
import {
  CALLBACK,
  checkFields,
  checkValue,
  FILE,
  FLAG,
  OBJECT,
  oneOf,
  type OptionKinds,
  PDF_OPTIONS,
  readOptions,
  required,
  TEXT,
} from "./file/arguments.ts";
import { IMAGE_FITS } from "./file/document-options.ts";
import { isImage } from "./file/file-type.ts";
import { cleanFileName } from "./file/file-name.ts";
import { type OnProgress, stretchOf } from "./file/progress.ts";
import { catalogOf, type Pdf } from "./pdf/model/document.ts";
import { type ImageOptions, type WithDocuments, withImageDocuments } from "./pdf/images/image-files.ts";
import { type PdfResult, savePdf } from "./pdf/writer/save.ts";
import { joinDocuments } from "./pdf/merge/join.ts";
import type { MergeSource } from "./pdf/merge/merge-source.ts";
import { aboutFile, withPdf } from "./pdf/reader/open.ts";
import { addBlankPage, type PdfPage, readPages } from "./pdf/model/pages.ts";
import { prunePages } from "./pdf/prune/extract.ts";
import { keepObjectsOf, prepareDocument } from "./pdf/prune/prepare.ts";
import { keepClaims } from "./pdf/standards/keep-claims.ts";
import { changeWarnings, mergeWarnings, neededPassword, readingWarnings } from "./pdf/model/warnings.ts";

export interface MergeInput {
  /** Only returned, to tell the files apart. */
  readonly name?: string | undefined;
  readonly data: Bytes;
  readonly password?: string | undefined;
  /** Pages to take, in this order; all when absent. */
  readonly range?: string | undefined;
}

export interface MergeOptions extends ImageOptions {
  /** Whether to add a bookmark with its name for each file, above the file's own ones. */
  readonly bookmarks?: boolean | undefined;
  /**
   * Whether to add a blank page after a file with an odd number of pages, so that the next one begins on a new sheet.
   */
  readonly evenPages?: boolean | undefined;
  /** The most bytes the result may have. */
  readonly maxBytes?: number | undefined;
}

const { maxBytes, onProgress } = PDF_OPTIONS;
const OPTIONS: OptionKinds<MergeOptions> = {
  maxBytes,
  onProgress,
  bookmarks: FLAG,
  evenPages: FLAG,
  fit: oneOf(IMAGE_FITS),
  codec: OBJECT,
  reserve: CALLBACK,
};
const FILE_FIELDS = { data: required(FILE), range: TEXT, password: TEXT, name: TEXT };
const FILES = { what: "a list of objects with data, range, password and name", fits: Array.isArray };

export interface MergedPdf extends Omit<PdfResult, "passwordNeeded"> {
  readonly files: { name: string | undefined; pages: number; taken: number; passwordNeeded: boolean }[];
}

/**
 * Joins PDFs and images in this order, with a page for each picture, keeping bookmarks, links, named destinations, form
 * fields, attachments, layers, labels and tags; title and other metadata are those of the first.
 * @throws ToolFailure missing_parameter; with the field `file`, the index: invalid_range, page_out_of_range,
 * too_many_pages, password_required, password_wrong, wrong_file_type, damaged_file, no_pages, certificate_required,
 * unsupported_feature; too_complex, result_too_large
 */
export async function mergePdf(
  files: readonly (Omit<MergeInput, "data"> & { readonly data: Uint8Array | Blob })[],
  options?: MergeOptions,
): Promise<MergedPdf> {
  const given = readOptions(options, OPTIONS);
  checkValue(files, "files", required(FILES));
  for (const [index, file] of files.entries()) checkFields(file, FILE_FIELDS, { name: `files[${index}]` });
  const read = files.map(async (file) => ({ ...file, data: await bytesOf(file.data) }));
  return withBytes(await mergePdfToParts(await Promise.all(read), given));
}

/** mergePdf for callers that only send the bytes on. */
export async function mergePdfToParts(
  given: readonly MergeInput[],
  { maxBytes, onProgress, fit, codec, reserve, ...options }: MergeOptions = {},
): Promise<WithByteParts<MergedPdf>> {
  if (given.length === 0) {
    const message = 'Parameter "files" is empty; at least one PDF or image is needed.';
    throw new ToolFailure("missing_parameter", message, { parameter: "files" });
  }
  const hasImages = given.some(({ data }) => isImage(data));
  const imagesShare = hasImages ? MAKING_PAGES : 0;
  const { files, warnings } = await withImageDocuments(given, {
    fit,
    codec,
    reserve,
    onProgress: stretchOf(onProgress, 0, imagesShare),
  });
  const asked = files.map(({ range }, file) =>
    aboutFile({ file, count: files.length }, () => readPageRange(range)),
  );
  const inputs = files.map(({ data, password }) => ({ file: data, password }));
  return withPdf(inputs, {
    maxBytes,
    isList: true,
    work: (pdf) =>
      mergeAll(pdf, {
        files,
        asked,
        imageWarnings: warnings,
        ...options,
        onProgress: stretchOf(onProgress, imagesShare, 1),
      }),
  });
}

interface MergePlan extends Pick<MergeOptions, "bookmarks" | "evenPages" | "onProgress"> {
  readonly files: readonly MergeInput[];
  readonly asked: readonly (PageRange | undefined)[];
  readonly imageWarnings: WithDocuments<MergeInput>["warnings"];
}

/** The part of the time, where there are images. */
const MAKING_PAGES = 0.5;

/** Whole documents are added at once; finding what some of their pages need takes as long as writing it. */
const [TAKING_WHOLE, TAKING_PAGES] = [0.1, 0.5];

async function mergeAll(
  pdf: Pdf,
  { files, asked, imageWarnings, bookmarks, evenPages, onProgress }: MergePlan,
): Promise<WithByteParts<MergedPdf>> {
  const count = files.length;
  const removed: ((num: number) => boolean)[] = [];
  const share = asked.some((range) => range) ? TAKING_PAGES : TAKING_WHOLE;
  const taken = pdf.sources.map((main, file) => {
    const view: Pdf = { ...pdf, main };
    const [from, to] = [(share * file) / count, (share * (file + 1)) / count];
    const options = { removed, onProgress: stretchOf(onProgress, from, to) };
    return aboutFile({ file, count }, () => takeSource(view, asked[file], options));
  });
  const whole: Pdf = { ...pdf, isRemoved: (num) => removed.some((isRemoved) => isRemoved(num)) };
  const sources = taken.map(({ source }, i) => ({
    ...source,
    pages: evenPages && i < count - 1 ? withEvenPages(whole, source.pages) : source.pages,
    title: bookmarks ? titleOf(files[i]?.name, i) : undefined,
  }));
  joinDocuments(whole, sources);
  const hasUntagged = sources.some(({ warnings }) =>
    warnings.some(({ code }) => code === "tags_not_repeated"),
  );
  const lost = keepClaims(whole, { hasUntagged });
  const bytes = await savePdf(whole, { onProgress: stretchOf(onProgress, share, 1) });
  return {
    bytes,
    pages: sources.reduce((sum, source) => sum + source.pages.length, 0),
    files: taken.map(({ source, pages }, i) => ({
      name: files[i]?.name,
      pages,
      taken: source.pages.length,
      passwordNeeded: neededPassword(source.pdf),
    })),
    warnings: [
      ...sources.flatMap((source, index) => {
        const name = files[index]?.name;
        const all = [
          ...(imageWarnings[index] ?? []),
          ...readingWarnings(source.pdf.main),
          ...source.warnings,
        ];
        return warningsAbout(all, count > 1 ? { index, ...(name !== undefined && { name }) } : undefined);
      }),
      ...lost,
    ],
  };
}

function withEvenPages(pdf: Pdf, pages: readonly PdfPage[]): readonly PdfPage[] {
  const last = pages.at(-1);
  return last && pages.length % 2 === 1 ? [...pages, addBlankPage(pdf, last)] : pages;
}

const ENDING = /\.(pdf|jpe?g|png|webp|gif|avif|hei[cf]|tiff?)$/i;

/** The name of a file without its extension, or else its number. */
function titleOf(name: string | undefined, index: number): string {
  return cleanFileName(name ?? "", { fallback: String(index + 1) }).replace(ENDING, "");
}

function warningsAbout(warnings: readonly ToolWarning[], file: ToolWarning["file"]): readonly ToolWarning[] {
  return file ? warnings.map((warning) => ({ ...warning, file })) : warnings;
}

function takeSource(
  view: Pdf,
  range: PageRange | undefined,
  { removed, onProgress }: { removed: ((num: number) => boolean)[]; onProgress: OnProgress | undefined },
): { source: MergeSource; pages: number } {
  const pages = readPages(view);
  const { list } = pages;
  const warnings = [...changeWarnings(view), ...mergeWarnings(view)];
  if (!range) {
    onProgress?.(1);
    const nodes = new Set(pages.nodes);
    removed.push((num) => nodes.has(num));
    const catalog = new Map(catalogOf(view) ?? []);
    return { source: { pdf: view, pages: list, catalog, warnings }, pages: list.length };
  }
  const chosen = listPages(range, list.length).flatMap((page) => list[page - 1] ?? []);
  const prepared = prepareDocument(view, pages);
  const kept = keepObjectsOf(prepared, chosen);
  removed.push(kept.isRemoved);
  const part: Pdf = { ...view, isRemoved: kept.isRemoved };
  const pruned = prunePages(part, { prepared, pages: chosen, kept, isPart: false, onProgress });
  warnings.push(...pruned.warnings);
  return { source: { ...pruned, pdf: view, warnings }, pages: list.length };
}
