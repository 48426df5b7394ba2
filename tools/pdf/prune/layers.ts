import { arrayAt, dictAt, type Pdf, resolve } from "../model/document.ts";
import { type Dict, isRef, isString, type Value } from "../syntax/values.ts";

/** Lists of layers in a configuration (ISO 32000-1, table 101). */
const LISTS = ["ON", "OFF", "Order", "RBGroups", "Locked"];
/** Labels in /Order nest a few levels; deeper lists are left out. */
const MAX_LEVELS = 50;

/** The layers (8.11.4) that content of the pages is on, which `layers` has by number; undefined if there are none. */
export function pruneLayers(
  pdf: Pdf,
  { properties, layers }: { properties: Dict; layers: ReadonlySet<number> },
): Dict | undefined {
  const groups = keepLayers(pdf, { list: properties.get("OCGs"), layers });
  if (groups.length === 0) return undefined;
  const pruned: Dict = new Map<string, Value>([["OCGs", groups]]);
  const first = dictAt(pdf, properties.get("D"));
  if (first) pruned.set("D", pruneConfiguration(pdf, { configuration: first, layers }));
  const others = arrayAt(pdf, properties.get("Configs"))?.map((each) => dictAt(pdf, each));
  const configurations = others?.filter((each) => each !== undefined);
  if (configurations) {
    const Configs = configurations.map((configuration) => pruneConfiguration(pdf, { configuration, layers }));
    pruned.set("Configs", Configs);
  }
  return pruned;
}

function pruneConfiguration(
  pdf: Pdf,
  { configuration, layers }: { configuration: Dict; layers: ReadonlySet<number> },
): Dict {
  const pruned: Dict = new Map(configuration);
  for (const key of LISTS) {
    if (pruned.has(key)) pruned.set(key, keepLayers(pdf, { list: pruned.get(key), layers }));
  }
  const events = arrayAt(pdf, pruned.get("AS"))?.map((event) => dictAt(pdf, event));
  if (!events) return pruned;
  const AS = events
    .filter((event) => event !== undefined)
    .map(
      (event): Dict => new Map([...event, ["OCGs", keepLayers(pdf, { list: event.get("OCGs"), layers })]]),
    );
  return pruned.set("AS", AS);
}

/** A list that may nest, with labels, as /Order does. */
function keepLayers(
  pdf: Pdf,
  { list, layers, level = 0 }: { list: Value | undefined; layers: ReadonlySet<number>; level?: number },
): Value[] {
  const kept: Value[] = [];
  for (const item of arrayAt(pdf, list) ?? []) {
    if (isRef(item) && !Array.isArray(resolve(pdf, item))) {
      if (layers.has(item.num)) kept.push(item);
    } else if (arrayAt(pdf, item) && level < MAX_LEVELS) {
      const inner = keepLayers(pdf, { list: item, layers, level: level + 1 });
      if (!inner.every(isString)) kept.push(inner);
    } else if (isString(item)) kept.push(item);
  }
  return kept;
}
