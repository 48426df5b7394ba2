import { globalRegistry, type $ZodLazy, type $ZodShape, type $ZodType, type $ZodTypes } from "zod/v4/core";

/**
 * What a zod schema wants, as far as it decides how a text becomes a value and which names are known. All wrappers of
 * schemas are removed here and nowhere else. A recursive schema has a recursive shape.
 */
export type Shape = ShapeKind & {
  /** The schema may make anything of what is read. */
  readonly isChanged?: true;
};

type ShapeKind =
  | { readonly kind: "any" | "text" | "number" | "integer" | "bigint" | "boolean" | "date" | "null" }
  /** A whole FormData, which REST divides into its fields. */
  | { readonly kind: "form" }
  /** Bytes, a Blob, a File or a stream, by the class that the schema asks for. */
  | { readonly kind: "file"; readonly as: FileClass }
  | { readonly kind: "values"; readonly values: readonly unknown[] }
  | ListShape
  | { readonly kind: "map"; readonly of: readonly Shape[] }
  | ObjectShape
  | { readonly kind: "union"; readonly arms: readonly Arm[] }
  | { readonly kind: "both"; readonly parts: readonly Shape[] };

export interface ListShape {
  readonly kind: "list" | "set";
  /** The first items of a tuple. */
  readonly first: readonly Shape[];
  /** All other items; empty where there are none. */
  readonly others: readonly Shape[];
}

export interface ObjectShape {
  readonly kind: "object";
  readonly properties: ReadonlyMap<string, Shape>;
  /** All other keys; empty where there are none. */
  readonly others: readonly Shape[];
  /** The schema of the other keys, where a record takes only some: those it refuses are another part's. */
  readonly keys?: $ZodType | undefined;
  /** Whether the schema itself refuses unknown keys. */
  readonly isStrict: boolean;
}

/** One of several shapes, with the schema that tells whether a value fits it. */
export interface Arm {
  readonly shape: Shape;
  readonly schema: $ZodType;
  /** The schema of all arms, where it takes only what fits no other one. */
  readonly exclusive?: $ZodType | undefined;
}

export type FileClass = "bytes" | "blob" | "file" | "stream";

/** For a schema that cannot be examined. */
export const ANY: Shape = { kind: "any" };
const TEXT: Shape = { kind: "text" };
/** A text for `z.coerce`. */
const COERCED: Shape = { kind: "text", isChanged: true };
/** A text for `z.coerce.boolean()`, which turns every text into true. */
export const COERCED_BOOLEAN: Shape = { kind: "text", isChanged: true };

/** Whether this is a schema of zod 4, of any copy; other validators are a Standard Schema at most. */
export function isZod(schema: unknown): schema is $ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema;
}

/** The shape of a parser's input; `ANY`, where it cannot be examined. */
export function shapeOf(parser: unknown): Shape {
  return isZod(parser) ? shapeOfZod(parser) : ANY;
}

/** The kind of value that a schema wants, even where it converts a text itself. */
export function kindOf(schema: $ZodType): string {
  const { def } = schema._zod;
  if (!("coerce" in def && def.coerce)) return shapeOf(schema).kind;
  return isInteger(schema) ? "integer" : def.type;
}

const known = new WeakMap<$ZodType, Shape>();

function shapeOfZod(schema: $ZodType): Shape {
  const read = known.get(schema) ?? readShape(schema);
  known.set(schema, read);
  return read;
}

function readShape(schema: $ZodType): Shape {
  // Every schema of zod is one of these (zod.dev/library-authors).
  const { def } = (schema as $ZodTypes)._zod;
  // A coercing schema converts the text itself.
  if ("coerce" in def && def.coerce) {
    if (def.type === "boolean") return COERCED_BOOLEAN;
    return def.type === "string" ? TEXT : COERCED;
  }
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
      return listShape(schema, { kind: "list", others: def.element });
    case "set":
      return listShape(schema, { kind: "set", others: def.valueType });
    case "tuple":
      return listShape(schema, { kind: "list", first: def.items, others: def.rest ?? undefined });
    case "map":
      return partsShape(schema, [def.keyType, def.valueType], (of) => ({ kind: "map", of }));
    case "object":
      return objectShape(schema, def.shape, def.catchall);
    case "record":
      return objectShape(schema, {}, def.valueType, isAnyKey(def.keyType) ? undefined : def.keyType);
    case "union":
      return unionShape(schema, def.options, { isExclusive: schema._zod.traits.has("$ZodXor") });
    case "intersection":
      return partsShape(schema, [def.left, def.right], (parts) => ({ kind: "both", parts }));
    case "nullable":
      return unionShape(schema, [def.innerType], { more: [{ shape: { kind: "null" }, schema }] });
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
      // Its getter makes a new schema each time.
      return shapeOfZod((schema as $ZodLazy)._zod.innerType);
    case "pipe":
      return pipeShape(schema, def);
    default:
      return ANY;
  }
}

