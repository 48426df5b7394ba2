import { utf8 } from "../../../wire/bytes.ts";
import { packContent } from "../content/operations.ts";
import { joinContents, readContent } from "../content/read.ts";
import { pageResources } from "../content/usage.ts";
import { closeContent } from "../fields/close-content.ts";
import { drawButton, drawField, needsDrawing } from "../fields/draw-field.ts";
import { written } from "../fields/field-box.ts";
import { formOf, hasFlag, inheritedDict, inheritedValue } from "../fields/field-font.ts";
import { fieldText, readListBox } from "../fields/field-text.ts";
import {
  addObject,
  arrayAt,
  dictAt,
  dictIn,
  getObject,
  type Pdf,
  replaceObject,
  resolve,
} from "../model/document.ts";
import { type PdfPage, pageDict, pageRotation } from "../model/pages.ts";
import { itemsAt } from "../model/trees.ts";
import {
  type Dict,
  dictOf,
  isDict,
  isRef,
  isStream,
  makeDict,
  numberOf,
  type Ref,
  type Stream,
  type Value,
} from "../syntax/values.ts";

export interface FlattenResult {
  /** How many fields have a value that could not be drawn. */
  readonly undrawn: number;
  /** Whether something was drawn that no tag names. */
  readonly hasFlattened: boolean;
}

/** Objects made once for all pages. */
interface Drawings {
  /** Keeps the graphics state that a page leaves behind from what is drawn after it. */
  readonly opening: () => Ref;
  /** The forms to draw, by appearance and layer. */
  readonly forms: Map<string, Ref>;
}

export function openDrawings(pdf: Pdf): Drawings {
  let made: Ref | undefined;
  return { opening: () => (made ??= addText(pdf, "q\n")), forms: new Map() };
}

/** Draws widgets onto their page as they are shown; a page without widgets stays as it is. */
export function flattenWidgets(
  pdf: Pdf,
  { page, widgets, drawings }: { page: PdfPage; widgets: readonly Dict[]; drawings: Drawings },
): FlattenResult {
  const looks = widgets.map((widget) => ({ widget, ...lookOf(pdf, widget) }));
  const drawn = looks.flatMap(({ widget, look }) => {
    const form = look && drawingOf(pdf, { look, widget, forms: drawings.forms });
    const matrices = form && placeOn(pdf, { form, widget, page });
    return form && matrices ? [{ form, matrices }] : [];
  });
  const undrawn = looks.filter(({ isUndrawn }) => isUndrawn).length;
  if (drawn.length === 0) return { undrawn, hasFlattened: false };
  const dict = pageDict(pdf, page);
  const resources: Dict = new Map(pageResources(pdf, page)?.dict ?? []);
  const named: Dict = new Map(dictAt(pdf, resources.get("XObject")) ?? []);
  const before = itemsAt(pdf, dict.get("Contents"));
  const closed = closedContents(pdf, before);
  let content = `\n${closed?.closing ?? ""}Q\n`;
  for (const { form, matrices } of drawn) {
    const name = freeName(named);
    named.set(name, form);
    const placing = matrices.map((matrix) => `${matrix.map(written).join(" ")} cm `).join("");
    content += `q ${placing}/${name} Do Q\n`;
  }
  resources.set("XObject", named);
  // What the page leaves behind, such as a matrix, must not move them.
  const Contents = [drawings.opening(), ...(closed?.contents ?? before), addText(pdf, content)];
  const value: Dict = new Map<string, Value>([...dict, ["Resources", resources], ["Contents", Contents]]);
  replaceObject(pdf, page.num, value);
  // Content that cannot be decoded to its end may hide what follows it.
  return { undrawn: closed ? undrawn : undrawn + drawn.length, hasFlattened: true };
}

/** The valid part of a page's contents, and what closes what they leave open; undefined where that is unknown. */
function closedContents(
  pdf: Pdf,
  before: readonly Value[],
): { contents: readonly Value[]; closing: string } | undefined {
  const read = before.filter(isRef).map(({ num }) => readContent(pdf, num));
  if (read.includes(undefined)) return undefined;
  const content = joinContents(read.filter((each) => each !== undefined));
  const { bytes, closing } = closeContent(content);
  return { contents: bytes === content ? before : [addObject(pdf, packContent(bytes, new Map()))], closing };
}

/** What readers show for a widget: its appearance, or what they make of the value (ISO 32000-2, 12.7.4.3). */
function lookOf(pdf: Pdf, widget: Dict): { look: Ref | Stream | undefined; isUndrawn: boolean } {
  const appearance = appearanceOf(pdf, widget);
  const rect = boxOf(pdf, widget.get("Rect"));
  const [width, height] = rect ? [rect[2] - rect[0], rect[3] - rect[1]] : [0, 0];
  if (width <= 0 || height <= 0) return { look: undefined, isUndrawn: false };
  const type = inheritedValue(pdf, widget, "FT");
  if (type === "Btn") {
    if (appearance || !isMissing(pdf, widget)) return { look: appearance, isUndrawn: false };
    return drawButton(pdf, { widget, width, height, isOn: isOn(pdf, widget) });
  }
  if (type !== "Tx" && type !== "Ch") {
    return {
      look: appearance,
      isUndrawn: !appearance && inheritedValue(pdf, widget, "V") !== undefined,
    };
  }
  const value = fieldText(pdf, widget);
  const text = readListBox(pdf, widget)?.rows.join("\n") ?? value;
  // Empty content shows nothing.
  const content = appearance ? readContent(pdf, appearance.num) : new Uint8Array(0);
  const hasText = (appearance ? value : text) !== undefined;
  if (!needsDrawing(pdf, content, hasText) && !isFrameMissing(pdf, widget))
    return { look: appearance, isUndrawn: false };
  const made = drawField(pdf, { widget, width, height, text: text ?? "" });
  return { look: made ?? appearance, isUndrawn: text !== undefined && !made };
}

