import { byteAt, type Bytes } from "../../../wire/bytes.ts";
import { drawingsOfAnnotation, type Scope } from "../content/drawings.ts";
import { forEachOperation } from "../content/operations.ts";
import { joinContents } from "../content/read.ts";
import { NO_RESOURCES } from "../content/usage.ts";
import { dictAt, dictIn, getObject, numberBehind, type Pdf, resolve } from "../model/document.ts";
import { itemsAt } from "../model/trees.ts";
import { latin1 } from "../syntax/lexer.ts";
import { unescapeName } from "../syntax/parse.ts";
import { stringBytes } from "../syntax/strings.ts";
import {
  type Dict,
  dictOf,
  isDict,
  isRef,
  isStream,
  isString,
  pushAll,
  type Value,
} from "../syntax/values.ts";
import { findRawObject } from "../writer/write.ts";
import { decodeExactly } from "./image-facts.ts";
import type { ReachableObjects } from "./reachable.ts";

/** The codes that are shown, of one byte and of two. */
export interface ShownCodes {
  readonly single: Uint8Array;
  readonly double: Uint8Array;
}

/** Every use of a font that a document can have. */
export interface FontUses {
  readonly pdf: Pdf;
  /** The objects of fonts, by what resources call them. */
  readonly named: Map<string, Set<number>>;
  /** Fonts that can show more than content does: those of forms, and of graphics states. */
  readonly open: Set<number>;
  readonly openNames: Set<string>;
  /** Font dictionaries by their number, those of a part of a composite font too; undefined for one inside another object. */
  readonly fonts: Map<Dict, number | undefined>;
  /** Streams of content that are read one after the other. */
  readonly contents: number[][];
  /** How many streams and fonts may still be looked up: pages can share a list of them. */
  left: number;
}

/** Names and dictionaries of fonts, of which documents have hundreds at most; with more the fonts stay as they are. */
const MOST_FONTS = 1_000;
const MOST_LOOKED_UP = 4_000_000;

/** Bytes of content in all and of one page; with more the fonts stay unchanged. */
const [MOST_OF_ALL, MOST_OF_ONE] = [256 * 1024 * 1024, 64 * 1024 * 1024];

/**
 * Looks through all objects, for what a page does not lead to can be shown by some program; undefined where that cannot be
 * known. Objects are parsed only where they have one of these names, which most elements of a structure have not.
 */
export function findFontUses(pdf: Pdf, { streams, others }: ReachableObjects): FontUses | undefined {
  const uses: FontUses = {
    pdf,
    named: new Map(),
    open: new Set(),
    openNames: new Set(),
    fonts: new Map(),
    contents: [],
    left: MOST_LOOKED_UP,
  };
  for (const num of others) {
    const raw = findRawObject(pdf, num);
    if (raw && !MARKS.test(decoder.decode(raw.bytes.subarray(raw.from, raw.to)))) continue;
    if (!noteAll(uses, getObject(pdf, num), num)) return undefined;
  }
  for (const num of streams) {
    const stream = getObject(pdf, num);
    if (!isStream(stream)) continue;
    if (isContent(stream.dict)) uses.contents.push([num]);
    if (!noteAll(uses, stream.dict, undefined)) return undefined;
  }
  return uses.fonts.size > MOST_FONTS ? undefined : uses;
}

const decoder = new TextDecoder("latin1");
const MARKS = /#|\/(?:Font|DescendantFonts|Contents|CharProcs|AP|MK|RO|DA|DR|XFA)/;

function isContent(dict: Dict): boolean {
  return (
    dict.get("Subtype") === "Form" || dict.has("BBox") || dict.has("PatternType") || dict.has("Resources")
  );
}

function noteAll(uses: FontUses, value: Value, num: number | undefined): boolean {
  const waiting: Value[] = [value];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (Array.isArray(each)) pushAll(waiting, each);
    if (!isDict(each)) continue;
    pushAll(waiting, each.values());
    if (each.has("XFA") || uses.left < 0) return false;
    if (each.has("FontDescriptor") || each.has("DescendantFonts"))
      uses.fonts.set(each, each === value ? num : undefined);
    noteFonts(uses, each);
    noteContents(uses, each);
  }
  return true;
}

