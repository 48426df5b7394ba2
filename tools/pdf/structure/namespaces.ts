import { spend } from "../limits.ts";
import { arrayAt, dictAt, type Pdf, replaceObject, resolve } from "../model/document.ts";
import { type Dict, isRef, type Value } from "../syntax/values.ts";

/** What looking into a namespace costs each part of a document, in bytes read. */
const LOOK = 64;

/**
 * The namespaces of a structure (ISO 32000-2, 14.7.4), in whose role maps only the types stay that elements have, and
 * those that they stand for in turn, in whichever namespace, which are added to `roles`.
 */
export function pruneNamespaces(
  pdf: Pdf,
  { list, roles }: { list: Value | undefined; roles: Set<string> },
): Value[] | undefined {
  const spaces = arrayAt(pdf, list)?.map((space) => {
    const kept: Dict = new Map();
    return { space, map: dictAt(pdf, dictAt(pdf, space)?.get("RoleMapNS")), kept };
  });
  if (!spaces) return undefined;
  spend(pdf.budget.read, LOOK * spaces.length);
  // A set gives what is added to it while it is walked.
  for (const role of roles) {
    spend(pdf.budget.read, spaces.length);
    for (const { map, kept } of spaces) {
      const target = map?.get(role);
      if (target === undefined) continue;
      kept.set(role, target);
      const name = typeof target === "string" ? target : resolve(pdf, arrayAt(pdf, target)?.[0]);
      if (typeof name === "string") roles.add(name);
    }
  }
  return spaces.map((each) => withRoles(pdf, each));
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
