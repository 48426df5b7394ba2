import { arrayAt, dictAt, type Pdf, replaceObject, resolve } from "../model/document.ts";
import { keyOf } from "../model/trees.ts";
import { type Dict, isRef, type Value } from "../syntax/values.ts";
import type { MergeSource } from "./merge-source.ts";

/** Lists of a configuration (ISO 32000-1, 8.11.4.3) that are concatenated. */
const LISTS = ["Order", "ON", "OFF", "AS", "Locked", "RBGroups"];

/** Joins the layers; each stays shown or hidden as in its own file. */
export function joinLayers(pdf: Pdf, sources: readonly MergeSource[]): Value | undefined {
  const all = sources
    .map(({ catalog }) => dictAt(pdf, catalog.get("OCProperties")))
    .filter((layers) => layers !== undefined);
  const [first, ...others] = all;
  if (!first || others.length === 0) return first;
  const defaults = all.map((layers) => plainDefault(pdf, layers));
  const joined: Dict = new Map([...(dictAt(pdf, first.get("D")) ?? []), ["BaseState", "ON"]]);
  for (const list of LISTS) {
    const items = defaults.flatMap((each) => arrayAt(pdf, each.get(list)) ?? []);
    if (items.length > 0) joined.set(list, items);
    else joined.delete(list);
  }
  const perFile = all.map((layers) => arrayAt(pdf, layers.get("OCGs")) ?? []);
  tellApart(pdf, perFile);
  const groups = perFile.flat();
  return new Map<string, Value>([...first, ["OCGs", groups], ["D", joined]]);
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

/**
 * MuPDF 1.21 compares layers by what their dictionaries say, and shows what is hidden where those of two files say the
 * same. An intent (8.11.2.1) that is named once more means the same and says something else.
 */
function tellApart(pdf: Pdf, perFile: readonly (readonly Value[])[]): void {
  const seen = new Map<string, number>();
  for (const groups of perFile) {
    const names = new Set<string>();
    for (const group of groups) {
      const dict = dictAt(pdf, group);
      const name = keyOf(resolve(pdf, dict?.get("Name")));
      if (!isRef(group) || !dict || name === undefined) continue;
      names.add(name);
      const times = seen.get(name) ?? 0;
      if (times > 0) replaceObject(pdf, { num: group.num, value: withIntents(pdf, { dict, times }) });
    }
    for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1);
  }
}

function withIntents(pdf: Pdf, { dict, times }: { dict: Dict; times: number }): Dict {
  const own = resolve(pdf, dict.get("Intent")) ?? "View";
  const intents = Array.isArray(own) ? own : [own];
  const again = Array.from({ length: times }, () => intents[0] ?? "View");
  return new Map<string, Value>([...dict, ["Intent", [...intents, ...again]]]);
}
