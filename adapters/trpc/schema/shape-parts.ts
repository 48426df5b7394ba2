// Questions about a shape and what is inside it.
import { fits } from "./reading.ts";
import { ANY, type Arm, type FileClass, type ListShape, type ObjectShape, type Shape } from "./shape.ts";

/** All objects that a shape may be: itself, the parts of an intersection, the arms of a union. */
export function objectsOf(shape: Shape): ObjectShape[] {
  return leavesOf(shape).filter((leaf) => leaf.kind === "object");
}

/** What a shape may mean by one value: itself, the parts of an intersection, the arms of a union. */
export function leavesOf(shape: Shape): Shape[] {
  if (shape.kind === "both") return shape.parts.flatMap(leavesOf);
  return shape.kind === "union" ? shape.arms.flatMap((arm) => leavesOf(arm.shape)) : [shape];
}

/** Whether a value of this shape may be an object of parameters. */
export function mayBeObject(shape: Shape): boolean {
  if (shape.kind === "both") return shape.parts.every(mayBeObject);
  if (shape.kind === "union") return shape.arms.some((arm) => mayBeObject(arm.shape));
  return shape.kind === "object" || shape.kind === "any";
}

/** Whether a value of this shape may be null. */
export function mayBeNull(shape: Shape): boolean {
  return leavesOf(shape).some(({ kind }) => kind === "null");
}

/** Whether neither a shape nor anything inside it is so. */
export function isFreeOf(
  isSo: (shape: Shape) => boolean,
  shape: Shape,
  seen: Set<Shape> = new Set(),
): boolean {
  if (seen.has(shape)) return true;
  seen.add(shape);
  return !isSo(shape) && partsOf(shape).every((part) => isFreeOf(isSo, part, seen));
}

/** Whether JSON has no type for its values. */
export function isBeyondJson(shape: Shape): boolean {
  if (shape.kind === "values") return shape.values.some((value) => typeof value === "bigint");
  return shape.kind === "bigint" || shape.kind === "date" || shape.kind === "set" || shape.kind === "map";
}

function partsOf(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case "list":
    case "set":
      return [...shape.first, ...shape.others];
    case "map":
      return shape.of;
    case "object":
      return [...shape.properties.values(), ...shape.others];
    case "both":
      return shape.parts;
    case "union":
      return shape.arms.map((arm) => arm.shape);
    default:
      return [];
  }
}

/** The file that a field takes, itself or as items of a list; undefined where it takes none. */
export function fileOf(shape: Shape): { readonly as: FileClass; readonly isList: boolean } | undefined {
  if (shape.kind === "file") return { as: shape.as, isList: false };
  if (shape.kind === "union") return shape.arms.map((arm) => fileOf(arm.shape)).find((each) => each);
  const [item] = shape.kind === "list" ? shape.others : [];
  return item?.kind === "file" ? { as: item.as, isList: true } : undefined;
}

/** Whether a value of this shape is a list of lists or objects, and no text: a union takes what fits first. */
export function isNestedList(shape: Shape): boolean {
  if (shape.kind === "union") {
    const isText = (arm: Arm) => arm.shape.kind === "text" && fits(arm.schema, "[]") !== false;
    const first = shape.arms.find((arm) => isText(arm) || isNestedList(arm.shape));
    return first !== undefined && isNestedList(first.shape);
  }
  const isCompound = (part: Shape) => isTableShape(part) || isListShape(part);
  return leavesOf(shape).some(
    (leaf) => isListShape(leaf) && partsOf(leaf).flatMap(leavesOf).some(isCompound),
  );
}

/** Whether this JSON may be a value of a shape with neither arms nor parts. */
export function mayBe(leaf: Shape, item: unknown): boolean {
  if (leaf.kind === "null") return item === null;
  return leaf.kind === "map" || leaf.kind === "any" || isListShape(leaf) === Array.isArray(item);
}

/** Whether values of this shape are objects in JSON. */
export function isTableShape({ kind }: Shape): boolean {
  return kind === "object" || kind === "map";
}

/** The shape of an item of a list. */
export function itemAt({ first, others: [other = ANY] }: ListShape, index: number): Shape {
  return first[index] ?? other;
}

/** Whether values of this shape are lists in JSON. */
function isListShape(shape: Shape): shape is Shape & ListShape {
  return shape.kind === "list" || shape.kind === "set";
}

/** Whether a value of this shape is one of several objects. */
export function isOneOfObjects(shape: Shape): boolean {
  if (shape.kind === "both") return shape.parts.some(isOneOfObjects);
  return shape.kind === "union" && objectsOf(shape).length > 1;
}
