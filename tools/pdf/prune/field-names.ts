import { dictAt, type Pdf, resolve } from "../model/document.ts";
import { textOf } from "../syntax/strings.ts";
import { isString, refTo, type Value } from "../syntax/values.ts";
import type { IsKept } from "./kept.ts";
import type { PageObjects } from "./page-objects.ts";

interface Fields {
  readonly objects: PageObjects;
  readonly isKept: IsKept;
  /** Fields of pages that are taken again, by the number of their parent, or 0. */
  readonly copies: ReadonlyMap<number, readonly number[]>;
}

/** The full names (ISO 32000-1, 12.7.3.2) of the fields that stay. */
export function fieldNames(pdf: Pdf, fields: Fields): Set<string> {
  const names = new Set<string>();
  for (const { name } of keptFields(pdf, fields)) names.add(name);
  return names;
}

/** The default appearances that fields hand down to their widgets. */
export function inheritedAppearances(pdf: Pdf, fields: Fields): Value[] {
  const all: Value[] = [];
  for (const { num } of keptFields(pdf, fields)) {
    const value = dictAt(pdf, refTo(num))?.get("DA");
    if (value !== undefined) all.push(value);
  }
  return all;
}

function* keptFields(
  pdf: Pdf,
  { objects, isKept, copies }: Fields,
): Generator<{ num: number; name: string }> {
  const waiting = [{ num: 0, name: "" }];
  for (let above = waiting.pop(); above; above = waiting.pop()) {
    const kids = [...(objects.fields.get(above.num) ?? []).filter(isKept), ...(copies.get(above.num) ?? [])];
    for (const num of kids) {
      const value = resolve(pdf, dictAt(pdf, refTo(num))?.get("T"));
      const own = isString(value) ? textOf(value) : "";
      const name = [above.name, own].filter(Boolean).join(".");
      const field = { num, name };
      yield field;
      waiting.push(field);
    }
  }
}
