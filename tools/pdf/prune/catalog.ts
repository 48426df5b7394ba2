import type { Usage } from "../content/usage.ts";
import { catalogOf, dictAt, dictIn, type Pdf, replaceObject, resolve, arrayAt } from "../model/document.ts";
import type { PdfPage } from "../model/pages.ts";
import { makeTree, type Pair } from "../model/trees.ts";
import {
  type Dict,
  isDict,
  isRef,
  type Value,
  keepOnly,
  setEntries,
  without,
  isString,
} from "../syntax/values.ts";
import { type ActionContext, pruneAction, pruneTriggers } from "../navigation/actions.ts";
import { destinationsTo, type NamedDestination } from "../navigation/destinations.ts";
import type { PageSelection } from "./prepare.ts";
import { type KeptFields, pruneFields } from "./fields.ts";
import { labelAt, makeLabels } from "../navigation/labels.ts";
import { pruneOutline } from "../navigation/outline.ts";
import { parentKeysOf, pruneStructTree } from "../structure/tree.ts";

interface CatalogSelection extends PageSelection {
  /** The pages as they are in the part, where a page that is taken again is another object. */
  readonly copies: readonly PdfPage[];
  readonly kidsOf: KeptFields;
  readonly usage: Usage;
  readonly context: ActionContext;
}

/**
 * Entries of a catalog (ISO 32000-1, table 28) about the document as a whole. All others may be about removed pages.
 */
const KEPT_KEYS = [
  ...["Type", "Version", "Extensions", "PageLayout", "PageMode", "URI", "Metadata", "Lang"],
  ...["OutputIntents", "Requirements", "MarkInfo", "AF"],
];
/** Left out of the files of a ZIP, because a copy in each could be larger than its pages. */
const NOT_IN_PARTS = ["AF"];

/** The catalog of a part, without /Pages. */
export function pruneCatalog(part: Pdf, selection: CatalogSelection): Dict {
  const { context, isPart } = selection;
  const { objects } = selection.prepared;
  const named = destinationsTo(objects.destinations, selection.pages);
  const catalog: Dict = catalogOf(part) ?? new Map();
  const kept = without(keepOnly(catalog, KEPT_KEYS), isPart ? NOT_IN_PARTS : []);
  const preferences = dictAt(part, catalog.get("ViewerPreferences"));
  const properties = dictAt(part, catalog.get("OCProperties"));
  const form = dictAt(part, catalog.get("AcroForm"));
  setEntries(kept, {
    ViewerPreferences: preferences && without(preferences, ["PrintPageRange"]),
    OCProperties: properties && pruneLayers(part, properties, selection.usage.layers),
    Outlines: pruneOutline(catalog.get("Outlines") ?? null, objects, context),
    AcroForm: form && pruneFields(form, { objects, kidsOf: selection.kidsOf }, context),
    StructTreeRoot: keepStructure(part, catalog.get("StructTreeRoot"), selection),
    PageLabels: keepLabels(part, selection),
    Dests: keepOldDestinations({ context, named }),
    Names: keepNames(part, { context, named, isPart, names: dictIn(part, catalog, "Names") }),
    OpenAction: keepOpenAction(catalog.get("OpenAction"), context),
    AA: pruneTriggers(catalog.get("AA"), context),
  });
  if (!kept.has("StructTreeRoot")) kept.delete("MarkInfo");
  return kept;
}

/** Elements refer to the root in /P, so it stays the same object. */
function keepStructure(
  part: Pdf,
  ref: Value | undefined,
  { prepared, pages, copies, kept, usage, context }: CatalogSelection,
): Value | undefined {
  const root = dictAt(part, ref);
  if (!root || !isRef(ref)) return undefined;
  const parentKeys = new Set([...copies.flatMap((page) => parentKeysOf(part, page)), ...usage.parentKeys]);
  const { objects, parentTree } = prepared;
  const { keptCounts } = kept;
  const pruned = pruneStructTree(part, {
    objects,
    root,
    isKept: context.isKept,
    keptCounts,
    pages,
    parentKeys,
    parentTree,
  });
  if (!pruned) return undefined;
  replaceObject(part, ref.num, pruned);
  return ref;
}

function keepLabels(part: Pdf, { prepared: { labels, objects }, pages }: CatalogSelection): Dict | undefined {
  if (labels.length === 0) return undefined;
  const indexes = pages.map(({ num }) => objects.indexes.get(num) ?? 0);
  return makeLabels(
    part,
    indexes.map((index) => labelAt(labels, index)),
  );
}

interface KeptDestinations {
  readonly context: ActionContext;
  /** Those that lead to a page of the part. */
  readonly named: readonly NamedDestination[];
}

function keepOldDestinations({ context, named }: KeptDestinations): Value | undefined {
  const kept: Dict = new Map();
  for (const { name, dest, isOld } of named) {
    const value = isOld ? context.changeDestination(dest) : undefined;
    if (typeof name === "string" && value !== undefined) kept.set(name, value);
  }
  return kept.size > 0 ? kept : undefined;
}

interface Names extends KeptDestinations {
  readonly isPart: boolean;
  readonly names: Dict | undefined;
}

/** Name trees that belong to the document as a whole. Captured web pages, hidden pages and media do not. */
const KEPT_TREES = ["EmbeddedFiles", "JavaScript"];

function keepNames(part: Pdf, { context, named, isPart, names }: Names): Value | undefined {
  if (!names) return undefined;
  const kept: Dict = isPart ? new Map() : keepOnly(names, KEPT_TREES);
  const pairs = named.flatMap(({ name, dest, isOld }): Pair[] => {
    const value = isOld ? undefined : context.changeDestination(dest);
    return value === undefined ? [] : [[name, value]];
  });
  setEntries(kept, { Dests: pairs.length > 0 ? makeTree(part, pairs, "Names") : undefined });
  return kept.size > 0 ? kept : undefined;
}

/** The action when the document is opened, or a destination instead. */
function keepOpenAction(action: Value | undefined, context: ActionContext): Value | undefined {
  const value = resolve(context.pdf, action);
  if (isDict(value)) return pruneAction(action, context);
  return value === undefined ? undefined : context.changeDestination(action);
}

/** Lists of layers in a configuration (ISO 32000-1, table 101). */
const LISTS = ["ON", "OFF", "Order", "RBGroups", "Locked"];
/** Labels in /Order nest a few levels; deeper lists are left out. */
const MAX_LEVELS = 50;

/** The layers (8.11.4) that content of the pages is on, which `layers` has by number; undefined if there are none. */
function pruneLayers(pdf: Pdf, properties: Dict, layers: ReadonlySet<number>): Dict | undefined {
  const groups = keepLayers(pdf, { list: properties.get("OCGs"), layers });
  if (groups.length === 0) return undefined;
  const pruned: Dict = new Map<string, Value>([["OCGs", groups]]);
  const first = dictAt(pdf, properties.get("D"));
  if (first) pruned.set("D", pruneConfiguration(pdf, first, layers));
  const others = arrayAt(pdf, properties.get("Configs"))?.map((each) => dictAt(pdf, each));
  const configurations = others?.filter((each) => each !== undefined);
  if (configurations) {
    const Configs = configurations.map((configuration) => pruneConfiguration(pdf, configuration, layers));
    pruned.set("Configs", Configs);
  }
  return pruned;
}

function pruneConfiguration(pdf: Pdf, configuration: Dict, layers: ReadonlySet<number>): Dict {
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
