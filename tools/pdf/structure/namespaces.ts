import { spend } from "../limits.ts";
import { arrayAt, dictAt, type Pdf, replaceObject, resolve } from "../model/document.ts";
import { type Dict, isRef, type Value } from "../syntax/values.ts";

/** What looking into a namespace costs each part of a document, in bytes read. */
const LOOK = 64;

interface Pruning {
  readonly list: Value | undefined;
  /** Of the elements; those that they stand for are added. */
  readonly roles: Set<string>;
}

/**
 * The namespaces of a structure (ISO 32000-2, 14.7.4), in whose role maps only the types stay that elements have, and
 * those that they stand for in turn, in whichever namespace.
 */
export function pruneNamespaces(pdf: Pdf, { list, roles }: Pruning): Value[] | undefined {
  const spaces = arrayAt(pdf, list);
  const maps = (spaces ?? []).map((each) => dictAt(pdf, dictAt(pdf, each)?.get("RoleMapNS")));
  spend(pdf.budget.read, LOOK * maps.length);
  const kept = maps.map((): Dict => new Map());
  // A set gives what is added to it while it is walked.
  for (const role of roles) {
    spend(pdf.budget.read, maps.length);
    maps.forEach((map, i) => {
      const target = map?.get(role);
      if (target === undefined) return;
      kept[i]!.set(role, target);
      const name = typeof target === "string" ? target : resolve(pdf, arrayAt(pdf, target)?.[0]);
      if (typeof name === "string") roles.add(name);
    });
  }
  return spaces?.map((each, i) => withRoles(pdf, { space: each, map: maps[i], kept: kept[i]! }));
}

/** Elements refer to their namespace, so it stays the same object. */
function withRoles(
  pdf: Pdf,
  { space, map, kept }: { space: Value; map: Dict | undefined; kept: Dict },
): Value {
  const dict = dictAt(pdf, space);
  if (!dict || !map || map.size === kept.size) return space;
  const changed: Dict = new Map([...dict, ["RoleMapNS", kept]]);
  if (!isRef(space)) return changed;
  replaceObject(pdf, { num: space.num, value: changed });
  return space;
}
