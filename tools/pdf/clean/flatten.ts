import { utf8 } from "../../../wire/bytes.ts";
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
import { type PdfPage, pageDict } from "../model/pages.ts";
import {
  type Dict,
  dictOf,
  isRef,
  isStream,
  makeDict,
  numberOf,
  type Ref,
  type Value,
} from "../syntax/values.ts";

export interface Flattened {
  /** Whether a field with a value has no appearance, so that nobody sees the value any more. */
  readonly hasUndrawn: boolean;
  /** Whether something was drawn, which no tag names. */
  readonly hasFlattened: boolean;
}

/** What is made once for all pages. */
export interface Drawings {
  /** Keeps the state that a page leaves behind from what is drawn after it. */
  readonly opening: () => Ref;
  /** By appearance and layer: what is drawn for it. */
  readonly forms: Map<string, Ref>;
}

export function openDrawings(pdf: Pdf): Drawings {
  let made: Ref | undefined;
  return { opening: () => (made ??= addText(pdf, "q\n")), forms: new Map() };
}

/** Draws widgets onto their page as they are shown; a page that has none stays as it is. */
export function flattenWidgets(
  pdf: Pdf,
  { page, widgets, drawings }: { page: PdfPage; widgets: readonly Dict[]; drawings: Drawings },
): Flattened {
  const drawn = widgets.flatMap((widget) => {
    const form = drawingOf(pdf, { widget, forms: drawings.forms });
    const matrix = form && placeOn(pdf, { form, widget });
    return form && matrix ? [{ form, matrix }] : [];
  });
  const hasUndrawn = widgets.some((widget) => hasValue(pdf, widget) && !appearanceOf(pdf, widget));
  if (drawn.length === 0) return { hasUndrawn, hasFlattened: false };
  const dict = pageDict(pdf, page);
  const resources: Dict = new Map(
    dictAt(pdf, dict.get("Resources") ?? page.inherited.get("Resources")) ?? [],
  );
  const named: Dict = new Map(dictAt(pdf, resources.get("XObject")) ?? []);
  let content = "\nQ\n";
  for (const { form, matrix } of drawn) {
    const name = freeName(named);
    named.set(name, form);
    content += `q ${matrix.map(written).join(" ")} cm /${name} Do Q\n`;
  }
  resources.set("XObject", named);
  const found = resolve(pdf, dict.get("Contents"));
  const before = Array.isArray(found)
    ? found
    : [dict.get("Contents") ?? null].filter((each) => each !== null);
  // What the page leaves behind, such as a matrix, must not move them.
  const Contents = [drawings.opening(), ...before, addText(pdf, content)];
  const value: Dict = new Map<string, Value>([...dict, ["Resources", resources], ["Contents", Contents]]);
  replaceObject(pdf, { num: page.num, value });
  return { hasUndrawn, hasFlattened: true };
}

/** The normal appearance (ISO 32000-2, 12.5.5), of a button that in its state. */
function appearanceOf(pdf: Pdf, widget: Dict): Ref | undefined {
  const normal = dictIn(pdf, { dict: widget, key: "AP" })?.get("N");
  const state = resolve(pdf, widget.get("AS"));
  const found = resolve(pdf, normal);
  const value = isStream(found) ? normal : dictAt(pdf, normal)?.get(typeof state === "string" ? state : "");
  if (!isRef(value)) return undefined;
  return isStream(getObject(pdf, value.num)) ? value : undefined;
}

/** The appearance as content can name it: with its type, the resources that a form gives to all, and its layer. */
function drawingOf(pdf: Pdf, { widget, forms }: { widget: Dict } & Pick<Drawings, "forms">): Ref | undefined {
  const value = appearanceOf(pdf, widget);
  const form = value && getObject(pdf, value.num);
  if (!value || !isStream(form)) return undefined;
  const layer = widget.get("OC");
  const key = `${value.num} ${isRef(layer) ? layer.num : ""}`;
  const known = forms.get(key);
  if (known) return known;
  const dict: Dict = new Map([...form.dict, ["Type", "XObject"], ["Subtype", "Form"]]);
  const defaults = dictIn(pdf, { dict: catalogOf(pdf), key: "AcroForm" })?.get("DR");
  if (!dict.has("Resources") && defaults !== undefined) dict.set("Resources", defaults);
  if (layer !== undefined) dict.set("OC", layer);
  const drawing = addObject(pdf, { ...form, dict });
  forms.set(key, drawing);
  return drawing;
}

function hasValue(pdf: Pdf, widget: Dict): boolean {
  const value = resolve(pdf, widget.get("V"));
  return value !== undefined && value !== null && value !== "Off";
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

/** The matrix that brings the box of an appearance, as its own matrix turns it, onto the rectangle of the widget. */
function placeOn(pdf: Pdf, { form, widget }: { form: Ref; widget: Dict }): number[] | undefined {
  const dict = dictOf(resolve(pdf, form));
  const rect = boxOf(pdf, widget.get("Rect"));
  const box = boxOf(pdf, dict?.get("BBox"));
  if (!rect || !box) return undefined;
  const numbers = numbersOf(pdf, dict?.get("Matrix"));
  const turned = turnedBox(box, numbers.length === 6 ? numbers : [1, 0, 0, 1, 0, 0]);
  const [width, height] = [turned[2] - turned[0], turned[3] - turned[1]];
  if (width <= 0 || height <= 0) return undefined;
  const [x, y] = [(rect[2] - rect[0]) / width, (rect[3] - rect[1]) / height];
  return [x, 0, 0, y, rect[0] - turned[0] * x, rect[1] - turned[1] * y];
}

function turnedBox([left, bottom, right, top]: Box, matrix: readonly number[]): Box {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix;
  const corners = [left, right].flatMap((x) =>
    [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function boxOf(pdf: Pdf, value: Value | undefined): Box | undefined {
  const [a, b, c, d] = numbersOf(pdf, value);
  if (a === undefined || b === undefined || c === undefined || d === undefined) return undefined;
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

function numbersOf(pdf: Pdf, value: Value | undefined): number[] {
  return (arrayAt(pdf, value) ?? []).flatMap((each) => numberOf(resolve(pdf, each)) ?? []);
}

function freeName(named: Dict): string {
  for (let number = named.size; ; number++) if (!named.has(`Field${number}`)) return `Field${number}`;
}

/** Content knows no exponents. */
function written(number: number): string {
  return number.toFixed(6).replace(/\.?0+$/, "");
}

function addText(pdf: Pdf, text: string): Ref {
  return addObject(pdf, { kind: "stream", dict: makeDict({}), data: utf8(text) });
}
