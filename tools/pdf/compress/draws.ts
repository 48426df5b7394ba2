import { forEachOperation, type Operation } from "../content/operations.ts";
import {
  addMatrix,
  createMatrixSet,
  IDENTITY,
  matricesOf,
  type Matrix,
  type MatrixSet,
  multiply,
} from "./matrix.ts";

/** The kinds of resources through which content can draw images. */
export type DrawingKind = "XObject" | "Pattern" | "Font" | "ExtGState";

/** A resource that content draws with, and the matrices under which it does. */
export interface Draw {
  readonly kind: DrawingKind;
  readonly name: string;
  readonly matrices: readonly Matrix[];
}

interface TextState {
  font: string;
  size: number;
  /** Horizontal scaling, 1 for 100 %. */
  stretch: number;
}

interface Scan {
  readonly draws: Map<string, { kind: DrawingKind; name: string; set: MatrixSet }>;
  readonly saved: { matrix: Matrix; text: TextState }[];
  matrix: Matrix;
  text: TextState;
  textMatrix: Matrix;
  /** Whether the font, its size or a matrix has changed since text was last noted. */
  isNewText: boolean;
}

const MOST_SAVED = 10_000;

/**
 * What a content stream draws with and how large (ISO 32000-1, annex A), relative to where it begins; undefined where its
 * syntax is so unusual that programs may read it in different ways.
 */
export function readDraws(content: Uint8Array): Draw[] | undefined {
  const scan: Scan = {
    draws: new Map(),
    saved: [],
    matrix: IDENTITY,
    text: { font: "", size: 0, stretch: 1 },
    textMatrix: IDENTITY,
    isNewText: true,
  };
  if (!forEachOperation(content, (operation) => apply(scan, operation))) return undefined;
  return [...scan.draws.values()].map(({ kind, name, set }) => ({ kind, name, matrices: matricesOf(set) }));
}

function apply(scan: Scan, operation: Operation): void {
  const name = operation.names.at(-1);
  switch (operation.operator) {
    case "q":
      if (scan.saved.length < MOST_SAVED) scan.saved.push({ matrix: scan.matrix, text: { ...scan.text } });
      return;
    case "Q":
      Object.assign(scan, scan.saved.pop());
      scan.isNewText = true;
      return;
    case "cm":
      scan.matrix = multiply(operandMatrix(operation), scan.matrix);
      scan.isNewText = true;
      return;
    case "Do":
      return draw(scan, { kind: "XObject", name, matrix: scan.matrix });
    case "gs":
      return draw(scan, { kind: "ExtGState", name, matrix: scan.matrix });
    // A pattern starts from the matrix with which the content began (8.7.3.1).
    case "scn":
    case "SCN":
      return draw(scan, { kind: "Pattern", name, matrix: IDENTITY });
    default:
      applyText(scan, operation);
  }
}

function applyText(scan: Scan, operation: Operation): void {
  const [first = 0] = operation.numbers;
  switch (operation.operator) {
    case "BT":
      scan.textMatrix = IDENTITY;
      break;
    case "Tm":
      scan.textMatrix = operandMatrix(operation);
      break;
    case "Tf":
      scan.text = { ...scan.text, font: operation.names.at(-1) ?? "", size: first };
      break;
    case "Tz":
      scan.text = { ...scan.text, stretch: first / 100 };
      break;
    case "Tj":
    case "TJ":
    case "'":
    case '"':
      return drawText(scan);
    default:
      return;
  }
  scan.isNewText = true;
}

function drawText(scan: Scan): void {
  if (!scan.isNewText) return;
  scan.isNewText = false;
  const { font: name, size, stretch } = scan.text;
  const scaled = multiply([size * stretch, 0, 0, size], scan.textMatrix);
  draw(scan, { kind: "Font", name, matrix: multiply(scaled, scan.matrix) });
}

function operandMatrix({ numbers }: Operation): Matrix {
  const [a = 1, b = 0, c = 0, d = 1] = numbers.slice(-6);
  return [a, b, c, d];
}

function draw(
  { draws }: Scan,
  { kind, name, matrix }: { kind: DrawingKind; name: string | undefined; matrix: Matrix },
): void {
  if (!name) return;
  const key = `${kind} ${name}`;
  const known = draws.get(key) ?? { kind, name, set: createMatrixSet() };
  draws.set(key, known);
  addMatrix(known.set, matrix);
}