function noteFonts(uses: FontUses, dict: Dict): void {
  const { pdf } = uses;
  const fonts = resolve(pdf, dict.get("Font"));
  const formFonts = dictIn(pdf, dictIn(pdf, dict, "DR"), "Font")?.values() ?? [];
  // Of a graphics state: a font and its size.
  for (const font of [...(Array.isArray(fonts) ? fonts : []), ...formFonts]) {
    const num = numberBehind(pdf, font);
    if (num !== undefined) uses.open.add(num);
  }
  uses.left -= isDict(fonts) ? fonts.size : 0;
  for (const [name, font] of isDict(fonts) ? fonts : []) {
    const num = numberBehind(pdf, font);
    if (num === undefined) continue;
    const nums = uses.named.get(name) ?? new Set();
    uses.named.set(name, nums.add(num));
  }
  const appearance = resolve(pdf, dict.get("DA"));
  if (!isString(appearance)) return;
  for (const [, name = ""] of latin1(stringBytes(appearance)).matchAll(/\/([^\s/[\]()<>{}%]+)/g))
    uses.openNames.add(unescapeName(name));
}

const NO_SCOPE: Scope = { resources: NO_RESOURCES, outer: NO_RESOURCES };

/** The contents of pages, Type 3 glyphs, and appearances, even those that lack entries of a form XObject. */
function noteContents(uses: FontUses, dict: Dict): void {
  const { pdf } = uses;
  const page = itemsAt(pdf, dict.get("Contents")).flatMap((each) => streamAt(pdf, each));
  const drawn = [
    ...drawingsOfAnnotation(pdf, dict, NO_SCOPE).map(({ num }) => num),
    ...[...(dictAt(pdf, dict.get("CharProcs"))?.values() ?? [])].flatMap((each) => streamAt(pdf, each)),
  ];
  uses.left -= page.length + drawn.length;
  if (page.length > 0) uses.contents.push(page);
  for (const num of drawn) uses.contents.push([num]);
}

function streamAt(pdf: Pdf, value: Value): number[] {
  const num = isRef(value) && isStream(resolve(pdf, value)) ? numberBehind(pdf, value) : undefined;
  return num === undefined ? [] : [num];
}

/** By font name, the codes that any content shows with it; undefined if some content cannot be read. */
export async function readShownCodes({
  pdf,
  contents,
}: FontUses): Promise<ReadonlyMap<string, ShownCodes> | undefined> {
  const shown = new Map<string, ShownCodes>();
  const read = new Set<string>();
  let left = MOST_OF_ALL;
  for (const nums of contents) {
    const key = nums.join(" ");
    if (read.has(key)) continue;
    read.add(key);
    const content = await decodeAll(pdf, nums, Math.min(left, MOST_OF_ONE));
    left -= content?.length ?? 0;
    if (!content || !noteText(shown, content) || shown.size > MOST_FONTS) return undefined;
  }
  return shown;
}

async function decodeAll(pdf: Pdf, nums: readonly number[], most: number): Promise<Bytes | undefined> {
  const parts: Uint8Array[] = [];
  let left = most;
  for (const num of nums) {
    const stream = getObject(pdf, num);
    if (!isStream(stream) || dictOf(stream)?.has("F")) return undefined;
    const part = await decodeExactly(pdf, { stream, most: left });
    if (!part || part.length > left) return undefined;
    left -= part.length;
    parts.push(part);
  }
  return joinContents(parts);
}

/** Text before the first choice of a font uses the font of the content that draws this one, which may be any. */
export const ANY_FONT = "";
const SHOWING = ["Tj", "TJ", "'", '"'];

function noteText(shown: Map<string, ShownCodes>, content: Uint8Array): boolean {
  const saved: string[] = [];
  let name = ANY_FONT;
  return forEachOperation(content, ({ operator, names, strings }) => {
    if (operator === "q") saved.push(name);
    else if (operator === "Q") name = saved.pop() ?? name;
    else if (operator === "Tf") name = names.at(-1) ?? ANY_FONT;
    else if (SHOWING.includes(operator) && shown.size <= MOST_FONTS) {
      const codes = shown.get(name) ?? { single: new Uint8Array(0x100), double: new Uint8Array(0x10000) };
      shown.set(name, codes);
      for (const { from, to } of strings)
        noteCodes(codes, stringBytes({ kind: "string", raw: content.subarray(from, to) }));
    }
  });
}

function noteCodes({ single, double }: ShownCodes, bytes: Uint8Array): void {
  let before = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = byteAt(bytes, i);
    single[byte] = 1;
    if (i & 1) double[(before << 8) | byte] = 1;
    before = byte;
  }
  // Programs read half a code at the end as either half.
  if (bytes.length & 1) double[before] = double[before << 8] = 1;
}
