import { globalRegistry, type $ZodShape, type $ZodType, type $ZodTypes } from "zod/v4/core";

/**
 * What a schema of zod wants, as far as that decides how a text becomes a value and which names are known. Everything
 * that wraps a schema is taken off here, and nowhere else.
 */
export type Shape =
  | { readonly kind: "any" | "text" | "number" | "integer" | "bigint" | "boolean" | "date" | "null" }
  /** Bytes, a Blob, a File or a stream, by the class that the schema asks for. */
  | { readonly kind: "file"; readonly as: FileClass }
  | { readonly kind: "values"; readonly values: readonly unknown[] }
  | { readonly kind: "list" | "set"; readonly itemAt: (index: number) => Shape }
  | { readonly kind: "map"; readonly key: Shape; readonly value: Shape }
  | ObjectShape
  | { readonly kind: "union"; readonly arms: readonly Arm[] }
  | { readonly kind: "both"; readonly parts: readonly Shape[] }
  /** Of a schema that may hold itself. */
  | { readonly kind: "later"; readonly shape: () => Shape };

export interface ObjectShape {
  readonly kind: "object";
  readonly properties: ReadonlyMap<string, Shape>;
  /** Of all other keys; undefined where there are none. */
  readonly rest: Shape | undefined;
  /** Whether an unknown key is an error of the schema, which says so itself. */
  readonly isStrict: boolean;
}

/** One of several shapes, with the schema that tells whether a value fits it. */
export interface Arm {
  readonly shape: Shape;
  readonly schema: $ZodType;
}

export type FileClass = "bytes" | "blob" | "file" | "stream";

const ANY: Shape = { kind: "any" };
const TEXT: Shape = { kind: "text" };

/** Whether this is a schema of zod 4, of whichever copy; other validators have a Standard Schema at the most. */
export function isZod(schema: unknown): schema is $ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema;
}

/** The shape of what a parser takes; anything, where nobody can look into it. */
export function shapeOf(parser: unknown): Shape {
  return isZod(parser) ? shapeOfZod(parser) : ANY;
}

const known = new WeakMap<$ZodType, Shape>();

function shapeOfZod(schema: $ZodType): Shape {
  let shape = known.get(schema);
  if (!shape) known.set(schema, (shape = readShape(schema)));
  return shape;
}

function readShape(schema: $ZodType): Shape {
  // Every schema of zod is one of these (zod.dev/library-authors).
  const { def } = (schema as $ZodTypes)._zod;
  // It makes its own value of what was sent.
  if ("coerce" in def && def.coerce) return TEXT;
  switch (def.type) {
    case "string":
    case "template_literal":
      return TEXT;
    case "number":
      return { kind: isInteger(schema) ? "integer" : "number" };
    case "bigint":
    case "boolean":
    case "date":
    case "null":
      return { kind: def.type };
    case "enum":
      return { kind: "values", values: Object.values(def.entries) };
    case "literal":
      return { kind: "values", values: def.values };
    case "file":
      return { kind: "file", as: "file" };
    case "custom":
      return customShape(schema);
    case "array":
      return { kind: "list", itemAt: () => shapeOfZod(def.element) };
    case "set":
      return { kind: "set", itemAt: () => shapeOfZod(def.valueType) };
    case "tuple":
      return {
        kind: "list",
        itemAt: (index) => shapeOf(def.items[index] ?? def.rest),
      };
    case "map":
      return { kind: "map", key: shapeOfZod(def.keyType), value: shapeOfZod(def.valueType) };
    case "object":
      return objectShape(def.shape, def.catchall);
    case "record":
      return { kind: "object", properties: new Map(), rest: shapeOfZod(def.valueType), isStrict: false };
    case "union":
      return unionOf(def.options);
    case "intersection":
      return { kind: "both", parts: [shapeOfZod(def.left), shapeOfZod(def.right)] };
    case "nullable":
      return {
        kind: "union",
        arms: [
          { shape: shapeOfZod(def.innerType), schema: def.innerType },
          { shape: { kind: "null" }, schema },
        ],
      };
    case "optional":
    case "default":
    case "prefault":
    case "nonoptional":
    case "success":
    case "catch":
    case "readonly":
    case "promise":
      return shapeOfZod(def.innerType);
    case "lazy":
      return { kind: "later", shape: () => shapeOfZod(def.getter()) };
    case "pipe":
      return pipeShape(schema, def);
    default:
      return ANY;
  }
}

function isInteger({ _zod: { bag } }: $ZodType): boolean {
  return ["safeint", "int32", "uint32"].includes(String(bag.format));
}

