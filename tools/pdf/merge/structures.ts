import {
  addObject,
  arrayAt,
  replaceObject,
  dictAt,
  dictIn,
  makeIndirect,
  type Pdf,
  resolve,
} from "../model/document.ts";
import { type PdfPage, pageDict } from "../model/pages.ts";
import { readParentTree } from "../structure/tree.ts";
import { itemsAt, keyOf, makeTree, type Pair } from "../model/trees.ts";
import {
  unsignedOf,
  type Dict,
  dictOf,
  isDict,
  isRef,
  isStream,
  pushAll,
  refTo,
  type Value,
  isString,
} from "../syntax/values.ts";
import { changeElements, type JoinedTree, takeIds } from "./element-ids.ts";
import { type MergeSource, updateDict } from "./merge-source.ts";
import { uniqueName, stringBytes } from "../syntax/strings.ts";
import { latin1 } from "../syntax/lexer.ts";

/** Merges the structure trees (ISO 32000-2, 14.7). */
export function joinStructures(pdf: Pdf, sources: readonly MergeSource[]): Value | undefined {
  if (!sources.some(({ catalog }) => catalog.has("StructTreeRoot"))) return undefined;
  const joined: Dict = new Map<string, Value>([["Type", "StructTreeRoot"]]);
  const kids: Value[] = [];
  const pairs: Pair[] = [];
  const ids: Pair[] = [];
  const taken = new Set<string>();
  const ref = addObject(pdf, joined);
  let offset = 0;
  for (const source of sources) {
    const root = dictAt(pdf, source.catalog.get("StructTreeRoot"));
    const nums = keyHolders(pdf, source.pages);
    if (!root) {
      for (const num of nums) shiftKeys(pdf, num, undefined);
      continue;
    }
    for (const [key, value] of readParentTree(pdf, root)) pairs.push([key + offset, value]);
    if (offset > 0) for (const num of nums) shiftKeys(pdf, num, offset);
    offset = pairs.reduce((most, [key]) => Math.max(most, Number(key) + 1), offset);
    const top = topOf(pdf, root);
    const tree = { root, top, joined };
    takeRoles(pdf, tree);
    takeNamespaces(pdf, root, joined);
    const classes = takeClasses(pdf, tree);
    const { language } = source;
    if (language !== undefined)
      for (const each of top) if (!dictAt(pdf, each)?.has("Lang")) updateDict(pdf, each, { Lang: language });
    pushAll(kids, top);
    const own = source.catalog.get("StructTreeRoot");
    // Elements refer to their root. Replacing it with the merged root saves rewriting them.
    if (isRef(own)) replaceObject(pdf, own.num, ref);
    pushAll(ids, takeIds(pdf, tree, { classes, taken }));
  }
  if (kids.length === 0) return undefined;
  joined.set("K", kids);
  joined.set("ParentTree", makeTree(pdf, pairs, "Nums"));
  joined.set("ParentTreeNextKey", offset);
  if (ids.length > 0) joined.set("IDTree", makeTree(pdf, sorted(ids), "Names"));
  return ref;
}

function sorted(ids: readonly Pair[]): Pair[] {
  return ids.toSorted(([a], [b]) => ((keyOf(a) ?? "") < (keyOf(b) ?? "") ? -1 : 1));
}

/**
 * Adds the role map of a structure tree (ISO 32000-2, 14.8.6.2). A name that has another role in an earlier tree gets a
 * number appended, also in the elements that use it.
 */
function takeRoles(pdf: Pdf, { root, top, joined }: JoinedTree): void {
  const own: Dict = dictIn(pdf, root, "RoleMap") ?? new Map();
  const before: Dict = dictIn(pdf, joined, "RoleMap") ?? new Map();
  const taken = new Set([...before.keys(), ...own.keys()]);
  const others = [...own.keys()].filter(
    (name) => before.has(name) && roleIn(pdf, before, name) !== roleIn(pdf, own, name),
  );
  const renamed = new Map(others.map((name) => [name, uniqueName(name, taken)]));
  const added = [...own].map(([name, role]): [string, Value] => [
    renamed.get(name) ?? name,
    renamedIn(pdf, role, renamed),
  ]);
  if (before.size + own.size > 0) joined.set("RoleMap", new Map([...added, ...before]));
  if (renamed.size === 0) return;
  changeElements(pdf, top, (element) =>
    element.has("NS") ? element : renameEntry(pdf, { element, key: "S", renamed }),
  );
}

/** What a name means in the end: a role may have a role itself. */
function roleIn(pdf: Pdf, map: Dict, name: string): Value | undefined {
  const seen = new Set<Value | undefined>();
  let role: Value | undefined = name;
  while (typeof role === "string" && map.has(role) && !seen.has(role)) {
    seen.add(role);
    role = resolve(pdf, map.get(role));
  }
  return role;
}

function takeNamespaces(pdf: Pdf, root: Dict, joined: Dict): void {
  const spaces = [joined, root].flatMap((each) => arrayAt(pdf, each.get("Namespaces")) ?? []);
  if (spaces.length > 0) joined.set("Namespaces", spaces);
}

