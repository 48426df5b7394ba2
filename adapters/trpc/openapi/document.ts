import { CallError } from "../../../wire/call-error.ts";
import type { Adapter, Endpoint } from "../adapter.ts";
import { besidePath, methodsOf, textPathOf } from "../endpoints.ts";
import { mapValues } from "../schema/read-value.ts";
import {
  generateDocument,
  resultOf,
  writeOperation,
  type Generate,
  type GenerateOptions,
} from "./generated.ts";
import { named, type Schemas } from "./names.ts";
import { asQuery } from "./parameters.ts";
import { baseName } from "../schema/definitions.ts";
import {
  TEXT,
  type Document,
  type Json,
  type MediaType,
  type OperationObject,
  type RequestBodyObject,
  type Responses,
} from "./types.ts";
import { packedFile, sendPacked, type PackedFile } from "../answer/compressed.ts";
import type { Route } from "../request.ts";

/** What a document contains in addition to what follows from the procedures. */
export interface DocumentOptions {
  /** trpc-to-openapi's own function, which not every program loads. */
  readonly generate: Generate;
  /** Its options: title, version, the server's address. */
  readonly options: GenerateOptions;
  readonly tagObjects?: readonly Json[];
  /** The `components` by name; the schemas of bodies are added. */
  readonly components: { readonly schemas: Json; readonly responses: Json; readonly headers: Json };
  /** An operation's parameters in addition to those of its procedure. */
  readonly parameters?: (endpoint: Endpoint) => readonly Json[];
  readonly security?: (endpoint: Endpoint) => readonly Json[];
  /** The successful answers of an operation; `json` is its result. */
  readonly successes: (endpoint: Endpoint, json: MediaType, schemas: Schemas) => Responses;
  readonly failures: (endpoint: Endpoint) => Responses;
  /** The name for the schema of a body: "input", "form" or "result" of an endpoint. */
  readonly nameOf: (endpoint: Endpoint, what: string) => string;
  /** A sample for documentation generators. */
  readonly sample?: (endpoint: Endpoint) => Json;
  /** More paths of an endpoint, with the operation at each. */
  readonly morePaths?: (
    endpoint: Endpoint,
    of: { readonly operation: OperationObject; readonly json: MediaType; readonly schemas: Schemas },
  ) => Record<string, OperationObject>;
}

/** The OpenAPI 3.1 document: trpc-to-openapi's, completed for other bodies than JSON, files and errors. */
export function makeDocument(
  adapter: Pick<Adapter, "router" | "endpoints">,
  options: DocumentOptions,
): Document {
  const { components, tagObjects } = options;
  const document = generateDocument(adapter, options);
  const schemas: Schemas = {};
  for (const endpoint of adapter.endpoints) completePath(document, { endpoint, schemas, options });
  const { securitySchemes } = document.components;
  // Schemas of parameters come with the input that they belong to.
  const definitions = adapter.endpoints.map(({ input }) => ({ $defs: input.schema?.$defs ?? {} }));
  return withDefinitions({
    ...document,
    ...(tagObjects && { tags: tagObjects }),
    components: {
      ...components,
      // Replaces the schemas that trpc-to-openapi invents for errors.
      schemas: { ...schemas, ...components.schemas },
      securitySchemes,
      definitions,
    },
  });
}

interface DocumentedEndpoint {
  readonly endpoint: Endpoint;
  /** The schemas that have a name so far. */
  readonly schemas: Schemas;
  readonly options: DocumentOptions;
}

function completePath({ paths }: Document, documentedEndpoint: DocumentedEndpoint): void {
  const { endpoint, schemas, options } = documentedEndpoint;
  const { openapi, http } = endpoint;
  const method = openapi.method.toLowerCase();
  const item = (paths[openapi.path] ??= {});
  const written = item[method] ?? writeOperation(endpoint);
  const operation = complete(written, documentedEndpoint);
  const sample = options.sample && { "x-codeSamples": [options.sample(endpoint)] };
  item[method] = { ...operation, ...sample };
  if (methodsOf(endpoint).includes("GET") && method !== "get") item.get = asGet(operation, endpoint);
  const more = options.morePaths?.(endpoint, { operation, json: resultOf(endpoint), schemas }) ?? {};
  for (const [path, each] of Object.entries(more)) paths[path] = { [method]: each };
  const text = textPathOf(endpoint);
  if (text) paths[text] = mapValues(item, (json) => asText(json, endpoint));
  const json = written.requestBody?.content["application/json"];
  const body = json && endpoint.body.documentAliasBody?.(json);
  for (const path of http.aliases ?? []) {
    const operationId = `${operation.operationId}-at-${path.slice(1) || "root"}`;
    const own = body ? { requestBody: nameBody(body, documentedEndpoint) } : {};
    paths[path] = { [method]: { ...operation, operationId, ...own } };
  }
}

