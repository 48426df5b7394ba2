import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { replaceObject, dictAt, type Pdf } from "../model/document.ts";
import type { PdfPage } from "../model/pages.ts";
import { setEntries, type Dict, isRef, type Value } from "../syntax/values.ts";

/** One file of a merge. */
export interface MergeSource {
  /** The merged document as seen from this file: its catalog is the main one. */
  readonly pdf: Pdf;
  readonly pages: readonly PdfPage[];
  /** The catalog, already pruned to the chosen pages. */
  readonly catalog: Dict;
  /** Warnings about what is left out of this file. */
  readonly warnings: ToolWarning[];
  /** The bookmark above this file's own; without it they stand beside those of the other files. */
  readonly title?: string | undefined;
  /** The language that its tags must state because the document has another. */
  language?: Value;
}

/** Changes an object that is a dictionary; undefined removes an entry. */
export function updateDict(pdf: Pdf, ref: Value, entries: Record<string, Value | undefined>): void {
  const dict = dictAt(pdf, ref);
  if (!isRef(ref) || !dict) return;
  const changed: Dict = new Map(dict);
  setEntries(changed, entries);
  replaceObject(pdf, ref.num, changed);
}
