import { nameOf } from "../../../wire/json/json-bounds.ts";
import type { Parameter } from "../schema/input.ts";
import { leavesOf, type Shape } from "../schema/shape.ts";

/** Something that was ignored, reported with the result. */
export interface Warning {
  readonly code: string;
}

// They are sent in headers, and some clients refuse an answer with more than 8 KiB of those.
const MAX_WARNINGS = 10;

/** Warns of a name that was ignored and suggests the nearest one; after many names it stops naming them. */
export function warnUnknownParameter(
  warnings: Warning[],
  { name, parameters }: { name: string; parameters: readonly Pick<Parameter, "name">[] },
): void {
  const known = parameters.map((parameter) => parameter.name);
  if (warnings.length < MAX_WARNINGS) warnings.push(describe(name, known));
  else if (warnings.length === MAX_WARNINGS) warnings.push({ code: "more_unknown_parameters" });
}

/** Warns of keys that objects inside the parameters drop: of objects that a value may be, none knows them. */
export function warnUnknownInside(
  warnings: Warning[],
  values: Readonly<Record<string, unknown>>,
  shape: Shape,
): void {
  for (const [name, value] of Object.entries(values)) {
    const shapes = leavesOf(shape).flatMap((leaf) => innerShapes(leaf, name) ?? []);
    lookInside(value, { path: [name], shapes, warnings });
  }
}

interface Place {
  readonly path: readonly string[];
  /** All that the schema may mean by a value here. */
  readonly shapes: readonly Shape[];
  readonly warnings: Warning[];
}

function lookInside(value: unknown, { path, shapes, warnings }: Place): void {
  if (!isTable(value) || warnings.length > MAX_WARNINGS) return;
  const kind = Array.isArray(value) ? "list" : "object";
  const leaves = shapes.flatMap(leavesOf);
  // What is not looked into, such as `z.any()`, may keep everything.
  if (leaves.some((leaf) => leaf.kind === "any" || leaf.kind === "map")) return;
  const fitting = leaves.filter((leaf) => leaf.kind === kind);
  const drops = fitting.some((leaf) => leaf.kind === "object" && !leaf.isStrict);
  for (const [name, inner] of Object.entries(value)) {
    const known = fitting.flatMap((leaf) => innerShapes(leaf, name) ?? []);
    const there = [...path, name];
    if (known.length > 0) lookInside(inner, { path: there, shapes: known, warnings });
    else if (drops)
      warnUnknownParameter(warnings, { name: nameOf(there), parameters: namesIn(path, fitting) });
  }
}

function isTable(value: unknown): value is object {
  if (Array.isArray(value)) return true;
  return [Object.prototype, null].includes(Object.getPrototypeOf(value ?? 0));
}

function innerShapes(leaf: Shape, name: string): readonly Shape[] | undefined {
  if (leaf.kind === "list") return [leaf.first[Number(name)] ?? leaf.others].flat();
  if (leaf.kind !== "object") return undefined;
  return [leaf.properties.get(name) ?? leaf.others].flat();
}

function namesIn(path: readonly string[], shapes: readonly Shape[]): readonly { name: string }[] {
  return shapes.flatMap((shape) =>
    shape.kind === "object"
      ? [...shape.properties.keys()].map((name) => ({ name: nameOf([...path, name]) }))
      : [],
  );
}

function describe(name: string, known: readonly string[]): Warning & { parameter: string; nearest?: string } {
  const parameter = name.replace(/[^\x21-\x7e]/g, "?").slice(0, 64);
  const nearest = nearestOf(name, known);
  return { code: "unknown_parameter", parameter, ...(nearest !== undefined && { nearest }) };
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, 64).toLowerCase();
  const ranked = known.map((each) => ({ each, distance: editDistance(wanted, each.toLowerCase()) }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.ceil(best.each.length / 3) ? best.each : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    let [diagonal, left] = [i - 1, i];
    row = row.map((above, j) => {
      if (j === 0) return left;
      const replaced = diagonal + (a[i - 1] === b[j - 1] ? 0 : 1);
      diagonal = above;
      left = Math.min(replaced, above + 1, left + 1);
      return left;
    });
  }
  return row.at(-1) ?? 0;
}
