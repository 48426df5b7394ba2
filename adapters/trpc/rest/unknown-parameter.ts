import { isStructured, nameOf } from "../../../wire/json/json-bounds.ts";
import { keepsKeys, type Parameter, type ProcedureInput } from "../schema/input.ts";
import { fits } from "../schema/reading.ts";
import type { Arm, ObjectShape, Shape } from "../schema/shape.ts";
import { isOneOfObjects, leavesOf } from "../schema/shape-parts.ts";

/** Something that was ignored, reported with the result. */
export interface Warning {
  readonly code: string;
}

// They are sent in headers, and some clients refuse an answer with more than 8 KiB of those.
const MAX_WARNINGS = 10;

/** Warns of a name that was ignored and suggests the nearest one; after many names it stops naming them. */
export function warnUnknownParameter(
  warnings: Warning[],
  name: string,
  parameters: readonly Pick<Parameter, "name">[],
): void {
  const known = parameters.map((parameter) => parameter.name);
  if (warnings.length < MAX_WARNINGS) warnings.push(describe(name, known));
  else if (warnings.length === MAX_WARNINGS) warnings.push({ code: "more_unknown_parameters" });
}

/** Warns of a body that is not read. Its stream is not asked: on Deno it is there for a body of nothing, too. */
export function warnOfBody({
  request: { headers },
  warnings,
}: {
  readonly request: Request;
  readonly warnings: Warning[];
}): void {
  if (Number(headers.get("content-length") ?? 0) > 0 || headers.has("transfer-encoding"))
    warnings.push({ code: "body_ignored" });
}

/** Warns of keys that objects in an input drop: of objects that a value may be, none knows them. */
export function warnDropped(
  warnings: Warning[],
  input: unknown,
  { unknown, dropsInside, shape }: Pick<ProcedureInput, "unknown" | "dropsInside" | "shape">,
): void {
  if (unknown === "left out" || dropsInside)
    lookInside(input, insideOf([shape]), { path: [], warnings, budget: { left: MAX_TRIED } });
}

/** What a value may be, by all that its schema may mean; found out once. */
interface KnownKeys {
  /** Whether a key that nobody knows is dropped. */
  readonly drops: boolean;
  readonly names: readonly string[];
  /** What the value of a key may be; undefined where nothing in it is dropped, false where nobody knows the key. */
  readonly inside: (name: string) => KnownKeys | undefined | false;
  readonly item: (index: number) => KnownKeys | undefined;
  /** Of several objects those that a value is; undefined where it does not matter. */
  readonly fitting: (value: object, budget: InputPath["budget"]) => readonly Shape[] | undefined;
}

interface InputPath {
  readonly path: string[];
  readonly warnings: Warning[];
  /** How many more values may be tried against the arms of unions. */
  readonly budget: { left: number };
}

// The arms are tried once more for each level of a value, and a schema may hold itself.
const MAX_TRIED = 10_000;

function lookInside(value: unknown, all: KnownKeys | undefined, place: InputPath): void {
  if (!all || !isStructured(value) || place.warnings.length > MAX_WARNINGS) return;
  const fitting = all.fitting(value, place.budget);
  const known = fitting ? insideOf(fitting) : all;
  if (!known) return;
  const isList = Array.isArray(value);
  for (const name of Object.keys(value)) {
    const inside = isList ? known.item(Number(name)) : known.inside(name);
    if (inside === undefined || (inside === false && !known.drops)) continue;
    place.path.push(name);
    if (inside) lookInside(Reflect.get(value, name), inside, place);
    else warnUnknownParameter(place.warnings, nameOf(place.path), besides(place, known));
    place.path.pop();
  }
}

function besides({ path }: InputPath, { names }: KnownKeys): readonly { name: string }[] {
  return names.map((name) => ({ name: nameOf([...path.slice(0, -1), name]) }));
}

const looked = new WeakMap<Shape, KnownKeys>();

function insideOf(shapes: readonly Shape[]): KnownKeys | undefined {
  const only = shapes.length === 1 ? shapes[0] : undefined;
  // Asked first: looking through a shape takes longer than most inputs.
  const before = only && looked.get(only);
  if (before || shapes.every(keepsKeys)) return before;
  const leaves = shapes.flatMap(leavesOf);
  // What is not looked into, such as `z.any()`, may keep everything.
  if (leaves.some(({ kind }) => kind === "any" || kind === "map")) return undefined;
  const made = knownKeys(leaves, shapes);
  if (only) looked.set(only, made);
  return made;
}

