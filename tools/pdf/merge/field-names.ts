import { arrayAt, dictAt, dictIn, type Pdf, resolve } from "../model/document.ts";
import { uniqueName, withSuffix } from "../model/names.ts";
import type { ActionContext } from "../navigation/actions.ts";
import { pruneLock } from "../prune/locks.ts";
import { encodeLike, textOf } from "../syntax/strings.ts";
import { isString, type PdfString, type Value } from "../syntax/values.ts";
import { changeActions, fieldsOf } from "./actions.ts";
import { type MergeSource, updateDict } from "./merge-source.ts";

/**
 * Gives fields whose names are taken a number behind them, also where actions and locks of the file name them. Fields of
 * one file that have a name in common are one field (ISO 32000-1, 12.7.3.2), and stay one. `fields` are those at the top
 * of the form, `taken` the names of fields of other files.
 */
export function renameFields(
  pdf: Pdf,
  { source, fields, taken }: { source: MergeSource; fields: readonly Value[]; taken: Set<string> },
): void {
  const renamed = new Map<string, string>();
  for (const ref of fields) {
    const name = resolve(pdf, dictAt(pdf, ref)?.get("T"));
    if (!isString(name)) continue;
    const text = textOf(name);
    const fresh = renamed.get(text) ?? uniqueName(text, taken);
    renamed.set(text, fresh);
    if (fresh !== text) updateDict(pdf, { ref, entries: { T: withSuffix(name, fresh.slice(text.length)) } });
  }
  if ([...renamed].some(([text, fresh]) => fresh !== text)) follow(pdf, { source, renamed });
}

// The names are those of fields at the top.
function follow(
  pdf: Pdf,
  { source, renamed }: { source: MergeSource; renamed: ReadonlyMap<string, string> },
): void {
  const changeFieldName: ActionContext["changeFieldName"] = (name) => rename(name, renamed);
  changeActions(pdf, { source, changes: { changeFieldName } });
  for (const num of fieldsOf(pdf, source))
    pruneLock(pdf, { num, context: { changeFieldName, isKept: () => true } });
  if (hasScripts(pdf, source)) source.warnings.push({ code: "fields_renamed" });
}

/** A full name has those of all fields above it in front, with full stops between them. */
function rename(name: PdfString, renamed: ReadonlyMap<string, string>): PdfString {
  const text = textOf(name);
  const [top = ""] = text.split(".", 1);
  const fresh = renamed.get(top);
  return fresh === undefined || fresh === top ? name : encodeLike(name, fresh + text.slice(top.length));
}

/** Whether scripts may name fields: those of the document, or those that calculate values. */
function hasScripts(pdf: Pdf, { catalog }: MergeSource): boolean {
  const order = arrayAt(pdf, dictIn(pdf, { dict: catalog, key: "AcroForm" })?.get("CO"));
  const names = dictIn(pdf, { dict: catalog, key: "Names" });
  return (order ?? []).length > 0 || (names?.has("JavaScript") ?? false);
}
