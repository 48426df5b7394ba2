import { z } from "zod";

/** One parameter, read from its schema. Catalogue, document, errors and the reading of strings all use it. */
export interface Parameter {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "array" | "object" | "file";
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly required: boolean;
  /** Null is allowed too, and is not the same as leaving it out. */
  readonly nullable?: true;
  /** Never repeated in an answer, and never a parameter of a GET. */
  readonly secret: boolean;
  readonly description: string;
}

type FieldSchema = z.core.JSONSchema.JSONSchema;

const cache = new WeakMap<z.ZodObject, readonly Parameter[]>();

/** The parameters of an input schema, in their order. */
export function parametersOf(schema: z.ZodObject): readonly Parameter[] {
  let parameters = cache.get(schema);
  if (!parameters) {
    parameters = readParameters(schema);
    cache.set(schema, parameters);
  }
  return parameters;
}

/** One parameter by name; undefined when there is none. */
export function parameterOf(schema: z.ZodObject, name: string): Parameter | undefined {
  return parametersOf(schema).find((parameter) => parameter.name === name);
}

function readParameters(schema: z.ZodObject): readonly Parameter[] {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const required = new Set(json.required);
  return Object.entries(json.properties ?? {}).map(([name, field]) =>
    readParameter({ name, field: asSchema(field), required: required.has(name) }),
  );
}

function readParameter(of: { name: string; field: FieldSchema; required: boolean }): Parameter {
  const { name, required } = of;
  const isNullable = of.field.anyOf?.some(({ type }) => type === "null") ?? false;
  const field = { ...of.field, ...of.field.anyOf?.find(({ type }) => type !== "null") };
  const allowed = enumOf(field);
  const minimum = ownBound(field.minimum) ?? field.minLength;
  const maximum = ownBound(field.maximum) ?? field.maxLength;
  return {
    name,
    type: typeOf(field),
    ...(allowed ? { enum: allowed } : {}),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(field.default === undefined ? {} : { default: field.default }),
    required,
    ...(isNullable ? { nullable: true } : {}),
    secret: field.format === "password",
    description: field.description ?? "",
  };
}

// zod writes the bounds of JavaScript's safe integers into every integer.
function ownBound(bound: number | undefined): number | undefined {
  return bound !== undefined && Number.isSafeInteger(bound) && Math.abs(bound) < Number.MAX_SAFE_INTEGER
    ? bound
    : undefined;
}

// JSON Schema also has `true`, any value, which says nothing of it.
function asSchema(field: FieldSchema | boolean): FieldSchema {
  return typeof field === "boolean" ? {} : field;
}

function enumOf({ enum: values, items }: FieldSchema): (string | number)[] | undefined {
  const own = values ?? (typeof items === "object" && !Array.isArray(items) ? items.enum : undefined);
  return own?.filter((value) => typeof value === "string" || typeof value === "number");
}

function typeOf(field: FieldSchema): Parameter["type"] {
  if (field.format === "binary") return "file";
  if (field.enum?.every((value) => typeof value === "number")) return "integer";
  switch (field.type) {
    case "integer":
    case "number":
    case "boolean":
    case "array":
    case "object":
      return field.type;
    default:
      return "string";
  }
}
