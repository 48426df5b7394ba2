import { dictAt, dictIn, type Pdf, replaceObject, resolve } from "../model/document.ts";
import { uniqueName, withSuffix } from "../syntax/strings.ts";
import { keyOf, type Pair, readTree } from "../model/trees.ts";
import {
  type ChangeId,
  changeClasses,
  changeHeaders,
  indirectKids,
  isElement,
} from "../structure/elements.ts";
import { type Dict, isRef, pushAll, type Value } from "../syntax/values.ts";

/** A structure tree that is added to another. */
export interface JoinedTree {
  readonly root: Dict;
  /** Its top-level elements. */
  readonly top: readonly Value[];
  /** The root of the merged tree. */
  readonly joined: Dict;
}

/**
 * Collects the identifiers of a structure tree with their elements. An identifier that is taken gets a number appended,
 * also in its element and in the cells that name it as their header. `classes` were added to the merged tree.
 */
export function takeIds(
  pdf: Pdf,
  { root, top, joined }: JoinedTree,
  { classes, taken }: { classes: Dict; taken: Set<string> },
): Pair[] {
  const pairs = new Map<string, Pair>();
  const renamed = new Map<string, Value>();
  for (const [id, element] of readTree(pdf, root.get("IDTree"), "Names")) {
    const key = keyOf(id);
    if (key === undefined || pairs.has(key)) continue;
    const fresh = uniqueName(key, taken);
    const own = fresh === key ? id : withSuffix(id, fresh.slice(key.length));
    if (own !== id) renamed.set(key, own);
    pairs.set(key, [own, element]);
  }
  if (renamed.size > 0) {
    const changeId: ChangeId = (id) => renamed.get(keyOf(resolve(pdf, id)) ?? "") ?? id;
    renameIn(pdf, top, changeId);
    const all = dictIn(pdf, joined, "ClassMap");
    if (all) joined.set("ClassMap", new Map([...all, ...changeClasses(pdf, classes, changeId)]));
  }
  return [...pairs.values()];
}

function renameIn(pdf: Pdf, elements: readonly Value[], changeId: ChangeId): void {
  changeElements(pdf, elements, (element) => {
    const changed: Dict = new Map(changeHeaders(pdf, element, changeId));
    const id = changed.get("ID");
    if (id !== undefined) changed.set("ID", changeId(id) ?? null);
    return changed;
  });
}

/** Replaces these elements and all their descendants. Elements written inline become indirect objects. */
export function changeElements(pdf: Pdf, elements: readonly Value[], change: (element: Dict) => Dict): void {
  const seen = new Set<number>();
  const waiting = [...elements];
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    const found = dictAt(pdf, ref);
    if (!isRef(ref) || seen.has(ref.num) || !found || !isElement(found)) continue;
    seen.add(ref.num);
    pushAll(waiting, indirectKids(pdf, ref.num));
    const element = dictAt(pdf, ref) ?? found;
    const changed = change(element);
    if (changed !== element) replaceObject(pdf, ref.num, changed);
  }
}
