import { SESSION_COOKIE } from "../../../router/policy/session-cookie.ts";
import { VERSION } from "../../operations/version.ts";
import { BODY_KINDS } from "../body-kinds/body-kinds.ts";
import { endpoints, type Endpoint } from "../endpoints.ts";
import { ERROR, failuresOf } from "./errors.ts";
import { generateDocument } from "./generated.ts";
import { asQuery } from "./parameters.ts";
import { BINARY, TEXT, type Document, type Json, type MediaType, type Operation } from "./types.ts";

/** The OpenAPI 3.1 document: trpc-to-openapi's, completed for raw bodies, binary results and errors. */
export function makeDocument(publicUrl: string): Document {
  const document = generateDocument({
    title: "Hushkit",
    version: VERSION,
    description:
      "Hand over a secret once, and do something to a file. No account is needed anywhere; an API token only " +
      "raises limits. The same procedures answer as typed RPC under /trpc.",
    baseUrl: publicUrl,
    license: { name: "MIT", identifier: "MIT" },
    tags: ["secrets", "tools", "account"],
    securitySchemes: {
      token: { type: "http", scheme: "bearer", description: "An API token" },
      session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE, description: "A login" },
    },
  });
  for (const endpoint of endpoints) completePath(document, endpoint);
  // Other schemas are kept; what trpc-to-openapi invents for errors is replaced by our own.
  const schemas = Object.entries(document.components.schemas ?? {});
  const kept = Object.fromEntries(schemas.filter(([name]) => !name.startsWith("error.")));
  const components = { ...document.components, schemas: { ...kept, Error: ERROR } };
  return { ...document, tags: TAGS, components };
}

const TAGS = [
  { name: "secrets", description: "Texts that can be read once" },
  { name: "tools", description: "Work on files and texts, of which nothing is kept" },
  { name: "account", description: "What only members have: a login, API tokens, their own secrets" },
];

function completePath({ paths }: Document, endpoint: Endpoint): void {
  const { openapi, http, rpc } = endpoint;
  const method = openapi.method.toLowerCase();
  const item = paths[openapi.path];
  const written = item?.[method];
  if (!item || !written) throw new Error(`trpc-to-openapi left out ${rpc}`);
  const operation = complete(written, endpoint);
  item[method] = operation;
  if (http.alsoGet) item.get = asGet(operation, endpoint);
  const json = written.requestBody?.content["application/json"];
  for (const path of http.aliases ?? []) paths[path] = { [method]: asAlias(operation, { path, http, json }) };
}

interface Alias {
  readonly path: string;
  readonly http: Endpoint["http"];
  readonly json: MediaType | undefined;
}

function asAlias(operation: Operation, { path, http, json }: Alias): Operation {
  const operationId = `${operation.operationId}-at-${path.slice(1) || "root"}`;
  const body = json && BODY_KINDS[http.body].documentAliasBody?.(json);
  return { ...operation, operationId, ...(body ? { requestBody: body } : {}) };
}

function complete({ requestBody, ...operation }: Operation, endpoint: Endpoint): Operation {
  const { http, access, errors } = endpoint;
  const kind = BODY_KINDS[http.body];
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
  const raw = http.text?.by === "raw" ? [RAW] : [];
  const body = kind.documentBody(endpoint, requestBody?.content["application/json"]);
  return {
    ...operation,
    security: SECURITY[access ?? "open"],
    parameters: [...inPath, ...kind.documentParameters(endpoint), ...raw],
    ...(body ? { requestBody: body } : {}),
    responses: { ...successOf(operation, endpoint), ...failuresOf(errors) },
  };
}

const SESSION = { session: [] };
const MEMBER = [{ token: [] }, SESSION];
const SECURITY = { member: MEMBER, session: [SESSION], open: [{}, ...MEMBER] };

const RAW: Json = {
  name: "raw",
  in: "query",
  required: false,
  description: "True for the bare text instead of JSON",
  schema: { type: "boolean", default: false },
};

function successOf({ responses }: Operation, { http, tool }: Endpoint): Operation["responses"] {
  const json = responses["200"]?.content?.["application/json"] ?? { schema: {} };
  const isFile = http.result === "file";
  const headers = {
    "Request-Id": { description: "Names this request in the log", schema: { type: "string" } },
  };
  const description = isFile ? "The file, or with Accept: application/json an envelope" : "The result";
  if (http.result === "download") return downloadOf(headers);
  const files = isFile ? (tool?.types ?? []).map((type) => [type, { schema: BINARY }]) : [];
  const content = {
    ...Object.fromEntries(files),
    "application/json": isFile ? envelope(json) : json,
    ...(http.text ? { "text/plain": { schema: TEXT } } : {}),
  };
  const success = { description, headers, content };
  return { [String(http.status ?? 200)]: success };
}

function downloadOf(headers: Json): Operation["responses"] {
  const content = { "application/octet-stream": { schema: BINARY } };
  const ticket = { description: "With it the same call goes on after a cut", schema: { type: "string" } };
  const all = { ...headers, "Secret-Ticket": ticket };
  const whole = { description: "The file", headers: all, content };
  const rest = { description: "The rest of the file", headers: all, content };
  return { "200": whole, "206": rest };
}

// The envelope is the typed answer with its bytes in base64 and three keys more.
function envelope({ schema }: MediaType): MediaType {
  const properties = {
    ...schema.properties,
    data: { type: "string", contentEncoding: "base64", description: "The file in base64" },
    encoding: { type: "string", const: "base64" },
    requestId: { type: "string" },
  };
  return { schema: { ...schema, properties } };
}

function asGet(post: Operation, { parameters }: Endpoint): Operation {
  const { requestBody: _, ...get } = post;
  const operationId = `${post.operationId}-get`;
  return { ...get, operationId, parameters: parameters.map(asQuery) };
}
