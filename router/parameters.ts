import { z } from "zod";

/** What a schema says of one parameter, read from the schema itself: the catalogue, the doors' reading of
 * strings and the errors all come from here. */
export interface Parameter {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "array" | "object" | "file";
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly required: boolean;
  /** Null is legal too, and means something else than absent. */
  readonly nullable?: true;
  /** Never echoed, never allowed in the query of a query procedure. */
  readonly secret: boolean;
  readonly description: string;
}

interface FieldSchema {
  type?: string;
  format?: string;
  enum?: (string | number)[];
  items?: FieldSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
  description?: string;
  anyOf?: FieldSchema[];
}

const known = new WeakMap<z.ZodObject, readonly Parameter[]>();

/** Lists the parameters of an input schema in their order. */
export function parametersOf(schema: z.ZodObject): readonly Parameter[] {
  let parameters = known.get(schema);
  if (!parameters) {
    parameters = readParameters(schema);
    known.set(schema, parameters);
  }
  return parameters;
}

/** One parameter by name, or undefined when the schema has none of it. */
export function parameterOf(schema: z.ZodObject, name: string): Parameter | undefined {
  return parametersOf(schema).find((parameter) => parameter.name === name);
}

function readParameters(schema: z.ZodObject): readonly Parameter[] {
  // JSON Schema is an open format; the keys looked at below are the ones zod writes.
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as {
    properties?: Record<string, FieldSchema>;
    required?: string[];
  };
  const required = new Set(json.required);
  return Object.entries(json.properties ?? {}).map(([name, field]) =>
    readParameter({ name, field, required: required.has(name) }),
  );
}

function readParameter(of: { name: string; field: FieldSchema; required: boolean }): Parameter {
  const { name, required } = of;
  const isNullable = of.field.anyOf?.some(({ type }) => type === "null") ?? false;
  const field = { ...of.field, ...of.field.anyOf?.find(({ type }) => type !== "null") };
  const allowed = field.enum ?? field.items?.enum;
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

// zod writes down that an integer of JavaScript is one of JavaScript.
function ownBound(bound: number | undefined): number | undefined {
  return bound !== undefined && Number.isSafeInteger(bound) && Math.abs(bound) < Number.MAX_SAFE_INTEGER
    ? bound
    : undefined;
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
