import { type Bytes, joinBytes, utf8 } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { deflate } from "../filters/deflate.ts";
import { visitAnnotation } from "../content/annotations.ts";
import { pruneResources } from "../content/prune-resources.ts";
import { createContentNames } from "../content/read.ts";
import { createUsage, registerResources, resourcesFrom } from "../content/usage.ts";
import { visitPageContent } from "../content/visit.ts";
import { decodeStream, filterSteps } from "../filters/filters.ts";
import {
  addObject,
  catalogOf,
  dictAt,
  dictIn,
  getObject,
  type Pdf,
  rawStreamData,
  replaceObject,
  resolve,
} from "../model/document.ts";
import { pageAnnotations, pageDict, type PdfPage } from "../model/pages.ts";
import { without } from "../prune/entries.ts";
import { type Dict, isDict, isRef, isStream, makeDict, type Stream, type Value } from "../syntax/values.ts";
import type { Cleaning } from "./cleaning.ts";
import { type FindLayer, UnusualContent, withoutHidden } from "./hidden-content.ts";
import { type IsShown, readLayerStates } from "./layer-states.ts";

interface Walk {
  readonly pdf: Pdf;
  readonly isShown: IsShown;
  /** Streams that were looked at. */
  readonly seen: Set<number>;
  readonly waiting: { readonly num: number; readonly resources: Dict }[];
}

/** Takes what hidden layers show out of all content; what is shown stays, and belongs to no layer any more. */
export function flattenLayers({ pdf }: Cleaning, pages: readonly PdfPage[]): void {
  if (!dictIn(pdf, { dict: catalogOf(pdf), key: "OCProperties" })) return;
  const walk: Walk = { pdf, isShown: readLayerStates(pdf), seen: new Set(), waiting: [] };
  for (const page of pages) flattenPage(walk, page);
  for (let next = walk.waiting.pop(); next; next = walk.waiting.pop()) flattenForm(walk, next);
  dropUnused(pdf, pages);
}

function flattenPage(walk: Walk, page: PdfPage): void {
  const { pdf } = walk;
  const dict = pageDict(pdf, page);
  const resources = dictAt(pdf, dict.get("Resources") ?? page.inherited.get("Resources")) ?? new Map();
  const contents = dict.get("Contents");
  const found = resolve(pdf, contents);
  const list = (Array.isArray(found) ? found : [contents ?? null]).map((each) => resolve(pdf, each));
  if (hasLayerNames(walk, resources)) {
    // A mark may end in another stream than it begins in.
    const content = joinBytes(list.filter(isStream).flatMap((each) => [decoded(pdf, each), utf8("\n")]));
    const flat = flatten(walk, { content, resources });
    if (flat) {
      const Contents = addObject(pdf, packed(flat, new Map()));
      replaceObject(pdf, { num: page.num, value: new Map([...dict, ["Contents", Contents]]) });
    }
  }
  enterResources(walk, resources);
  for (const annotation of pageAnnotations(pdf, page)) enterAppearances(walk, { annotation, resources });
}

function flattenForm(walk: Walk, { num, resources }: { num: number; resources: Dict }): void {
  const { pdf } = walk;
  const form = getObject(pdf, num);
  if (!isStream(form)) return;
  if (!walk.isShown(form.dict.get("OC"))) return replaceObject(pdf, { num, value: emptyForm() });
  if (form.dict.get("Subtype") === "Image") return;
  const own = dictAt(pdf, form.dict.get("Resources")) ?? resources;
  enterResources(walk, own);
  if (!hasLayerNames(walk, own)) return;
  const data = flatten(walk, { content: decoded(pdf, form), resources: own });
  if (!data) return;
  const dict = without(form.dict, ["Filter", "DecodeParms"]);
  replaceObject(pdf, { num, value: packed(data, dict) });
}

/** Shorter content is about as long packed, and tens of thousands of packings hold much memory. */
const LEAST_PACKED = 8 * 1024;

function packed(content: Bytes, entries: Dict): Stream {
  if (content.length < LEAST_PACKED) return { kind: "stream", dict: entries, data: content };
  const dict: Dict = new Map<string, Value>([...entries, ["Filter", "FlateDecode"]]);
  return { kind: "stream", dict, data: deflate(content) };
}

/** Draws nothing, so that content may go on naming it. */
function emptyForm(): Stream {
  const dict = makeDict({ Type: "XObject", Subtype: "Form", BBox: [0, 0, 0, 0] });
  return { kind: "stream", dict, data: new Uint8Array(0) };
}

