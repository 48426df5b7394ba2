import { arrayAt, change, dictAt, type Pdf } from "../model/document.ts";
import { type Dict, isRef, refTo, type Value, pushAll } from "../syntax/values.ts";
import { bind, bindUp, type Index } from "./binding.ts";

/** Form fields (ISO 32000-1, 12.7.3) belong to the pages of their widgets. */
export function bindFields(pdf: Pdf, { index, form }: { index: Index; form: Dict | undefined }): void {
  const parents = new Map<number, number>();
  const waiting = [...takeKids(arrayAt(pdf, form?.get("Fields")), { index, parents, parent: 0 })];
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const field = dictAt(pdf, refTo(num));
    index.bound.add(num);
    const page = field?.get("P");
    if (isRef(page)) bind(pdf, { index, num, page: page.num });
    pushAll(waiting, takeKids(arrayAt(pdf, field?.get("Kids")), { index, parents, parent: num }));
  }
  for (const [page, owned] of index.byPage) {
    for (const num of [...owned]) if (parents.has(num)) bindUp(pdf, { index, num, page, parents });
  }
}

interface Taking {
  readonly index: Index;
  readonly parents: Map<number, number>;
  readonly parent: number;
}

function takeKids(kids: readonly Value[] | undefined, { index, parents, parent }: Taking): number[] {
  const fresh = (kids ?? [])
    .filter(isRef)
    .map(({ num }) => num)
    .filter((num) => !parents.has(num));
  for (const num of fresh) parents.set(num, parent);
  if (fresh.length > 0) index.fields.set(parent, fresh);
  return fresh;
}

/** The form with the fields that still have a widget; undefined when none has. */
export function pruneFields(pdf: Pdf, { index, form, isAlive }: Pruning): Dict | undefined {
  const top = keepKids(pdf, { index, parent: 0, isAlive });
  if (top.length === 0) return undefined;
  const kept: Dict = new Map([...form, ["Fields", top.map(refTo)]]);
  const order = arrayAt(pdf, form.get("CO"));
  if (order)
    kept.set(
      "CO",
      order.filter((field) => isRef(field) && isAlive(field.num)),
    );
  // The XML form repeats every page's fields and their values.
  kept.delete("XFA");
  return kept;
}

interface Pruning {
  readonly index: Index;
  readonly form: Dict;
  readonly isAlive: (num: number) => boolean;
}

function keepKids(
  pdf: Pdf,
  { index, parent, isAlive }: { index: Index; parent: number; isAlive: (num: number) => boolean },
): number[] {
  const top = (index.fields.get(parent) ?? []).filter(isAlive);
  const waiting = [...top];
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const all = index.fields.get(num);
    if (!all) continue;
    const kids = all.filter(isAlive);
    pushAll(waiting, kids);
    const field = dictAt(pdf, refTo(num));
    if (field && kids.length < all.length)
      change(pdf, { num, value: new Map([...field, ["Kids", kids.map(refTo)]]) });
  }
  return top;
}
