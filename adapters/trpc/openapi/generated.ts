import type { generateOpenApiDocument } from "trpc-to-openapi";
import type { AnyTRPCRouter } from "@trpc/server";
import type { Endpoint } from "../adapter.ts";
import { parsersOf, outputOf } from "../introspect.ts";
import { resolved } from "../schema/input.ts";
import type { JsonSchema } from "../schema/definitions.ts";
import { jsonSchemaOf, orNull, ZOD_FORMATS } from "../schema/json-schema.ts";
import { isZod, shapeOf } from "../schema/shape.ts";
import { isBeyondJson, isFreeOf } from "../schema/shape-parts.ts";
import { placesIn } from "../endpoints.ts";
import { usualOperationId } from "./names.ts";
import type { Document, Json, MediaType, OperationObject } from "./types.ts";

// What trpc-to-openapi 3.3 writes, with the changes that are needed everywhere. It passes nothing on to zod-openapi
// 5.4, whose `override` could make them while the schemas are written.

export type Generate = typeof generateOpenApiDocument;
export type GenerateOptions = Parameters<Generate>[1];

/** The document as trpc-to-openapi writes it, of the endpoints that it can describe: of none, where it fails with one. */
export function generateDocument(
  { router, endpoints }: { router: AnyTRPCRouter; endpoints: readonly Endpoint[] },
  { generate, options }: { generate: Generate; options: GenerateOptions },
): Document {
  const write = (known: ReadonlySet<unknown>) =>
    generate(router, { ...options, filter: ({ metadata }) => known.has(Reflect.get(metadata, "openapi")) });
  let document: unknown;
  try {
    document = write(new Set(endpoints.filter(isDescribable).map(({ openapi }) => openapi)));
  } catch {
    document = write(new Set());
  }
  // Its type allows references and missing parts wherever OpenAPI does; what it writes has neither here.
  const { paths = {}, ...rest } = edit(document, withoutZodInternals) as Document;
  return { ...rest, paths };
}

// An input that is a plain object of zod without named schemas, and a result of zod: of anything else trpc-to-openapi says
// too little, something wrong, or nothing. It turns the body of a DELETE into a query.
function isDescribable({ procedure, openapi, http, input, yields }: Endpoint): boolean {
  if (yields || (openapi.method === "DELETE" && http.body !== "none")) return false;
  const shapes = parsersOf(procedure).map(shapeOf);
  const output = outputOf(procedure);
  return (
    shapes.length < 2 &&
    shapes.every(({ kind }) => kind === "object") &&
    [...shapes, shapeOf(output)].every((shape) => isFreeOf(isBeyondJson, shape)) &&
    !input.schema?.$defs &&
    isZod(output)
  );
}

/** The result of an endpoint in JSON, which has null where there is none. */
export function resultOf({ procedure }: Endpoint): MediaType {
  const output = outputOf(procedure);
  return { schema: orNull(jsonSchemaOf(output, "output") ?? {}, output) };
}

/**
 * The operation of an endpoint that trpc-to-openapi cannot describe, from the same reading of its schemas as for its
 * calls.
 */
export function writeOperation({ rpc, openapi, input }: Endpoint): OperationObject {
  const { summary, description, tags, deprecated, operationId = usualOperationId(rpc) } = openapi;
  const places = placesIn(openapi.path);
  const inPath = places.map((name): Json => {
    const known = input.parameters.find((each) => each.name === name);
    const { description, ...schema } = known?.schema ?? { type: "string" };
    return { name, in: "path", required: true, description, schema };
  });
  const body = withoutProperties(input.schema ?? {}, places);
  return {
    operationId,
    summary,
    description,
    tags,
    ...(deprecated && { deprecated }),
    parameters: [...inPath, ...headersOf(openapi.requestHeaders)],
    requestBody: { required: true, content: { "application/json": { schema: body } } },
    responses: {},
  };
}

/** A schema of an object, or of several together, without what is in the path. */
function withoutProperties(of: JsonSchema, names: readonly string[], root = of): JsonSchema {
  if (names.length === 0) return of;
  const { $ref: _, ...schema } = resolved(of, root);
  const { properties = {}, required = [], allOf, anyOf, oneOf } = schema;
  const parts = Object.entries({ allOf, anyOf, oneOf }).filter(([, inner]) => inner);
  if (!schema.properties && parts.length === 0) return of;
  return {
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
      required: required.filter((name) => !names.includes(name)),
    }),
    ...Object.fromEntries(
      parts.map(([key, inner]) => [key, inner?.map((each) => withoutProperties(each, names, root))]),
    ),
  };
}

/** Headers that a procedure reads, as parameters. */
function headersOf(headers: Endpoint["openapi"]["requestHeaders"]): Json[] {
  const schema = headers && jsonSchemaOf(headers, "input");
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    in: "header",
    required: schema?.required?.includes(name) ?? false,
    schema: field,
  }));
}

/** A schema whose bytes are base64 inside JSON, where a procedure takes typed bytes. */
export function inBase64({ schema }: MediaType): MediaType {
  return {
    schema: Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, edit(value, asBase64)])),
  };
}

/** The schema of an answer: open, since a later version may return more. */
export function asAnswer({ schema }: MediaType, change: Change = (entry) => [entry]): MediaType {
  // The edited copy is a schema, too.
  return {
    schema: edit(edit(edit(schema, withoutClosing), withoutZodInternals), change) as MediaType["schema"],
  };
}

type Entry = readonly [key: string, value: unknown];

/** What becomes of an entry of an object in a schema. */
export type Change = (entry: Entry, of: object) => Entry[];

// zod 4.6 bounds every integer by Number.MAX_SAFE_INTEGER, which says nothing to a caller, and JSON has null for an infinite
// bound.
function withoutZodInternals(entry: Entry): Entry[] {
  const [key, value] = entry;
  if (key === "format" && ZOD_FORMATS.includes(value)) return [];
  const isBound = key === "minimum" || key === "maximum";
  const isOpen = value === null || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return isBound && isOpen ? [] : [entry];
}

// zod has no schema for bytes; ours has `format: binary` (router/schemas.ts).
function asBase64(entry: Entry): Entry[] {
  const [key, value] = entry;
  return key === "format" && value === "binary" ? [["contentEncoding", "base64"]] : [entry];
}

function withoutClosing(entry: Entry): Entry[] {
  const [key, value] = entry;
  return key === "additionalProperties" && value === false ? [] : [entry];
}

/** A copy of a JSON tree in which `change` replaces each entry of an object. */
function edit(value: unknown, change: Change): unknown {
  if (Array.isArray(value)) return value.map((item) => edit(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap((entry) => change(entry, value));
  return Object.fromEntries(entries.map(([key, inner]) => [key, edit(inner, change)]));
}
