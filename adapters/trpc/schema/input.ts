import type { AnyTRPCProcedure } from "@trpc/server";
import { parsersOf } from "../introspect.ts";
import type { JsonSchema } from "./definitions.ts";
import { inputShapeOf, jsonSchemaOf, mayBeUndefined } from "./json-schema.ts";
import { isZod, type FileClass, type ObjectShape, type Shape } from "./shape.ts";
import {
  fileOf,
  isBeyondJson,
  isFreeOf,
  isNestedList,
  isOneOfObjects,
  mayBeNull,
  objectsOf,
} from "./shape-parts.ts";

/** One parameter, read from its schema. Catalogue, document and errors use it. */
export interface Parameter {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "array" | "object" | "file";
  readonly enum?: readonly (string | number)[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly default?: unknown;
  readonly required: boolean;
  /** Null is allowed too, and differs from leaving it out. */
  readonly nullable?: true | undefined;
  /** Never repeated in an answer, and never a parameter of a GET. */
  readonly secret: boolean;
  readonly description: string;
  /** The JSON Schema of its value. */
  readonly schema: JsonSchema;
}

/** A parameter that is a file, or a list of files. */
export interface FileParameter {
  readonly name: string;
  readonly as: FileClass;
  readonly isList: boolean;
  readonly required: boolean;
  /** Whether it may be null, which a form has as the text `null`. */
  readonly isNullable: boolean;
}

/** What a procedure takes, read once from its schemas. */
export interface ProcedureInput {
  /** An object of parameters, or something that only its schema can read: a text, a FormData, a stream. */
  readonly takes: "nothing" | "object" | "something else";
  /** Whether its schemas take undefined, where nothing was sent. */
  readonly mayBeAbsent: boolean;
  readonly shape: Shape;
  /** Whether JSON can express all of it: then the schema gets a JSON input unchanged. */
  readonly isJson: boolean;
  /** Parameters that take any text unchanged. */
  readonly texts: ReadonlySet<string>;
  /** Parameters that are lists of lists or objects, which a query has as JSON. */
  readonly nestedLists: ReadonlySet<string>;
  /** In the order of the schema. */
  readonly parameters: readonly Parameter[];
  /** Their names. */
  readonly names: readonly string[];
  /** What happens to other names: the schema keeps, refuses or silently drops them. */
  readonly unknown: "kept" | "refused" | "left out";
  /** Whether an object inside a parameter, or one of several that the input may be, silently drops keys that it does not know. */
  readonly dropsInside: boolean;
  /** Parameters that are files. */
  readonly files: readonly FileParameter[];
  /** As one JSON Schema; undefined for a validator that has none. */
  readonly schema: JsonSchema | undefined;
}

const cache = new WeakMap<AnyTRPCProcedure, ProcedureInput>();

/** The input of a procedure: that of all its schemas together, each of which tRPC gives all that was sent. */
export function inputOf(procedure: AnyTRPCProcedure): ProcedureInput {
  let input = cache.get(procedure);
  if (!input) cache.set(procedure, (input = readInput(parsersOf(procedure))));
  return input;
}

/** The parameters of one schema, such as that of headers. */
export function parametersOf(parser: unknown): readonly Parameter[] {
  return readInput([parser]).parameters;
}

function readInput(parsers: readonly unknown[]): ProcedureInput {
  const shapes = parsers.map(inputShapeOf);
  const [only, ...more] = shapes;
  const shape: Shape = only && more.length === 0 ? only : { kind: "both", parts: shapes };
  const schema = joined(parsers.map((parser) => jsonSchemaOf(parser, "input")));
  const objects = shapes.flatMap(objectsOf);
  const properties = new Map(objects.flatMap((object) => [...object.properties]));
  const parameters = readParameters([...properties.keys()], schema);
  const files = parameters.flatMap(({ name, required }): FileParameter[] => {
    const fields = fieldsOf(objects, name);
    const [file] = fields.flatMap((field) => fileOf(field) ?? []);
    return file ? [{ name, required, isNullable: fields.every(mayBeNull), ...file }] : [];
  });
  return {
    takes: shapes.length === 0 ? "nothing" : shapes.every(isObject) ? "object" : "something else",
    mayBeAbsent: shapes.length > 0 && parsers.every(takesUndefined),
    shape: shapes.length === 0 ? NOTHING : shape,
    isJson: isFreeOf(isBeyondJson, shape),
    texts: new Set([...properties.keys()].filter((name) => fieldsOf(objects, name).every(isText))),
    nestedLists: new Set([...properties.keys()].filter((name) => fieldsOf(objects, name).some(isNestedList))),
    parameters,
    names: parameters.map(({ name }) => name),
    unknown: shapes.length === 0 ? "left out" : unknownOf(shapes),
    dropsInside:
      shapes.some(isOneOfObjects) ||
      objects.some((object) => ![...object.properties.values()].every(keepsKeys)),
    files,
    schema,
  };
}

// Standard Schema (standardschema.dev). The result of an asynchronous validator is not waited for.
function takesUndefined(parser: unknown): boolean {
  if (isZod(parser)) return mayBeUndefined(parser, "input");
  const standard: unknown = Reflect.get(Object(parser), "~standard");
  const validate: unknown = Reflect.get(Object(standard), "validate");
  if (typeof validate !== "function") return false;
  try {
    const result: unknown = validate(undefined);
    void Promise.resolve(result).catch(() => undefined);
    return "value" in Object(result) && !Reflect.get(Object(result), "issues");
  } catch {
    return false;
  }
}

const NOTHING: Shape = { kind: "object", properties: new Map(), others: [], isStrict: false };

function fieldsOf(objects: readonly ObjectShape[], name: string): Shape[] {
  return objects.flatMap(({ properties }) => properties.get(name) ?? []);
}

function isText({ kind }: Shape): boolean {
  return kind === "text";
}

/** Whether no object in a value of this shape drops keys. */
export function keepsKeys(shape: Shape): boolean {
  return isFreeOf((each) => each.kind === "object" && !each.isStrict && each.others.length === 0, shape);
}

function isObject(shape: Shape): boolean {
  if (shape.kind === "both") return shape.parts.some(isObject);
  return shape.kind === "union" ? shape.arms.every((arm) => isObject(arm.shape)) : shape.kind === "object";
}

function unknownOf(shapes: readonly Shape[]): ProcedureInput["unknown"] {
  const objects = shapes.map(objectsOf);
  if (objects.some((each) => each.length === 0 || each.some(({ others }) => others.length > 0)))
    return "kept";
  return objects.flat().some(({ isStrict }) => isStrict) ? "refused" : "left out";
}

function joined(schemas: readonly (JsonSchema | undefined)[]): JsonSchema | undefined {
  const all = schemas.filter((schema) => schema !== undefined);
  const [first, ...more] = all;
  if (!first || all.length < schemas.length) return undefined;
  if (more.length === 0) return first;
  const $defs: Record<string, JsonSchema> = Object.assign({}, ...all.map((each) => each.$defs));
  const named = Object.keys($defs).length > 0 ? { $defs } : {};
  if (!all.every(({ properties }) => properties)) return { allOf: all, ...named };
  return {
    type: "object",
    properties: Object.assign({}, ...all.map(({ properties }) => properties)),
    required: [...new Set(all.flatMap(({ required = [] }) => required))],
    ...(all.some(({ additionalProperties: open }) => open === false) && { additionalProperties: false }),
    ...named,
  };
}

// A parameter that only some arms of a union have may be left out.
function readParameters(names: readonly string[], schema: JsonSchema | undefined): Parameter[] {
  return names.map((name) => {
    const root = schema ?? {};
    const { field, required } = fieldOf(root, name, root) ?? { field: {}, required: false };
    return readParameter({ name, field, required }, root);
  });
}

/** A schema, with its reference followed. */
export function resolved(schema: JsonSchema, { $defs = {} }: JsonSchema): JsonSchema {
  const [, name = ""] = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? "") ?? [];
  return { ...$defs[name], ...schema };
}

