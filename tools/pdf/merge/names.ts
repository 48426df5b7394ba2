import { dictIn, type Pdf, resolve } from "../model/document.ts";
import { uniqueName } from "../syntax/strings.ts";
import { keyOf, makeTree, nameString, type Pair, readTree } from "../model/trees.ts";
import type { ActionContext } from "../navigation/actions.ts";
import { destinationByReference } from "../navigation/destinations.ts";
import { type Dict, type Value, isDict } from "../syntax/values.ts";
import { changeActions } from "./actions.ts";
import type { MergeSource } from "./merge-source.ts";

/** Merges /Names and /Dests; a name that an earlier file uses is changed. */
export function joinNames(
  pdf: Pdf,
  sources: readonly MergeSource[],
): { Names: Value | undefined; Dests: Value | undefined } {
  const taken = new Set<string>();
  const trees = new Map<string, [string, Value][]>();
  const old: Dict = new Map();
  for (const source of sources) {
    const names: Dict = dictIn(pdf, source.catalog, "Names") ?? new Map();
    const olds: Dict = dictIn(pdf, source.catalog, "Dests") ?? new Map();
    const pairs = readTree(pdf, names.get("Dests"), "Names");
    const { pages } = source;
    const isFirst = source === sources[0];
    const clashing = new Map(
      [...olds, ...pairs]
        .map(([key, value]) => [keyOf(key) ?? "", value] as const)
        .filter(([key]) => taken.has(key)),
    );
    // Names and page numbers keep their meaning in the first file only.
    if (!isFirst) pointDirectly(pdf, source, clashing);
    const place = <Key>([key, dest]: readonly [Key, Value]): [Key, Value][] => {
      const placed = destinationByReference(pdf, dest, pages);
      return placed === undefined ? [] : [[key, placed]];
    };
    for (const [key, value] of [...olds].flatMap(place)) old.set(uniqueName(key, taken), value);
    takePairs(trees, { tree: "Dests", pairs: pairs.flatMap(place), taken });
    for (const [tree, root] of names) {
      if (tree === "Dests") continue;
      const taken = new Set((trees.get(tree) ?? []).map(([key]) => key));
      const renamed = takePairs(trees, { tree, pairs: readTree(pdf, root, "Names"), taken });
      if (tree === "EmbeddedFiles") followFileNames(pdf, source, renamed);
    }
  }
  const joined = new Map([...trees].map(([tree, pairs]) => [tree, sortedTree(pdf, pairs)] as const));
  return { Names: joined.size > 0 ? joined : undefined, Dests: old.size > 0 ? old : undefined };
}

/** Adds the pairs of a name tree; returns the new names by the file's own names. */
function takePairs(
  trees: Map<string, [string, Value][]>,
  { tree, pairs, taken }: { tree: string; pairs: readonly Pair[]; taken: Set<string> },
): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  if (pairs.length === 0) return renamed;
  const all = trees.get(tree) ?? [];
  trees.set(tree, all);
  for (const [key, value] of pairs) {
    const name = keyOf(key) ?? "";
    const fresh = uniqueName(name, taken);
    // Of several entries with the same name in a file, readers find the first.
    if (!renamed.has(name)) renamed.set(name, fresh);
    all.push([fresh, value]);
  }
  return renamed;
}

function sortedTree(pdf: Pdf, pairs: [string, Value][]): Dict {
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return makeTree(
    pdf,
    sorted.map(([key, value]): Pair => [nameString(key), value]),
    "Names",
  );
}

/**
 * Makes links and bookmarks refer to their pages directly, instead of by a clashing name or by a page number. `clashing`
 * has the destinations in this file by their names.
 */
function pointDirectly(pdf: Pdf, source: MergeSource, clashing: ReadonlyMap<string, Value>): void {
  const { pages } = source;
  const changeDestination = (dest: Value | undefined) =>
    destinationByReference(pdf, explicit(pdf, dest, clashing), pages);
  changeActions(pdf, source, { changeDestination });
}

/** The destination behind a clashing name; every other one unchanged. */
function explicit(
  pdf: Pdf,
  dest: Value | undefined,
  clashing: ReadonlyMap<string, Value>,
): Value | undefined {
  const name = keyOf(resolve(pdf, dest));
  const found = name === undefined ? undefined : resolve(pdf, clashing.get(name));
  return (isDict(found) ? resolve(pdf, found.get("D")) : found) ?? dest;
}

/** Updates the names in actions that lead into attached files; `renamed` maps old names to new ones. */
function followFileNames(pdf: Pdf, source: MergeSource, renamed: ReadonlyMap<string, string>): void {
  if ([...renamed].every(([name, fresh]) => fresh === name)) return;
  const changeFileName: ActionContext["changeFileName"] = (name) => {
    const key = keyOf(name) ?? "";
    const fresh = renamed.get(key);
    return fresh === undefined || fresh === key ? name : nameString(fresh);
  };
  changeActions(pdf, source, { changeFileName });
}
