import type { Endpoint } from "../endpoints.ts";
import { EXTRA_HEADERS } from "../rest/results.ts";
import { asAnswer } from "./generated.ts";
import { headersOf, type HeaderName } from "./headers.ts";
import { named, pascalCase, type Schemas } from "./names.ts";
import { BINARY, TEXT, type MediaType, type Operation } from "./types.ts";

/** What an operation answers when all is well; `json` is what trpc-to-openapi wrote for it. */
export function successOf(endpoint: Endpoint, json: MediaType, schemas: Schemas): Operation["responses"] {
  const { http } = endpoint;
  const headers = commonHeaders(endpoint);
  if (http.result === "download") return downloadOf(headers);
  if (http.result === "file") return { "200": fileOf(endpoint, headers) };
  const content = {
    "application/json": named(asAnswer(json), nameOf(endpoint, "result"), schemas),
    ...(http.text ? { "text/plain": { schema: TEXT } } : {}),
  };
  const made = http.status === 201 && http.body !== "fields" ? (["Location"] as const) : [];
  const success = { description: "The result", headers: headersOf(...headers, ...made), content };
  return { [String(http.status ?? 200)]: success };
}

/** The file of an endpoint inside JSON, which is the typed answer with its bytes in base64 and three keys more. */
export function envelopeOf(endpoint: Endpoint, json: MediaType, schemas: Schemas): Operation["responses"] {
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
  const content = { "application/json": named({ schema: envelope }, nameOf(endpoint, "envelope"), schemas) };
  const headers = headersOf(...commonHeaders(endpoint));
  return { "200": { description: "The file inside JSON", headers, content } };
}

/** "PdfRotateEnvelope", "SecretsCreateResult": tools by their own name, the others after their router. */
export function nameOf({ rpc }: Endpoint, what: string): string {
  const [router = "", name = ""] = rpc.split(".");
  return pascalCase(...(router === "tools" ? [] : [router]), name, what);
}

function commonHeaders({ rate, tool }: Endpoint): HeaderName[] {
  return [
    "Request-Id",
    ...(rate ? (["RateLimit-Policy", "RateLimit"] as const) : []),
    ...(tool ? (["Tool-Warning"] as const) : []),
  ];
}

function fileOf({ tool, resultKeys }: Endpoint, common: readonly HeaderName[]) {
  const extras = EXTRA_HEADERS.flatMap(([key, header]) => (resultKeys.includes(key) ? [header] : []));
  const headers = headersOf(...common, "Content-Disposition", "Repr-Digest", ...extras);
  const content = Object.fromEntries((tool?.types ?? []).map((type) => [type, { schema: BINARY }]));
  return { description: "The file; with Accept: application/json as at /envelope", headers, content };
}

function downloadOf(common: readonly HeaderName[]): Operation["responses"] {
  const content = { "application/octet-stream": { schema: BINARY } };
  const headers = headersOf(...common, "Content-Disposition", "Secret-Ticket");
  const rest = { ...headers, ...headersOf("Content-Range") };
  return {
    "200": { description: "The file", headers, content },
    "206": { description: "The rest of the file", headers: rest, content },
  };
}
