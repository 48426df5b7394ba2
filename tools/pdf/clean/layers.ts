import { type Bytes, isSameData } from "../../../wire/bytes.ts";
import { packContent, writeOperands } from "../content/operations.ts";
import {
  type Drawing,
  drawingsOf,
  drawingsOfAnnotation,
  namedPages,
  otherDrawings,
  type Scope,
} from "../content/drawings.ts";
import { type ContentNames, createContentNames, joinContents, namesUsed } from "../content/read.ts";
import { RESOURCE_KINDS } from "../content/scan.ts";
import { formResources, NO_RESOURCES, pageResources, type Resources } from "../content/usage.ts";
import { pruneUnused } from "../content/visit.ts";
import {
  addObject,
  arrayAt,
  catalogOf,
  dictAt,
  dictIn,
  getObject,
  type Pdf,
  replaceObject,
  resolve,
} from "../model/document.ts";
import { pageAnnotations, type PdfPage } from "../model/pages.ts";
import { itemsAt } from "../model/trees.ts";
import {
  without,
  type Dict,
  isRef,
  isStream,
  makeDict,
  refTo,
  type Stream,
  type Value,
} from "../syntax/values.ts";
import { type ContentLayers, type ShownContent, wholeContent, withoutHidden } from "./hidden-content.ts";
import { directDict, isLayer, type IsShown, layersStay, readLayerStates } from "./layer-states.ts";

/** What layers hid, for the cleaning of the document's structure. */
export interface HiddenContent {
  /** By the number of a page or a drawing: its marked content that was completely or partly hidden. */
  readonly content: Map<number, Pick<ShownContent, "hidden" | "partly">>;
  /** Drawings that were hidden as a whole. */
  readonly drawings: Set<number>;
}

/** A page or a stream with content, and whether its drawings were processed. */
interface Item extends Scope {
  readonly num: number;
  readonly page: PdfPage | undefined;
  isOpen: boolean;
}

interface Walk {
  readonly pdf: Pdf;
  readonly isShown: IsShown;
  readonly names: ContentNames;
  /** Streams with the resources with which they are processed, and resources whose drawings are. */
  readonly seen: Set<string>;
  readonly waiting: Item[];
  readonly hidden: HiddenContent;
  /** Drawings that hide a part of what they show. */
  readonly partly: Set<number>;
  /** By number: a drawing before and after. */
  readonly processed: Map<number, { before: Stream; bytes: Bytes | undefined; hidesSomething: boolean }>;
  /** By the key of resources: whether they name layers. */
  readonly layered: Map<string, boolean>;
  /** By that key: true where a drawing in them hides something, or how many did when none of theirs was among them. */
  readonly hiding: Map<string, number | true>;
  /** Whether content uses layers, which a document may have without a list of them. */
  foundLayers: boolean;
}

/**
 * Removes what hidden layers show from all content; visible content stays, outside of any layer.
 * @throws ToolFailure unsupported_feature where it is unclear what is hidden
 */
export function flattenLayers(pdf: Pdf, pages: readonly PdfPage[]): HiddenContent | undefined {
  const hidden: HiddenContent = { content: new Map(), drawings: new Set() };
  const walk: Walk = {
    pdf,
    isShown: readLayerStates(pdf),
    names: createContentNames(),
    hidden,
    seen: new Set(),
    waiting: [],
    partly: new Set(),
    processed: new Map(),
    layered: new Map(),
    hiding: new Map(),
    foundLayers: dictIn(pdf, catalogOf(pdf), "OCProperties") !== undefined,
  };
  const all = [...pages, ...namedPages(pdf)];
  for (const page of all) {
    const resources = pageResources(pdf, page) ?? NO_RESOURCES;
    walk.waiting.push({ num: page.num, page, resources, outer: resources, isOpen: false });
    flattenWaiting(walk);
  }
  flattenOthers(walk);
  if (!walk.foundLayers) return undefined;
  // What only hidden content has named.
  pruneUnused(pdf, pages);
  return hidden;
}

/** Each item after its drawings, so that it is known what those hide. */
function flattenWaiting(walk: Walk): void {
  for (let item = walk.waiting.at(-1); item; item = walk.waiting.at(-1)) {
    if (!item.isOpen) {
      item.isOpen = true;
      enterDrawn(walk, item);
      continue;
    }
    walk.waiting.pop();
    (item.page ? flattenPage : flattenForm)(walk, item);
  }
}

