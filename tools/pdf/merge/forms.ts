import { addObject, arrayAt, dictAt, type Pdf, resolve, dictIn } from "../model/document.ts";
import { uniqueName, withSuffix, hexString, stringBytes, encodeLike, textOf } from "../syntax/strings.ts";
import type { ActionContext } from "../navigation/actions.ts";
import { pruneLock } from "../prune/fields.ts";
import { latin1 } from "../syntax/lexer.ts";
import {
  type Dict,
  isRef,
  isString,
  numberOf,
  type Ref,
  refTo,
  type Value,
  type PdfString,
  without,
} from "../syntax/values.ts";
import { fieldsOf } from "../model/trees.ts";
import { changeActions } from "./actions.ts";
import { updateDict, type MergeSource } from "./merge-source.ts";

/** The XML form, which repeats the fields of one file. */
const NOT_JOINED = ["XFA"];

/** Merges the forms; fields and fonts whose names clash get a number appended. */
export function joinForms(pdf: Pdf, sources: readonly MergeSource[]): Value | undefined {
  const withForm = sources.flatMap((source) => {
    const form = dictAt(pdf, source.catalog.get("AcroForm"));
    return form ? [{ source, form }] : [];
  });
  const forms = withForm.map(({ form }) => form);
  const [first, ...others] = forms;
  if (!first || others.length === 0) return first && without(first, NOT_JOINED);
  const taken = new Set<string>();
  const resources: Dict = new Map();
  const joined = without(first, NOT_JOINED);
  const fields = withForm.flatMap(({ source, form }, i) => {
    const renamed = takeResources(pdf, form, resources);
    return takeFields(pdf, { source, form, taken, renamed, isFirst: i === 0 });
  });
  joined.set("Fields", fields);
  if (resources.size > 0) joined.set("DR", resources);
  if (forms.some((form) => form.get("NeedAppearances") === true)) joined.set("NeedAppearances", true);
  const flags = forms.reduce((sum, form) => sum | (numberOf(form.get("SigFlags")) ?? 0), 0);
  if (flags > 0) joined.set("SigFlags", flags);
  const order = forms.flatMap((form) => arrayAt(pdf, form.get("CO")) ?? []);
  if (order.length > 0) joined.set("CO", order);
  return joined;
}

/** Adds the resources of a form; returns the fonts that had to be renamed. */
function takeResources(pdf: Pdf, form: Dict, resources: Dict): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const [kind, value] of dictAt(pdf, form.get("DR")) ?? []) {
    const entries = dictAt(pdf, value);
    const before = dictAt(pdf, resources.get(kind));
    if (!entries || !before) {
      if (!resources.has(kind)) resources.set(kind, entries ? new Map(entries) : value);
      continue;
    }
    const taken = new Set(before.keys());
    for (const [name, each] of entries) {
      const fresh = uniqueName(name, taken);
      before.set(fresh, each);
      if (kind === "Font" && fresh !== name) renamed.set(name, fresh);
    }
  }
  return renamed;
}

interface Fields {
  readonly source: MergeSource;
  readonly form: Dict;
  readonly taken: Set<string>;
  readonly renamed: ReadonlyMap<string, string>;
  readonly isFirst: boolean;
}

function takeFields(pdf: Pdf, { source, form, taken, renamed, isFirst }: Fields): Value[] {
  const fields = (arrayAt(pdf, form.get("Fields")) ?? []).filter((field) => dictAt(pdf, field) !== undefined);
  renameFields(pdf, { source, fields, taken });
  // Fields of later files must have their own defaults, because the form dictionary is that of the first.
  const defaults = isFirst ? [] : ["DA", "Q"];
  for (const ref of fields) for (const key of defaults) pushDown(pdf, { ref, key, form });
  if (renamed.size > 0) renameFonts(pdf, fieldsOf(pdf, source.catalog), renamed);
  return fields;
}

function pushDown(pdf: Pdf, { ref, key, form }: { ref: Value; key: string; form: Dict }): void {
  const value = form.get(key);
  if (value !== undefined && !dictAt(pdf, ref)?.has(key)) updateDict(pdf, ref, { [key]: value });
}

