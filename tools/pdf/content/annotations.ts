import { dictAt, type Pdf, resolve } from "../model/document.ts";
import { type Dict, isDict, isString, type Value } from "../syntax/values.ts";
import { useLayer } from "./layers.ts";
import { stringBytes } from "../syntax/strings.ts";
import { scanContent } from "./scan.ts";
import type { Resources, Usage } from "./usage.ts";
import { visitForm, visitNames } from "./visit.ts";

/** Visits what an annotation shows: its appearances and the icons of a button. */
export function visitAnnotation(
  pdf: Pdf,
  {
    usage,
    annotation,
    resources,
    form,
  }: { usage: Usage; annotation: Dict; resources: Resources | undefined; form: Resources | undefined },
): void {
  useLayer(pdf, { layers: usage.layers, value: annotation.get("OC") });
  visitDefaultAppearance(pdf, { usage, value: annotation.get("DA"), resources: form });
  for (const value of shownBy(pdf, annotation)) {
    // Without resources of their own programs look in those of the page, or in those of the form.
    visitForm(pdf, { usage, form: value, resources });
    if (form) visitForm(pdf, { usage, form: value, resources: form });
  }
}

function shownBy(pdf: Pdf, annotation: Dict): Value[] {
  const appearances = [...(dictAt(pdf, annotation.get("AP"))?.values() ?? [])];
  const states = appearances.flatMap((each) => {
    const found = resolve(pdf, each);
    return isDict(found) ? [...found.values()] : [each];
  });
  const icons = dictAt(pdf, annotation.get("MK"));
  const more = [icons?.get("I"), icons?.get("RI"), icons?.get("IX"), annotation.get("RO")];
  return [...states, ...more.filter((each) => each !== undefined)];
}

/** Notes the fonts of a default appearance string, such as "/Helv 9 Tf" (ISO 32000-1, 12.7.3.3). */
export function visitDefaultAppearance(
  pdf: Pdf,
  { usage, value, resources }: { usage: Usage; value: Value | undefined; resources: Resources | undefined },
): void {
  const text = resolve(pdf, value);
  if (!resources || !isString(text)) return;
  visitNames(pdf, { usage, names: scanContent(stringBytes(text)), resources });
}
