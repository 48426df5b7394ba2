import {
  addObject,
  arrayAt,
  catalogOf,
  dictAt,
  dictIn,
  makeIndirect,
  type Pdf,
  replaceObject,
  resolve,
} from "../model/document.ts";
import { changeCatalog } from "../model/catalog.ts";
import {
  type Dict,
  isRef,
  pushAll,
  refTo,
  type Value,
  keepOnly,
  setEntries,
  without,
} from "../syntax/values.ts";
import { type ActionContext, type FieldContext, pruneObject, changeFields } from "../navigation/actions.ts";
import { assignToPage, assignWithAncestors, disownPage, type PageObjects } from "./page-objects.ts";

/** Assigns form fields (ISO 32000-1, 12.7.3) to the pages of their widgets. */
export function collectFields(objects: PageObjects): void {
  const { pdf } = objects;
  const form = dictAt(pdf, catalogOf(pdf)?.get("AcroForm"));
  const fields = arrayAt(pdf, form?.get("Fields"));
  if (!form || !fields) return;
  const refs = makeIndirect(pdf, fields);
  const isIndirect = isRef(catalogOf(pdf)?.get("AcroForm"));
  // As an object of its own the form can be changed together with its resources.
  if (refs !== fields || !isIndirect) {
    changeCatalog(pdf, { AcroForm: addObject(pdf, new Map([...form, ["Fields", refs]])) });
  }
  const waiting = [...takeKids(refs, objects, 0)];
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    pushAll(waiting, takeField(objects, num));
  }
  const parents = objects.fieldParents;
  for (const [page, onPage] of objects.byPage) {
    for (const num of [...onPage]) {
      if (parents.has(num)) assignWithAncestors(objects, { num, page, parents });
    }
  }
}

function takeField(objects: PageObjects, num: number): number[] {
  const { pdf } = objects;
  const field = dictAt(pdf, refTo(num));
  objects.owned.add(num);
  const page = field?.get("P");
  if (isRef(page)) {
    assignToPage(objects, num, page.num);
    disownPage(objects, page.num);
  }
  const kids = arrayAt(pdf, field?.get("Kids"));
  if (!field || !kids) return [];
  const refs = makeIndirect(pdf, kids);
  if (refs !== kids) replaceObject(pdf, num, new Map([...field, ["Kids", refs]]));
  return takeKids(refs, objects, num);
}

function takeKids(kids: readonly Value[], objects: PageObjects, parent: number): number[] {
  const parents = objects.fieldParents;
  const fresh = [...new Set(kids.filter(isRef).map(({ num }) => num))].filter((num) => !parents.has(num));
  for (const num of fresh) parents.set(num, parent);
  if (fresh.length > 0) objects.fields.set(parent, fresh);
  return fresh;
}

/** Entries of a form dictionary (table 218), except for the XML form, which repeats the fields of every page. */
const FORM_KEYS = ["Fields", "NeedAppearances", "SigFlags", "CO", "DR", "DA", "Q"];

/** By the number of a field, or 0: its kids that are kept, and those of pages that are taken again. */
export type KeptFields = (parent: number) => number[];

/** The form with the fields that still have a widget; undefined if none has. */
export function pruneFields(
  form: Dict,
  { objects, kidsOf }: { objects: PageObjects; kidsOf: KeptFields },
  context: ActionContext,
): Dict | undefined {
  const { pdf, isKept } = context;
  const top = kidsOf(0);
  if (top.length === 0) return undefined;
  const waiting = [...top];
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    pruneLock(num, context);
    pruneObject(num, context);
    const all = objects.fields.get(num);
    if (!all) continue;
    const kids = kidsOf(num);
    pushAll(waiting, kids);
    const field = dictAt(pdf, refTo(num));
    const isSame = kids.length === all.length && kids.every((kid, i) => kid === all[i]);
    if (field && !isSame) replaceObject(pdf, num, withKids(pdf, { field, kids, all }));
  }
  const kept = keepOnly(form, FORM_KEYS);
  kept.set("Fields", top.map(refTo));
  const order = arrayAt(pdf, form.get("CO"))?.filter((field) => isRef(field) && isKept(field.num));
  if (order) kept.set("CO", order);
  return kept;
}

/**
 * A field with these of all its kids. A button that is gone keeps neither its export value (12.7.5.2.3) nor the state
 * that only it had.
 */
function withKids(
  pdf: Pdf,
  { field, kids, all }: { field: Dict; kids: readonly number[]; all: readonly number[] },
): Dict {
  const pruned: Dict = new Map([...field, ["Kids", kids.map(refTo)]]);
  if (resolve(pdf, field.get("FT")) !== "Btn") return pruned;
  const options = arrayAt(pdf, field.get("Opt"));
  const places = kids.map((num) => all.indexOf(num));
  if (options?.length === all.length && !places.includes(-1))
    pruned.set(
      "Opt",
      places.flatMap((place) => options[place] ?? []),
    );
  // The looks of a button by its states.
  const looksOf = (num: number) => dictIn(pdf, dictIn(pdf, dictAt(pdf, refTo(num)), "AP"), "N");
  for (const key of ["V", "DV"]) {
    const state = resolve(pdf, field.get(key));
    const has = (num: number) => looksOf(num)?.has(String(state)) ?? true;
    if (typeof state === "string" && state !== "Off" && !kids.some(has)) pruned.set(key, "Off");
  }
  return pruned;
}

/**
 * Takes the names of dropped fields from the lock of a signature field (ISO 32000-1, table 233), and from its
 * signature, which no longer holds, what that says of fields.
 */
export function pruneLock(num: number, context: FieldContext): void {
  const { pdf } = context;
  const field = dictAt(pdf, refTo(num));
  const lock = dictAt(pdf, field?.get("Lock"));
  const signature = dictAt(pdf, field?.get("V"));
  if (!field || (!lock && !signature?.has("Reference"))) return;
  const changed: Dict = new Map(field);
  setEntries(changed, {
    Lock: lock && pruneNames(lock, context),
    V: signature?.has("Reference") ? without(signature, ["Reference"]) : field.get("V"),
  });
  replaceObject(pdf, num, changed);
}

function pruneNames(lock: Dict, context: FieldContext): Value {
  const fields = arrayAt(context.pdf, lock.get("Fields"));
  return fields ? new Map([...lock, ["Fields", changeFields(fields, context)]]) : lock;
}
