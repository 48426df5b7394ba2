import { type Bytes, joinBytes, utf8 } from "../../../wire/bytes.ts";
import { packContent, writeOperands } from "../content/operations.ts";
import { appearancesOf, visitPage } from "../content/visit.ts";
import {
  createUsage,
  formResources,
  pageResources,
  pruneResources,
  registerResources,
} from "../content/usage.ts";
import { createContentNames } from "../content/read.ts";
import {
  addObject,
  catalogOf,
  decodedStream,
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
  dictOf,
  isRef,
  isStream,
  makeDict,
  refTo,
  type Stream,
  type Value,
} from "../syntax/values.ts";
import { type ContentLayers, type ShownContent, unreadableContent, withoutHidden } from "./hidden-content.ts";
import { type IsShown, readLayerStates } from "./layer-states.ts";

/** What layers hid, for the cleaning of the document's structure. */
export interface HiddenContent {
  /** By the number of a page or a drawing: its marked content that was completely or partly hidden. */
  readonly content: Map<number, Pick<ShownContent, "hidden" | "partly">>;
  /** Drawings that were hidden as a whole. */
  readonly drawings: Set<number>;
}

/** A page or a stream with content, and whether its drawings were processed. */
interface Item {
  readonly num: number;
  readonly page: PdfPage | undefined;
  readonly resources: Dict;
  isOpen: boolean;
}

interface Walk {
  readonly pdf: Pdf;
  readonly isShown: IsShown;
  /** Streams that were processed. */
  readonly seen: Set<number>;
  readonly waiting: Item[];
  readonly hidden: HiddenContent;
  /** Drawings that hide a part of what they show. */
  readonly partly: Set<number>;
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
    hidden,
    seen: new Set(),
    waiting: [],
    partly: new Set(),
    foundLayers: dictIn(pdf, catalogOf(pdf), "OCProperties") !== undefined,
  };
  for (const page of pages) {
    const resources = pageResources(pdf, page)?.dict ?? new Map();
    walk.waiting.push({ num: page.num, page, resources, isOpen: false });
    flattenWaiting(walk);
  }
  if (!walk.foundLayers) return undefined;
  dropUnused(pdf, pages);
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
    if (item.page) flattenPage(walk, item);
    else flattenForm(walk, item);
  }
}

function enterDrawn(walk: Walk, { num, page, resources }: Item): void {
  const { pdf } = walk;
  enterResources(walk, page ? resources : ownResources(pdf, num, resources));
  if (!page) return;
  for (const each of pageAnnotations(pdf, page)) {
    const annotation = dictAt(pdf, each);
    for (const look of annotation ? appearancesOf(pdf, annotation) : []) enter(walk, look, resources);
  }
}

function ownResources(pdf: Pdf, num: number, resources: Dict): Dict {
  return dictIn(pdf, dictOf(getObject(pdf, num)), "Resources") ?? resources;
}

function flattenPage(walk: Walk, { num, resources }: Item): void {
  const { pdf } = walk;
  if (!hasLayers(walk, resources)) return;
  walk.foundLayers = true;
  const dict: Dict = dictAt(pdf, refTo(num)) ?? new Map();
  const list = itemsAt(pdf, dict.get("Contents")).map((each) => resolve(pdf, each));
  // A mark may end in another stream than it begins in.
  const content = joinBytes(list.filter(isStream).flatMap((each) => [decoded(pdf, each), utf8("\n")]));
  const { bytes } = flatten(walk, { num, content, resources });
  if (!bytes) return;
  const Contents = addObject(pdf, packContent(bytes, new Map()));
  replaceObject(pdf, num, new Map([...dict, ["Contents", Contents]]));
}

