import { type Bytes, joinBytes, utf8 } from "../../../wire/bytes.ts";
import { forEachOperation, type Operation } from "../content/operations.ts";
import { without } from "../prune/entries.ts";
import { lexerAt } from "../syntax/lexer.ts";
import { parseValue } from "../syntax/parse.ts";
import { type Dict, isDict, unsignedOf, type Value } from "../syntax/values.ts";

/** What the names in content stand for. */
export interface ContentLayers {
  /** Of a name under /Properties: whether what it stands for is a layer, and a shown one. */
  readonly findLayer: (name: string) => "shown" | "hidden" | "no layer";
  /** The property list of a name under /Properties. */
  readonly findProperties: (name: string) => Dict | undefined;
  /** Of a drawing: whether all, a part or nothing of it is hidden. */
  readonly findDrawing: (name: string) => "hidden" | "partly" | "shown";
  /** Operands as content has them. */
  readonly write: (operands: readonly Value[]) => Uint8Array;
}

/** Content without what it shows on hidden layers, and without marks of layers. */
export interface ShownContent {
  /** Undefined where nothing changes. */
  readonly bytes: Bytes | undefined;
  readonly hidesSomething: boolean;
  /** The identifiers of marked content (14.7.5.2) of which all is hidden. */
  readonly hidden: ReadonlySet<number>;
  /** Those of which a part is. */
  readonly partly: ReadonlySet<number>;
}

interface Mark {
  readonly isHidden: boolean;
  /** Its beginning among what was written, which its end follows; undefined where it was left out. */
  readonly written: number | undefined;
  /** Its tag and its property list, but for layers. */
  readonly tag: string;
  readonly properties: Dict | undefined;
  /** Whether something in it is shown. */
  hasShown: boolean;
  hasHidden: boolean;
}

interface Rewriting {
  readonly content: Bytes;
  readonly layers: ContentLayers;
  readonly written: Uint8Array[];
  readonly marks: Mark[];
  /** How many of the open marks are hidden. */
  hidden: number;
  /** The path that hidden content has begun, and how it clips; undefined for no path. */
  path: { readonly pieces: Uint8Array[]; clip: "" | "W" | "W*" } | undefined;
  hasChanged: boolean;
  hidesSomething: boolean;
  /** By identifier of marked content: whether something of it is shown, and something hidden. */
  readonly found: Map<number, { isShown: boolean; isHidden: boolean }>;
}

const CONSTRUCTION = ["m", "l", "c", "v", "y", "h", "re"];
const PAINTING = ["f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n"];
/** What shows or names something. All other operators set the state, which hidden content does too (8.11.3.2). */
const SHOWING = ["Tj", "TJ", "Do", "sh", "BI", "MP", "DP"];
/** What is seen on the page. */
const SEEN: ReadonlySet<string> = new Set([...SHOWING.slice(0, 5), "'", '"', ...PAINTING.slice(0, -1)]);
/** Texts that stand for all of a mark's content. */
export const WHOLE_TEXTS = ["ActualText", "Alt", "E", "Phoneme", "PhoneticAlphabet"];
const SPACE = utf8("\n");

/** @throws UnusualContent where programs may read the content in different ways */
export function withoutHidden(content: Bytes, layers: ContentLayers): ShownContent {
  const rewriting: Rewriting = {
    ...{ content, layers, written: [], marks: [], found: new Map() },
    ...{ hidden: 0, path: undefined, hasChanged: false, hidesSomething: false },
  };
  if (!forEachOperation(content, (operation) => rewrite(rewriting, operation))) throw new UnusualContent();
  while (rewriting.marks.length > 0) endMark(rewriting);
  const { written, hasChanged, hidesSomething, found } = rewriting;
  const all = [...found].filter(([, { isHidden }]) => isHidden);
  return {
    bytes: hasChanged ? joinBytes(written) : undefined,
    hidesSomething,
    hidden: new Set(all.filter(([, { isShown }]) => !isShown).map(([id]) => id)),
    partly: new Set(all.filter(([, { isShown }]) => isShown).map(([id]) => id)),
  };
}

export class UnusualContent extends Error {}

