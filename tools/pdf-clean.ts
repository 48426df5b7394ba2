import { type WithByteParts, withBytes } from "../wire/byte-pieces.ts";
import { bytesOf, type Bytes } from "../wire/bytes.ts";
import { ToolFailure } from "../wire/tool-failure.ts";
import {
  REMOVABLE,
  type Removable,
  REMOVE,
  type RemoveChoice,
  REMOVED_BY_DEFAULT,
} from "./file/document-options.ts";
import {
  checkFile,
  FLAG,
  type OptionKinds,
  PDF_OPTIONS,
  type PdfOptions,
  readOptions,
  someOf,
} from "./file/arguments.ts";
import { collectAnnotations } from "./pdf/clean/annotations.ts";
import { dropBookmarks } from "./pdf/clean/bookmarks.ts";
import { type CleanedDocument, takesOut } from "./pdf/clean/cleaned-document.ts";
import { flattenLayers } from "./pdf/clean/layers.ts";
import { cleanObjects } from "./pdf/clean/objects.ts";
import { catalogOf, dictIn, type Pdf } from "./pdf/model/document.ts";
import { changeCatalog } from "./pdf/model/catalog.ts";
import { readPages, rebuildPageTree } from "./pdf/model/pages.ts";
import { changeWarnings, neededPassword, readingWarnings } from "./pdf/model/warnings.ts";
import { pruneUnused } from "./pdf/content/visit.ts";
import { withPdf } from "./pdf/reader/open.ts";
import { randomBytes } from "./pdf/security/encryption.ts";
import { claimsOf } from "./pdf/standards/claims.ts";
import { claimsLostWithMetadata, keepClaims } from "./pdf/standards/keep-claims.ts";
import { hexString } from "./pdf/syntax/strings.ts";
import { type PdfResult, savePdf } from "./pdf/writer/save.ts";

const ID_BYTES = 16;

export interface CleanOptions extends PdfOptions {
  /** What to remove; metadata, scripts and attachments when absent, nothing when empty or `none`. */
  readonly remove?: readonly RemoveChoice[] | undefined;
  /** Whether the result is arranged so that its first page can be shown before the rest has arrived. */
  readonly linearize?: boolean | undefined;
}

const OPTIONS: OptionKinds<CleanOptions> = { ...PDF_OPTIONS, remove: someOf(REMOVE), linearize: FLAG };

export interface CleanedPdf extends PdfResult {
  /** What was asked for and found. */
  readonly removed: Removable[];
  /** Whether the document was damaged and has been repaired. */
  readonly repaired: boolean;
}

/**
 * Rewrites a PDF with what its pages reach, without what is named; earlier revisions and unreachable objects are never
 * in the result. Passwords and restrictions are removed too. The /ID changes with the metadata.
 * @throws ToolFailure invalid_parameter (field `parameter`); password_required, password_wrong; wrong_file_type,
 * damaged_file, no_pages, certificate_required, unsupported_feature, too_complex, result_too_large
 */
export async function cleanPdf(file: Uint8Array | Blob, options?: CleanOptions): Promise<CleanedPdf> {
  checkFile(file);
  const given = readOptions(options, OPTIONS);
  return withBytes(await cleanPdfToParts(await bytesOf(file), given));
}

/** cleanPdf for callers that only send the bytes on. */
export function cleanPdfToParts(
  file: Bytes,
  { remove = REMOVED_BY_DEFAULT, password, maxBytes, ...options }: CleanOptions = {},
): Promise<WithByteParts<CleanedPdf>> {
  const kinds = readKinds(remove);
  return withPdf([{ file, password }], {
    maxBytes,
    work: (pdf) => cleanAll(pdf, kinds, options),
  });
}

function readKinds(remove: readonly RemoveChoice[]): ReadonlySet<Removable> {
  const kinds = REMOVABLE.filter((kind) => remove.includes(kind));
  const isKnown = remove.every((each) => REMOVE.includes(each));
  if (isKnown && (!remove.includes("none") || kinds.length === 0)) return new Set(kinds);
  const message = `"remove" must be a list of ${REMOVABLE.join(", ")}, or none by itself`;
  throw new ToolFailure("invalid_parameter", message, { parameter: "remove", allowed: REMOVE });
}

async function cleanAll(
  pdf: Pdf,
  kinds: ReadonlySet<Removable>,
  { linearize = false, onProgress }: Pick<CleanOptions, "linearize" | "onProgress">,
): Promise<WithByteParts<CleanedPdf>> {
  const { list, isSound } = readPages(pdf);
  // Pages that may be read separately have no inherited attributes.
  if (!isSound || linearize) changeCatalog(pdf, { Pages: rebuildPageTree(pdf, list) });
  const signed = changeWarnings(pdf);
  const claims = claimsOf(pdf);
  const hidden = kinds.has("layers") ? flattenLayers(pdf, list) : undefined;
  const cleaned: CleanedDocument = {
    pdf,
    kinds,
    found: new Set(hidden ? ["layers"] : []),
    removed: new Set(),
    hidden,
  };
  const { undrawn, hasFlattened } = collectAnnotations(cleaned, list);
  dropBookmarks(cleaned);
  const hasXfa = dictIn(pdf, catalogOf(pdf), "AcroForm")?.has("XFA") ?? false;
  cleanObjects(cleaned, list);
  if (kinds.has("metadata")) {
    cleanTrailer(cleaned);
    // Content is read again, and what pages inherit was cleaned in the nodes of their tree.
    pdf.budget.inflated.spent = 0;
    pruneUnused(pdf, readPages(pdf).list);
  }
  const lost = kinds.has("metadata")
    ? claimsLostWithMetadata(claims)
    : keepClaims(pdf, { hasUntagged: hasFlattened });
  const bytes = await savePdf(pdf, { isLinearized: linearize, onProgress });
  const repairs = readingWarnings(pdf.main);
  const warnings: PdfResult["warnings"] = [...repairs, ...signed, ...lost];
  if (hasXfa && kinds.has("scripts") && !kinds.has("forms")) warnings.push({ code: "xfa_left_out" });
  if (undrawn > 0) warnings.push({ code: "fields_not_drawn", fields: undrawn });
  return {
    bytes,
    removed: REMOVABLE.filter((kind) => cleaned.found.has(kind)),
    repaired: repairs.length > 0 || !isSound,
    pages: list.length,
    passwordNeeded: neededPassword(pdf),
    warnings,
  };
}

/** The first /ID reveals which documents have the same origin (ISO 32000-2, 14.4). */
function cleanTrailer(cleaned: CleanedDocument): void {
  const { trailer } = cleaned.pdf.main;
  if (trailer.has("Info") && takesOut(cleaned, "metadata")) trailer.delete("Info");
  if (!trailer.has("ID")) return;
  const id = hexString(randomBytes(ID_BYTES));
  trailer.set("ID", [id, id]);
}