function flattenForm(walk: Walk, { num, resources }: Item): void {
  const { pdf, hidden, partly } = walk;
  const form = getObject(pdf, num);
  if (!isStream(form)) return;
  if (!walk.isShown(form.dict.get("OC"))) {
    walk.foundLayers = true;
    hidden.drawings.add(num);
    return replaceObject(pdf, num, emptyForm());
  }
  const own = ownResources(pdf, num, resources);
  if (resolve(pdf, form.dict.get("Subtype")) === "Image" || !hasLayers(walk, own)) return;
  walk.foundLayers = true;
  const { bytes, hidesSomething } = flatten(walk, { num, content: decoded(pdf, form), resources: own });
  if (hidesSomething) partly.add(num);
  if (!bytes) return;
  replaceObject(pdf, num, packContent(bytes, without(form.dict, ["Filter", "DecodeParms"])));
}

/** Draws nothing, so that content may still name it. */
function emptyForm(): Stream {
  const dict = makeDict({ Type: "XObject", Subtype: "Form", BBox: [0, 0, 0, 0] });
  return { kind: "stream", dict, data: new Uint8Array(0) };
}

/** Whether content with these resources may use layers, or draw something that does. */
function hasLayers({ pdf, hidden, partly }: Walk, resources: Dict): boolean {
  const valuesOf = (key: string) => [...(dictIn(pdf, resources, key)?.values() ?? [])];
  const isHiding = (value: Value) =>
    isRef(value) && (hidden.drawings.has(value.num) || partly.has(value.num));
  return valuesOf("Properties").some((value) => isLayer(pdf, value)) || valuesOf("XObject").some(isHiding);
}

function isLayer(pdf: Pdf, value: Value | undefined): boolean {
  const type = resolve(pdf, dictAt(pdf, value)?.get("Type"));
  return type === "OCG" || type === "OCMD";
}

function flatten(
  { pdf, isShown, hidden, partly }: Walk,
  { num, content, resources }: { num: number; content: Bytes; resources: Dict },
): ShownContent {
  const names = dictIn(pdf, resources, "Properties");
  const drawings = dictIn(pdf, resources, "XObject");
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

/** Content contains no references. */
function directDict(pdf: Pdf, value: Value | undefined): Dict | undefined {
  const dict = dictAt(pdf, value);
  return dict && new Map([...dict].map(([key, each]) => [key, resolve(pdf, each) ?? null]));
}

function decoded(pdf: Pdf, stream: Stream): Bytes {
  const { bytes, isComplete } = decodedStream(pdf, stream);
  if (!isComplete) throw unreadableContent();
  return bytes;
}

/** Drawings, tiling patterns, glyphs and soft masks have content of their own. */
function enterResources(walk: Walk, resources: Dict): void {
  const { pdf } = walk;
  const valuesOf = (key: string) => [...(dictIn(pdf, resources, key)?.values() ?? [])];
  for (const value of [...valuesOf("XObject"), ...valuesOf("Pattern")]) enter(walk, value, resources);
  for (const value of valuesOf("Font")) {
    const font = dictAt(pdf, value);
    const own = dictIn(pdf, font, "Resources") ?? resources;
    for (const glyph of dictIn(pdf, font, "CharProcs")?.values() ?? []) enter(walk, glyph, own);
  }
  for (const value of valuesOf("ExtGState")) {
    const mask = dictIn(pdf, dictAt(pdf, value), "SMask");
    enter(walk, mask?.get("G"), resources);
  }
}

function enter({ seen, waiting }: Walk, value: Value | undefined, resources: Dict) {
  if (!isRef(value) || seen.has(value.num)) return;
  seen.add(value.num);
  waiting.push({ num: value.num, page: undefined, resources, isOpen: false });
}

/** Removes what only hidden content has named. */
function dropUnused(pdf: Pdf, pages: readonly PdfPage[]): void {
  const usage = createUsage(createContentNames());
  const form = formResources(pdf);
  if (form) registerResources(usage, form);
  for (const page of pages) visitPage(pdf, { page, usage, form });
  pruneResources(pdf, usage);
}
