import { z } from "zod";
import { jsonOf } from "../answer/json-text.ts";
import { withOwnNames, type JsonSchema } from "./definitions.ts";
import { ANY, isZod, kindOf, shapeOf, type Shape } from "./shape.ts";

/**
 * The JSON Schema of a parser: zod's own, or the one that another validator offers; undefined where there is neither.
 */
export function jsonSchemaOf(parser: unknown, io: "input" | "output"): JsonSchema | undefined {
  if (!isZod(parser)) return standardSchemaOf(parser, io);
  try {
    return toJsonSchema(parser, { io, inside: new Set() });
  } catch {
    // For a schema that only code can describe.
    return undefined;
  }
}

/** The shape of a parser's input: of another validator by its JSON Schema, as zod reads that. */
export function inputShapeOf(parser: unknown): Shape {
  const schema = isZod(parser) ? undefined : jsonSchemaOf(parser, "input");
  try {
    return shapeOf(schema ? z.fromJSONSchema(ofKnownWords(schema) as JsonSchema) : parser);
  } catch {
    // For what zod cannot read, such as a reference to elsewhere.
    return ANY;
  }
}

// Without words that zod refuses, such as `not`, or for which it writes a function.
function ofKnownWords(schema: unknown, isTable = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => ofKnownWords(each));
  if (typeof schema !== "object" || schema === null) return schema;
  const known = Object.entries(schema).filter(([word]) => isTable || !UNKNOWN_WORDS.test(word));
  return Object.fromEntries(
    known.map(([word, of]) => [word, ofKnownWords(of, !isTable && TABLES.test(word))]),
  );
}

const SECOND_MS = 1000;
const TABLES = /^(?:properties|patternProperties|\$defs)$/;
const UNKNOWN_WORDS =
  /^(?:not|if|then|else|default|unevaluated.*|dependent.*|propertyNames|(?:min|max)Properties|uniqueItems|.*[cC]ontains)$/;

// Standard JSON Schema (standardschema.dev), which other validators use.
function standardSchemaOf(parser: unknown, io: "input" | "output"): JsonSchema | undefined {
  const standard: unknown = Reflect.get(Object(parser), "~standard");
  const write: unknown = Reflect.get(Object(Reflect.get(Object(standard), "jsonSchema")), io);
  if (typeof write !== "function") return undefined;
  try {
    // Whatever writes a JSON Schema returns an object.
    const { $schema: _, ...schema } = write({ target: "draft-2020-12" }) as JsonSchema;
    return withOwnNames(schema);
  } catch {
    return undefined;
  }
}

interface SchemaContext {
  readonly io: "input" | "output";
  /** The sets and maps around: within a recursive one the inner one is any value. */
  readonly inside: ReadonlySet<z.core.$ZodType>;
}

function toJsonSchema(parser: z.core.$ZodType, { io, inside }: SchemaContext): JsonSchema {
  const override: Override = ({ zodSchema, jsonSchema }) => {
    // Answers are open, since a later version may return more.
    if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    if (inside.has(zodSchema)) return;
    const inner = { io, inside: new Set([...inside, zodSchema]) };
    describe({ zodSchema, jsonSchema, io }, (part) => toJsonSchema(part, inner));
  };
  const { $schema: _, ...schema } = z.toJSONSchema(parser, { io, unrepresentable: "any", override });
  // The schemas of the parts have their names by now.
  return withOwnNames(schema);
}

type Override = NonNullable<z.core.ToJSONSchemaParams["override"]>;

/** Whether a schema of zod takes undefined, or returns it; zod does not tell it of some kinds. */
export function mayBeUndefined(schema: unknown, io: "input" | "output"): boolean {
  if (!isZod(schema)) return false;
  // Every schema of zod is one of these (zod.dev/library-authors).
  const { def, optin, optout } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "union") return def.options.some((option) => mayBeUndefined(option, io));
  if (def.type === "readonly" || def.type === "nullable") return mayBeUndefined(def.innerType, io);
  return (io === "input" ? optin : optout) !== undefined || UNDEFINED.has(def.type);
}

const UNDEFINED: ReadonlySet<string> = new Set(["void", "undefined", "any", "unknown"]);

/** What JSON writes of a result, or of an item of a list: null in place of undefined. */
export function orNull(jsonSchema: JsonSchema, parser: unknown): JsonSchema {
  const { type, anyOf = [] } = jsonSchema;
  const mayBeNull = [{ type }, ...anyOf].some((arm) => [arm.type].flat().includes("null"));
  const isOpen = Object.keys(jsonSchema).length === 0;
  if (isOpen || mayBeNull || !mayBeUndefined(parser, "output")) return jsonSchema;
  return { anyOf: [jsonSchema, { type: "null" }] };
}

// A schema that stands elsewhere, too, may be described only after the list.
function itemOf(jsonSchema: unknown, parser: unknown): JsonSchema {
  return Object({ toJSON: () => orNull(Object(jsonSchema), parser) });
}