function fieldOf(
  of: JsonSchema,
  name: string,
  root: JsonSchema,
): { field: JsonSchema; required: boolean } | undefined {
  const schema = resolved(of, root);
  const own = schema.properties?.[name];
  if (own !== undefined) {
    // JSON Schema's `true` means any value.
    const field = typeof own === "boolean" ? {} : own;
    return { field, required: schema.required?.includes(name) ?? false };
  }
  const all = (schema.allOf ?? [])
    .map((each) => fieldOf(each, name, root))
    .filter((each) => each !== undefined);
  if (all[0]) return { field: all[0].field, required: all.some(({ required }) => required) };
  const arms = schema.anyOf ?? schema.oneOf ?? [];
  const found = arms.map((each) => fieldOf(each, name, root));
  const fields = found.map((each) => each?.field).filter((field) => field !== undefined);
  if (!fields[0]) return undefined;
  const required = found.every((each) => each?.required);
  const distinct = [...new Map(fields.map((field) => [JSON.stringify(field), field])).values()];
  return { field: distinct.length === 1 ? fields[0] : { anyOf: distinct }, required };
}

function readParameter(
  { name, field: schema, required }: { name: string; field: JsonSchema; required: boolean },
  root: JsonSchema,
): Parameter {
  const facts = resolved(schema, root);
  // zod writes a union of types without bounds as a list of them.
  const types = [facts.type ?? []].flat().map((type) => ({ type }));
  const parts: readonly JsonSchema[] = facts.anyOf ?? facts.oneOf ?? facts.allOf ?? types;
  const field = { ...facts, ...parts.find(({ type }) => type !== "null") };
  return {
    name,
    type: typeOf(field),
    enum: enumOf(field),
    minimum: field.minimum ?? field.minLength,
    maximum: field.maximum ?? field.maxLength,
    default: field.default,
    required,
    nullable: parts.some(({ type }) => type === "null") || undefined,
    secret: field.format === "password",
    description: field.description ?? "",
    schema,
  };
}

function enumOf({ enum: values, items }: JsonSchema): (string | number)[] | undefined {
  const own = values ?? (typeof items === "object" && !Array.isArray(items) ? items.enum : undefined);
  return own?.filter((value) => typeof value === "string" || typeof value === "number");
}

function typeOf(field: JsonSchema): Parameter["type"] {
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
