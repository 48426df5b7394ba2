import { type WithByteParts, withBytes, ByteParts } from "../wire/byte-pieces.ts";
import { bytesOf, type Bytes } from "../wire/bytes.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import type { ToolWarning } from "../wire/tool-warning.ts";
import {
  checkFile,
  COUNT,
  oneOf,
  type OptionKinds,
  PDF_OPTIONS,
  type PdfOptions,
  readOptions,
  TEXT,
} from "./file/arguments.ts";
import { crc32 } from "./hash/crc32.ts";
import { listPages, type PageRange, pageSet, readPageRange } from "./page-range.ts";
import { stretchOf } from "./file/progress.ts";
import type { Pdf } from "./pdf/model/document.ts";
import { type PdfResult, savePdf } from "./pdf/writer/save.ts";
import { withPdf } from "./pdf/reader/open.ts";
import { type PdfPage, type PdfPages, readPages } from "./pdf/model/pages.ts";
import { extractPages } from "./pdf/prune/extract.ts";
import { prepareDocument, type PreparedDocument } from "./pdf/prune/prepare.ts";
import { groupByBookmarks, groupEvery } from "./pdf/split/groups.ts";
import { partsOfGroups, partsUpTo } from "./pdf/split/parts.ts";
import { changeWarnings, neededPassword, partWarnings, readingWarnings } from "./pdf/model/warnings.ts";
import { ZipWriter } from "./zip/zip.ts";

/** How a document is divided into the files of a ZIP, or which of its pages one PDF gets. */
export type SplitMode = (typeof SPLIT_MODES)[number];

const SPLIT_MODES = ["each", "every", "bookmarks", "size", "keep", "drop"] as const;

export interface SplitOptions extends PdfOptions {
  /**
   * `each`: one file per page; `every`: one for every `count` pages; `bookmarks`: one for each bookmark of the first level;
   * `size`: files of at most `bytes` bytes; `keep`: only the pages of the range, in its order; `drop`: all but them. Each when absent.
   */
  readonly mode?: SplitMode | undefined;
  /** Needed for keep and drop, not allowed otherwise. */
  readonly range?: string | undefined;
  /** Pages of each file; needed for every, not allowed otherwise. */
  readonly count?: number | undefined;
  /** The most bytes of each file; needed for size, not allowed otherwise. */
  readonly bytes?: number | undefined;
}

const OPTIONS: OptionKinds<SplitOptions> = {
  ...PDF_OPTIONS,
  mode: oneOf(SPLIT_MODES),
  range: TEXT,
  count: COUNT,
  bytes: COUNT,
};

export type SplitResult =
  | (PdfResult & {
      readonly type: "application/zip";
      readonly mode: Exclude<SplitMode, "keep" | "drop">;
      readonly parts: number;
      readonly entries: string[];
    })
  | (PdfResult & { readonly type: "application/pdf"; readonly mode: "keep" | "drop"; readonly kept: number });

/**
 * Splits a PDF into files of some pages (a ZIP of `page-001.pdf` …) or keeps some of them; nothing of a removed page
 * stays in the bytes: its bookmarks, named destinations, fields and structure elements are removed too.
 * @throws ToolFailure missing_parameter, invalid_parameter, invalid_range, page_out_of_range, too_many_pages,
 * no_bookmarks; password_required, password_wrong; wrong_file_type, damaged_file, no_pages, certificate_required,
 * unsupported_feature, too_complex, result_too_large
 */
export async function splitPdf(file: Uint8Array | Blob, options?: SplitOptions): Promise<SplitResult> {
  checkFile(file);
  const given = readOptions(options, OPTIONS);
  return withBytes(await splitPdfToParts(await bytesOf(file), given));
}

/** splitPdf for callers that only send the bytes on. */
export function splitPdfToParts(
  file: Bytes,
  { mode = "each", password, maxBytes, onProgress, ...given }: SplitOptions = {},
): Promise<WithByteParts<SplitResult>> {
  const asked = readAsked(mode, given);
  return withPdf([{ file, password }], {
    maxBytes,
    work: async (pdf): Promise<WithByteParts<SplitResult>> => {
      const pages = readPages(pdf);
      const common = { pages: pages.list.length, passwordNeeded: neededPassword(pdf) };
      const tell = (warnings: Iterable<ToolWarning>): ToolWarning[] => [
        ...readingWarnings(pdf.main),
        ...changeWarnings(pdf),
        ...partWarnings(pdf, { isPart: isZip(mode) }),
        ...warnings,
      ];
      if (typeof asked === "string") {
        const { warnings, ...zip } = await zipParts(pdf, { ...given, pages, mode: asked, onProgress });
        return { ...common, ...zip, warnings: tell(warnings) };
      }
      const chosen = choosePages(pages.list, asked);
      const { part, warnings } = extractPages(prepareDocument(pdf, pages), {
        pages: chosen,
        isPart: false,
        onProgress: stretchOf(onProgress, 0, 0.5),
      });
      const bytes = await savePdf(part, { onProgress: stretchOf(onProgress, 0.5, 1) });
      const result = { type: "application/pdf", mode: asked.mode, kept: chosen.length, bytes } as const;
      return { ...common, ...result, warnings: tell(warnings) };
    },
  });
}