function topOf(pdf: Pdf, root: Dict): Value[] {
  const elements = itemsAt(pdf, root.get("K")).filter((kid) => dictAt(pdf, kid) !== undefined);
  return makeIndirect(pdf, elements);
}

/** The pages, annotations and XObjects that have a key of the parent tree. */
function keyHolders(pdf: Pdf, pages: readonly PdfPage[]): Set<number> {
  const nums = new Set<number>();
  for (const page of pages) {
    const dict = pageDict(pdf, page);
    const resources = dictAt(pdf, dict.get("Resources") ?? page.inherited.get("Resources"));
    const drawings = [...(dictAt(pdf, resources?.get("XObject"))?.values() ?? [])];
    for (const each of [refTo(page.num), ...(arrayAt(pdf, dict.get("Annots")) ?? []), ...drawings]) {
      const own = dictOf(resolve(pdf, each));
      if (isRef(each) && (own?.has("StructParents") || own?.has("StructParent"))) nums.add(each.num);
    }
  }
  return nums;
}

/** Adds the offset to the parent-tree keys of one object, or removes them. */
function shiftKeys(pdf: Pdf, num: number, offset: number | undefined): void {
  const value = resolve(pdf, refTo(num));
  const dict: Dict = new Map(dictOf(value) ?? []);
  for (const name of ["StructParents", "StructParent"]) {
    const key = unsignedOf(dict.get(name));
    if (key === undefined || offset === undefined) dict.delete(name);
    else dict.set(name, key + offset);
  }
  if (isStream(value)) replaceObject(pdf, num, { ...value, dict });
  else if (isDict(value)) replaceObject(pdf, num, dict);
}

/**
 * Adds the attribute classes of a structure tree (ISO 32000-2, 14.7.6.2) to the merged one and returns the added ones.
 * Equal classes are shared; a different class with the same name gets a number appended, also in the elements that use
 * it.
 */
function takeClasses(pdf: Pdf, { root, top, joined }: JoinedTree): Dict {
  const own: Dict = dictIn(pdf, root, "ClassMap") ?? new Map();
  const before: Dict = dictIn(pdf, joined, "ClassMap") ?? new Map();
  const added: Dict = new Map();
  const renamed = new Map<string, string>();
  const taken = new Set([...before.keys(), ...own.keys()]);
  for (const [name, value] of own) {
    const known = before.get(name);
    if (known !== undefined && isShared(pdf, known, value)) continue;
    const fresh = known === undefined ? name : uniqueName(name, taken);
    if (fresh !== name) renamed.set(name, fresh);
    added.set(fresh, value);
  }
  if (added.size > 0) joined.set("ClassMap", new Map([...before, ...added]));
  if (renamed.size > 0)
    changeElements(pdf, top, (element) => renameEntry(pdf, { element, key: "C", renamed }));
  return added;
}

/** Classes that name header cells refer to cells of their own file. */
function isShared(pdf: Pdf, a: Value, b: Value): boolean {
  const text = textOf(pdf, a);
  return text !== undefined && text === textOf(pdf, b);
}

const MAX_LEVELS = 20;

/** A canonical text of a value; undefined if it is nested too deeply to compare, or names header cells. */
function textOf(pdf: Pdf, value: Value | undefined, level = 0): string | undefined {
  const found = resolve(pdf, value);
  if (level > MAX_LEVELS) return undefined;
  if (isDict(found)) {
    if (found.has("Headers")) return undefined;
    const keys = [...found.keys()].sort();
    return joinTexts(
      "<<",
      keys.map((key) => prefixed(key, textOf(pdf, found.get(key), level + 1))),
    );
  }
  if (Array.isArray(found))
    return joinTexts(
      "[",
      found.map((each) => textOf(pdf, each, level + 1)),
    );
  if (isString(found)) return `(${JSON.stringify(latin1(stringBytes(found)))})`;
  if (typeof found !== "object" || found === null) return JSON.stringify(found ?? null);
  return found.kind === "real" ? String(Number(found.text)) : undefined;
}

function prefixed(key: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${JSON.stringify(key)} ${text}`;
}

function joinTexts(bracket: string, texts: readonly (string | undefined)[]): string | undefined {
  return texts.includes(undefined) ? undefined : `${bracket}${texts.join(" ")}${bracket}`;
}

/** An element with new names in /S, its type, or /C, which has a class or some, each with or without a revision number. */
function renameEntry(
  pdf: Pdf,
  { element, key, renamed }: { element: Dict; key: "S" | "C"; renamed: ReadonlyMap<string, string> },
): Dict {
  const value = element.get(key);
  if (value === undefined) return element;
  const found = resolve(pdf, value);
  const names = Array.isArray(found)
    ? found.map((each) => renamedIn(pdf, each, renamed))
    : renamedIn(pdf, value, renamed);
  return new Map([...element, [key, names]]);
}

function renamedIn(pdf: Pdf, value: Value, renamed: ReadonlyMap<string, string>): Value {
  const name = resolve(pdf, value);
  return typeof name === "string" ? (renamed.get(name) ?? name) : value;
}