/** Whether readers draw the frame of a field that has no value: one without any appearance. */
function isFrameMissing(pdf: Pdf, widget: Dict): boolean {
  const hasFrame = inheritedDict(pdf, widget, "MK") !== undefined;
  return hasFrame && !dictIn(pdf, widget, "AP");
}

/** Whether readers draw a button without an appearance: one that is on, or none of whose states has one. */
function isMissing(pdf: Pdf, widget: Dict): boolean {
  return isOn(pdf, widget) || asksForLooks(pdf) || !dictIn(pdf, widget, "AP");
}

function asksForLooks(pdf: Pdf): boolean {
  return resolve(pdf, formOf(pdf)?.get("NeedAppearances")) === true;
}

/** Whether a button without an appearance is on; push buttons never are. */
function isOn(pdf: Pdf, widget: Dict): boolean {
  const state = resolve(pdf, widget.get("AS")) ?? inheritedValue(pdf, widget, "V");
  return typeof state === "string" && state !== "Off" && !hasFlag(pdf, widget, PUSH_BUTTON);
}

const PUSH_BUTTON = 17;

/** The normal appearance (ISO 32000-2, 12.5.5), for a button that of its state. */
function appearanceOf(pdf: Pdf, widget: Dict): Ref | undefined {
  const normal = dictIn(pdf, widget, "AP")?.get("N");
  const found = resolve(pdf, normal);
  const looks = isDict(found) ? found : undefined;
  const value = isStream(found) ? normal : looks?.get(stateOf(pdf, widget, looks));
  if (!isRef(value)) return undefined;
  return isStream(getObject(pdf, value.num)) ? value : undefined;
}

/**
 * The state of a button; where the form asks for new appearances, that of its value. Of buttons with one value only
 * those are on that have a look for it.
 */
function stateOf(pdf: Pdf, widget: Dict, looks: Dict | undefined): string {
  const own = resolve(pdf, widget.get("AS"));
  const value = inheritedValue(pdf, widget, "V");
  if (asksForLooks(pdf) && typeof value === "string") return looks?.has(value) ? value : "Off";
  const state = own ?? value;
  return typeof state === "string" ? state : "Off";
}

/** The appearance as content can name it: with its type, the form's default resources, and its layer. */
function drawingOf(
  pdf: Pdf,
  { look, widget, forms }: { look: Ref | Stream; widget: Dict } & Pick<Drawings, "forms">,
): Ref | undefined {
  const form = isRef(look) ? getObject(pdf, look.num) : look;
  if (!isStream(form)) return undefined;
  const layer = widget.get("OC");
  const key = isRef(look) ? `${look.num} ${isRef(layer) ? layer.num : ""}` : "";
  const known = forms.get(key);
  if (known && key !== "") return known;
  const dict: Dict = new Map([...form.dict, ["Type", "XObject"], ["Subtype", "Form"]]);
  const defaults = formOf(pdf)?.get("DR");
  if (!dict.has("Resources") && defaults !== undefined) dict.set("Resources", defaults);
  if (layer !== undefined) dict.set("OC", layer);
  const drawing = addObject(pdf, { ...form, dict });
  forms.set(key, drawing);
  return drawing;
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

/**
 * The matrices, from the outermost on, that map the box of an appearance, transformed by its own matrix, onto the
 * widget's rectangle.
 */
function placeOn(
  pdf: Pdf,
  { form, widget, page }: { form: Ref; widget: Dict; page: PdfPage },
): number[][] | undefined {
  const dict = dictOf(resolve(pdf, form));
  const rect = boxOf(pdf, widget.get("Rect"));
  const box = boxOf(pdf, dict?.get("BBox"));
  if (!rect || !box) return undefined;
  const numbers = numbersOf(pdf, dict?.get("Matrix"));
  const turned = turnedBox(box, numbers.length === 6 ? numbers : [1, 0, 0, 1, 0, 0]);
  const [width, height] = [turned[2] - turned[0], turned[3] - turned[1]];
  if (width <= 0 || height <= 0) return undefined;
  const [x, y] = [(rect[2] - rect[0]) / width, (rect[3] - rect[1]) / height];
  const matrix = [x, 0, 0, y, rect[0] - turned[0] * x, rect[1] - turned[1] * y];
  const flags = numberOf(resolve(pdf, widget.get("F"))) ?? 0;
  return (flags & NO_ROTATE) === 0 ? [matrix] : [uprightAt(rect, pageRotation(pdf, page)), matrix];
}

/** A widget stays upright on a turned page, around its upper left corner (table 167, position 5). */
const NO_ROTATE = 1 << 4;

/** Turns against the page's rotation around the upper left corner of a rectangle. */
function uprightAt([left, , , top]: Box, rotation: number): number[] {
  const [cos = 1, sin = 0] = { 90: [0, 1], 180: [-1, 0], 270: [0, -1] }[rotation] ?? [];
  return [cos, sin, -sin, cos, left - left * cos + top * sin, top - left * sin - top * cos];
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

function addText(pdf: Pdf, text: string): Ref {
  return addObject(pdf, { kind: "stream", dict: makeDict({}), data: utf8(text) });
}