// Describes types that JSON lacks, as they are read and written here.
function describe(
  {
    zodSchema,
    jsonSchema,
    io,
  }: Pick<Parameters<Override>[0], "zodSchema" | "jsonSchema"> & Pick<SchemaContext, "io">,
  schemaOf: (part: z.core.$ZodType) => JsonSchema,
): void {
  // Every schema of zod is one of these (zod.dev/library-authors).
  const { def } = (zodSchema as z.core.$ZodTypes)._zod;
  // JSON would write them as null.
  if (jsonSchema.minimum === -Infinity) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Infinity) delete jsonSchema.maximum;
  if (ZOD_FORMATS.includes(jsonSchema.format)) delete jsonSchema.format;
  if (jsonSchema.examples) jsonSchema.examples = JSON.parse(jsonOf(jsonSchema.examples)) as unknown[];
  switch (def.type) {
    case "default":
    case "prefault":
      if (def.defaultValue === undefined || (def.type === "prefault" && io === "output")) break;
      if (isMadeAnew(def)) delete jsonSchema.default;
      else jsonSchema.default = JSON.parse(jsonOf(def.defaultValue)) as object;
      break;
    case "object":
      if (io === "output" && jsonSchema.required)
        jsonSchema.required = jsonSchema.required.filter((name) => !mayBeUndefined(def.shape[name], io));
      return;
    case "record":
      if (io === "output" && mayBeUndefined(def.valueType, io)) delete jsonSchema.required;
      return;
    case "array":
      if (io === "output") jsonSchema.items = itemOf(jsonSchema.items, def.element);
      return;
    case "tuple":
      if (io === "input") return;
      if (jsonSchema.prefixItems)
        jsonSchema.prefixItems = jsonSchema.prefixItems.map((item, i) => itemOf(item, def.items[i]));
      if (def.rest) jsonSchema.items = itemOf(jsonSchema.items, def.rest);
      return;
    case "set": {
      const items = schemaOf(def.valueType);
      Object.assign(jsonSchema, {
        type: "array",
        uniqueItems: true,
        items: io === "output" ? orNull(items, def.valueType) : items,
      });
      return;
    }
    case "map":
      Object.assign(jsonSchema, mapSchema(def, io, schemaOf));
      return;
    case "literal":
      if (def.values.some((value) => typeof value === "bigint")) writeDigits(jsonSchema, def.values);
      return;
    default:
  }
  // A schema around another one is described by the inner one.
  switch (LEAVES.has(def.type) ? kindOf(zodSchema) : undefined) {
    case "date":
      Object.assign(jsonSchema, { type: "string", format: "date-time" });
      break;
    case "bigint":
      Object.assign(jsonSchema, { type: "string", pattern: "^-?[0-9]+$" });
      break;
    case "file":
      Object.assign(jsonSchema, { type: "string", format: "binary" });
      break;
    case "integer":
      // zod writes the bounds of JavaScript's safe integers, which say nothing to a caller.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      break;
    default:
  }
}

const LEAVES: ReadonlySet<string> = new Set(["date", "bigint", "number", "file", "custom"]);

/** zod's names for checks of a text, which no reader of a document knows; a pattern beside them says the same. */
export const ZOD_FORMATS: readonly unknown[] = [
  "starts_with",
  "ends_with",
  "includes",
  "lowercase",
  "uppercase",
];

/** Whether a function makes a default for each call, such as an id or the time; zod does not tell functions. */
function isMadeAnew(def: { readonly defaultValue: unknown }): boolean {
  const [value, another] = [def.defaultValue, def.defaultValue];
  if (value instanceof Date) return value !== another;
  if (jsonOf(value) !== jsonOf(another)) return true;
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time !== "object" && Math.abs(Number(time) - Date.now()) < SECOND_MS;
}

// zod writes big integers as numbers.
function writeDigits(jsonSchema: JsonSchema, values: readonly z.core.util.Literal[]): void {
  delete jsonSchema.type;
  delete jsonSchema.const;
  jsonSchema.enum = values
    .filter((value) => value !== undefined)
    .map((value) => (typeof value === "bigint" ? String(value) : value));
}

// An object, whose keys are read like texts of a query; in an answer a list of pairs where keys are not texts.
function mapSchema(
  { keyType, valueType }: z.core.$ZodMapDef,
  io: SchemaContext["io"],
  schemaOf: (part: z.core.$ZodType) => JsonSchema,
): JsonSchema {
  // zod describes a record with keys of any schema, which its types do not say.
  const record = z.partialRecord(keyType as z.core.$ZodRecordKey, valueType);
  const { propertyNames: names, ...open } = schemaOf(record);
  const isText = z.toJSONSchema(keyType, { io, unrepresentable: "any" }).type === "string";
  const areTexts = typeof names === "object" && names.type === "string";
  if (isText || io === "input") return areTexts ? { ...open, propertyNames: names } : open;
  const pair = {
    prefixItems: [schemaOf(keyType), orNull(schemaOf(valueType), valueType)],
    items: false,
    minItems: 2,
    maxItems: 2,
  };
  // An empty map is an object, whatever its keys would be.
  return { anyOf: [{ type: "array", items: { type: "array", ...pair } }, open] };
}
