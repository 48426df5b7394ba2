import { change, dictAt, type Pdf } from "../document.ts";
import { changeCatalog, type Page, plantPages } from "../pages.ts";
import { type LabelRun, labelAt, makeLabels, readLabels } from "../prune/labels.ts";
import { put } from "../prune/outline.ts";
import { type Dict, isRef, type Value } from "../values.ts";
import { joinForms } from "./forms.ts";
import { joinLayers } from "./layers.ts";
import { joinNames } from "./names.ts";
import { joinOutlines } from "./outlines.ts";
import { joinStructures } from "./structures.ts";

/** What one file gives to the merged document. */
export interface Piece {
  /** The view of the file: its catalog is the one meant. */
  readonly pdf: Pdf;
  readonly pages: readonly Page[];
  /** The catalog, already pruned to the pages. */
  readonly catalog: Dict;
}

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

/** Changes an object that is a dictionary; undefined removes an entry. */
export function amend(
  pdf: Pdf,
  { ref, entries }: { ref: Value; entries: Record<string, Value | undefined> },
): void {
  const dict = dictAt(pdf, ref);
  if (!isRef(ref) || !dict) return;
  const changed: Dict = new Map(dict);
  put(changed, entries);
  change(pdf, { num: ref.num, value: changed });
}

/** A name that is not yet taken: "name", "name_2", "name_3" …; it is taken from then on. */
export function freshName(name: string, taken: Set<string>): string {
  let fresh = name;
  for (let i = 2; taken.has(fresh); i++) fresh = `${name}_${i}`;
  taken.add(fresh);
  return fresh;
}