function knownKeys(leaves: readonly Shape[], shapes: readonly Shape[]): KnownKeys {
  const objects = leaves.filter((leaf) => leaf.kind === "object");
  const isOneOf = shapes.some(isOneOfObjects);
  const literals = literalsOf(objects);
  const lists = leaves.flatMap((leaf) => (leaf.kind === "list" ? [leaf] : []));
  const found = new Map<string, KnownKeys | undefined>();
  let item: { of: KnownKeys | undefined } | undefined;
  return {
    drops: objects.some(({ isStrict }) => !isStrict),
    names: objects.flatMap(({ properties }) => [...properties.keys()]),
    inside: (name) => {
      if (found.has(name)) return found.get(name);
      const shapes = objects.flatMap(({ properties, others }) => properties.get(name) ?? others);
      if (shapes.length === 0) return false;
      const inside = insideOf(shapes);
      // Names that a caller has chosen are not kept.
      if (objects.some(({ properties }) => properties.has(name))) found.set(name, inside);
      return inside;
    },
    item: (index) => {
      const isFirst = lists.some(({ first }) => index < first.length);
      if (isFirst) return insideOf(lists.flatMap(({ first, others }) => first[index] ?? others));
      item ??= { of: insideOf(lists.flatMap(({ others }) => others)) };
      return item.of;
    },
    fitting: (value, budget) => {
      if (!isOneOf) return undefined;
      const isFit = ({ properties }: ObjectShape) =>
        literals.every((name) => {
          const field = properties.get(name);
          return field?.kind !== "values" || field.values.includes(Reflect.get(value, name));
        });
      const some = objects.filter(isFit);
      const likely = some.length > 0 ? some : objects;
      if (!isKeyOfSome(value, likely)) return likely.length < objects.length ? likely : undefined;
      budget.left -= countValues(value, budget.left);
      return budget.left > 0 ? shapes.flatMap((shape) => chosenOf(shape, value)) : undefined;
    },
  };
}

// The keys that tell objects apart: in some of them a literal or one of several, as in a discriminated union.
function literalsOf(objects: readonly ObjectShape[]): readonly string[] {
  const fields = objects.flatMap(({ properties }) => [...properties]);
  return [...new Set(fields.flatMap(([name, { kind }]) => (kind === "values" ? [name] : [])))];
}

/** Whether a key of a value is known to some of these objects and not to others. */
function isKeyOfSome(value: object, objects: readonly ObjectShape[]): boolean {
  return Object.keys(value).some((name) => {
    const knowing = objects.filter(
      ({ properties, others }) => properties.has(name) || others.length > 0,
    ).length;
    return knowing > 0 && knowing < objects.length;
  });
}

/** How many values are in one; no more than `most` are counted. */
function countValues(value: unknown, most: number): number {
  let count = 1;
  if (!isStructured(value)) return count;
  for (const inner of Object.values(value)) {
    if (count >= most) return most;
    count += countValues(inner, most - count);
  }
  return count;
}

/** What a value may be: of a union the first arm that takes it, as zod chooses, or all that say so later. */
function chosenOf(shape: Shape, value: object): Shape[] {
  if (shape.kind === "both") return shape.parts.flatMap((part) => chosenOf(part, value));
  if (shape.kind !== "union") return [shape];
  const later: Arm[] = [];
  for (const arm of shape.arms) {
    const isTaken = fits(arm.schema, value);
    if (isTaken) return chosenOf(arm.shape, value);
    if (isTaken === undefined) later.push(arm);
  }
  return later.length > 0 ? later.flatMap((arm) => chosenOf(arm.shape, value)) : leavesOf(shape);
}

function describe(name: string, known: readonly string[]): Warning & { parameter: string; nearest?: string } {
  // Cut first: a body may have a key of many megabytes.
  const parameter = name.slice(0, 64).replace(/[^\x21-\x7e]/g, "?");
  const nearest = nearestOf(name, known);
  return { code: "unknown_parameter", parameter, ...(nearest !== undefined && { nearest }) };
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, 64).toLowerCase();
  const ranked = known.map((each) => ({ each, distance: editDistance(wanted, each.toLowerCase()) }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.ceil(best.each.length / 3) ? best.each : undefined;
}

/** How many letters have to be replaced, added or left out to make one of the other. */
export function editDistance(a: string, b: string): number {
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
