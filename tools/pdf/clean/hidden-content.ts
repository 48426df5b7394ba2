import { type Bytes, joinBytes, utf8 } from "../../../wire/bytes.ts";
import type { ToolFailure } from "../../../wire/tool-failure.ts";
import { forEachOperation, type Operation } from "../content/operations.ts";
import { decodedStream, type Pdf } from "../model/document.ts";
import { without, type Dict, isDict, type Stream, unsignedOf, type Value } from "../syntax/values.ts";
import { lexerAt } from "../syntax/lexer.ts";
import { parseValue } from "../syntax/parse.ts";
import { WHOLE_TEXTS } from "../structure/elements.ts";
import { layersStay } from "./layer-states.ts";

/** Resolves the names in content. */
export interface ContentLayers {
  /** For a name under /Properties: whether it is a layer, and visible. */
  readonly findLayer: (name: string) => "shown" | "hidden" | "no layer";
  /** The property list of a name under /Properties. */
  readonly findProperties: (name: string) => Dict | undefined;
  /** For a drawing: whether all, a part or nothing of it is hidden. */
  readonly findDrawing: (name: string) => "hidden" | "partly" | "shown";
  /** Writes operands as content. */
  readonly write: (operands: readonly Value[]) => Uint8Array;
}

/** Content without what it shows on hidden layers, and without marks of layers. */
export interface ShownContent {
  /** Undefined where nothing changes. */
  readonly bytes: Bytes | undefined;
  readonly hidesSomething: boolean;
  /** Identifiers of marked content (14.7.5.2) that is completely hidden. */
  readonly hidden: ReadonlySet<number>;
  /** Identifiers of marked content that is partly hidden. */
  readonly partly: ReadonlySet<number>;
}

interface Mark {
  readonly isHidden: boolean;
  /** The offset of its beginning in the output, where its end follows; undefined where it was left out. */
  readonly written: number | undefined;
  /** Its tag and its property list, except for layers. */
  readonly tag: string;
  readonly properties: Dict | undefined;
  /** Whether something in it is visible. */
  hasShown: boolean;
  hasHidden: boolean;
}

interface ContentRewrite {
  readonly content: Bytes;
  readonly layers: ContentLayers;
  readonly written: Uint8Array[];
  readonly marks: Mark[];
  /** How many of the open marks are hidden. */
  hidden: number;
  /** The path that hidden content has begun, and how it clips; undefined without a path. */
  path: { readonly pieces: Uint8Array[]; clip: "" | "W" | "W*" } | undefined;
  /** The text rendering mode (9.3.6), of each saved graphics state. */
  readonly modes: number[];
  /** Whether text that was taken out has moved where the next text stands. */
  isMoved: boolean;
  hasChanged: boolean;
  hidesSomething: boolean;
  /** By identifier of marked content: whether something of it is visible, and something hidden. */
  readonly found: Map<number, { isShown: boolean; isHidden: boolean }>;
}

const CONSTRUCTION = ["m", "l", "c", "v", "y", "h", "re"];
const PAINTING = ["f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n"];
/** Operators that show or name something. All others set the state, which hidden content does too (8.11.3.2). */
const SHOWING = ["Tj", "TJ", "Do", "sh", "BI", "MP", "DP"];
/** Operators with a visible effect on the page. */
const SEEN: ReadonlySet<string> = new Set([...SHOWING.slice(0, 5), "'", '"', ...PAINTING.slice(0, -1)]);
const SPACE = utf8("\n");