// JSON Schema keeps named schemas inside the schema, a document beside all of them.
function withDefinitions(document: Document): Document {
  const schemas: Schemas = {};
  const taken = Object(document.components.schemas);
  // Numbered for this document alone: other routers of the process may have schemas of the same name.
  const places = new Map<string, string>();
  const isFree = (place: string) => !Object.hasOwn(taken, place) && ![...places.values()].includes(place);
  const place = (name: string): string => {
    const base = Object.hasOwn(taken, baseName(name)) ? `${baseName(name)}Schema` : baseName(name);
    let placed = places.get(name) ?? base;
    for (let count = 2; !places.has(name) && !isFree(placed); count += 1) placed = base + count;
    places.set(name, placed);
    return placed;
  };
  const lift = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lift);
    if (typeof value !== "object" || value === null) return value;
    const { $defs, ...rest }: Json = { ...value };
    for (const [name, schema] of Object.entries(Object($defs))) schemas[place(name)] ??= Object(lift(schema));
    return mapValues(rest, (inner, key) =>
      key === "$ref"
        ? String(inner).replace(/^#\/\$defs\/(.+)/, (_, name) => `#/components/schemas/${place(name)}`)
        : lift(inner),
    );
  };
  // The same document, with its definitions moved.
  const { components, ...rest } = lift(document) as Document;
  const { definitions: _, ...others } = components;
  return { ...rest, components: { ...others, schemas: { ...schemas, ...Object(components.schemas) } } };
}

function complete(
  { requestBody, ...operation }: OperationObject,
  documentedEndpoint: DocumentedEndpoint,
): OperationObject {
  const { endpoint, schemas, options } = documentedEndpoint;
  const kind = endpoint.body;
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in !== "query");
  const body = kind.documentBody(endpoint, requestBody?.content["application/json"]);
  return {
    ...operation,
    ...(options.security && { security: options.security(endpoint) }),
    parameters: [...inPath, ...kind.documentParameters(endpoint), ...(options.parameters?.(endpoint) ?? [])],
    ...(body ? { requestBody: nameBody(body, documentedEndpoint) } : {}),
    responses: {
      ...options.successes(endpoint, resultOf(endpoint), schemas),
      ...options.failures(endpoint),
    },
  };
}

// JSON and a form with the same schema share a name; a form with a file has another.
function nameBody(
  { content, ...body }: RequestBodyObject,
  { endpoint, schemas, options }: DocumentedEndpoint,
): RequestBodyObject {
  const first = JSON.stringify(Object.values(content)[0]);
  const entries = Object.entries(content).map(([type, media]): [string, MediaType] => {
    const what = JSON.stringify(media) === first ? "input" : "form";
    return [type, named(media, options.nameOf(endpoint, what), schemas)];
  });
  return { ...body, content: Object.fromEntries(entries) };
}

/** The same operation at the path that returns its bare text: one type for each, as generated clients need it. */
function asText(json: OperationObject, { http }: Endpoint): OperationObject {
  const status = String(http.status ?? 200);
  const content = { "text/plain": { schema: TEXT } };
  const responses = { ...json.responses, [status]: { ...json.responses[status], content } };
  const summary = `${String(json.summary)}, answered as text`;
  return { ...json, operationId: `${json.operationId}-raw`, summary, responses };
}

function asGet(post: OperationObject, endpoint: Endpoint): OperationObject {
  const { requestBody: _, ...get } = post;
  const parameters = [...(post.parameters ?? []), ...asQuery(besidePath(endpoint), endpoint)];
  return { ...get, operationId: `${post.operationId}-get`, parameters };
}

/**
 * Serves the OpenAPI document at a path; it is written when first requested. With a media type as `body` it contains
 * only that one where an operation accepts several: generators confuse a raw file and a form, or know only the first of
 * them.
 */
export function documentRoute(path: string, write: () => Document | Promise<Document>): Route {
  let written: Promise<{ whole: PackedFile; types: readonly string[] }> | undefined;
  const others = new Map<string, PackedFile>();
  const pack = (document: Document) => ({ whole: packDocument(document), types: bodyTypes(document) });
  const fileOf = async (type: string | null) => {
    const { whole, types } = await (written ??= Promise.resolve(write()).then(pack));
    if (type === null) return whole;
    if (!types.includes(type)) throw unknownBody(types);
    const known = others.get(type) ?? packDocument(withBody(type, await unpackDocument(whole)));
    others.set(type, known);
    return known;
  };
  return {
    method: "GET",
    path,
    handle: async (context) => {
      const headers = new Headers(context.responseHeaders);
      headers.set("Content-Type", "application/json; charset=utf-8");
      return sendPacked(context, await fileOf(context.url.searchParams.get("body")), headers);
    },
  };
}

function packDocument(document: Document): PackedFile {
  return packedFile(new TextEncoder().encode(JSON.stringify(document)));
}

async function unpackDocument(file: PackedFile): Promise<Document> {
  return JSON.parse(new TextDecoder().decode(await file.read())) as Document;
}

function bodyTypes({ paths }: Document): string[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return [...new Set(operations.flatMap(({ requestBody }) => Object.keys(requestBody?.content ?? {})))];
}

function unknownBody(types: readonly string[]): CallError {
  return new CallError("invalid_parameter", `Parameter "body" must be one of ${types.join(", ")}`, {
    parameter: "body",
    in: "query",
    allowed: [...types],
  });
}

/** A document whose operations have one kind of body where possible. */
function withBody(type: string, document: Document): Document {
  const paths = mapValues(document.paths, (item) =>
    mapValues(item, (operation) => {
      const { requestBody } = operation;
      const media = requestBody?.content[type];
      return media
        ? { ...operation, requestBody: { ...requestBody, content: { [type]: media } } }
        : operation;
    }),
  );
  return { ...document, paths };
}
