import { dictAt, type Pdf, resolve } from "../model/document.ts";
import { type Dict, isRef, isStream, type Stream, unsignedOf, type Value } from "../syntax/values.ts";
import { useLayer } from "./layers.ts";
import { type ContentNames, namesUsed } from "./read.ts";
import { RESOURCE_KINDS, type ResourceKind, type UsedNames } from "./scan.ts";

/** A resource dictionary: its object number or, written directly, the negative number of the object it is in. */
export interface Resources {
  readonly key: number;
  /** The key of its entry there. */
  readonly entry: string;
  readonly dict: Dict;
}

export interface UsedResources extends Resources {
  readonly names: Map<ResourceKind, Set<string>>;
}

/** What the content that was visited looks up. */
export interface Usage {
  readonly cache: ContentNames;
  /** By the key of the resource dictionary. */
  readonly used: Map<number, UsedResources>;
  /** The numbers of layers and of layer memberships that content is on (ISO 32000-1, 8.11). */
  readonly layers: Set<number>;
  /** The keys of drawings in the /ParentTree of the structure (14.7.4.4). */
  readonly parentKeys: Set<number>;
  /** The numbers of the resources that are used. */
  readonly objects: Set<number>;
  /** Content and resource dictionary of each visit. */
  readonly visited: Set<string>;
  /** Whether some content could not be read, so that all that its resources hold counts as used. */
  isIncomplete: boolean;
}

export function createUsage(cache: ContentNames): Usage {
  return {
    cache,
    used: new Map(),
    layers: new Set(),
    parentKeys: new Set(),
    objects: new Set(),
    visited: new Set(),
    isIncomplete: false,
  };
}

/** Notes a resource dictionary, whose resources then go unless something uses them. */
export function registerResources({ used }: Usage, resources: Resources): UsedResources {
  const known = used.get(resources.key);
  if (known) return known;
  const fresh = { ...resources, names: new Map<ResourceKind, Set<string>>() };
  if (resources.key !== NO_RESOURCES.key) used.set(resources.key, fresh);
  return fresh;
}

/** Streams that are read one after the other, and what they look names up in. */
interface Content {
  readonly nums: readonly number[];
  readonly resources: Resources;
}

const NO_RESOURCES: Resources = { key: 0, entry: "Resources", dict: new Map() };

/** The resource dictionary that `value`, an entry of the object `owner`, is or refers to. */
export function resourcesFrom(
  pdf: Pdf,
  { value, owner, entry = "Resources" }: { value: Value | undefined; owner: number; entry?: string },
): Resources | undefined {
  const dict = dictAt(pdf, value);
  return dict && { key: isRef(value) ? value.num : -owner, entry, dict };
}

/** Visits the content of a page and everything that it draws. */
export function visitPageContent(
  pdf: Pdf,
  {
    usage,
    contents,
    resources = NO_RESOURCES,
  }: { usage: Usage; contents: Value | undefined; resources: Resources | undefined },
): void {
  const found = resolve(pdf, contents);
  const list = Array.isArray(found) ? found : [contents ?? null];
  const nums = list.filter(isRef).map(({ num }) => num);
  visitAll(pdf, { usage, first: { nums, resources } });
}

/** Visits a form XObject or appearance, which without /Resources uses those given. */
export function visitForm(
  pdf: Pdf,
  { usage, form, resources = NO_RESOURCES }: { usage: Usage; form: Value; resources: Resources | undefined },
): void {
  const waiting: Content[] = [];
  enterForm(pdf, { usage, waiting, value: form, resources });
  for (const first of waiting) visitAll(pdf, { usage, first });
}

/** Notes names that were looked up outside of content; all that the resources hold if they are not known. */
export function visitNames(
  pdf: Pdf,
  { usage, names, resources }: { usage: Usage; names: UsedNames | undefined; resources: Resources },
): void {
  const walk: Walk = { usage, waiting: [] };
  if (names) useNames(pdf, { walk, resources, names });
  else useAll(pdf, { walk, resources });
  for (const first of walk.waiting) visitAll(pdf, { usage, first });
}

interface Walk {
  readonly usage: Usage;
  readonly waiting: Content[];
}

function visitAll(pdf: Pdf, { usage, first }: { usage: Usage; first: Content }): void {
  const walk: Walk = { usage, waiting: [first] };
  for (let content = walk.waiting.pop(); content; content = walk.waiting.pop()) visit(pdf, { walk, content });
}

function visit(pdf: Pdf, { walk, content: { nums, resources } }: { walk: Walk; content: Content }): void {
  const { usage } = walk;
  const id = `${nums.join(" ")} / ${resources.key}`;
  if (usage.visited.has(id)) return;
  usage.visited.add(id);
  registerResources(usage, resources);
  // Most pages of a document use the same few fonts: then their content need not be decoded.
  if (isAllUsed(pdf, { usage, resources })) return useAll(pdf, { walk, resources });
  const names = namesUsed(pdf, { nums, cache: usage.cache });
  if (!names) {
    usage.isIncomplete = true;
    return useAll(pdf, { walk, resources });
  }
  for (const each of names) useNames(pdf, { walk, resources, names: each });
}