/** @throws ToolFailure unsupported_feature where programs may read the content in different ways */
export function withoutHidden(content: Bytes, layers: ContentLayers): ShownContent {
  const contentRewrite: ContentRewrite = {
    content,
    layers,
    written: [],
    marks: [],
    found: new Map(),
    hidden: 0,
    path: undefined,
    modes: [0],
    isMoved: false,
    hasChanged: false,
    hidesSomething: false,
  };
  if (!forEachOperation(content, (operation) => rewrite(contentRewrite, operation)))
    throw unreadableContent();
  while (contentRewrite.marks.length > 0) endMark(contentRewrite);
  const { written, hasChanged, hidesSomething, found } = contentRewrite;
  const all = [...found].filter(([, { isHidden }]) => isHidden);
  return {
    bytes: hasChanged ? joinBytes(written) : undefined,
    hidesSomething,
    hidden: new Set(all.filter(([, { isShown }]) => !isShown).map(([id]) => id)),
    partly: new Set(all.filter(([, { isShown }]) => isShown).map(([id]) => id)),
  };
}

/** The content of a stream, from which nothing may be missing. */
export function wholeContent(pdf: Pdf, stream: Stream): Bytes {
  const { bytes, isComplete } = decodedStream(pdf, stream);
  if (!isComplete) throw unreadableContent();
  return bytes;
}

/** The failure for content that programs may read in different ways, or not at all. */
function unreadableContent(): ToolFailure {
  return layersStay("The content of some pages is damaged, so that its layers cannot be taken out");
}

function rewrite(contentRewrite: ContentRewrite, operation: Operation): void {
  const { operator } = operation;
  followText(contentRewrite, operation);
  if (operator === "BDC" || operator === "BMC") return openMark(contentRewrite, operation);
  if (operator === "EMC") return closeMark(contentRewrite, operation);
  if (contentRewrite.hidden > 0) return rewriteHidden(contentRewrite, operation);
  if (operator === "Do" && drawHidden(contentRewrite, operation)) return;
  const mark = contentRewrite.marks.at(-1);
  if (mark && SEEN.has(operator)) mark.hasShown = true;
  copy(contentRewrite, operation);
}

const TEXTS: ReadonlySet<string> = new Set(["Tj", "TJ", "'", '"']);
/** Operators after which text stands where they say, wherever the text before it ends. */
const PLACING: ReadonlySet<string> = new Set(["BT", "ET", "Td", "TD", "Tm", "T*", "'", '"']);
const FIRST_CLIP_MODE = 4;

/**
 * Hidden text moves what follows it on its line, and may clip it, as if it were visible (8.11.3.2).
 * @throws ToolFailure unsupported_feature where such text follows
 */
function followText(contentRewrite: ContentRewrite, { operator, numbers: [number = 0] }: Operation): void {
  const { modes, hidden } = contentRewrite;
  const mode = modes.at(-1) ?? 0;
  if (operator === "q") modes.push(mode);
  else if (operator === "Q" && modes.length > 1) modes.pop();
  else if (operator === "Tr") modes[modes.length - 1] = number;
  if (PLACING.has(operator)) contentRewrite.isMoved = false;
  if (!TEXTS.has(operator)) return;
  if (hidden > 0 ? mode >= FIRST_CLIP_MODE : contentRewrite.isMoved)
    throw layersStay(
      "Text on a page stands where hidden text before it ends, so that it cannot be taken out",
    );
  contentRewrite.isMoved = hidden > 0;
}

/** Notes what a drawing hides; true for one that shows nothing. */
function drawHidden(contentRewrite: ContentRewrite, { names: [name = ""] }: Operation): boolean {
  const state = contentRewrite.layers.findDrawing(name);
  if (state !== "shown") noteHidden(contentRewrite);
  if (state === "hidden") contentRewrite.hasChanged = true;
  return state === "hidden";
}

function noteHidden(contentRewrite: ContentRewrite): void {
  contentRewrite.hidesSomething = true;
  const mark = contentRewrite.marks.at(-1);
  if (mark) mark.hasHidden = true;
}

function copy({ content, written }: ContentRewrite, { from, to }: Operation): void {
  written.push(content.subarray(from, to), SPACE);
}

