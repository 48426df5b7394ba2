import { type Pdf, resolve } from "../model/document.ts";
import { isDict, isRef, pushAll, type Value } from "../syntax/values.ts";

/** Notes a layer, or the layers of a membership dictionary with all its expressions. */
export function useLayer(
  pdf: Pdf,
  { layers, value }: { layers: Set<number>; value: Value | undefined },
): void {
  const waiting = value === undefined ? [] : [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (isRef(each)) {
      if (layers.has(each.num)) continue;
      layers.add(each.num);
    }
    const found = resolve(pdf, each);
    if (Array.isArray(found)) pushAll(waiting, found);
    const dict = isDict(found) && resolve(pdf, found.get("Type")) === "OCMD" ? found : undefined;
    for (const entry of [dict?.get("OCGs"), dict?.get("VE")]) if (entry !== undefined) waiting.push(entry);
  }
}
