import { byteAt } from "../../../wire/bytes.ts";

/** One step of drawing a glyph, in units of the font and relative to the point before. */
export type Step =
  | { readonly kind: "move" | "line"; readonly by: readonly [dx: number, dy: number] }
  | { readonly kind: "curve"; readonly by: readonly number[] }
  /** Two curves that are a line where they would be less than `depth` hundredths of a pixel apart from it. */
  | { readonly kind: "flex"; readonly by: readonly number[]; readonly depth: number }
  /** From here on, these of the stems are what is held to the grid. */
  | { readonly kind: "hints"; readonly stems: readonly Stem[] };

/** A stroke between two edges. */
export interface Stem {
  readonly isVertical: boolean;
  readonly at: number;
  readonly width: number;
}

/** What a charstring draws. */
export interface Glyph {
  readonly width: number;
  readonly steps: readonly Step[];
}

/** Of the commands of a charstring of Type 1, those of two bytes, the first of which is 12 (6.4). */
export const ESCAPED = 32;
/** hstem, vstem and those for three stems at once. */
export const STEMS: ReadonlyMap<number, boolean> = new Map([
  [1, false],
  [3, true],
  [ESCAPED + 1, true],
  [ESCAPED + 2, false],
]);

/** A command that moves or draws: which of its numbers each coordinate is. */
export interface PathCommand {
  readonly kind: "move" | "line" | "curve";
  readonly places: readonly number[];
}

/** In the place of a coordinate that is 0. */
const NONE = -1;
export const PATHS: ReadonlyMap<number, PathCommand> = new Map([
  [4, { kind: "move", places: [NONE, 0] }],
  [5, { kind: "line", places: [0, 1] }],
  [6, { kind: "line", places: [0, NONE] }],
  [7, { kind: "line", places: [NONE, 0] }],
  [8, { kind: "curve", places: [0, 1, 2, 3, 4, 5] }],
  [21, { kind: "move", places: [0, 1] }],
  [22, { kind: "move", places: [0, NONE] }],
  [30, { kind: "curve", places: [NONE, 0, 1, 2, 3, NONE] }],
  [31, { kind: "curve", places: [0, NONE, 1, 2, NONE, 3] }],
]);

/** A number in a charstring (Adobe Type 1 Font Format, 6.2), and how many bytes it takes. */
export function numberAt(program: Uint8Array, at: number): { value: number; length: number } {
  const [first, second] = [byteAt(program, at), byteAt(program, at + 1)];
  if (first <= 246) return { value: first - 139, length: 1 };
  if (first <= 250) return { value: (first - 247) * 256 + second + 108, length: 2 };
  if (first <= 254) return { value: -(first - 251) * 256 - second - 108, length: 2 };
  const value = (second << 24) | (byteAt(program, at + 2) << 16) | (byteAt(program, at + 3) << 8);
  return { value: value | byteAt(program, at + 4), length: 5 };
}

/** A font of which something cannot be told with certainty. */
export class Uncertain extends Error {}

/** What is made of a font; undefined where that is uncertain, so that the font stays as it is. */
export function ifCertain<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Uncertain) return undefined;
    throw error;
  }
}
