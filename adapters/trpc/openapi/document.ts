import { SESSION_COOKIE } from "../../../router/policy/session-cookie.ts";
import { VERSION } from "../../operations/version.ts";
import { BODY_KINDS } from "../../service/body-kinds/body-kinds.ts";
import { exampleOf } from "../../service/catalogue.ts";
import { endpoints, envelopePathOf, type Endpoint } from "../endpoints.ts";
import { ERROR_SCHEMAS, failures, failuresOf } from "./errors.ts";
import { generateDocument } from "./generated.ts";
import { HEADERS } from "./headers.ts";
import { named, type Schemas } from "./names.ts";
import { asQuery } from "./parameters.ts";
import { envelopeOf, nameOf, successOf } from "./successes.ts";
import type { Document, Json, MediaType, Operation, RequestBody } from "./types.ts";

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
  const schemas: Schemas = {};
  for (const endpoint of endpoints) completePath(document, { endpoint, schemas, publicUrl });
  // What trpc-to-openapi invents for errors is replaced by our own.
  const { securitySchemes } = document.components;
  const components = {
    schemas: { ...schemas, ...ERROR_SCHEMAS },
    responses: failures(),
    headers: HEADERS,
    securitySchemes,
  };
  return { ...document, tags: TAGS, components };
}

const TAGS = [
  { name: "secrets", description: "Texts that can be read once" },
  { name: "tools", description: "Work on files and texts, of which nothing is kept" },
  { name: "account", description: "What only members have: a login, API tokens, their own secrets" },
];

interface Completing {
  readonly endpoint: Endpoint;
  /** What has a name so far. */
  readonly schemas: Schemas;
  readonly publicUrl: string;
}

function completePath({ paths }: Document, completing: Completing): void {
  const { endpoint, schemas, publicUrl } = completing;
  const { openapi, http, rpc } = endpoint;
  const method = openapi.method.toLowerCase();
  const item = paths[openapi.path];
  const written = item?.[method];
  if (!item || !written) throw new Error(`trpc-to-openapi left out ${rpc}`);
  const operation = complete(written, completing);
  item[method] = { ...operation, "x-codeSamples": [sampleOf(endpoint, publicUrl)] };
  if (http.alsoGet) item.get = asGet(operation, endpoint);
  const envelopePath = envelopePathOf(endpoint);
  if (envelopePath) paths[envelopePath] = { [method]: asEnvelope(operation, { written, completing }) };
  const json = written.requestBody?.content["application/json"];
  const body = json && BODY_KINDS[http.body].documentAliasBody?.(json);
  for (const path of http.aliases ?? []) {
    const operationId = `${operation.operationId}-at-${path.slice(1) || "root"}`;
    const own = body ? { requestBody: nameBody(body, endpoint, schemas) } : {};
    paths[path] = { [method]: { ...operation, operationId, ...own } };
  }
}

// An extension that generators of documentation read; the catalogue has the same line.
function sampleOf(endpoint: Endpoint, publicUrl: string): Json {
  return { lang: "Shell", label: "curl", source: exampleOf(endpoint).replaceAll("$URL", publicUrl) };
}

function complete({ requestBody, ...operation }: Operation, { endpoint, schemas }: Completing): Operation {
  const { http, access, errors } = endpoint;
  const kind = BODY_KINDS[http.body];
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
  const raw = http.text?.by === "raw" ? [RAW] : [];
  const body = kind.documentBody(endpoint, requestBody?.content["application/json"]);
  return {
    ...operation,
    security: SECURITY[access ?? "open"],
    parameters: [...inPath, ...kind.documentParameters(endpoint), ...raw],
    ...(body ? { requestBody: nameBody(body, endpoint, schemas) } : {}),
    responses: { ...successOf(endpoint, answerOf(operation), schemas), ...failuresOf(errors) },
  };
}

// trpc-to-openapi writes every answer as 200 and JSON.
function answerOf({ responses }: Pick<Operation, "responses">): MediaType {
  return responses["200"]?.content?.["application/json"] ?? { schema: {} };
}

// One name for what is the same in JSON and in a form; a form with a file in it is another.
function nameBody({ content, ...body }: RequestBody, endpoint: Endpoint, schemas: Schemas): RequestBody {
  const first = JSON.stringify(Object.values(content)[0]);
  const entries = Object.entries(content).map(([type, media]): [string, MediaType] => {
    const what = JSON.stringify(media) === first ? "input" : "form";
    return [type, named(media, nameOf(endpoint, what), schemas)];
  });
  return { ...body, content: Object.fromEntries(entries) };
}

function asEnvelope(
  operation: Operation,
  { written, completing: { endpoint, schemas } }: { written: Operation; completing: Completing },
): Operation {
  return {
    ...operation,
    operationId: `${operation.operationId}-envelope`,
    summary: `${endpoint.openapi.summary}, answered in JSON`,
    responses: { ...envelopeOf(endpoint, answerOf(written), schemas), ...failuresOf(endpoint.errors) },
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

function asGet(post: Operation, { parameters }: Endpoint): Operation {
  const { requestBody: _, ...get } = post;
  const operationId = `${post.operationId}-get`;
  return { ...get, operationId, parameters: parameters.map(asQuery) };
}