function openMark(contentRewrite: ContentRewrite, operation: Operation): void {
  const { layers, written, marks } = contentRewrite;
  const [tag = "", name] = operation.names;
  const isNamed = operation.operator === "BDC" && name !== undefined;
  const layer = isNamed && tag === "OC" ? layers.findLayer(name) : "no layer";
  if (layer !== "no layer") contentRewrite.hasChanged = true;
  const isHidden = layer === "hidden";
  if (isHidden) contentRewrite.hidden++;
  const isWritten = contentRewrite.hidden === 0;
  const at = isWritten ? written.length : undefined;
  if (isWritten && layer === "shown") written.push(utf8("/OC BMC\n"));
  else if (isWritten) copy(contentRewrite, operation);
  const own = isNamed ? layers.findProperties(name) : propertiesIn(contentRewrite.content, operation);
  const properties = layer === "no layer" ? own : undefined;
  marks.push({ isHidden, written: at, tag, properties, hasShown: false, hasHidden: !isWritten });
}

/** The property list that stands in the content itself. */
function propertiesIn(content: Bytes, { operator, from, to }: Operation): Dict | undefined {
  if (operator !== "BDC") return undefined;
  const lexer = lexerAt(content, { at: from, end: to });
  let value: Value | undefined;
  do value = parseValue(lexer);
  while (value !== undefined && !isDict(value));
  return value;
}

function closeMark(contentRewrite: ContentRewrite, operation: Operation): void {
  const mark = contentRewrite.marks.at(-1);
  if (mark) endMark(contentRewrite);
  // An end without a beginning is left alone.
  if (mark ? mark.written !== undefined : contentRewrite.hidden === 0) copy(contentRewrite, operation);
}

/** Closes the last mark: texts about its content are wrong once a part of it is hidden. */
function endMark(contentRewrite: ContentRewrite): void {
  const { marks, written, found } = contentRewrite;
  const mark = marks.pop();
  if (!mark) return;
  const { isHidden, properties, hasHidden, hasShown } = mark;
  if (isHidden) contentRewrite.hidden--;
  if (hasHidden) contentRewrite.hidesSomething = true;
  const outer = marks.at(-1);
  if (outer) {
    outer.hasHidden ||= hasHidden;
    outer.hasShown ||= hasShown;
  }
  const id = unsignedOf(properties?.get("MCID"));
  if (id !== undefined) {
    const known = found.get(id) ?? { isShown: false, isHidden: false };
    found.set(id, { isShown: known.isShown || hasShown, isHidden: known.isHidden || hasHidden });
  }
  if (!hasHidden || mark.written === undefined || !WHOLE_TEXTS.some((key) => properties?.has(key))) return;
  contentRewrite.hasChanged = true;
  const beginning = contentRewrite.layers.write([mark.tag, without(properties ?? new Map(), WHOLE_TEXTS)]);
  written[mark.written] = joinBytes([beginning, utf8(" BDC")]);
}

function rewriteHidden(contentRewrite: ContentRewrite, operation: Operation): void {
  const { operator, from, to } = operation;
  if (CONSTRUCTION.includes(operator)) {
    contentRewrite.path ??= { pieces: [], clip: "" };
    contentRewrite.path.pieces.push(contentRewrite.content.subarray(from, to), SPACE);
  } else if (operator === "W" || operator === "W*") {
    contentRewrite.path ??= { pieces: [], clip: "" };
    contentRewrite.path.clip = operator;
  } else if (PAINTING.includes(operator)) endPath(contentRewrite);
  else if (operator === "'") contentRewrite.written.push(utf8("T*\n"));
  else if (operator === '"') contentRewrite.written.push(utf8(nextLine(operation)));
  else if (!SHOWING.includes(operator)) copy(contentRewrite, operation);
}

/** A path that clips later content stays, and draws nothing. */
function endPath(contentRewrite: ContentRewrite): void {
  const { path, written } = contentRewrite;
  contentRewrite.path = undefined;
  if (!path?.clip) return;
  for (const piece of path.pieces) written.push(piece);
  written.push(utf8(`${path.clip} n\n`));
}

/** What the operator " does apart from showing its string: both spacings and the next line (9.4.3). */
function nextLine({ numbers: [word = 0, character = 0] }: Operation): string {
  return `${word} Tw ${character} Tc T*\n`;
}