// zod stores it in three places: in the bag, in the schema itself, or in one of its checks.
function isInteger({ _zod: { bag, def } }: $ZodType): boolean {
  const checks = def.checks ?? [];
  const formats = [bag, def, ...checks.map(({ _zod }) => _zod.def)].map((of) => Reflect.get(of, "format"));
  return formats.some((format) => ["safeint", "int32", "uint32"].includes(String(format)));
}

// What comes before the schema is a function that may want the text or the value: whichever fits.
function pipeShape(schema: $ZodType, { in: first, out }: { in: $ZodType; out: $ZodType }): Shape {
  if (!first._zod.traits.has("$ZodTransform")) return { ...shapeOfZod(first), isChanged: true };
  const shape = shapeOfZod(out);
  const arms = [ANY, shape].map((each) => ({ shape: each, schema }));
  return shape.kind === "any" ? ANY : { kind: "union", arms };
}

// Stored before its parts are read, because one of them may lead back to it.
function partsShape(
  schema: $ZodType,
  inner: readonly $ZodType[],
  make: (parts: readonly Shape[]) => Shape,
): Shape {
  const parts: Shape[] = [];
  const shape = make(parts);
  known.set(schema, shape);
  parts.push(...inner.map(shapeOfZod));
  return shape;
}

function listShape(
  schema: $ZodType,
  of: {
    kind: ListShape["kind"];
    first?: readonly $ZodType[] | undefined;
    others: $ZodType | undefined;
  },
): Shape {
  const first: Shape[] = [];
  const others: Shape[] = [];
  const shape: Shape = { kind: of.kind, first, others };
  known.set(schema, shape);
  first.push(...(of.first ?? []).map(shapeOfZod));
  if (of.others) others.push(shapeOfZod(of.others));
  return shape;
}

function isAnyKey({ _zod: { def } }: $ZodType): boolean {
  return def.type === "string" && !("format" in def) && (def.checks ?? []).length === 0;
}

function objectShape(
  schema: $ZodType,
  fields: $ZodShape,
  catchall: $ZodType | undefined,
  keys?: $ZodType,
): Shape {
  const properties = new Map<string, Shape>();
  const others: Shape[] = [];
  // An object that refuses unknown keys has `never` here, one that drops them has nothing.
  const isStrict = catchall?._zod.def.type === "never";
  const shape: Shape = { kind: "object", properties, others, keys, isStrict };
  known.set(schema, shape);
  for (const [name, field] of Object.entries(fields)) properties.set(name, shapeOfZod(field));
  if (catchall && !isStrict) others.push(shapeOfZod(catchall));
  return shape;
}

function unionShape(
  schema: $ZodType,
  options: readonly $ZodType[],
  { more = [], isExclusive }: { more?: readonly Arm[]; isExclusive?: boolean },
): Shape {
  const exclusive = isExclusive ? schema : undefined;
  const arms: Arm[] = [];
  const shape: Shape = { kind: "union", arms };
  known.set(schema, shape);
  arms.push(...options.map((option) => ({ shape: shapeOfZod(option), schema: option, exclusive })), ...more);
  return shape;
}

// `z.instanceof` stores its class in the bag; our schema of bytes has `format: "binary"` instead (bytes.ts).
function customShape(schema: $ZodType): Shape {
  const { bag } = schema._zod;
  if (bag.Class === FormData) return { kind: "form" };
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

const withCode = new WeakMap<$ZodType, boolean>();

/** Whether a schema, or one inside it, has code that it was given, which may be asynchronous: a refinement, a transform. */
export function runsCode(schema: $ZodType): boolean {
  let answer = withCode.get(schema);
  if (answer === undefined) withCode.set(schema, (answer = findCode(schema, new Set())));
  return answer;
}

function findCode(schema: $ZodType, seen: Set<$ZodType>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { def } = (schema as $ZodTypes)._zod;
  const checks = (def.checks ?? []).map(({ _zod }) => _zod.def);
  // Of a codec that is what decodes.
  if (["custom", "transform", "promise"].includes(def.type) || "transform" in def) return true;
  if (checks.some(({ check }) => check === "custom")) return true;
  const inner =
    def.type === "lazy" ? [(schema as $ZodLazy)._zod.innerType] : [def, ...checks].flatMap(schemasIn);
  return inner.some((each) => findCode(each, seen));
}

function schemasIn(of: object): $ZodType[] {
  const values = Object.values(of).flatMap((value: unknown) => [value, ...Object.values(Object(value))]);
  return values.filter(isZod);
}
