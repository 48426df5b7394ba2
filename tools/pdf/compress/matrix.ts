/** The part of a transformation matrix (ISO 32000-1, 8.3.3) that says how large something is drawn: a, b, c, d. */
export type Matrix = readonly [a: number, b: number, c: number, d: number];

export const IDENTITY: Matrix = [1, 0, 0, 1];

/** The first transformation followed by the second. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d] = first;
  const [e, f, g, h] = second;
  return [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h];
}

/** A matrix under which nothing is drawn smaller than under the other, in steps of two. */
function boundOf([a, b, c, d]: Matrix): number {
  const norm = Math.hypot(a, b, c, d);
  return norm < LARGEST ? 2 ** Math.ceil(Math.log2(Math.max(norm, 1 / LARGEST))) : LARGEST;
}

/** Stands for every larger scale, and for one that is not known. */
export const LARGEST = 2 ** 24;

const MOST_EXACT = 16;

/**
 * Matrices under which one thing is drawn: a few as they are, and one bound for all the others, so that a drawing that
 * repeats or contains itself without end is looked at a few times only.
 */
export interface MatrixSet {
  readonly exact: Matrix[];
  /** The scale of the bound; 0 without one. */
  bound: number;
}

export function createMatrixSet(): MatrixSet {
  return { exact: [], bound: 0 };
}

/** Adds a matrix; what has to be looked at because of it, or undefined where the set already covers it. */
export function addMatrix(set: MatrixSet, matrix: Matrix): Matrix | undefined {
  if (set.bound === LARGEST) return undefined;
  const isKnown = matrix.every((each) => Math.abs(each) < LARGEST);
  if (isKnown && set.exact.some((each) => isNear(each, matrix))) return undefined;
  if (isKnown && set.exact.length < MOST_EXACT) {
    set.exact.push(matrix);
    return matrix;
  }
  const bound = boundOf(matrix);
  if (bound <= set.bound) return undefined;
  set.bound = bound;
  return [bound, 0, 0, bound];
}

/** A thousandth of a size is less than a pixel of most images. */
const NEAR = 1e-3;

function isNear(a: Matrix, b: Matrix): boolean {
  const most = NEAR * Math.hypot(...a);
  return a.every((each, i) => Math.abs(each - (b[i] ?? 0)) <= most);
}

export function matricesOf({ exact, bound }: MatrixSet): Matrix[] {
  return [...exact, ...(bound > 0 ? [[bound, 0, 0, bound] as const] : [])];
}
