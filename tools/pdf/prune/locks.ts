import { arrayAt, dictAt, type Pdf, replaceObject } from "../model/document.ts";
import { type ActionContext, changeFields } from "../navigation/actions.ts";
import { type Dict, refTo, type Value } from "../syntax/values.ts";
import { setEntries, without } from "./entries.ts";

type LockContext = Pick<ActionContext, "changeFieldName" | "isKept">;

/**
 * Takes the names of dropped fields from the lock of a signature field (ISO 32000-1, table 233), and from its
 * signature, which no longer holds, what that says of fields.
 */
export function pruneLock(pdf: Pdf, { num, context }: { num: number; context: LockContext }): void {
  const field = dictAt(pdf, refTo(num));
  const lock = dictAt(pdf, field?.get("Lock"));
  const signature = dictAt(pdf, field?.get("V"));
  if (!field || (!lock && !signature?.has("Reference"))) return;
  const changed: Dict = new Map(field);
  setEntries(changed, {
    Lock: lock && pruneNames(pdf, { lock, context }),
    V: signature?.has("Reference") ? without(signature, ["Reference"]) : field.get("V"),
  });
  replaceObject(pdf, { num, value: changed });
}

function pruneNames(pdf: Pdf, { lock, context }: { lock: Dict; context: LockContext }): Value {
  const fields = arrayAt(pdf, lock.get("Fields"));
  return fields ? new Map([...lock, ["Fields", changeFields(pdf, { fields, context })]]) : lock;
}