function hasLayerNames({ pdf }: Walk, resources: Dict): boolean {
  const names = dictIn(pdf, { dict: resources, key: "Properties" });
  return [...(names?.values() ?? [])].some((value) => isLayer(pdf, value));
}

function isLayer(pdf: Pdf, value: Value | undefined): boolean {
  const type = dictAt(pdf, value)?.get("Type");
  return type === "OCG" || type === "OCMD";
}

function flatten(
  { pdf, isShown }: Walk,
  { content, resources }: { content: Bytes; resources: Dict },
): Bytes | undefined {
  const names = dictIn(pdf, { dict: resources, key: "Properties" });
  const findLayer: FindLayer = (name) => {
    const value = names?.get(name);
    if (!isLayer(pdf, value)) return "no layer";
    return isShown(value) ? "shown" : "hidden";
  };
  try {
    return withoutHidden(content, findLayer);
  } catch (error) {
    if (error instanceof UnusualContent) throw unreadable();
    throw error;
  }
}

function decoded(pdf: Pdf, stream: Stream): Bytes {
  const steps = filterSteps(stream.dict, (value) => resolve(pdf, value));
  const { bytes, isComplete } = decodeStream(rawStreamData(stream), { steps, budget: pdf.budget });
  if (!isComplete) throw unreadable();
  // Nothing here is on shared memory.
  return bytes as Bytes;
}

function unreadable(): ToolFailure {
  const message =
    'The content of some pages is damaged, so that its layers cannot be taken out; leave "layers" out of "remove".';
  return new ToolFailure("unsupported_feature", message, { parameter: "remove" });
}

/** Drawings, tiling patterns, glyphs and soft masks have content of their own. */
function enterResources(walk: Walk, resources: Dict): void {
  const { pdf } = walk;
  const valuesOf = (key: string) => [...(dictIn(pdf, { dict: resources, key })?.values() ?? [])];
  for (const value of [...valuesOf("XObject"), ...valuesOf("Pattern")]) enter(walk, { value, resources });
  for (const value of valuesOf("Font")) {
    const font = dictAt(pdf, value);
    const own = dictIn(pdf, { dict: font, key: "Resources" }) ?? resources;
    for (const glyph of dictIn(pdf, { dict: font, key: "CharProcs" })?.values() ?? [])
      enter(walk, { value: glyph, resources: own });
  }
  for (const value of valuesOf("ExtGState")) {
    const mask = dictIn(pdf, { dict: dictAt(pdf, value), key: "SMask" });
    enter(walk, { value: mask?.get("G"), resources });
  }
}

function enter({ seen, waiting }: Walk, { value, resources }: { value: Value | undefined; resources: Dict }) {
  if (!isRef(value) || seen.has(value.num)) return;
  seen.add(value.num);
  waiting.push({ num: value.num, resources });
}

function enterAppearances(
  walk: Walk,
  { annotation, resources }: { annotation: Value; resources: Dict },
): void {
  const { pdf } = walk;
  for (const each of dictIn(pdf, { dict: dictAt(pdf, annotation), key: "AP" })?.values() ?? []) {
    const found = resolve(pdf, each);
    for (const value of isDict(found) ? found.values() : [each]) enter(walk, { value, resources });
  }
}

/** What only hidden content has named goes too. */
function dropUnused(pdf: Pdf, pages: readonly PdfPage[]): void {
  const usage = createUsage(createContentNames());
  const form = dictIn(pdf, { dict: catalogOf(pdf), key: "AcroForm" });
  const formRef = catalogOf(pdf)?.get("AcroForm");
  const defaults = isRef(formRef)
    ? resourcesFrom(pdf, { value: form?.get("DR"), owner: formRef.num, entry: "DR" })
    : undefined;
  if (defaults) registerResources(usage, defaults);
  for (const page of pages) {
    const dict = pageDict(pdf, page);
    const value = dict.get("Resources") ?? page.inherited.get("Resources");
    const resources = resourcesFrom(pdf, { value, owner: page.num });
    visitPageContent(pdf, { usage, contents: dict.get("Contents"), resources });
    for (const each of pageAnnotations(pdf, page)) {
      const annotation = dictAt(pdf, each);
      if (annotation) visitAnnotation(pdf, { usage, annotation, resources, form: defaults });
    }
  }
  pruneResources(pdf, usage);
}
