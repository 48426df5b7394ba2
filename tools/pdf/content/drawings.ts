import { arrayAt, catalogOf, dictAt, dictIn, numberBehind, type Pdf, resolve } from "../model/document.ts";
import type { PdfPage } from "../model/pages.ts";
import { fieldsOf, readTree } from "../model/trees.ts";
import { type Dict, isDict, isStream, refTo, type Stream, type Value } from "../syntax/values.ts";
import { type Resources, resourcesFrom } from "./usage.ts";
import type { ResourceKind } from "./scan.ts";

/** Where content looks up its names. */
export interface Scope {
  readonly resources: Resources;
  /** The resources of the page, in which poppler and others search for what the resources of a form XObject lack. */
  readonly outer: Resources;
}

/** A stream that is drawn: a form XObject, an image, a tiling pattern, a glyph, the group of a soft mask. */
export interface Drawing {
  readonly num: number;
  readonly stream: Stream;
  /** What its names are looked up in, with its own resources if it has some. */
  readonly scope: Scope;
  /** The Type 3 font of a glyph. */
  readonly font?: Dict;
  /** Whether it is drawn in a size that the content does not say. */
  readonly isAnySize?: boolean;
}

/** A resource, and where it stands. */
interface Resource {
  readonly kind: ResourceKind;
  readonly name: string;
  /** The resources that have it. */
  readonly holder: Resources;
  /** Where content that has no resources looks up its names. */
  readonly scope: Scope;
}

/** What a resource draws (ISO 32000-2, 7.8.2 and 7.8.3); nothing for most fonts, graphics states and others. */
export function drawingsOf(pdf: Pdf, { kind, name, holder, scope }: Resource): Drawing[] {
  const value = dictIn(pdf, holder.dict, kind)?.get(name);
  const place: ObjectPath = { scope, num: holder.num, path: [...holder.path, kind, name] };
  if (kind === "XObject") return drawingAt(pdf, value, scope);
  if (kind === "Font") return glyphsOf(pdf, value, place);
  if (kind === "ExtGState") return stateDrawings(pdf, value, place);
  if (kind !== "Pattern") return [];
  // A shading pattern has a graphics state (table 75).
  const state = dictAt(pdf, value)?.get("ExtGState");
  const drawn = stateDrawings(pdf, state, placeIn(pdf, { value, place, key: "ExtGState" }));
  return [...drawingAt(pdf, value, scope), ...drawn.map((each) => ({ ...each, isAnySize: true }))];
}

/** What an annotation draws: its appearances in all their states, the icons of a button, what a redaction puts there. */
export function drawingsOfAnnotation(pdf: Pdf, annotation: Dict, scope: Scope): Drawing[] {
  const looks = [...(dictIn(pdf, annotation, "AP")?.values() ?? []), annotation.get("RO")].flatMap((each) => {
    const found = resolve(pdf, each);
    return isDict(found) ? [...found.values()] : [each];
  });
  const icons = dictIn(pdf, annotation, "MK");
  const all = [...looks, ...["I", "RI", "IX"].map((key) => icons?.get(key))];
  return all.flatMap((value) => drawingAt(pdf, value, scope));
}

/** What the document draws nowhere, and has for fields outside of its pages and for scripts (12.7.5.2, 7.7.4). */
export function otherDrawings(pdf: Pdf, scope: Scope): Drawing[] {
  const catalog = catalogOf(pdf);
  const named = readTree(pdf, dictIn(pdf, catalog, "Names")?.get("AP"), "Names");
  const fields = [...fieldsOf(pdf, catalog)].flatMap((num) => dictAt(pdf, refTo(num)) ?? []);
  return [
    ...named.flatMap(([, value]) => drawingAt(pdf, value, scope)),
    ...fields.flatMap((field) => drawingsOfAnnotation(pdf, field, scope)),
  ];
}

/** Pages outside the page tree, which scripts put in (ISO 32000-2, 12.7.7). */
export function namedPages(pdf: Pdf): PdfPage[] {
  const names = dictIn(pdf, catalogOf(pdf), "Names");
  const values = ["Pages", "Templates"].flatMap((key) => readTree(pdf, names?.get(key), "Names"));
  const nums = values.flatMap(([, value]) => numberBehind(pdf, value) ?? []);
  return [...new Set(nums)]
    .filter((num) => dictAt(pdf, refTo(num)))
    .map((num) => ({ num, inherited: new Map() }));
}

/** Where a value stands: in an object, under these keys one below the other. */
interface ObjectPath {
  readonly scope: Scope;
  readonly num: number;
  readonly path: readonly string[];
}

/** The stream that a reference leads to, as it is drawn from content with this scope. */
function drawingAt(pdf: Pdf, value: Value | undefined, scope: Scope): Drawing[] {
  const stream = resolve(pdf, value);
  const num = isStream(stream) ? numberBehind(pdf, value) : undefined;
  if (!isStream(stream) || num === undefined) return [];
  const resources = resourcesFrom(pdf, { value: stream.dict.get("Resources"), owner: num });
  return [{ num, stream, scope: resources ? { ...scope, resources } : scope }];
}

/** The glyphs of a Type 3 font are content (9.6.4); they use the resources of their font. */
function glyphsOf(pdf: Pdf, value: Value | undefined, place: ObjectPath): Drawing[] {
  const font = dictAt(pdf, value);
  const glyphs = dictIn(pdf, font, "CharProcs");
  if (!font || !glyphs) return [];
  const { scope, num: owner, path } = placeIn(pdf, { value, place, key: "Resources" });
  const resources = resourcesFrom(pdf, { value: font.get("Resources"), owner, path });
  const inner = resources ? { ...scope, resources } : scope;
  const drawings: Drawing[] = [];
  for (const glyph of glyphs.values()) {
    const [drawing] = drawingAt(pdf, glyph, inner);
    if (drawing) drawings.push({ ...drawing, font });
  }
  return drawings;
}

/** A graphics state has a soft mask, and a font whose text may be of any size (table 57). */
function stateDrawings(pdf: Pdf, value: Value | undefined, place: ObjectPath): Drawing[] {
  const state = dictAt(pdf, value);
  const mask = dictIn(pdf, state, "SMask")?.get("G");
  const fonts = state?.get("Font");
  const [font] = arrayAt(pdf, fonts) ?? [];
  const drawn = drawingAt(pdf, mask, place.scope);
  if (font === undefined) return drawn;
  const inState = placeIn(pdf, { value, place, key: "Font" });
  const glyphs = glyphsOf(pdf, font, placeIn(pdf, { value: fonts, place: inState, key: "0" }));
  return [...drawn, ...glyphs.map((each) => ({ ...each, isAnySize: true }))];
}

/** The place under a key of a value, which stands in this place itself or is another object. */
function placeIn(
  pdf: Pdf,
  { value, place, key }: { value: Value | undefined; place: ObjectPath; key: string },
): ObjectPath {
  const num = numberBehind(pdf, value);
  if (num === undefined) return { ...place, path: [...place.path, key] };
  return { ...place, num, path: [key] };
}
