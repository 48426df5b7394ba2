import { spend } from "../limits.ts";
import {
  catalogOf,
  dictAt,
  dictIn,
  getObject,
  numberBehind,
  type Pdf,
  replaceObject,
  resolve,
} from "../model/document.ts";
import { pageDict, type PdfPage } from "../model/pages.ts";
import { type Dict, dictOf, isDict, isRef, isStream, pushAll, refTo, type Value } from "../syntax/values.ts";
import type { ContentNames } from "./read.ts";
import { type ResourceKind, RESOURCE_KINDS, type UsedNames } from "./scan.ts";

/** A resource dictionary, and where it stands. */
export interface Resources {
  /** The same for the same place. */
  readonly key: string;
  /** The number of the object that it is or that contains it. */
  readonly num: number;
  /** The keys in that object, one below the other; none if it is the object. */
  readonly path: readonly string[];
  readonly dict: Dict;
}

interface UsedResources extends Resources {
  readonly names: Map<ResourceKind, Set<string>>;
}

/** What the visited content of a document looks up. */
export interface Usage {
  readonly pdf: Pdf;
  readonly cache: ContentNames;
  /** By the key of the resource dictionary. */
  readonly used: Map<string, UsedResources>;
  /** The object numbers of the layers and layer memberships that content belongs to (ISO 32000-1, 8.11). */
  readonly layers: Set<number>;
  /** The keys of XObjects in the /ParentTree of the structure (14.7.4.4). */
  readonly parentKeys: Set<number>;
  /** The object numbers of used resources. */
  readonly objects: Set<number>;
  /** The pairs of content and resource dictionary that were visited. */
  readonly visited: Set<string>;
  /**
   * By the object numbers of fonts that every page draws alike, unless a name is looked up in the page: what their
   * glyphs without resources name.
   */
  readonly settled: Map<number, UsedNames>;
  /** The default resources of the form. */
  readonly form: Resources | undefined;
  /** The resources of the pages and the form, each once. */
  readonly outside: readonly Resources[];
  /** For each kind and name that was asked for, whether one of these has it. */
  readonly isOutside: Map<string, boolean>;
  /** Whether some content uses, or may use, a name that its own resources lack and those of a page or the form have. */
  hasUnresolved: boolean;
  /** Whether some content could not be read, so that all its resources count as used. */
  isIncomplete: boolean;
}

export function createUsage(pdf: Pdf, cache: ContentNames, pages: readonly PdfPage[]): Usage {
  const form = formResources(pdf);
  const all = [form, ...pages.map((page) => pageResources(pdf, page))].filter((each) => each !== undefined);
  const usage: Usage = {
    pdf,
    cache,
    used: new Map(),
    layers: new Set(),
    parentKeys: new Set(),
    objects: new Set(),
    visited: new Set(),
    settled: new Map(),
    form,
    outside: [...new Map(all.map((each) => [each.key, each])).values()],
    isOutside: new Map(),
    hasUnresolved: false,
    isIncomplete: false,
  };
  if (form) registerResources(usage, form);
  return usage;
}

/** Stands for the resources of content that has none. */
export const NO_RESOURCES: Resources = { key: "", num: 0, path: [], dict: new Map() };

/** Color spaces that content uses without naming them (ISO 32000-1, 8.6.5.6). */
const DEFAULT_SPACES = ["DefaultGray", "DefaultRGB", "DefaultCMYK"];

/** Records a resource dictionary, whose resources are then removed unless something uses them. */
export function registerResources({ pdf, used, objects }: Usage, resources: Resources): UsedResources {
  const known = used.get(resources.key);
  if (known) return known;
  const spaces = dictIn(pdf, resources.dict, "ColorSpace");
  const defaults = new Set(DEFAULT_SPACES.filter((name) => spaces?.has(name)));
  for (const name of defaults) {
    const space = spaces?.get(name);
    if (isRef(space)) objects.add(space.num);
  }
  const names = new Map<ResourceKind, Set<string>>(defaults.size > 0 ? [["ColorSpace", defaults]] : []);
  const fresh = { ...resources, names };
  if (resources.key !== NO_RESOURCES.key) used.set(resources.key, fresh);
  return fresh;
}

/** Whether the resources of a page or the form have this name. */
export function isOutside(usage: Usage, kind: ResourceKind, name: string): boolean {
  const key = `${kind} ${name}`;
  const known = usage.isOutside.get(key);
  if (known !== undefined) return known;
  spend(usage.pdf.budget.read, usage.outside.length);
  const found = usage.outside.some(({ dict }) => dictIn(usage.pdf, dict, kind)?.has(name));
  usage.isOutside.set(key, found);
  return found;
}

