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
import { keyOf, makeTree, type Pair } from "../model/trees.ts";
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
} from "../syntax/values.ts";
import { takeClasses } from "./element-classes.ts";
import { takeIds } from "./element-ids.ts";
import { type MergeSource, updateDict } from "./merge-source.ts";

/** Joins the structure trees; tags of a file whose RoleMap contradicts an earlier one are left out. */
export function joinStructures(pdf: Pdf, sources: readonly MergeSource[]): Value | undefined {
  if (!sources.some(({ catalog }) => catalog.has("StructTreeRoot"))) return undefined;
  const roles: Dict = new Map();
  const joined: Dict = new Map<string, Value>([["Type", "StructTreeRoot"]]);
  const kids: Value[] = [];
  const pairs: Pair[] = [];
  const ids: Pair[] = [];
  const taken = new Set<string>();
  const ref = addObject(pdf, joined);
  let offset = 0;
  for (const source of sources) {
    const root = dictAt(pdf, source.catalog.get("StructTreeRoot"));
    const isJoined = root !== undefined && takeRoles(pdf, { root, roles, joined });
    if (root && !isJoined) source.warnings.push({ code: "tags_left_out" });
    const nums = keyHolders(pdf, source.pages);
    if (!root || !isJoined) {
      for (const num of nums) shiftKeys(pdf, { num, offset: undefined });
      continue;
    }
    const tree = readParentTree(pdf, root);
    for (const [key, value] of tree) pairs.push([key + offset, value]);
    if (offset > 0) for (const num of nums) shiftKeys(pdf, { num, offset });
    offset = pairs.reduce((most, [key]) => Math.max(most, Number(key) + 1), offset);
    const top = topOf(pdf, root);
    const classes = takeClasses(pdf, { root, top, joined });
    if (source.language !== undefined) sayLanguage(pdf, { elements: top, language: source.language });
    pushAll(kids, top);
    const own = source.catalog.get("StructTreeRoot");
    // Elements refer to their root, which is replaced with the joined one, so that they need not be rewritten.
    if (isRef(own)) replaceObject(pdf, { num: own.num, value: ref });
    pushAll(ids, takeIds(pdf, { root, top, joined, classes, taken }));
  }
  if (kids.length === 0) return undefined;
  joined.set("K", kids);
  joined.set("ParentTree", makeTree(pdf, { pairs, kind: "Nums" }));
  joined.set("ParentTreeNextKey", offset);
  if (ids.length > 0) joined.set("IDTree", makeTree(pdf, { pairs: sorted(ids), kind: "Names" }));
  return ref;
}

function sorted(ids: readonly Pair[]): Pair[] {
  return ids.toSorted(([a], [b]) => ((keyOf(a) ?? "") < (keyOf(b) ?? "") ? -1 : 1));
}

/** Adds the role map of a tree and its namespaces; false if it contradicts; then nothing is added. */
function takeRoles(pdf: Pdf, { root, roles, joined }: { root: Dict; roles: Dict; joined: Dict }): boolean {
  const own: Dict = dictIn(pdf, { dict: root, key: "RoleMap" }) ?? new Map();
  const isSame = (a: Value | undefined, b: Value) => resolve(pdf, a) === resolve(pdf, b);
  for (const [name, role] of own) if (roles.has(name) && !isSame(roles.get(name), role)) return false;
  for (const [name, role] of own) roles.set(name, role);
  if (roles.size > 0) joined.set("RoleMap", roles);
  const spaces = [
    ...(arrayAt(pdf, joined.get("Namespaces")) ?? []),
    ...(arrayAt(pdf, root.get("Namespaces")) ?? []),
  ];
  if (spaces.length > 0) joined.set("Namespaces", spaces);
  return true;
}

function topOf(pdf: Pdf, root: Dict): Value[] {
  const found = resolve(pdf, root.get("K"));
  const kids = Array.isArray(found) ? found : [root.get("K") ?? null];
  const elements = kids.filter((kid) => dictAt(pdf, kid) !== undefined);
  return makeIndirect(pdf, elements);
}

function sayLanguage(
  pdf: Pdf,
  { elements, language }: { elements: readonly Value[]; language: Value },
): void {
  for (const ref of elements) {
    if (!dictAt(pdf, ref)?.has("Lang")) updateDict(pdf, { ref, entries: { Lang: language } });
  }
}

/** The pages, annotations and drawings that name a key of the parent tree. */
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

/** Moves the keys of one object, or takes them away. */
function shiftKeys(pdf: Pdf, { num, offset }: { num: number; offset: number | undefined }): void {
  const value = resolve(pdf, refTo(num));
  const dict: Dict = new Map(dictOf(value) ?? []);
  for (const name of ["StructParents", "StructParent"]) {
    const key = unsignedOf(dict.get(name));
    if (key === undefined || offset === undefined) dict.delete(name);
    else dict.set(name, key + offset);
  }
  if (isStream(value)) replaceObject(pdf, { num, value: { ...value, dict } });
  else if (isDict(value)) replaceObject(pdf, { num, value: dict });
}
