import { arrayAt, dictAt, dictIn, type Pdf, resolve } from "../model/document.ts";
import { pageDict } from "../model/pages.ts";
import { setEntries } from "../prune/entries.ts";
import { hexString } from "../syntax/strings.ts";
import { keyOf, makeTree, type Pair, readTree } from "../model/trees.ts";
import { type Dict, isDict, isRef, type Ref, type Value } from "../syntax/values.ts";
import { uniqueName } from "../model/names.ts";
import { updateDict, type MergeSource } from "./merge-source.ts";

/** Joins /Names and /Dests; a name that an earlier file uses is renamed. */
export function joinNames(
  pdf: Pdf,
  sources: readonly MergeSource[],
): { Names: Value | undefined; Dests: Value | undefined } {
  const taken = new Set<string>();
  const trees = new Map<string, [string, Value][]>();
  const old: Dict = new Map();
  for (const source of sources) {
    const names: Dict = dictIn(pdf, { dict: source.catalog, key: "Names" }) ?? new Map();
    const olds: Dict = dictIn(pdf, { dict: source.catalog, key: "Dests" }) ?? new Map();
    const pairs = readTree(pdf, { root: names.get("Dests"), kind: "Names" });
    const clashing = new Map(
      [...olds, ...pairs]
        .map(([key, value]) => [keyOf(key) ?? "", value] as const)
        .filter(([key]) => taken.has(key)),
    );
    if (clashing.size > 0) pointDirectly(pdf, { source, clashing });
    for (const [key, value] of olds) old.set(uniqueName(key, taken), value);
    takePairs(trees, { tree: "Dests", pairs, taken });
    for (const tree of names.keys()) takeTree(pdf, { trees, tree, names });
  }
  const joined = new Map([...trees].map(([tree, pairs]) => [tree, sortedTree(pdf, pairs)] as const));
  return { Names: joined.size > 0 ? joined : undefined, Dests: old.size > 0 ? old : undefined };
}

interface Taking {
  readonly trees: Map<string, [string, Value][]>;
  readonly tree: string;
  readonly names: Dict;
}

function takeTree(pdf: Pdf, { trees, tree, names }: Taking): void {
  if (tree === "Dests") return;
  const pairs = readTree(pdf, { root: names.get(tree), kind: "Names" });
  takePairs(trees, { tree, pairs, taken: new Set((trees.get(tree) ?? []).map(([key]) => key)) });
}

interface Pairs {
  readonly tree: string;
  readonly pairs: readonly Pair[];
  readonly taken: Set<string>;
}

function takePairs(trees: Map<string, [string, Value][]>, { tree, pairs, taken }: Pairs): void {
  if (pairs.length === 0) return;
  const all = trees.get(tree) ?? [];
  trees.set(tree, all);
  for (const [key, value] of pairs) all.push([uniqueName(keyOf(key) ?? "", taken), value]);
}

function sortedTree(pdf: Pdf, pairs: [string, Value][]): Dict {
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return makeTree(pdf, {
    pairs: sorted.map(([key, value]): Pair => [
      hexString(Uint8Array.from(key, (character) => character.charCodeAt(0))),
      value,
    ]),
    kind: "Names",
  });
}

interface Pointing {
  readonly source: MergeSource;
  /** By name: what it stands for in this file. */
  readonly clashing: ReadonlyMap<string, Value>;
}

/** Replaces clashing names in links and bookmarks with explicit destinations. */
function pointDirectly(pdf: Pdf, { source, clashing }: Pointing): void {
  for (const page of source.pages) {
    for (const annotation of arrayAt(pdf, pageDict(pdf, page).get("Annots")) ?? []) {
      if (isRef(annotation)) pointOne(pdf, { ref: annotation, clashing });
    }
  }
  const seen = new Set<number>();
  const waiting = [dictAt(pdf, source.catalog.get("Outlines"))?.get("First")];
  for (let item = waiting.pop(); isRef(item); item = waiting.pop()) {
    if (seen.has(item.num) || !seen.add(item.num)) continue;
    pointOne(pdf, { ref: item, clashing });
    const dict = dictAt(pdf, item);
    for (const key of ["Next", "First"]) if (isRef(dict?.get(key))) waiting.push(dict.get(key));
  }
}

function pointOne(pdf: Pdf, { ref, clashing }: { ref: Ref; clashing: ReadonlyMap<string, Value> }): void {
  const link = dictAt(pdf, ref);
  const direct = explicit(pdf, { dest: link?.get("Dest"), clashing });
  if (direct) return updateDict(pdf, { ref, entries: { Dest: direct } });
  const action = dictAt(pdf, link?.get("A"));
  const target = action?.get("S") === "GoTo" ? explicit(pdf, { dest: action.get("D"), clashing }) : undefined;
  if (!action || !target) return;
  const changed: Dict = new Map(action);
  setEntries(changed, { D: target });
  updateDict(pdf, { ref, entries: { A: changed } });
}

function explicit(
  pdf: Pdf,
  { dest, clashing }: { dest: Value | undefined; clashing: ReadonlyMap<string, Value> },
): Value | undefined {
  const name = keyOf(resolve(pdf, dest));
  const found = name === undefined ? undefined : resolve(pdf, clashing.get(name));
  return isDict(found) ? resolve(pdf, found.get("D")) : found;
}