// Whatever comes before the schema is a function that may want the text or the value: what fits decides.
function pipeShape(schema: $ZodType, { in: first, out }: { in: $ZodType; out: $ZodType }): Shape {
  if (!first._zod.traits.has("$ZodTransform")) return shapeOfZod(first);
  const inner = shapeOfZod(out);
  if (inner.kind === "any") return inner;
  return {
    kind: "union",
    arms: [
      { shape: ANY, schema },
      { shape: inner, schema },
    ],
  };
}

function objectShape(shape: $ZodShape, catchall: $ZodType | undefined): ObjectShape {
  // Of the two, an object that refuses unknown keys has `never`, and one that leaves them out has nothing.
  const isStrict = catchall?._zod.def.type === "never";
  return {
    kind: "object",
    properties: new Map(Object.entries(shape).map(([name, field]) => [name, later(field)])),
    rest: catchall && !isStrict ? shapeOfZod(catchall) : undefined,
    isStrict,
  };
}

// A field that is a getter may lead back to its own object.
function later(schema: $ZodType): Shape {
  return { kind: "later", shape: () => shapeOfZod(schema) };
}

function unionOf(schemas: readonly $ZodType[]): Shape {
  return { kind: "union", arms: schemas.map((schema) => ({ shape: later(schema), schema })) };
}

// `z.instanceof` keeps its class in the bag; a schema of bytes without one says `format: "binary"` (bytes.ts).
function customShape(schema: $ZodType): Shape {
  const { bag } = schema._zod;
  const as = FILE_CLASSES.get(bag.Class) ?? (isBinary(schema) ? "bytes" : undefined);
  return as ? { kind: "file", as } : ANY;
}

function isBinary(schema: $ZodType): boolean {
  return globalRegistry.get(schema)?.format === "binary";
}

const FILE_CLASSES: ReadonlyMap<unknown, FileClass> = new Map<unknown, FileClass>([
  [Uint8Array, "bytes"],
  [Blob, "blob"],
  [globalThis.File, "file"],
  [ReadableStream, "stream"],
]);

/** A shape without what only stands before it. */
export function settled(shape: Shape): Shape {
  let inner = shape;
  while (inner.kind === "later") inner = inner.shape();
  return inner;
}

/** Every object that a shape may be: one, the parts of an intersection, the arms of a union. */
export function objectsOf(shape: Shape): ObjectShape[] {
  const inner = settled(shape);
  if (inner.kind === "object") return [inner];
  if (inner.kind === "both") return inner.parts.flatMap(objectsOf);
  return inner.kind === "union" ? inner.arms.flatMap((arm) => objectsOf(arm.shape)) : [];
}

/** Whether a value of this shape may be an object of parameters. */
export function mayBeObject(shape: Shape): boolean {
  const inner = settled(shape);
  if (inner.kind === "both") return inner.parts.every(mayBeObject);
  if (inner.kind === "union") return inner.arms.some((arm) => mayBeObject(arm.shape));
  return inner.kind === "object" || inner.kind === "any";
}

/** The shapes inside of a shape; of a list its first ones. */
export function partsOf(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case "list":
    case "set":
      return [0, 1, 2].map((index) => shape.itemAt(index));
    case "map":
      return [shape.key, shape.value];
    case "object":
      return [...shape.properties.values(), ...(shape.rest ? [shape.rest] : [])];
    case "both":
      return shape.parts;
    case "union":
      return shape.arms.map((arm) => arm.shape);
    default:
      return [];
  }
}

/** Whether a shape and all that is inside of it is of none of these kinds. */
export function isFreeOf(kinds: ReadonlySet<Shape["kind"]>, shape: Shape, seen = new Set<Shape>()): boolean {
  const inner = settled(shape);
  if (seen.has(inner)) return true;
  seen.add(inner);
  return !kinds.has(inner.kind) && partsOf(inner).every((part) => isFreeOf(kinds, part, seen));
}

/** The file that a field takes, by itself or as the items of a list; undefined where it takes none. */
export function fileOf(shape: Shape): { readonly as: FileClass; readonly isList: boolean } | undefined {
  const inner = settled(shape);
  if (inner.kind === "file") return { as: inner.as, isList: false };
  if (inner.kind === "union") return inner.arms.map((arm) => fileOf(arm.shape)).find((each) => each);
  const item = inner.kind === "list" ? fileOf(inner.itemAt(0)) : undefined;
  return item && { ...item, isList: true };
}
