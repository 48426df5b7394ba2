import { dictAt, getObject, type Pdf, replaceObject } from "../model/document.ts";
import { type Dict, isDict, isStream, type Value } from "../syntax/values.ts";
import { RESOURCE_KINDS, type ResourceKind } from "./scan.ts";
import type { Resources, Usage, UsedResources } from "./usage.ts";

/** What a resource dictionary has beside the resources with names. */
const OTHERS = ["ProcSet", "Encoding"];
/** Some files use a page or a node of the page tree as resource dictionary. */
const NOT_RESOURCES: readonly (Value | undefined)[] = ["Page", "Pages", "Catalog"];

/** Leaves in the resource dictionaries that were visited only what content looks up. */
export function pruneResources(part: Pdf, { used }: Usage): void {
  for (const resources of used.values()) {
    const pruned = prune(part, resources);
    if (pruned) replaceResources(part, { ...resources, dict: pruned });
  }
}

/** The dictionary without what is not used; undefined if all of it is. */
function prune(part: Pdf, { dict, names }: UsedResources): Dict | undefined {
  if (NOT_RESOURCES.includes(dict.get("Type"))) return undefined;
  const pruned: Dict = new Map();
  let isSame = true;
  for (const [key, value] of dict) {
    const kept = isKind(key)
      ? keepNames(part, { value, names: names.get(key) })
      : OTHERS.includes(key)
        ? value
        : undefined;
    if (kept !== value) isSame = false;
    if (kept !== undefined) pruned.set(key, kept);
  }
  return isSame ? undefined : pruned;
}

function isKind(key: string): key is ResourceKind {
  return RESOURCE_KINDS.some((kind) => kind === key);
}

function keepNames(
  part: Pdf,
  { value, names }: { value: Value; names: ReadonlySet<string> | undefined },
): Value | undefined {
  const entries = dictAt(part, value);
  if (!entries || names?.size === entries.size) return value;
  if (!names) return undefined;
  return new Map([...names].map((name): [string, Value] => [name, entries.get(name) ?? null]));
}

function replaceResources(part: Pdf, { key, entry, dict }: Resources): void {
  if (key > 0) return replaceObject(part, { num: key, value: dict });
  const owner = getObject(part, -key);
  if (isDict(owner)) replaceObject(part, { num: -key, value: new Map([...owner, [entry, dict]]) });
  if (isStream(owner)) {
    const changed: Dict = new Map([...owner.dict, [entry, dict]]);
    replaceObject(part, { num: -key, value: { ...owner, dict: changed } });
  }
}
