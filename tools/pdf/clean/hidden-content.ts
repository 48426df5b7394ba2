import { type Bytes, joinBytes, utf8 } from "../../../wire/bytes.ts";
import { forEachOperation, type Operation } from "../content/operations.ts";

/** Of a name under /Properties: whether what it stands for is a layer, and a shown one. */
export type FindLayer = (name: string) => "shown" | "hidden" | "no layer";

interface Mark {
  readonly isHidden: boolean;
  /** Whether its beginning was written, and its end is to be. */
  readonly isWritten: boolean;
}

interface Rewriting {
  readonly content: Bytes;
  readonly findLayer: FindLayer;
  readonly written: Uint8Array[];
  readonly marks: Mark[];
  /** How many of the open marks are hidden. */
  hidden: number;
  /** The path that hidden content has begun, and how it clips; undefined for no path. */
  path: { readonly pieces: Uint8Array[]; clip: "" | "W" | "W*" } | undefined;
  hasLayers: boolean;
}

const CONSTRUCTION = ["m", "l", "c", "v", "y", "h", "re"];
const PAINTING = ["f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n"];
/** What shows or names something. All other operators set the state, which hidden content does too (8.11.3.2). */
const SHOWING = ["Tj", "TJ", "Do", "sh", "BI", "MP", "DP"];
const SPACE = utf8("\n");

/**
 * Content without what it shows on hidden layers, and without marks of layers; undefined where there are none.
 * @throws UnusualContent where programs may read the content in different ways
 */
export function withoutHidden(content: Bytes, findLayer: FindLayer): Bytes | undefined {
  const rewriting: Rewriting = {
    ...{ content, findLayer, written: [], marks: [] },
    ...{ hidden: 0, path: undefined, hasLayers: false },
  };
  if (!forEachOperation(content, (operation) => rewrite(rewriting, operation))) throw new UnusualContent();
  return rewriting.hasLayers ? joinBytes(rewriting.written) : undefined;
}

export class UnusualContent extends Error {}

function rewrite(rewriting: Rewriting, operation: Operation): void {
  const { operator } = operation;
  if (operator === "BDC" || operator === "BMC") return openMark(rewriting, operation);
  if (operator === "EMC") return closeMark(rewriting, operation);
  if (rewriting.hidden === 0) copy(rewriting, operation);
  else rewriteHidden(rewriting, operation);
}

function copy({ content, written }: Rewriting, { from, to }: Operation): void {
  written.push(content.subarray(from, to), SPACE);
}

function openMark(rewriting: Rewriting, operation: Operation): void {
  const { findLayer, written, marks } = rewriting;
  const [tag, name] = operation.names;
  const layer =
    operation.operator === "BDC" && tag === "OC" && name !== undefined ? findLayer(name) : "no layer";
  if (layer !== "no layer") rewriting.hasLayers = true;
  const isHidden = layer === "hidden";
  if (isHidden) rewriting.hidden++;
  const isWritten = rewriting.hidden === 0;
  if (isWritten && layer === "shown") written.push(utf8("/OC BMC\n"));
  else if (isWritten) copy(rewriting, operation);
  marks.push({ isHidden, isWritten });
}

function closeMark(rewriting: Rewriting, operation: Operation): void {
  const mark = rewriting.marks.pop();
  if (mark?.isHidden) rewriting.hidden--;
  // An end without a beginning is not ours to take.
  if (mark?.isWritten ?? rewriting.hidden === 0) copy(rewriting, operation);
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