function rewrite(rewriting: Rewriting, operation: Operation): void {
  const { operator } = operation;
  if (operator === "BDC" || operator === "BMC") return openMark(rewriting, operation);
  if (operator === "EMC") return closeMark(rewriting, operation);
  if (rewriting.hidden > 0) return rewriteHidden(rewriting, operation);
  if (operator === "Do" && drawHidden(rewriting, operation)) return;
  const mark = rewriting.marks.at(-1);
  if (mark && SEEN.has(operator)) mark.hasShown = true;
  copy(rewriting, operation);
}

/** Notes what a drawing hides; true for one that shows nothing. */
function drawHidden(rewriting: Rewriting, { names: [name = ""] }: Operation): boolean {
  const state = rewriting.layers.findDrawing(name);
  if (state !== "shown") noteHidden(rewriting);
  if (state === "hidden") rewriting.hasChanged = true;
  return state === "hidden";
}

function noteHidden(rewriting: Rewriting): void {
  rewriting.hidesSomething = true;
  const mark = rewriting.marks.at(-1);
  if (mark) mark.hasHidden = true;
}

function copy({ content, written }: Rewriting, { from, to }: Operation): void {
  written.push(content.subarray(from, to), SPACE);
}

function openMark(rewriting: Rewriting, operation: Operation): void {
  const { layers, written, marks } = rewriting;
  const [tag = "", name] = operation.names;
  const isNamed = operation.operator === "BDC" && name !== undefined;
  const layer = isNamed && tag === "OC" ? layers.findLayer(name) : "no layer";
  if (layer !== "no layer") rewriting.hasChanged = true;
  const isHidden = layer === "hidden";
  if (isHidden) rewriting.hidden++;
  const isWritten = rewriting.hidden === 0;
  const at = isWritten ? written.length : undefined;
  if (isWritten && layer === "shown") written.push(utf8("/OC BMC\n"));
  else if (isWritten) copy(rewriting, operation);
  const own = isNamed ? layers.findProperties(name) : propertiesIn(rewriting.content, operation);
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

function closeMark(rewriting: Rewriting, operation: Operation): void {
  const mark = rewriting.marks.at(-1);
  if (mark) endMark(rewriting);
  // An end without a beginning is not ours to take.
  if (mark ? mark.written !== undefined : rewriting.hidden === 0) copy(rewriting, operation);
}

/** Closes the last mark: what it says of its content holds no more where a part of that is hidden. */
function endMark(rewriting: Rewriting): void {
  const { marks, written, found } = rewriting;
  const mark = marks.pop();
  if (!mark) return;
  const { isHidden, properties, hasHidden, hasShown } = mark;
  if (isHidden) rewriting.hidden--;
  if (hasHidden) rewriting.hidesSomething = true;
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
  rewriting.hasChanged = true;
  const beginning = rewriting.layers.write([mark.tag, without(properties ?? new Map(), WHOLE_TEXTS)]);
  written[mark.written] = joinBytes([beginning, utf8(" BDC")]);
}

function rewriteHidden(rewriting: Rewriting, operation: Operation): void {
  const { operator, from, to } = operation;
  if (CONSTRUCTION.includes(operator)) {
    rewriting.path ??= { pieces: [], clip: "" };
    rewriting.path.pieces.push(rewriting.content.subarray(from, to), SPACE);
  } else if (operator === "W" || operator === "W*") {
    rewriting.path ??= { pieces: [], clip: "" };
    rewriting.path.clip = operator;
  } else if (PAINTING.includes(operator)) endPath(rewriting);
  else if (operator === "'") rewriting.written.push(utf8("T*\n"));
  else if (operator === '"') rewriting.written.push(utf8(nextLine(operation)));
  else if (!SHOWING.includes(operator)) copy(rewriting, operation);
}

/** A path that clips what comes after it stays, and draws nothing. */
function endPath(rewriting: Rewriting): void {
  const { path, written } = rewriting;
  rewriting.path = undefined;
  if (!path?.clip) return;
  for (const piece of path.pieces) written.push(piece);
  written.push(utf8(`${path.clip} n\n`));
}

/** What the operator " does but for showing its string: both spacings and the next line (9.4.3). */
function nextLine({ numbers: [word = 0, character = 0] }: Operation): string {
  return `${word} Tw ${character} Tc T*\n`;
}
