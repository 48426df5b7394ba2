import { arrayAt, replaceObject, dictAt, type Pdf } from "../model/document.ts";
import { type Dict, isRef, refTo, type Value, pushAll } from "../syntax/values.ts";
import { assignToPage, assignWithAncestors, type PageObjects } from "./page-objects.ts";

/** Form fields (ISO 32000-1, 12.7.3) belong to the pages of their widgets. */
export function collectFields(
  pdf: Pdf,
  { objects, form }: { objects: PageObjects; form: Dict | undefined },
): void {
  const parents = new Map<number, number>();
  const waiting = [...takeKids(arrayAt(pdf, form?.get("Fields")), { objects, parents, parent: 0 })];
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const field = dictAt(pdf, refTo(num));
    objects.owned.add(num);
    const page = field?.get("P");
    if (isRef(page)) assignToPage(pdf, { objects, num, page: page.num });
    pushAll(waiting, takeKids(arrayAt(pdf, field?.get("Kids")), { objects, parents, parent: num }));
  }
  for (const [page, owned] of objects.byPage) {
    for (const num of [...owned])
      if (parents.has(num)) assignWithAncestors(pdf, { objects, num, page, parents });
  }
}

interface Taking {
  readonly objects: PageObjects;
  readonly parents: Map<number, number>;
  readonly parent: number;
}

function takeKids(kids: readonly Value[] | undefined, { objects, parents, parent }: Taking): number[] {
  const fresh = (kids ?? [])
    .filter(isRef)
    .map(({ num }) => num)
    .filter((num) => !parents.has(num));
  for (const num of fresh) parents.set(num, parent);
  if (fresh.length > 0) objects.fields.set(parent, fresh);
  return fresh;
}

/** The form with the fields that still have a widget; undefined when none has. */
export function pruneFields(pdf: Pdf, { objects, form, isAlive }: Pruning): Dict | undefined {
  const top = keepKids(pdf, { objects, parent: 0, isAlive });
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
  readonly objects: PageObjects;
  readonly form: Dict;
  readonly isAlive: (num: number) => boolean;
}

function keepKids(
  pdf: Pdf,
  { objects, parent, isAlive }: { objects: PageObjects; parent: number; isAlive: (num: number) => boolean },
): number[] {
  const top = (objects.fields.get(parent) ?? []).filter(isAlive);
  const waiting = [...top];
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    const all = objects.fields.get(num);
    if (!all) continue;
    const kids = all.filter(isAlive);
    pushAll(waiting, kids);
    const field = dictAt(pdf, refTo(num));
    if (field && kids.length < all.length)
      replaceObject(pdf, { num, value: new Map([...field, ["Kids", kids.map(refTo)]]) });
  }
  return top;
}
