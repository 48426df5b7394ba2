import type { Size } from "../../image/pixels.ts";
import { joinContents, readContent } from "../content/read.ts";
import { type Drawing, drawingsOf, drawingsOfAnnotation, type Scope } from "../content/drawings.ts";
import { formResources, NO_RESOURCES, pageResources, type Resources } from "../content/usage.ts";
import { spend } from "../limits.ts";
import { arrayAt, dictAt, dictIn, numberBehind, numbersAt, type Pdf, resolve } from "../model/document.ts";
import { type PdfPage, pageDict } from "../model/pages.ts";
import { itemsAt } from "../model/trees.ts";
import { type Dict, isRef, isStream, numberOf, type Stream, type Value, refTo } from "../syntax/values.ts";
import { type Draw, type DrawingKind, readDraws } from "./draws.ts";
import {
  addMatrix,
  createMatrixSet,
  IDENTITY,
  LARGEST,
  type Matrix,
  type MatrixSet,
  multiply,
} from "./matrix.ts";

const KINDS: readonly DrawingKind[] = ["XObject", "Pattern", "Font", "ExtGState"];

/** The most points that an image is drawn wide and high anywhere; Infinity where that is not known. */
export type DrawnSize = Size;

/** Streams that are read one after the other, and what their names are looked up in. */
interface Content extends Scope {
  readonly nums: readonly number[];
  readonly matrix: Matrix;
}

interface Walk {
  readonly pdf: Pdf;
  /** By object number. */
  readonly sizes: Map<number, DrawnSize>;
  readonly draws: Map<string, readonly Draw[] | undefined>;
  readonly visited: Map<string, MatrixSet>;
  readonly waiting: Content[];
  /** By the key of resources: whether they can lead to images. */
  readonly drawing: Map<string, boolean>;
}

/** What a visit costs, in bytes read. */
const VISIT = 64;

/** How large each image is drawn, by its object number; one that is drawn nowhere is not in it. */
export function readDrawnSizes(pdf: Pdf, pages: readonly PdfPage[]): ReadonlyMap<number, DrawnSize> {
  const walk: Walk = {
    pdf,
    sizes: new Map(),
    draws: new Map(),
    visited: new Map(),
    waiting: [],
    drawing: new Map(),
  };
  enterFormFonts(walk);
  for (const page of pages) {
    enterPage(walk, page);
    for (let next = walk.waiting.pop(); next; next = walk.waiting.pop()) visit(walk, next);
  }
  return walk.sizes;
}

/** Fields can show new text in the fonts of their form, in any size. */
function enterFormFonts(walk: Walk): void {
  const { pdf } = walk;
  const holder = formResources(pdf) ?? NO_RESOURCES;
  const scope: Scope = { resources: holder, outer: holder };
  for (const name of dictIn(pdf, holder.dict, "Font")?.keys() ?? []) {
    for (const drawing of drawingsOf(pdf, { kind: "Font", name, holder, scope }))
      enter(walk, { ...drawing, isAnySize: true }, IDENTITY);
  }
}

function enterPage(walk: Walk, page: PdfPage): void {
  const { pdf } = walk;
  const dict = pageDict(pdf, page);
  const unit = numberOf(resolve(pdf, dict.get("UserUnit"))) ?? 1;
  const matrix: Matrix = [unit, 0, 0, unit];
  const resources = pageResources(pdf, page) ?? NO_RESOURCES;
  const contents = itemsAt(pdf, dict.get("Contents"));
  const nums = contents.filter(isRef).map(({ num }) => num);
  walk.waiting.push({ nums, resources, outer: resources, matrix });
  for (const each of arrayAt(pdf, dict.get("Annots")) ?? []) {
    // Thousands of pages can share one long list.
    spend(pdf.budget.read, VISIT);
    const annotation = dictAt(pdf, each);
    if (annotation) enterAnnotation(walk, { annotation, resources, matrix });
  }
}

/** Appearances are scaled until they fill the rectangle of their annotation (12.5.5). */
function enterAnnotation(
  walk: Walk,
  { annotation, resources, matrix }: { annotation: Dict; resources: Resources; matrix: Matrix },
): void {
  const { pdf } = walk;
  const rect = sidesOf(pdf, annotation.get("Rect"));
  for (const drawing of drawingsOfAnnotation(pdf, annotation, { resources, outer: resources })) {
    const { dict } = drawing.stream;
    const box = sidesOf(pdf, dict.get("BBox"));
    const [a, b, c, d] = matrixOf(pdf, dict);
    const wide = box.width * Math.abs(a) + box.height * Math.abs(c);
    const high = box.width * Math.abs(b) + box.height * Math.abs(d);
    const scale: Matrix = [rect.width / wide || LARGEST, 0, 0, rect.height / high || LARGEST];
    enter(walk, drawing, multiply(scale, matrix));
  }
}

function sidesOf(pdf: Pdf, value: Value | undefined): DrawnSize {
  const [left = 0, bottom = 0, right = 0, top = 0] = numbersAt(pdf, value);
  return { width: Math.abs(right - left), height: Math.abs(top - bottom) };
}

