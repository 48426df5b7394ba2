import { arrayAt, dictAt, type Pdf, resolve } from "../model/document.ts";
import { type Dict, isRef, type Value } from "../syntax/values.ts";
import type { MergeSource } from "./merge-source.ts";

/** Lists of a configuration (ISO 32000-1, 8.11.4.3) that are concatenated. */
const LISTS = ["Order", "ON", "OFF", "AS", "Locked", "RBGroups"];

/** Joins the layers; each stays shown or hidden as in its own file. */
export function joinLayers(pdf: Pdf, sources: readonly MergeSource[]): Value | undefined {
  const all = sources
    .map(({ catalog }) => dictAt(pdf, catalog.get("OCProperties")))
    .filter((layers) => layers !== undefined);
  if (all.length < 2) return all[0];
  const first: Dict = dictAt(pdf, all[0]!.get("D")) ?? new Map();
  const defaults = all.map((layers) => plainDefault(pdf, layers));
  const joined: Dict = new Map([...first, ["BaseState", "ON"]]);
  for (const list of LISTS) {
    const items = defaults.flatMap((each) => arrayAt(pdf, each.get(list)) ?? []);
    if (items.length > 0) joined.set(list, items);
    else joined.delete(list);
  }
  const groups = all.flatMap((layers) => arrayAt(pdf, layers.get("OCGs")) ?? []);
  return new Map<string, Value>([...all[0]!, ["OCGs", groups], ["D", joined]]);
}

/** A configuration rewritten to BaseState ON with a list of hidden layers. */
function plainDefault(pdf: Pdf, layers: Dict): Dict {
  const dict: Dict = dictAt(pdf, layers.get("D")) ?? new Map();
  if (resolve(pdf, dict.get("BaseState")) !== "OFF") return dict;
  const shown = new Set((arrayAt(pdf, dict.get("ON")) ?? []).filter(isRef).map(({ num }) => num));
  const hidden = (arrayAt(pdf, layers.get("OCGs")) ?? []).filter(
    (group) => isRef(group) && !shown.has(group.num),
  );
  return new Map<string, Value>([...dict, ["OFF", hidden]]);
}
