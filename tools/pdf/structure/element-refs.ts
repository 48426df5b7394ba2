import { arrayAt, type Pdf } from "../model/document.ts";
import { without } from "../prune/entries.ts";
import type { IsKept } from "../prune/kept.ts";
import type { PageObjects } from "../prune/page-objects.ts";
import { type Dict, isRef, type Value } from "../syntax/values.ts";

/**
 * A structure element that refers only to elements that stay (ISO 32000-2, table 355, /Ref); the same one if none goes.
 * What is no element of the tree goes too: nothing else tells which page it belongs to.
 */
export function keepRefs(
  pdf: Pdf,
  options: { element: Dict; objects: Pick<PageObjects, "structElements">; isKept: IsKept },
): Dict {
  const { element, objects, isKept } = options;
  const value = element.get("Ref");
  if (value === undefined) return element;
  const all = arrayAt(pdf, value) ?? [value];
  const kept = all.filter((each) => isRef(each) && objects.structElements.has(each.num) && isKept(each.num));
  if (kept.length === all.length) return element;
  return kept.length > 0 ? new Map<string, Value>([...element, ["Ref", kept]]) : without(element, ["Ref"]);
}
