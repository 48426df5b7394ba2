import { type Dict, isRef, type Ref, setEntries, type Value } from "../syntax/values.ts";
import { addObject, catalogOf, dictAt, type Pdf, replaceObject } from "./document.ts";

/** Puts another catalog in place of the one the document has. */
export function replaceCatalog(pdf: Pdf, catalog: Dict): void {
  const root = pdf.main.trailer.get("Root");
  if (isRef(root)) replaceObject(pdf, root.num, catalog);
}

/** Replaces entries of the catalog; undefined removes one. */
export function changeCatalog(pdf: Pdf, entries: Readonly<Record<string, Value | undefined>>): void {
  const catalog: Dict = new Map(catalogOf(pdf) ?? []);
  setEntries(catalog, entries);
  replaceCatalog(pdf, catalog);
}

/** The dictionary under a key of the catalog, which becomes an object of its own. */
export function catalogEntry(pdf: Pdf, key: string): Ref | undefined {
  const value = catalogOf(pdf)?.get(key);
  const dict = dictAt(pdf, value);
  if (!dict) return undefined;
  if (isRef(value)) return value;
  const ref = addObject(pdf, dict);
  changeCatalog(pdf, { [key]: ref });
  return ref;
}