/** Rewrites the font names in default appearances, such as "/Helv 9 Tf". */
function renameFonts(pdf: Pdf, fields: Iterable<number>, renamed: ReadonlyMap<string, string>): void {
  const formNames: FormNames = { pdf, renamed, changed: new Map() };
  for (const num of fields) {
    const ref = refTo(num);
    const dict = dictAt(pdf, ref);
    const appearance = resolve(pdf, dict?.get("DA"));
    if (!dict || !isString(appearance)) continue;
    const text = latin1(stringBytes(appearance));
    const changed = text.replace(/\/([^\s/[\]()<>{}%]+)(?=\s+[-+.0-9]+\s+Tf)/g, (all, name: string) =>
      renamed.has(name) ? `/${renamed.get(name)}` : all,
    );
    if (changed === text) continue;
    const DA = hexString(Uint8Array.from(changed, (character) => character.charCodeAt(0)));
    updateDict(pdf, ref, { DA, DR: ownResources(formNames, dict.get("DR")) });
  }
}

interface FormNames {
  readonly pdf: Pdf;
  readonly renamed: ReadonlyMap<string, string>;
  /** The replacements of shared resource dictionaries, by object number. */
  readonly changed: Map<number, Ref>;
}

/**
 * The resources that some programs write into a field itself, and that some readers search before those of the form.
 * They contain the fonts under their new names too.
 */
function ownResources(formNames: FormNames, resources: Value | undefined): Value | undefined {
  return changeShared(formNames, resources, (dict) => {
    const font = changeShared(formNames, dict.get("Font"), (fonts) => withAliases(formNames, fonts));
    return font === undefined ? dict : new Map([...dict, ["Font", font]]);
  });
}

function withAliases({ renamed }: FormNames, fonts: Dict): Dict {
  const aliases = [...fonts].flatMap(([name, font]): [string, Value][] => {
    const fresh = renamed.get(name);
    return fresh === undefined ? [] : [[fresh, font]];
  });
  return new Map([...fonts, ...aliases]);
}

/** Changes a dictionary. An indirect one is replaced once for everything that shares it. */
function changeShared(
  { pdf, changed }: FormNames,
  value: Value | undefined,
  make: (dict: Dict) => Dict,
): Value | undefined {
  const dict = dictAt(pdf, value);
  if (!dict || !isRef(value)) return dict ? make(dict) : value;
  const known = changed.get(value.num);
  if (known) return known;
  const made = addObject(pdf, make(dict));
  changed.set(value.num, made);
  return made;
}

/**
 * Appends a number to field names that are taken, also where actions and locks of the file use them. Fields of one file
 * with the same name are one field (ISO 32000-1, 12.7.3.2) and remain one. `fields` are the top-level fields of the
 * form, `taken` the names of fields in other files.
 */
function renameFields(
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
    if (fresh !== text) updateDict(pdf, ref, { T: withSuffix(name, fresh.slice(text.length)) });
  }
  if ([...renamed].some(([text, fresh]) => fresh !== text)) follow(pdf, source, renamed);
}

// Only names of top-level fields change.
function follow(pdf: Pdf, source: MergeSource, renamed: ReadonlyMap<string, string>): void {
  const changeFieldName: ActionContext["changeFieldName"] = (name) => rename(name, renamed);
  changeActions(pdf, source, { changeFieldName });
  for (const num of fieldsOf(pdf, source.catalog))
    pruneLock(num, { pdf, changeFieldName, isKept: () => true });
  if (hasScripts(pdf, source)) source.warnings.push({ code: "fields_renamed" });
}

/** A full name starts with the names of all ancestors, separated by full stops. */
function rename(name: PdfString, renamed: ReadonlyMap<string, string>): PdfString {
  const text = textOf(name);
  const [top = ""] = text.split(".", 1);
  const fresh = renamed.get(top);
  return fresh === undefined || fresh === top ? name : encodeLike(name, fresh + text.slice(top.length));
}

/** Whether scripts may refer to fields by name: scripts of the document, or those that calculate values. */
function hasScripts(pdf: Pdf, { catalog }: MergeSource): boolean {
  const order = arrayAt(pdf, dictIn(pdf, catalog, "AcroForm")?.get("CO"));
  const names = dictIn(pdf, catalog, "Names");
  return (order ?? []).length > 0 || (names?.has("JavaScript") ?? false);
}