type ZipMode = Exclude<SplitMode, "keep" | "drop">;

function isZip(mode: SplitMode): mode is ZipMode {
  return mode !== "keep" && mode !== "drop";
}

/** The parameter that a mode needs; it is not allowed with others. */
const PARAMETERS = {
  range: { modes: ["keep", "drop"], meaning: "the pages" },
  count: { modes: ["every"], meaning: "the pages of each file" },
  bytes: { modes: ["size"], meaning: "the most bytes of each file" },
} as const;

interface SomePages {
  readonly mode: "keep" | "drop";
  readonly range: PageRange;
}

function readAsked(
  mode: SplitMode,
  given: Pick<SplitOptions, "range" | "count" | "bytes">,
): ZipMode | SomePages {
  const range = readPageRange(given.range);
  const sent = { ...given, range };
  for (const parameter of ["range", "count", "bytes"] as const) {
    const modes: readonly SplitMode[] = PARAMETERS[parameter].modes;
    if (sent[parameter] !== undefined && !modes.includes(mode)) {
      const message = `Parameter "${parameter}" goes with mode ${modes.join(" or ")}, not with ${mode}.`;
      throw new ToolFailure("invalid_parameter", message, { parameter });
    }
    if (sent[parameter] === undefined && modes.includes(mode)) throw missing(parameter, mode);
  }
  if (isZip(mode)) return mode;
  if (range) return { mode, range };
  throw missing("range", mode);
}

function missing(parameter: keyof typeof PARAMETERS, mode: SplitMode): ToolFailure {
  const message = `Parameter "${parameter}" is needed for mode ${mode}: ${PARAMETERS[parameter].meaning}.`;
  return new ToolFailure("missing_parameter", message, { parameter });
}

function choosePages(list: readonly PdfPage[], { mode, range }: SomePages): PdfPage[] {
  if (mode === "keep") return listPages(range, list.length).flatMap((page) => list[page - 1] ?? []);
  const dropped = pageSet(range, list.length);
  const chosen = list.filter((_, i) => !dropped.has(i + 1));
  if (chosen.length > 0) return chosen;
  throw new ToolFailure(
    "page_out_of_range",
    list.length === 1
      ? "The range drops the only page; at least one must stay."
      : `The range drops all ${list.length} pages; at least one must stay.`,
    { parameter: "range", pages: list.length },
  );
}

async function zipParts(
  pdf: Pdf,
  {
    pages,
    mode,
    count = 1,
    bytes = 0,
    onProgress,
  }: Pick<SplitOptions, "count" | "bytes" | "onProgress"> & { pages: PdfPages; mode: ZipMode },
) {
  const written: Uint8Array[] = [];
  const zip = new ZipWriter();
  const prepared = prepareDocument(pdf, pages);
  const { list } = pages;
  const splitting = { prepared, list };
  const groups = mode === "bookmarks" ? bookmarkGroups(pdf, splitting) : groupEvery(list.length, count);
  const entries: string[] = [];
  const warnings = new Map<string, ToolWarning>();
  let larger = 0;
  for await (const part of mode === "size" ? partsUpTo(splitting, bytes) : partsOfGroups(splitting, groups)) {
    const { parts, length } = part.bytes;
    const crc = parts.reduce((sum, piece) => crc32(piece, sum), 0);
    written.push(zip.add({ name: part.name, size: length, crc }));
    for (const piece of parts) written.push(piece);
    for (const warning of part.warnings) warnings.set(JSON.stringify(warning), warning);
    if (mode === "size" && length > bytes) larger++;
    entries.push(part.name);
    onProgress?.(part.to / list.length);
  }
  written.push(zip.end());
  if (larger > 0) warnings.set("parts_too_large", { code: "parts_too_large", files: larger });
  return {
    type: "application/zip",
    mode,
    bytes: new ByteParts(written),
    parts: entries.length,
    entries,
    warnings: warnings.values(),
  } as const;
}

function bookmarkGroups(
  pdf: Pdf,
  { prepared, list }: { prepared: PreparedDocument; list: readonly PdfPage[] },
) {
  const groups = groupByBookmarks(pdf, list, prepared.objects);
  if (groups.length > 0) return groups;
  throw new ToolFailure("no_bookmarks", "The document has no bookmarks that lead to its pages.");
}
