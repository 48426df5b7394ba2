import type { Pdf } from "../model/document.ts";
import { rebuildPageTree, replaceCatalog } from "../model/pages.ts";
import { setEntries } from "../prune/entries.ts";
import { type LabelRun, labelAt, makeLabels, readLabels } from "../navigation/labels.ts";
import type { Dict, Value } from "../syntax/values.ts";
import { joinForms } from "./forms.ts";
import { joinLayers } from "./layers.ts";
import { joinNames } from "./names.ts";
import { joinOutlines } from "./outlines.ts";
import type { MergeSource } from "./merge-source.ts";
import { joinStructures } from "./structures.ts";

/** Joins the documents under the catalog of the first; returns warnings about what was left out. */
export function joinDocuments(pdf: Pdf, sources: readonly MergeSource[]): string[] {
  const warnings: string[] = [];
  const names = joinNames(pdf, sources);
  const structure = joinStructures(pdf, { sources, warnings });
  const entries: Record<string, Value | undefined> = {
    ...Object.fromEntries(sources[0]!.catalog),
    ...names,
    Outlines: joinOutlines(pdf, sources),
    AcroForm: joinForms(pdf, { sources, warnings }),
    OCProperties: joinLayers(pdf, sources),
    PageLabels: joinLabels(pdf, sources),
    StructTreeRoot: structure,
    Threads: undefined,
    Perms: undefined,
    Pages: rebuildPageTree(
      pdf,
      sources.flatMap(({ pages }) => pages),
    ),
  };
  if (sources.some(({ catalog }) => catalog.has("Threads"))) warnings.push("Article threads were left out.");
  const catalog: Dict = new Map();
  setEntries(catalog, entries);
  replaceCatalog(pdf, catalog);
  return warnings;
}

function joinLabels(pdf: Pdf, sources: readonly MergeSource[]): Value | undefined {
  if (!sources.some(({ catalog }) => catalog.has("PageLabels"))) return undefined;
  const plain: LabelRun[] = [];
  const labels = sources.flatMap((source) => {
    const runs = source.catalog.has("PageLabels") ? readLabels(pdf, source.catalog.get("PageLabels")) : plain;
    // A pruned catalog already has the labels of its pages only.
    return source.pages.map((_, i) => labelAt(runs, i));
  });
  return makeLabels(pdf, labels);
}
