import { arrayAt, dictAt, type Pdf, resolve } from "../model/document.ts";
import { without } from "../prune/entries.ts";
import type { Dict, Value } from "../syntax/values.ts";

/** The identifier of an element as it is to be; undefined for that of one that is gone. */
export type ChangeId = (id: Value) => Value | undefined;

/** A structure element with other /Headers in its attributes (ISO 32000-1, 14.8.5.7); the same one if none changes. */
export function changeHeaders(pdf: Pdf, { element, changeId }: { element: Dict; changeId: ChangeId }): Dict {
  const value = element.get("A");
  if (value === undefined) return element;
  const changed = changeInAttributes(pdf, { value, changeId });
  return changed === value ? element : new Map([...element, ["A", changed]]);
}

interface AttributeChange {
  readonly value: Value;
  readonly changeId: ChangeId;
}

/** The same for the attributes in a class map. */
export function changeClasses(pdf: Pdf, { classes, changeId }: { classes: Dict; changeId: ChangeId }): Dict {
  return new Map([...classes].map(([name, value]) => [name, changeInAttributes(pdf, { value, changeId })]));
}

/** Attributes are a dictionary or a list of them, each perhaps with a revision number behind it. */
function changeInAttributes(pdf: Pdf, { value, changeId }: AttributeChange): Value {
  const found = resolve(pdf, value);
  if (!Array.isArray(found)) return changeInOne(pdf, { value, changeId });
  const changed = found.map((each) => changeInOne(pdf, { value: each, changeId }));
  return changed.every((each, i) => each === found[i]) ? value : changed;
}

function changeInOne(pdf: Pdf, { value, changeId }: AttributeChange): Value {
  const attributes = dictAt(pdf, value);
  const ids = arrayAt(pdf, attributes?.get("Headers"));
  if (!attributes || !ids) return value;
  const changed = ids.flatMap((id) => changeId(id) ?? []);
  if (changed.length === ids.length && changed.every((id, i) => id === ids[i])) return value;
  return changed.length > 0
    ? new Map([...attributes, ["Headers", changed]])
    : without(attributes, ["Headers"]);
}
