import { Zip } from "fflate";
import type { Bytes } from "../wire/bytes.ts";
import { type WithByteParts, withBytes, ByteParts } from "../wire/byte-parts.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import type { ToolWarning } from "../wire/tool-warning.ts";
import { listPages, type PageRange, pageSet, readPageRange } from "./page-range.ts";
import { type OnProgress, stretchOf } from "./file/progress.ts";
import type { Pdf } from "./pdf/model/document.ts";
import { savePdf } from "./pdf/writer/save.ts";
import { withPdf } from "./pdf/reader/open.ts";
import { type Page, type Pages, readPages } from "./pdf/model/pages.ts";
import { extractPages } from "./pdf/prune/extract.ts";
import { prepareDocument } from "./pdf/prune/prepare.ts";
import { neededPassword, partWarnings, readingWarnings, signatureWarnings } from "./pdf/model/warnings.ts";
import { StoredEntry } from "./zip/zip-entry.ts";

export interface SplitOptions {
  /** `each`: one file per page; `keep`: only the pages of the range, in its order; `drop`: all but them. */
  readonly mode: "each" | "keep" | "drop";
  /** Needed for keep and drop, not allowed for each. */
  readonly range?: string | undefined;
  readonly password?: string | undefined;
  /** The most bytes the result may have. */
  readonly maxBytes?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
}

interface Split {
  readonly bytes: Bytes;
  /** Pages of the document that was split. */
  readonly pages: number;
  readonly passwordNeeded: boolean;
  readonly warnings: ToolWarning[];
}

export type SplitResult =
  | (Split & {
      readonly type: "application/zip";
      readonly mode: "each";
      readonly parts: number;
      readonly entries: string[];
    })
  | (Split & { readonly type: "application/pdf"; readonly mode: "keep" | "drop"; readonly kept: number });

/**
 * Splits a PDF into its pages (a ZIP of `page-001.pdf` …) or takes some of them; nothing of a dropped page
 * stays in the bytes: bookmarks, named destinations, fields and structure elements go with it.
 * @throws ToolFailure missing_parameter, invalid_parameter, invalid_range, page_out_of_range, too_many_pages;
 *   password_required, password_wrong; wrong_file_type, damaged_file, unsupported_feature, too_complex,
 *   result_too_large
 */
export async function splitPdf(file: Bytes, options: SplitOptions): Promise<SplitResult> {
  return withBytes(await splitPdfToParts(file, options));
}

/** splitPdf, for whoever only sends the bytes on. */
export function splitPdfToParts(
  file: Bytes,
  { mode, range, password, maxBytes, onProgress }: SplitOptions,
): Promise<WithByteParts<SplitResult>> {
  const asked = readRange(mode, range);
  return withPdf([{ file, password }], {
    maxBytes,
    work: async (pdf): Promise<WithByteParts<SplitResult>> => {
      const pages = readPages(pdf);
      const common = { pages: pages.list.length, passwordNeeded: neededPassword(pdf) };
      const tell = (warnings: Iterable<ToolWarning>): ToolWarning[] => [
        ...readingWarnings(pdf.main),
        ...signatureWarnings(pdf),
        ...partWarnings(pdf, mode),
        ...warnings,
      ];
      if (mode === "each" || !asked) {
        const { warnings, ...zip } = await zipEach(pdf, { pages, onProgress });
        return { ...common, ...zip, warnings: tell(warnings) };
      }
      const chosen = choosePages(pages.list, { mode, asked });
      const { part, warnings } = extractPages(prepareDocument(pdf, pages), {
        pages: chosen,
        isSinglePage: false,
        onProgress: stretchOf(onProgress, { from: 0, to: 0.5 }),
      });
      const bytes = await savePdf(part, { onProgress: stretchOf(onProgress, { from: 0.5, to: 1 }) });
      const result = { type: "application/pdf", mode, kept: chosen.length, bytes } as const;
      return { ...common, ...result, warnings: tell(warnings) };
    },
  });
}

function readRange(mode: SplitOptions["mode"], text: string | undefined): PageRange | undefined {
  const range = readPageRange(text);
  if (mode === "each" && range) {
    throw new ToolFailure(
      "invalid_parameter",
      'Parameter "range" goes with mode keep or drop; mode each takes every page.',
      { parameter: "range" },
    );
  }
  if (mode !== "each" && !range) {
    throw new ToolFailure(
      "missing_parameter",
      `Parameter "range" is needed for mode ${mode}: the pages to ${mode}.`,
      { parameter: "range" },
    );
  }
  return range;
}

function choosePages(
  list: readonly Page[],
  { mode, asked }: { mode: "keep" | "drop"; asked: PageRange },
): Page[] {
  if (mode === "keep") return listPages(asked, list.length).map((page) => list[page - 1]!);
  const dropped = pageSet(asked, list.length);
  const chosen = list.filter((_, i) => !dropped.has(i + 1));
  if (chosen.length > 0) return chosen;
  throw new ToolFailure(
    "page_out_of_range",
    list.length === 1
      ? "The range drops the only page; at least one must stay."
      : `The range drops all ${list.length} pages; at least one must stay.`,
    {
      parameter: "range",
      pages: list.length,
    },
  );
}

async function zipEach(
  pdf: Pdf,
  { pages, onProgress }: { pages: Pages; onProgress: OnProgress | undefined },
) {
  const parts: Uint8Array[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part);
  });
  const prepared = prepareDocument(pdf, pages);
  const entries = entryNames(pages.list.length);
  const warnings = new Map<string, ToolWarning>();
  for (const [i, name] of entries.entries()) {
    const entry = new StoredEntry(name);
    zip.add(entry);
    const extracted = extractPages(prepared, { pages: [pages.list[i]!], isSinglePage: true });
    for (const warning of extracted.warnings) warnings.set(warning.code, warning);
    const page = await savePdf(extracted.part);
    page.parts.forEach((part, at) => entry.push(part, at === page.parts.length - 1));
    onProgress?.((i + 1) / entries.length);
  }
  zip.end();
  return {
    type: "application/zip",
    mode: "each",
    bytes: new ByteParts(parts),
    parts: entries.length,
    entries,
    warnings: warnings.values(),
  } as const;
}

/** `page-001.pdf` …, with as many digits as the last one needs so that they sort. */
function entryNames(count: number): string[] {
  const digits = Math.max(3, String(count).length);
  return Array.from({ length: count }, (_, i) => `page-${String(i + 1).padStart(digits, "0")}.pdf`);
}
