import type { Bytes } from "../wire/bytes.ts";
import { type WithByteParts, withBytes } from "../wire/byte-parts.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import { listPages, type PageRange, readPageRange } from "./page-range.ts";
import { catalogOf, type Pdf } from "./pdf/model/document.ts";
import { finishPdf } from "./pdf/writer/finish.ts";
import { joinPieces } from "./pdf/merge/join.ts";
import type { Piece } from "./pdf/merge/piece.ts";
import { naming, withPdf } from "./pdf/reader/open.ts";
import { readPages } from "./pdf/model/pages.ts";
import { put } from "./pdf/prune/outline.ts";
import { goneWithout, prepareParts, prunePages } from "./pdf/prune/select.ts";
import { warningsOf } from "./pdf/model/warnings.ts";

export interface MergeInput {
  /** Only handed back, to tell the files apart. */
  readonly name?: string | undefined;
  readonly data: Bytes;
  readonly password?: string | undefined;
  /** Pages to take, in this order; all when absent. */
  readonly range?: string | undefined;
}

export interface MergeOptions {
  /** The most bytes the result may have. */
  readonly maxBytes?: number | undefined;
}

export interface Merged {
  readonly bytes: Bytes;
  readonly pages: number;
  readonly files: { name: string | undefined; pages: number; taken: number; passwordNeeded: boolean }[];
  readonly warnings: string[];
}

/**
 * Joins PDFs in this order with their bookmarks, links, named destinations, form fields, attachments, layers,
 * labels and tags; title and other metadata are those of the first.
 * @throws ToolFailure missing_parameter; with the field `file`, the index: invalid_range, page_out_of_range,
 *   too_many_pages, password_required, password_wrong, wrong_file_type, damaged_file, unsupported_feature;
 *   too_complex, result_too_large
 */
export async function mergePdf(files: readonly MergeInput[], options: MergeOptions = {}): Promise<Merged> {
  return withBytes(await mergePdfToParts(files, options));
}

/** mergePdf, for whoever only sends the bytes on. */
export async function mergePdfToParts(
  files: readonly MergeInput[],
  { maxBytes }: MergeOptions = {},
): Promise<WithByteParts<Merged>> {
  if (files.length === 0) {
    throw new ToolFailure("missing_parameter", 'Parameter "files" is empty; at least one PDF is needed.', {
      parameter: "files",
    });
  }
  const asked = files.map(({ range }, file) => naming(file, () => readPageRange(range)));
  const inputs = files.map(({ data, password }) => ({ file: data, password }));
  return withPdf(inputs, { maxBytes, isList: true, work: (pdf) => mergeAll(pdf, { files, asked }) });
}

interface Asked {
  readonly files: readonly MergeInput[];
  readonly asked: readonly (PageRange | undefined)[];
}

async function mergeAll(pdf: Pdf, { files, asked }: Asked): Promise<WithByteParts<Merged>> {
  const gone: ((num: number) => boolean)[] = [];
  const taken = pdf.sources.map((main, file) => {
    const view: Pdf = { ...pdf, main };
    return naming(file, () => takePiece(view, { range: asked[file], gone }));
  });
  const whole: Pdf = { ...pdf, isGone: (num) => goneIn(pdf, { num, gone }) };
  const warnings = joinPieces(
    whole,
    taken.map(({ piece }) => piece),
  );
  const bytes = await finishPdf(whole);
  return {
    bytes,
    pages: taken.reduce((sum, { piece }) => sum + piece.pages.length, 0),
    files: taken.map(({ piece, pages }, i) => ({
      name: files[i]?.name,
      pages,
      taken: piece.pages.length,
      passwordNeeded: pdf.sources[i]?.lock?.passwordNeeded ?? false,
    })),
    warnings: [...warningsOf(pdf), ...warnings],
  };
}

/** Each file has its own stretch of numbers, so only its own test can say yes. */
function goneIn(
  { sources }: Pdf,
  { num, gone }: { num: number; gone: readonly ((num: number) => boolean)[] },
): boolean {
  const file = sources.findLastIndex(({ base }) => num > base);
  return gone[file]?.(num) ?? false;
}

interface Taking {
  readonly range: PageRange | undefined;
  readonly gone: ((num: number) => boolean)[];
}

function takePiece(view: Pdf, { range, gone }: Taking): { piece: Piece; pages: number } {
  const pages = readPages(view);
  const catalog = new Map(catalogOf(view) ?? []);
  if (!range) {
    const nodes = new Set(pages.nodes);
    gone.push((num) => nodes.has(num));
    return { piece: { pdf: view, pages: pages.list, catalog }, pages: pages.list.length };
  }
  const chosen = listPages(range, pages.list.length).map((page) => pages.list[page - 1]!);
  const whole = prepareParts(view, pages);
  const isGone = goneWithout(whole, chosen);
  gone.push(isGone);
  const pruned = prunePages({ ...view, isGone }, { whole, pages: chosen, isLean: false });
  put(catalog, pruned.entries);
  return { piece: { pdf: view, pages: pruned.pages, catalog }, pages: pages.list.length };
}
