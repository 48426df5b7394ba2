import { type Pdf, resolve } from "../model/document.ts";
import { keyOf } from "../model/trees.ts";
import { destinationByReference } from "../navigation/destinations.ts";
import { isDict, type Value } from "../syntax/values.ts";
import { changeActions } from "./actions.ts";
import type { MergeSource } from "./merge-source.ts";

/** Lets links and bookmarks of a file lead to its own pages, instead of by a clashing name or by the number of a page. */
export function pointDirectly(
  pdf: Pdf,
  {
    source,
    clashing,
  }: {
    source: MergeSource;
    /** By name: what it stands for in this file. */
    clashing: ReadonlyMap<string, Value>;
  },
): void {
  const { pages } = source;
  const changeDestination = (dest: Value | undefined) =>
    destinationByReference(pdf, { dest: explicit(pdf, { dest, clashing }), pages });
  changeActions(pdf, { source, changes: { changeDestination } });
}

/** What a name that clashes stands for; every other destination as it is. */
function explicit(
  pdf: Pdf,
  { dest, clashing }: { dest: Value | undefined; clashing: ReadonlyMap<string, Value> },
): Value | undefined {
  const name = keyOf(resolve(pdf, dest));
  const found = name === undefined ? undefined : resolve(pdf, clashing.get(name));
  return (isDict(found) ? resolve(pdf, found.get("D")) : found) ?? dest;
}