/** Larger resource dictionaries are not looked through for each content. */
const MAX_LOOKED_THROUGH = 64;

/** Whether all that a resource dictionary holds stays anyway. */
function isAllUsed(pdf: Pdf, { usage, resources }: { usage: Usage; resources: Resources }): boolean {
  const used = usage.used.get(resources.key)?.names;
  return RESOURCE_KINDS.every((kind) => {
    const entries = dictAt(pdf, resources.dict.get(kind));
    if (!entries || entries.size === used?.get(kind)?.size) return true;
    if (entries.size > MAX_LOOKED_THROUGH) return false;
    return [...entries.values()].every((value) => isRef(value) && usage.objects.has(value.num));
  });
}

interface Using {
  readonly walk: Walk;
  readonly resources: Resources;
}

function useNames(pdf: Pdf, { walk, resources, names }: Using & { names: UsedNames }): void {
  for (const [kind, each] of names) {
    const entries = dictAt(pdf, resources.dict.get(kind));
    if (entries) for (const name of each) useName(pdf, { walk, resources, kind, name, entries });
  }
}

function useAll(pdf: Pdf, { walk, resources }: Using): void {
  for (const kind of RESOURCE_KINDS) {
    const entries = dictAt(pdf, resources.dict.get(kind));
    for (const name of entries?.keys() ?? [])
      useName(pdf, { walk, resources, kind, name, entries: entries! });
  }
}

interface Name extends Using {
  readonly kind: ResourceKind;
  readonly name: string;
  readonly entries: Dict;
}

function useName(pdf: Pdf, { walk, resources, kind, name, entries }: Name): void {
  const value = entries.get(name);
  if (value === undefined) return;
  const names = usedNamesOf(walk.usage, { resources, kind });
  if (names.has(name)) return;
  names.add(name);
  if (isRef(value)) walk.usage.objects.add(value.num);
  follow(pdf, { walk, resources, kind, value });
}

function usedNamesOf(
  usage: Usage,
  { resources, kind }: { resources: Resources; kind: ResourceKind },
): Set<string> {
  const { names } = registerResources(usage, resources);
  const ofKind = names.get(kind) ?? new Set();
  names.set(kind, ofKind);
  return ofKind;
}

interface Following extends Using {
  readonly kind: ResourceKind;
  readonly value: Value;
}

/** Queues the content behind a resource: drawings, tiling patterns, glyphs, soft masks. */
function follow(pdf: Pdf, { walk, resources, kind, value }: Following): void {
  if (kind === "XObject" || kind === "Pattern") enterForm(pdf, { ...walk, value, resources });
  if (kind === "Font") enterGlyphs(pdf, { ...walk, value, resources });
  if (kind === "Properties") useLayer(pdf, { layers: walk.usage.layers, value });
  if (kind !== "ExtGState") return;
  const mask = dictAt(pdf, dictAt(pdf, value)?.get("SMask"));
  const group = mask?.get("G");
  if (group !== undefined) enterForm(pdf, { ...walk, value: group, resources });
}

interface Entering extends Walk {
  readonly value: Value;
  readonly resources: Resources;
}

function enterForm(pdf: Pdf, { usage, waiting, value, resources }: Entering): void {
  const stream = resolve(pdf, value);
  if (!isStream(stream) || !isRef(value)) return;
  useLayer(pdf, { layers: usage.layers, value: stream.dict.get("OC") });
  for (const key of ["StructParents", "StructParent"]) {
    const parentKey = unsignedOf(stream.dict.get(key));
    if (parentKey !== undefined) usage.parentKeys.add(parentKey);
  }
  if (stream.dict.get("Subtype") === "Image") return;
  waiting.push({
    nums: [value.num],
    resources: ownResources(pdf, { stream, owner: value.num }) ?? resources,
  });
}

function ownResources(pdf: Pdf, { stream, owner }: { stream: Stream; owner: number }): Resources | undefined {
  return resourcesFrom(pdf, { value: stream.dict.get("Resources"), owner });
}

/** The glyphs of a Type 3 font are content (9.6.5). */
function enterGlyphs(pdf: Pdf, { waiting, value, resources }: Entering): void {
  const font = dictAt(pdf, value);
  const glyphs = dictAt(pdf, font?.get("CharProcs"));
  if (!font || !glyphs) return;
  const owner = isRef(value) ? value.num : Math.abs(resources.key);
  const own = isRef(value) ? resourcesFrom(pdf, { value: font.get("Resources"), owner }) : undefined;
  for (const glyph of glyphs.values())
    if (isRef(glyph)) waiting.push({ nums: [glyph.num], resources: own ?? resources });
}
