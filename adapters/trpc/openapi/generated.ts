import type { generateOpenApiDocument } from "trpc-to-openapi";
import type { AnyTRPCRouter } from "@trpc/server";
import type { Endpoint } from "../adapter.ts";
import { parsersOf, outputOf } from "../introspect.ts";
import { resolved } from "../schema/input.ts";
import { jsonSchemaOf, type JsonSchema } from "../schema/json-schema.ts";
import { isZod, shapeOf, type Shape } from "../schema/shape.ts";
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
  const { paths = {}, ...rest } = edit(document, withoutSafeIntegers) as Document;
  return { ...rest, paths };
}

// A plain object of zod, and a result of zod, neither with named schemas: of anything else it says too little, or something
// wrong. It makes the body of a DELETE a query.
function isDescribable(endpoint: Endpoint): boolean {
  const { procedure, openapi, http } = endpoint;
  if (openapi.method === "DELETE" && http.body !== "none") return false;
  const output = outputOf(procedure);
  const shapes = parsersOf(procedure).map(shapeOf);
  const isSimple =
    parsersOf(procedure).length < 2 &&
    shapes.every((shape) => shape.kind === "object" && isFreeOf(isBeyondJson, shape)) &&
    !isOptional(output) &&
    !endpoint.input.schema?.$defs &&
    !jsonSchemaOf(output, "output")?.$defs;
  return isSimple && !endpoint.yields && isZod(output) && isFreeOf(isMade, shapeOf(output));
}

// trpc-to-openapi describes results that JSON cannot carry as numbers, or as text without a format.
function isMade(shape: Shape): boolean {
  return isBeyondJson(shape) || shape.isChanged === true;
}

function isOptional(output: unknown): boolean {
  return isZod(output) && output._zod.optout === "optional";
}

/**
 * The operation of an endpoint that trpc-to-openapi cannot describe, from the same reading of its schemas as for its
 * calls.
 */
export function writeOperation({ rpc, procedure, openapi, input }: Endpoint): OperationObject {
  const { summary, description, tags, deprecated, operationId = usualOperationId(rpc) } = openapi;
  const places = placesIn(openapi.path);
  const inPath = places.map((name): Json => {
    const schema = input.parameters.find((each) => each.name === name)?.schema ?? { type: "string" };
    return { name, in: "path", required: true, schema };
  });
  const body = withoutProperties(input.schema ?? {}, places);
  const output = outputOf(procedure);
  const value = jsonSchemaOf(output, "output") ?? {};
  // JSON writes null where there is none.
  const answer = isOptional(output) ? { anyOf: [value, { type: "null" }] } : value;
  return {
    operationId,
    summary,
    description,
    tags,
    ...(deprecated && { deprecated }),
    parameters: [...inPath, ...headersOf(openapi.requestHeaders)],
    requestBody: { required: true, content: { "application/json": { schema: body } } },
    responses: {
      "200": {
        description: openapi.successDescription ?? "The result",
        content: { "application/json": { schema: answer } },
      },
    },
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
  return { schema: edit(edit(schema, withoutClosing), change) as MediaType["schema"] };
}

type Entry = readonly [key: string, value: unknown];

/** What becomes of an entry of an object in a schema. */
export type Change = (entry: Entry, of: object) => Entry[];

// zod 4.6 bounds every integer by Number.MAX_SAFE_INTEGER, which says nothing to a caller, and JSON has null for an infinite
// bound.
function withoutSafeIntegers(entry: Entry): Entry[] {
  const [key, value] = entry;
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
