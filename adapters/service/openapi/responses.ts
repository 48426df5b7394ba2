import { asAnswer, type Change } from "../../trpc/openapi/generated.ts";
import { named, pascalCase, type Schemas } from "../../trpc/openapi/names.ts";
import { nameOfStatus } from "../../trpc/openapi/usual-document.ts";
import {
  BINARY,
  EVENTS_TYPE,
  TEXT,
  type MediaType,
  type OperationObject,
  type Responses,
  type ContentObject,
  type Json,
} from "../../trpc/openapi/types.ts";
import { envelopePathOf, type ServiceEndpoint, FACT_HEADERS } from "../endpoints.ts";
import { listErrors } from "../../../router/errors/error-codes.ts";
import { ERROR_FIELDS } from "../../../router/errors/error-fields.ts";
import { TITLES } from "../../trpc/answer/write-error.ts";
import type { FactHeader } from "../tool-file.ts";

/** The successful answers of an operation; `json` is its result. */
export function successOf(endpoint: ServiceEndpoint, json: MediaType, schemas: Schemas): Responses {
  const { http } = endpoint;
  const headers = commonHeaders(endpoint);
  if (http.result === "download") return downloadOf(headers);
  if (http.result === "file") return { "200": fileOf(endpoint, headers) };
  if (endpoint.isSubscription) return { "200": eventsOf(endpoint, headers) };
  const content = {
    "application/json": named(asAnswer(json, asCount), componentName(endpoint, "result"), schemas),
  };
  const made = endpoint.meta.rate === "secretCreates" ? (["Location"] as const) : [];
  const tag = http.hasTag ? (["ETag"] as const) : [];
  const success = { description: "The result", headers: headersOf(...headers, ...made, ...tag), content };
  const same = { description: "You have it already", headers: headersOf(...headers, ...tag) };
  return { [String(http.status ?? 200)]: success, ...(http.hasTag && { "304": same }) };
}

/** The operation that returns a file inside JSON, at its path; `json` is its result. */
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

/** A file inside JSON: the typed answer with its bytes in base64 and three more keys. */
function envelopeOf(endpoint: ServiceEndpoint, json: MediaType, schemas: Schemas): Responses {
  const { schema } = asAnswer(json, asCount);
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
  // Its warnings are in the body.
  const headers = headersOf(...commonHeaders(endpoint).filter((name) => name !== "Tool-Warning"));
  return { "200": { description: "The file inside JSON", headers, content } };
}

// The service answers with counts, sizes and times, and none of them is negative.
const asCount: Change = (entry, schema) => {
  const [key, value] = entry;
  const isOpen = key === "type" && value === "integer" && !("minimum" in schema);
  return isOpen ? [entry, ["minimum", 0]] : [entry];
};

/** "PdfRotateEnvelope", "SecretsCreateResult": tools have their own name, others that of their router too. */
export function componentName({ rpc }: { readonly rpc: string }, what: string): string {
  const [router = "", name = ""] = rpc.split(".");
  return pascalCase(...(router === "tools" ? [] : [router]), name, what);
}

function commonHeaders({ meta: { rate } }: ServiceEndpoint): HeaderName[] {
  return [
    "Request-Id",
    ...(rate ? (["RateLimit-Policy", "RateLimit"] as const) : []),
    // A call without parameters ignores its whole query.
    "Tool-Warning",
  ];
}

function fileOf({ meta: { tool }, facts }: ServiceEndpoint, common: readonly HeaderName[]) {
  const extras = facts.map(({ header }) => header);
  const headers = headersOf(...common, "Content-Disposition", "Repr-Digest", ...extras);
  const content = Object.fromEntries((tool?.types ?? []).map((type) => [type, { schema: BINARY }]));
  return { description: "The file; with Accept: application/json as at /envelope", headers, content };
}

// Generated clients have no better type for it: OpenAPI 3.1 cannot describe parts of a stream.
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

/** Statuses that any path may answer before the operation is known. */
const ALWAYS = [405, 408, 414];

/** The error answers of an operation by status. */
export function failuresOf(statuses: readonly number[]): Responses {
  return Object.fromEntries(
    [...statuses, ...ALWAYS].map((status) => [
      status,
      { $ref: `#/components/responses/${nameOfStatus(status)}` },
    ]),
  );
}

