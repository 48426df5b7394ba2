import { asAnswer } from "../../trpc/openapi/generated.ts";
import { named, pascalCase, type Schemas } from "../../trpc/openapi/names.ts";
import {
  BINARY,
  EVENTS_TYPE,
  TEXT,
  type MediaType,
  type OperationObject,
  type Responses,
} from "../../trpc/openapi/types.ts";
import { envelopePathOf, type ServiceEndpoint } from "../endpoints.ts";
import { failuresOf } from "./errors.ts";
import { headersOf, type HeaderName } from "./headers.ts";

/** What an operation answers when all is well; `json` is what trpc-to-openapi wrote for it. */
export function successOf(endpoint: ServiceEndpoint, json: MediaType, schemas: Schemas): Responses {
  const { http } = endpoint;
  const headers = commonHeaders(endpoint);
  if (http.result === "download") return downloadOf(headers);
  if (http.result === "file") return { "200": fileOf(endpoint, headers) };
  if (endpoint.isSubscription) return { "200": eventsOf(endpoint, headers) };
  const content = {
    "application/json": named(asAnswer(json), componentName(endpoint, "result"), schemas),
  };
  const made = endpoint.meta.rate === "secretCreates" ? (["Location"] as const) : [];
  const tag = http.hasTag ? (["ETag"] as const) : [];
  const success = { description: "The result", headers: headersOf(...headers, ...made, ...tag), content };
  const same = { description: "You have it already", headers: headersOf(...headers, ...tag) };
  return { [String(http.status ?? 200)]: success, ...(http.hasTag && { "304": same }) };
}

/** The operation that answers a file inside JSON, at its path; `json` is what trpc-to-openapi wrote for the answer. */
export function envelopeAt(
  endpoint: ServiceEndpoint,
  { operation, json, schemas }: { operation: OperationObject; json: MediaType; schemas: Schemas },
): Record<string, OperationObject> {
  const path = envelopePathOf(endpoint);
  if (!path) return {};
  const responses = { ...envelopeOf(endpoint, json, schemas), ...failuresOf(endpoint.errors) };
  const summary = `${endpoint.openapi.summary}, answered in JSON`;
  return { [path]: { ...operation, operationId: `${operation.operationId}-envelope`, summary, responses } };
}

/** The file of an endpoint inside JSON, which is the typed answer with its bytes in base64 and three keys more. */
function envelopeOf(endpoint: ServiceEndpoint, json: MediaType, schemas: Schemas): Responses {
  const { schema } = asAnswer(json);
  const envelope = {
    ...schema,
    properties: {
      ...schema.properties,
      data: { type: "string", contentEncoding: "base64", description: "The file in base64" },
      encoding: { type: "string", const: "base64" },
      requestId: { type: "string", format: "uuid" },
    },
    required: [...(Array.isArray(schema.required) ? schema.required : []), "encoding", "requestId"],
  };
  const content = {
    "application/json": named({ schema: envelope }, componentName(endpoint, "envelope"), schemas),
  };
  // Its warnings are inside.
  const headers = headersOf(...commonHeaders(endpoint).filter((name) => name !== "Tool-Warning"));
  return { "200": { description: "The file inside JSON", headers, content } };
}

/** "PdfRotateEnvelope", "SecretsCreateResult": tools by their own name, the others after their router. */
export function componentName({ rpc }: { readonly rpc: string }, what: string): string {
  const [router = "", name = ""] = rpc.split(".");
  return pascalCase(...(router === "tools" ? [] : [router]), name, what);
}

function commonHeaders({ meta: { rate } }: ServiceEndpoint): HeaderName[] {
  return [
    "Request-Id",
    ...(rate ? (["RateLimit-Policy", "RateLimit"] as const) : []),
    // Whatever takes no parameter has a query to ignore.
    "Tool-Warning",
  ];
}

function fileOf({ meta: { tool }, facts }: ServiceEndpoint, common: readonly HeaderName[]) {
  const extras = facts.map(({ header }) => header);
  const headers = headersOf(...common, "Content-Disposition", "Repr-Digest", ...extras);
  const content = Object.fromEntries((tool?.types ?? []).map((type) => [type, { schema: BINARY }]));
  return { description: "The file; with Accept: application/json as at /envelope", headers, content };
}

// A generated client has no better type for it: OpenAPI 3.1 describes no parts of a stream.
function eventsOf({ meta: { examples } }: ServiceEndpoint, common: readonly HeaderName[]) {
  const description =
    "`message` with JSON in `data` for each state, at the end `done` or `error`, and comments in between";
  const content = { [EVENTS_TYPE]: { schema: TEXT, example: examples?.events } };
  return { description, headers: headersOf(...common), content };
}

function downloadOf(common: readonly HeaderName[]): Responses {
  const content = { "application/octet-stream": { schema: BINARY } };
  const headers = headersOf(...common, "Content-Disposition", "Secret-Ticket");
  const rest = { ...headers, ...headersOf("Content-Range") };
  return {
    "200": { description: "The file", headers, content },
    "206": { description: "The rest of the file", headers: rest, content },
  };
}
