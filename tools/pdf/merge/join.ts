import type { Pdf } from "../model/document.ts";
import { changeCatalog, plantPages } from "../model/pages.ts";
import { type LabelRun, labelAt, makeLabels, readLabels } from "../prune/labels.ts";
import type { Value } from "../syntax/values.ts";
import { joinForms } from "./forms.ts";
import { joinLayers } from "./layers.ts";
import { joinNames } from "./names.ts";
import { joinOutlines } from "./outlines.ts";
import type { Piece } from "./piece.ts";
import { joinStructures } from "./structures.ts";

/** Puts the pieces together under the catalog of the first; returns what could not be carried over. */
export function joinPieces(pdf: Pdf, pieces: readonly Piece[]): string[] {
  const warnings: string[] = [];
  const names = joinNames(pdf, pieces);
  const structure = joinStructures(pdf, { pieces, warnings });
  const entries: Record<string, Value | undefined> = {
    ...Object.fromEntries(pieces[0]!.catalog),
    ...names,
    Outlines: joinOutlines(pdf, pieces),
    AcroForm: joinForms(pdf, { pieces, warnings }),
    OCProperties: joinLayers(pdf, pieces),
    PageLabels: joinLabels(pdf, pieces),
    StructTreeRoot: structure,
    Threads: undefined,
    Perms: undefined,
    Pages: plantPages(
      pdf,
      pieces.flatMap(({ pages }) => pages),
    ),
  };
  if (pieces.some(({ catalog }) => catalog.has("Threads"))) warnings.push("Article threads were left out.");
  changeCatalog(pdf, entries);
  return warnings;
}

function joinLabels(pdf: Pdf, pieces: readonly Piece[]): Value | undefined {
  if (!pieces.some(({ catalog }) => catalog.has("PageLabels"))) return undefined;
  const plain: LabelRun[] = [];
  const labels = pieces.flatMap((piece) => {
    const runs = piece.catalog.has("PageLabels") ? readLabels(pdf, piece.catalog.get("PageLabels")) : plain;
    // Labels of a pruned catalog are already those of the pages taken.
    return piece.pages.map((_, i) => labelAt(runs, i));
  });
  return makeLabels(pdf, labels);
}