/** The error answer of each status, with the codes that it may have. */
export function failures(): Record<string, Json> {
  const statuses = [...new Set(listErrors().map(({ status }) => status))];
  return Object.fromEntries(statuses.map((status) => [nameOfStatus(status), describe(status)]));
}

function describe(status: number): Json {
  const rows = listErrors().filter((row) => row.status === status);
  const description = rows.map(({ code, description: what }) => `- \`${code}\`: ${what}`).join("\n");
  const headers = headersOf(...ALL_HEADERS, ...(OWN_HEADERS[status] ?? []));
  return { description, headers, content: contentOf(rows[0] ?? { status, code: "", description: "" }) };
}

const ALL_HEADERS = ["Request-Id", "RateLimit-Policy", "RateLimit", "Tool-Warning"] as const;
const OWN_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  409: ["Retry-After"],
  413: ["Retry-After"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

function contentOf(of: { status: number; code: string; description: string }): ContentObject {
  const { status, code, description: error } = of;
  const requestId = "0d9c7c1e-7a43-4a0c-9a52-ceb706dcf46a";
  const body = { error, code, status, requestId };
  const problem = { type: `/docs#${code}`, title: TITLES[status] ?? "", detail: error };
  return {
    "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" }, example: body },
    "application/problem+json": {
      schema: { $ref: "#/components/schemas/ProblemDetails" },
      example: { ...body, ...problem, instance: `urn:request:${requestId}` },
    },
  };
}

/** The schemas of all errors. */
export const ERROR_SCHEMAS = {
  ErrorBody: {
    type: "object",
    description:
      "Every error. The other fields name the parameter, what is allowed, or the limit that was reached.",
    required: ["error", "code", "status", "requestId"],
    properties: {
      error: { ...TEXT, description: "One sentence for people" },
      code: { ...TEXT, enum: listErrors().map(({ code }) => code) },
      status: { type: "integer", minimum: 400, maximum: 599 },
      requestId: { ...TEXT, format: "uuid" },
      ...ERROR_FIELDS,
    },
    additionalProperties: true,
  },
  ProblemDetails: {
    description: "The same with the members of RFC 9457, for Accept: application/problem+json.",
    allOf: [
      { $ref: "#/components/schemas/ErrorBody" },
      {
        type: "object",
        required: ["type", "title", "detail", "instance"],
        properties: {
          type: { ...TEXT, format: "uri-reference" },
          title: TEXT,
          detail: TEXT,
          instance: { ...TEXT, format: "uri" },
        },
      },
    ],
  },
};

const count = { type: "integer", minimum: 0 };

const NAMED = {
  "Request-Id": { description: "Names this request in the log", schema: { ...TEXT, format: "uuid" } },
  "RateLimit-Policy": {
    description: 'The rate that the call counts under, as "tools";q=60;w=900',
    schema: TEXT,
  },
  RateLimit: { description: 'What is left of it, as "tools";r=57;t=412', schema: TEXT },
  "Retry-After": { description: "Seconds after which to try again", schema: count },
  "WWW-Authenticate": { description: "Bearer: an API token, or a login", schema: TEXT },
  Allow: { description: "The methods that the path takes, with commas (RFC 9110)", schema: TEXT },
  ETag: { description: "Sent back in If-None-Match, what has not changed is 304", schema: TEXT },
  Location: { description: "Where what was created is", schema: { ...TEXT, format: "uri-reference" } },
  "Content-Disposition": { description: "The name of the file (RFC 6266)", schema: TEXT },
  "Content-Range": { description: "Which bytes of the file these are (RFC 9110)", schema: TEXT },
  "Repr-Digest": { description: "SHA-256 of the file (RFC 9530)", schema: TEXT },
  "Secret-Ticket": { description: "With it the same call goes on after a cut", schema: TEXT },
  "Tool-Warning": { description: "What was lost or ignored: the message of each warning", schema: TEXT },
} as const satisfies Json;

const facts = [...FACT_HEADERS.values()].map(({ header, key, schema }) => {
  return [header, { description: `As ${key} of the envelope`, schema }] as const;
});

/** Every header of an answer that a caller may want to read. */
export const HEADERS: Json = { ...NAMED, ...Object.fromEntries(facts) };

type HeaderName = keyof typeof NAMED | FactHeader["header"];

/** References to some of them. */
function headersOf(...names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
