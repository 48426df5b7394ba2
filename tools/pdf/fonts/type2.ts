import { type Glyph, type Stem, type Step, Uncertain } from "./glyph.ts";

/** Numbers before an operator, and stems of a glyph (Adobe Technical Note 5177, appendix B). */
const [MOST_NUMBERS, MOST_STEMS] = [48, 96];
const [SHORT_MIN, SHORT_MAX] = [-32_768, 32_767];

/**
 * A glyph as a charstring of Type 2 (Adobe Technical Note 5177). Its width is written where it is not the usual one.
 * @throws Uncertain
 */
export function writeGlyph({ width, steps }: Glyph, usualWidth: number): Uint8Array {
  const output: number[] = [];
  // In front of what clears the stack first.
  const before = width === usualWidth ? [] : [width - usualWidth];
  const hints = hintsOf(steps);
  writeStems(output, { hints, before });
  let masked: readonly Stem[] | undefined;
  for (let i = 0; i < steps.length;) {
    const step = steps[i];
    if (step?.kind === "hints") {
      if (hints.areMasked && !isSame(step.stems, masked))
        writeMask(output, { stems: step.stems, hints, before });
      masked = step.stems;
      i++;
    } else i += writeRun(output, { steps, from: i, before });
  }
  writeOperator(output, before.splice(0), 14);
  return Uint8Array.from(output);
}

interface Hints {
  /** In order, across and upright ones. */
  readonly across: readonly Stem[];
  readonly upright: readonly Stem[];
  /** Whether not all of them are held to everywhere. */
  readonly areMasked: boolean;
}

function hintsOf(steps: readonly Step[]): Hints {
  const sets = steps.flatMap((step) => (step.kind === "hints" ? [step.stems] : []));
  const all = new Map(sets.flat().map((stem) => [keyOf(stem), stem]));
  if (all.size > MOST_STEMS) throw new Uncertain();
  const sorted = [...all.values()].toSorted((a, b) => a.at - b.at || a.width - b.width);
  const areMasked = sets.some((set) => new Set(set.map(keyOf)).size < all.size);
  return {
    across: sorted.filter(({ isVertical }) => !isVertical),
    upright: sorted.filter(({ isVertical }) => isVertical),
    areMasked,
  };
}

function keyOf({ isVertical, at, width }: Stem): string {
  return `${isVertical} ${at} ${width}`;
}

function isSame(stems: readonly Stem[], others: readonly Stem[] | undefined): boolean {
  const keys = new Set(stems.map(keyOf));
  const known = new Set(others?.map(keyOf));
  return others !== undefined && keys.size === known.size && [...keys].every((key) => known.has(key));
}

interface FirstNumbers {
  /** The width, until it is written. */
  readonly before: number[];
}

/** hstem and vstem, or hstemhm and vstemhm where masks follow. */
function writeStems(output: number[], { hints, before }: FirstNumbers & { hints: Hints }): void {
  const { across, upright, areMasked } = hints;
  const lists = [
    [across, areMasked ? 18 : 1],
    [upright, areMasked ? 23 : 3],
  ] as const;
  for (const [stems, operator] of lists) {
    if (stems.length === 0) continue;
    const numbers = before.splice(0);
    let edge = 0;
    for (const { at, width } of stems) {
      numbers.push(at - edge, width);
      edge = at + width;
    }
    writeOperator(output, numbers, operator);
  }
}

/** hintmask: a bit for each stem. */
function writeMask(
  output: number[],
  { stems, hints, before }: FirstNumbers & { stems: readonly Stem[]; hints: Hints },
): void {
  const wanted = new Set(stems.map(keyOf));
  const all = [...hints.across, ...hints.upright];
  const mask = new Uint8Array(Math.ceil(all.length / 8));
  for (const [i, stem] of all.entries())
    if (wanted.has(keyOf(stem))) mask[i >> 3] = (mask[i >> 3] ?? 0) | (0x80 >> (i & 7));
  writeOperator(output, before.splice(0), 19);
  output.push(...mask);
}

interface Run extends FirstNumbers {
  readonly steps: readonly Step[];
  readonly from: number;
}

/** Writes as many steps as one operator takes; how many these are. */
function writeRun(output: number[], { steps, from, before }: Run): number {
  const step = steps[from];
  if (!step || step.kind === "hints") throw new Uncertain();
  if (step.kind === "move") {
    const [dx, dy] = step.by;
    const moved =
      dy === 0 ? ([[dx], 22] as const) : dx === 0 ? ([[dy], 4] as const) : ([[dx, dy], 21] as const);
    writeOperator(output, [...before.splice(0), ...moved[0]], moved[1]);
    return 1;
  }
  if (step.kind === "flex") {
    writeOperator(output, [...step.by, step.depth], FLEX);
    return 1;
  }
  return step.kind === "line" ? writeLines(output, { steps, from }) : writeCurves(output, { steps, from });
}

