import { catalogOf, dictAt, dictIn, type Pdf, resolve } from "../model/document.ts";
import { type Dict, numberOf, type Value } from "../syntax/values.ts";

/** A field's parents, in rings too, are as deep as those of pages. */
const MAX_PARENTS = 10_000;

/** An entry that fields inherit (ISO 32000-2, 12.7.4.1), resolved: the widget's own, else that of a field above it. */
export function inheritedValue(pdf: Pdf, { widget, key }: { widget: Dict; key: string }): Value | undefined {
  let field: Dict | undefined = widget;
  for (let level = 0; field && level < MAX_PARENTS; level++) {
    const value = resolve(pdf, field.get(key));
    if (value !== undefined && value !== null) return value;
    field = dictIn(pdf, { dict: field, key: "Parent" });
  }
  return undefined;
}

/** The same, or else what the form says for all its fields (table 224). */
export function formValue(pdf: Pdf, { widget, key }: { widget: Dict; key: string }): Value | undefined {
  return inheritedValue(pdf, { widget, key }) ?? resolve(pdf, formOf(pdf)?.get(key));
}

export function formOf(pdf: Pdf): Dict | undefined {
  return dictIn(pdf, { dict: catalogOf(pdf), key: "AcroForm" });
}

/** Whether a flag of /Ff is set; the first has the position 1. */
export function hasFlag(pdf: Pdf, { widget, position }: { widget: Dict; position: number }): boolean {
  const flags = numberOf(inheritedValue(pdf, { widget, key: "Ff" })) ?? 0;
  return (flags & (1 << (position - 1))) !== 0;
}

/** The dictionary of an inherited entry. */
export function inheritedDict(pdf: Pdf, { widget, key }: { widget: Dict; key: string }): Dict | undefined {
  return dictAt(pdf, inheritedValue(pdf, { widget, key }));
}