/** The resource dictionary that `value`, which stands in the object `owner`, is or refers to. */
export function resourcesFrom(
  pdf: Pdf,
  { value, owner, path = OWN }: { value: Value | undefined; owner: number; path?: readonly string[] },
): Resources | undefined {
  const dict = dictAt(pdf, value);
  if (!dict) return undefined;
  const num = numberBehind(pdf, value);
  if (num !== undefined) return { key: String(num), num, path: [], dict };
  return { key: `${owner} ${path.join(" ")}`, num: owner, path, dict };
}

const OWN = ["Resources"];

/** The resources of a page, its own or inherited. */
export function pageResources(pdf: Pdf, page: PdfPage): Resources | undefined {
  const value = pageDict(pdf, page).get("Resources") ?? page.inherited.get("Resources");
  return resourcesFrom(pdf, { value, owner: page.num });
}

/** The default resources of the form. */
export function formResources(pdf: Pdf): Resources | undefined {
  const form = catalogOf(pdf)?.get("AcroForm");
  const value = dictAt(pdf, form)?.get("DR");
  const owner = numberBehind(pdf, form);
  if (owner !== undefined) return resourcesFrom(pdf, { value, owner, path: ["DR"] });
  const root = numberBehind(pdf, pdf.main.trailer.get("Root"));
  return root === undefined
    ? undefined
    : resourcesFrom(pdf, { value, owner: root, path: ["AcroForm", "DR"] });
}

/** Records a layer, or all layers in a membership dictionary and its expressions. */
export function useLayer({ pdf, layers }: Usage, value: Value | undefined): void {
  const waiting = value === undefined ? [] : [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (isRef(each)) {
      if (layers.has(each.num)) continue;
      layers.add(each.num);
    }
    const found = resolve(pdf, each);
    if (Array.isArray(found)) pushAll(waiting, found);
    const dict = isDict(found) && resolve(pdf, found.get("Type")) === "OCMD" ? found : undefined;
    for (const entry of [dict?.get("OCGs"), dict?.get("VE")]) if (entry !== undefined) waiting.push(entry);
  }
}

/** Entries of a resource dictionary beside the named resources. */
const OTHERS = ["ProcSet", "Encoding"];
/** Some files use a page or a page-tree node as resource dictionary. */
const NOT_RESOURCES: readonly (Value | undefined)[] = ["Page", "Pages", "Catalog"];

/** Removes unused resources from the visited resource dictionaries. */
export function pruneResources({ pdf, used }: Usage): void {
  for (const resources of used.values()) {
    const dict = prune(pdf, resources);
    if (dict) replaceBelow(pdf, { holder: refTo(resources.num), path: resources.path, dict });
  }
}

/** The dictionary without unused resources; undefined if all are used. */
function prune(part: Pdf, { dict, names }: UsedResources): Dict | undefined {
  if (NOT_RESOURCES.includes(dict.get("Type"))) return undefined;
  const pruned: Dict = new Map();
  let isSame = true;
  for (const [key, value] of dict) {
    const kept = isKind(key)
      ? keepNames(part, value, names.get(key))
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

function keepNames(part: Pdf, value: Value, names: ReadonlySet<string> | undefined): Value | undefined {
  const entries = dictAt(part, value);
  if (!entries || (names?.size ?? 0) === entries.size) return value;
  if (!names) return undefined;
  return new Map([...names].map((name): [string, Value] => [name, entries.get(name) ?? null]));
}

/** The holder with another dictionary under these keys; where a reference leads there, its object is replaced. */
function replaceBelow(
  part: Pdf,
  { holder, path, dict }: { holder: Value | undefined; path: readonly string[]; dict: Dict },
): Value {
  const num = numberBehind(part, holder);
  if (holder !== undefined && num !== undefined) {
    replaceObject(part, num, replaceBelow(part, { holder: getObject(part, num), path, dict }));
    return holder;
  }
  const [key, ...rest] = path;
  const entries = dictOf(holder);
  if (key === undefined) return dict;
  if (Array.isArray(holder)) {
    const index = Number(key);
    return holder.with(index, replaceBelow(part, { holder: holder[index], path: rest, dict }));
  }
  if (!entries) return holder ?? null;
  const below = replaceBelow(part, { holder: entries.get(key), path: rest, dict });
  const changed: Dict = new Map([...entries, [key, below]]);
  return isStream(holder) ? { ...holder, dict: changed } : changed;
}