/** Operators of two bytes, the first of which is 12. */
const ESCAPED = 256;
const FLEX = ESCAPED + 35;

type Steps = Pick<Run, "steps" | "from">;

/** rlineto, or hlineto and vlineto for lines that are level and upright in turns. */
function writeLines(output: number[], { steps, from }: Steps): number {
  const first = lineKind(steps[from]);
  const numbers: number[] = [];
  let at = from;
  for (let kind = first; ; at++) {
    const step = steps[at];
    if (step?.kind !== "line" || lineKind(step) !== kind || numbers.length + 2 > MOST_NUMBERS) break;
    numbers.push(...step.by.filter((_, i) => kind === "any" || i === (kind === "level" ? 0 : 1)));
    if (kind !== "any") kind = kind === "level" ? "upright" : "level";
  }
  writeOperator(output, numbers, { any: 5, level: 6, upright: 7 }[first]);
  return at - from;
}

function lineKind(step: Step | undefined): "any" | "level" | "upright" {
  const [dx = 0, dy = 0] = step?.kind === "line" ? step.by : [];
  if (dy === 0) return "level";
  return dx === 0 ? "upright" : "any";
}

/** rrcurveto, or one of the four for curves that begin and end level or upright. */
function writeCurves(output: number[], { steps, from }: Steps): number {
  const first = curveKind(steps[from]);
  const { operator, next } = CURVES[first];
  const numbers: number[] = [];
  let at = from;
  for (let kind: CurveKind = first; ; at++) {
    const step = steps[at];
    if (step?.kind !== "curve" || curveKind(step) !== kind) break;
    const { places } = CURVES[kind];
    if (numbers.length + places.length > MOST_NUMBERS) break;
    numbers.push(...places.map((place) => step.by[place] ?? 0));
    kind = next === "turn" ? (kind === "hv" ? "vh" : "hv") : kind;
  }
  writeOperator(output, numbers, operator);
  return at - from;
}

type CurveKind = "rr" | "hv" | "vh" | "hh" | "vv";

/** Which of a curve's six numbers are written, and what follows in the same operator: one of its kind, or of the other. */
const CURVES: Readonly<
  Record<CurveKind, { operator: number; places: readonly number[]; next: "same" | "turn" }>
> = {
  rr: { operator: 8, places: [0, 1, 2, 3, 4, 5], next: "same" },
  hv: { operator: 31, places: [0, 2, 3, 5], next: "turn" },
  vh: { operator: 30, places: [1, 2, 3, 4], next: "turn" },
  hh: { operator: 27, places: [0, 2, 3, 4], next: "same" },
  vv: { operator: 26, places: [1, 2, 3, 5], next: "same" },
};

function curveKind(step: Step | undefined): CurveKind {
  const [dx1 = 0, dy1 = 0, , , dx3 = 0, dy3 = 0] = step?.kind === "curve" ? step.by : [];
  if (dy1 === 0 && dx3 === 0) return "hv";
  if (dx1 === 0 && dy3 === 0) return "vh";
  if (dy1 === 0 && dy3 === 0) return "hh";
  return dx1 === 0 && dx3 === 0 ? "vv" : "rr";
}

function writeOperator(output: number[], numbers: readonly number[], operator: number): void {
  if (numbers.length > MOST_NUMBERS) throw new Uncertain();
  for (const value of numbers) writeNumber(output, value);
  if (operator >= ESCAPED) output.push(12, operator - ESCAPED);
  else output.push(operator);
}

/** Section 3.2. */
function writeNumber(output: number[], value: number): void {
  if (!(value >= SHORT_MIN && value <= SHORT_MAX)) throw new Uncertain();
  if (!Number.isInteger(value)) {
    const fixed = Math.round(value * 65_536);
    output.push(255, (fixed >> 24) & 0xff, (fixed >> 16) & 0xff, (fixed >> 8) & 0xff, fixed & 0xff);
  } else if (Math.abs(value) <= 107) output.push(value + 139);
  else if (Math.abs(value) <= 1_131) {
    const rest = Math.abs(value) - 108;
    output.push((value > 0 ? 247 : 251) + (rest >> 8), rest & 0xff);
  } else output.push(28, (value >> 8) & 0xff, value & 0xff);
}