function enterDrawn(walk: Walk, { page, resources, outer }: Item): void {
  const { pdf } = walk;
  enterResources(walk, { resources, outer });
  for (const each of page ? pageAnnotations(pdf, page) : []) {
    const find = () => drawingsOfAnnotation(pdf, dictAt(pdf, each) ?? new Map(), { resources, outer });
    enterAll(walk, { kind: "Annots", value: each }, find);
  }
}

function enterResources(walk: Walk, scope: Scope): void {
  const { pdf, seen } = walk;
  const { resources: holder, outer } = scope;
  const key = `/ ${holder.key} / ${outer.key}`;
  if (seen.has(key)) return;
  seen.add(key);
  for (const kind of RESOURCE_KINDS) {
    for (const [name, value] of dictIn(pdf, holder.dict, kind) ?? [])
      enterAll(walk, { kind, value }, () => drawingsOf(pdf, { kind, name, holder, scope }));
  }
}

/** Enters what a resource or an annotation draws, which mostly is the same for all pages. */
function enterAll(walk: Walk, of: { kind: string; value: Value }, find: () => Drawing[]): void {
  const noted = isRef(of.value) ? `${of.kind} ${of.value.num}` : "";
  if (walk.seen.has(noted)) return;
  const drawings = find();
  for (const drawing of drawings) enter(walk, drawing);
  if (noted && drawings.every(({ num }) => walk.seen.has(String(num)))) walk.seen.add(noted);
}

/** The same for what no page leads to. */
function flattenOthers(walk: Walk): void {
  const resources = formResources(walk.pdf) ?? NO_RESOURCES;
  const scope: Scope = { resources, outer: resources };
  enterResources(walk, scope);
  for (const drawing of otherDrawings(walk.pdf, scope))
    if (!walk.processed.has(drawing.num)) enter(walk, drawing);
  flattenWaiting(walk);
}

function enter(walk: Walk, { num, stream, scope, font }: Drawing): void {
  // What depends on no other resources is noted by its number alone.
  if (walk.seen.has(String(num))) return;
  const item: Item = { num, page: undefined, ...scope, isOpen: false };
  const own = dictIn(walk.pdf, font ?? stream.dict, "Resources");
  const isSame = isImage(walk.pdf, stream) || !((font && own) || namesOthers(walk, num, own));
  const outer = !isSame && readsOuter(walk, item) ? scope.outer.key : "";
  const key = isSame ? String(num) : `${num} / ${scope.resources.key} / ${outer}`;
  if (walk.seen.has(key)) return;
  walk.seen.add(key);
  walk.waiting.push(item);
}

/** Whether content names property lists or drawings of other resources, which decide what it hides. */
function namesOthers({ pdf, names }: Walk, num: number, own: Dict | undefined): boolean {
  const used = namesUsed(pdf, [num], names)?.[0];
  if (!own) return !used || used.has("Properties") || used.has("XObject");
  const lists = dictIn(pdf, own, "Properties");
  return [...(used?.get("Properties") ?? [])].some((name) => !lists?.has(name));
}

/** Whether a drawing names layers that only the resources of its page have. */
function readsOuter(walk: Walk, { num, resources, outer }: Item): boolean {
  const { pdf, names } = walk;
  if (resources.key === outer.key || !namesLayers(walk, outer)) return false;
  const own = dictIn(pdf, resources.dict, "Properties");
  const others = dictIn(pdf, outer.dict, "Properties");
  const used = namesUsed(pdf, [num], names)?.[0]?.get("Properties") ?? [];
  return [...used].some((name) => !own?.has(name) && isLayer(pdf, others?.get(name)));
}

function isImage(pdf: Pdf, { dict }: Stream): boolean {
  return resolve(pdf, dict.get("Subtype")) === "Image";
}

function flattenPage(walk: Walk, item: Item): void {
  const [{ pdf }, { num }] = [walk, item];
  if (!hasLayers(walk, item.resources)) return;
  walk.foundLayers = true;
  const dict: Dict = dictAt(pdf, refTo(num)) ?? new Map();
  const list = itemsAt(pdf, dict.get("Contents")).map((each) => resolve(pdf, each));
  // A mark may end in another stream than it begins in.
  const content = joinContents(list.filter(isStream).map((each) => wholeContent(pdf, each)));
  const { bytes } = flatten(walk, item, content);
  if (!bytes) return;
  const Contents = addObject(pdf, packContent(bytes, new Map()));
  replaceObject(pdf, num, new Map([...dict, ["Contents", Contents]]));
}

