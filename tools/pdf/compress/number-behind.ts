import { getObject, type Pdf } from "../model/document.ts";
import { isRef, type Value } from "../syntax/values.ts";

const MAX_HOPS = 50;

/** The number of the object that a reference ends at, after those that stand for another. */
export function numberBehind(pdf: Pdf, value: Value): number | undefined {
  let at = value;
  for (let hops = 0; isRef(at) && hops < MAX_HOPS; hops++) {
    const next = getObject(pdf, at.num);
    if (!isRef(next)) return at.num;
    at = next;
  }
  return undefined;
}