function matrixOf(pdf: Pdf, dict: Dict, key = "Matrix"): Matrix {
  const [a = 1, b = 0, c = 0, d = 1] = numbersAt(pdf, dict.get(key));
  return [a, b, c, d];
}

function visit(walk: Walk, content: Content): void {
  const { pdf, visited } = walk;
  const { nums, resources, outer } = content;
  if (!mayDraw(walk, resources) && !mayDraw(walk, outer)) return;
  const id = `${nums.join(" ")} / ${resources.key} / ${outer.key}`;
  const set = visited.get(id) ?? createMatrixSet();
  visited.set(id, set);
  const matrix = addMatrix(set, content.matrix);
  if (!matrix) return;
  spend(pdf.budget.read, VISIT);
  const draws = contentDraws(walk, nums) ?? allDraws(pdf, [resources, outer]);
  for (const draw of draws) follow(walk, { ...content, matrix }, draw);
}

function follow(walk: Walk, content: Content, { kind, name, matrices }: Draw): void {
  const { pdf } = walk;
  const { resources, outer } = content;
  const holder = dictIn(pdf, resources.dict, kind)?.has(name) ? resources : outer;
  const drawings = drawingsOf(pdf, { kind, name, holder, scope: { resources, outer } });
  for (const matrix of drawings.length > 0 ? matrices : []) {
    spend(pdf.budget.read, VISIT);
    for (const drawing of drawings) enter(walk, drawing, multiply(matrix, content.matrix));
  }
}

/** A drawing is more content; an image is what is looked for. */
function enter(walk: Walk, { num, stream, scope, font, isAnySize }: Drawing, drawn: Matrix): void {
  const matrix: Matrix = isAnySize ? [LARGEST, 0, 0, LARGEST] : drawn;
  if (stream.dict.get("Subtype") === "Image") return noteImage(walk, { num, stream }, matrix);
  const own = font ? matrixOf(walk.pdf, font, "FontMatrix") : matrixOf(walk.pdf, stream.dict);
  walk.waiting.push({ nums: [num], ...scope, matrix: multiply(own, matrix) });
}

/** An image fills the unit square (8.9.4), and its soft mask the same. */
function noteImage(walk: Walk, { num, stream }: { num: number; stream: Stream }, matrix: Matrix): void {
  const [a, b, c, d] = matrix;
  const known = walk.sizes.get(num);
  const size = {
    width: Math.max(known?.width ?? 0, sideOf(a, b)),
    height: Math.max(known?.height ?? 0, sideOf(c, d)),
  };
  walk.sizes.set(num, size);
  const maskNum = numberBehind(walk.pdf, stream.dict.get("SMask"));
  const maskStream = resolve(walk.pdf, stream.dict.get("SMask"));
  if (maskNum === undefined || maskNum === num || !isStream(maskStream) || maskStream.dict.has("SMask"))
    return;
  noteImage(walk, { num: maskNum, stream: maskStream }, matrix);
}

function sideOf(x: number, y: number): number {
  const side = Math.hypot(x, y);
  return side < LARGEST ? side : Infinity;
}

/** Whether resources can lead to images; most fonts and graphics states do not. */
function mayDraw({ pdf, drawing }: Walk, { key, dict }: Resources): boolean {
  const known = drawing.get(key);
  if (known !== undefined) return known;
  const found = KINDS.some((kind) => {
    const entries = [...(dictIn(pdf, dict, kind)?.values() ?? [])];
    if (kind === "XObject" || kind === "Pattern") return entries.length > 0;
    const marks = kind === "Font" ? ["CharProcs"] : ["SMask", "Font"];
    return entries.some((value) => marks.some((each) => isDrawing(pdf, dictAt(pdf, value)?.get(each))));
  });
  drawing.set(key, found);
  return found;
}

function isDrawing(pdf: Pdf, value: Value | undefined): boolean {
  return arrayAt(pdf, value) !== undefined || dictAt(pdf, value) !== undefined;
}

/** What streams draw that are read one after the other; undefined where one of them cannot be read. */
function contentDraws({ pdf, draws: cache }: Walk, nums: readonly number[]): readonly Draw[] | undefined {
  const key = nums.join(" ");
  if (cache.has(key)) return cache.get(key);
  const found = nums.map((num) => readContent(pdf, numberBehind(pdf, refTo(num)) ?? num));
  const parts = found.filter((part) => part !== undefined);
  const draws = parts.length === nums.length ? readDraws(joinContents(parts)) : undefined;
  cache.set(key, draws);
  return draws;
}

/** Everything in the resources of content that cannot be read, drawn as large as possible. */
function allDraws(pdf: Pdf, all: readonly Resources[]): Draw[] {
  const matrices: Matrix[] = [[LARGEST, 0, 0, LARGEST]];
  return all.flatMap(({ dict }) =>
    KINDS.flatMap((kind) =>
      [...(dictAt(pdf, dict.get(kind))?.keys() ?? [])].map((name) => ({ kind, name, matrices })),
    ),
  );
}