function flattenForm(walk: Walk, item: Item): void {
  const { pdf, hidden, partly, processed } = walk;
  const { num } = item;
  const known = processed.get(num);
  const form = known?.before ?? getObject(pdf, num);
  if (!isStream(form) || hidden.drawings.has(num)) return;
  if (!walk.isShown(form.dict.get("OC"))) {
    walk.foundLayers = true;
    hidden.drawings.add(num);
    return replaceObject(pdf, num, { kind: "stream", dict: EMPTY, data: new Uint8Array(0) });
  }
  if (isImage(pdf, form)) return dropAlternates(walk, num, form);
  const isLayered = hasLayers(walk, item.resources) || readsOuter(walk, item);
  if (isLayered) walk.foundLayers = true;
  const { bytes, hidesSomething } = isLayered
    ? flatten(walk, item, wholeContent(pdf, form))
    : { bytes: undefined, hidesSomething: false };
  const isSame = known?.bytes && bytes ? isSameData(known.bytes, bytes) : known?.bytes === bytes;
  if (known && (known.hidesSomething || hidesSomething) && !isSame)
    throw layersStay("A drawing shows in one place what is hidden in another");
  processed.set(num, { before: form, bytes: bytes ?? known?.bytes, hidesSomething });
  if (hidesSomething) partly.add(num);
  if (bytes) replaceObject(pdf, num, packContent(bytes, without(form.dict, ["Filter", "DecodeParms"])));
}

/** An alternate of an image is in use while its layer is shown (8.9.5.4). */
function dropAlternates(walk: Walk, num: number, { dict, ...image }: Stream): void {
  const alternates = arrayAt(walk.pdf, dict.get("Alternates")) ?? [];
  const Alternates = alternates.filter((each) => walk.isShown(dictAt(walk.pdf, each)?.get("OC")));
  if (Alternates.length === alternates.length) return;
  walk.foundLayers = true;
  replaceObject(walk.pdf, num, { ...image, dict: new Map([...dict, ["Alternates", Alternates]]) });
}

/** Of a form that draws nothing, so that content may still name it. */
const EMPTY = makeDict({ Type: "XObject", Subtype: "Form", BBox: [0, 0, 0, 0] });

/** Whether content with these resources may use layers, or draw something that does. */
function hasLayers(walk: Walk, resources: Resources): boolean {
  const { pdf, hidden, partly, hiding } = walk;
  const isHiding = (value: Value) =>
    isRef(value) && (hidden.drawings.has(value.num) || partly.has(value.num));
  const [known, count] = [hiding.get(resources.key), hidden.drawings.size + partly.size];
  if (known === true || namesLayers(walk, resources)) return true;
  if (known === count) return false;
  const found = [...(dictIn(pdf, resources.dict, "XObject")?.values() ?? [])].some(isHiding);
  hiding.set(resources.key, found || count);
  return found;
}

function namesLayers({ pdf, layered }: Walk, { key, dict }: Resources): boolean {
  const known = layered.get(key);
  if (known !== undefined) return known;
  const values = [...(dictIn(pdf, dict, "Properties")?.values() ?? [])];
  const found = values.some((value) => isLayer(pdf, value));
  layered.set(key, found);
  return found;
}

function flatten(
  { pdf, isShown, hidden, partly }: Walk,
  { num, resources, outer }: Item,
  content: Bytes,
): ShownContent {
  const [names, drawings] = ["Properties", "XObject"].map((kind) => {
    const [own, others] = [dictIn(pdf, resources.dict, kind), dictIn(pdf, outer.dict, kind)];
    return { get: (name: string) => own?.get(name) ?? others?.get(name) };
  });
  const layers: ContentLayers = {
    findLayer: (name) => {
      const value = names?.get(name);
      if (!isLayer(pdf, value)) return "no layer";
      return isShown(value) ? "shown" : "hidden";
    },
    findProperties: (name) => directDict(pdf, names?.get(name)),
    findDrawing: (name) => {
      const drawing = drawings?.get(name);
      if (!isRef(drawing)) return "shown";
      return hidden.drawings.has(drawing.num) ? "hidden" : partly.has(drawing.num) ? "partly" : "shown";
    },
    write: (operands) => writeOperands(pdf, operands),
  };
  const { bytes, hidesSomething, ...marked } = withoutHidden(content, layers);
  if (hidesSomething) hidden.content.set(num, marked);
  return { bytes, hidesSomething, ...marked };
}
