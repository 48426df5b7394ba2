import { generateOpenApiDocument } from "trpc-to-openapi";
import { appRouter, procedures } from "../../../router/app.ts";
import { SESSION_COOKIE } from "../../../router/policy/session-cookie.ts";
import { parametersOf, type Parameter } from "../../../router/parameters.ts";
import { inputSchemaOf, metaOf } from "../../../router/introspect.ts";
import { statusesOf, type HttpMeta, type Meta } from "../../../router/meta.ts";
import { ERROR, failuresOf } from "./errors.ts";
import { asQuery, fieldsOf } from "./parameters.ts";
import { VERSION } from "../../operations/version.ts";

type Json = Record<string, unknown>;

interface Operation extends Json {
  parameters?: Json[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, Json>;
}

const written = new Map<string, string>();

/** The OpenAPI 3.1 document as JSON: trpc-to-openapi's, completed for raw bodies, binary results and errors. */
export function openApiDocument(publicUrl: string): string {
  let text = written.get(publicUrl);
  if (text === undefined) {
    text = JSON.stringify(makeDocument(publicUrl), withoutSafeIntegers);
    written.set(publicUrl, text);
  }
  return text;
}

// zod writes down that an integer of JavaScript is one of JavaScript.
function withoutSafeIntegers(key: string, value: unknown): unknown {
  const isBound = key === "minimum" || key === "maximum";
  return isBound && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : value;
}

function makeDocument(baseUrl: string): unknown {
  const document = generateOpenApiDocument(appRouter, {
    title: "Hushkit",
    version: VERSION,
    description:
      "Hand over a secret once, and do something to a file. No account is needed anywhere; an API token only " +
      "raises limits. The same procedures answer as typed RPC under /trpc.",
    baseUrl,
    license: { name: "MIT", identifier: "MIT" },
    tags: ["secrets", "tools", "account"],
    securitySchemes: {
      token: { type: "http", scheme: "bearer", description: "An API token" },
      session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE, description: "A login" },
    },
  }) as unknown as Document;
  for (const procedure of Object.values(procedures())) {
    const meta = metaOf(procedure);
    const { openapi, http, tool, access } = meta;
    const schema = inputSchemaOf(procedure);
    const item = openapi && document.paths[openapi.path];
    const operation = openapi && item?.[openapi.method.toLowerCase()];
    if (!openapi || !item || !operation || !http || !schema) throw new Error("Every procedure is documented");
    const about = { http, parameters: parametersOf(schema), types: tool?.types, access };
    item[openapi.method.toLowerCase()] = complete(operation, { ...about, errors: statusesOf(meta, schema) });
    if (http.alsoGet) item.get = asGet(item[openapi.method.toLowerCase()] as Operation, about.parameters);
  }
  document.tags = TAGS;
  document.components = {
    ...document.components,
    schemas: { ...schemasOf(document.components), Error: ERROR },
  };
  return document;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: Json;
  tags: readonly Json[];
}

const TAGS = [
  { name: "secrets", description: "Texts that can be read once" },
  { name: "tools", description: "Work on files and texts, of which nothing is kept" },
  { name: "account", description: "What only members have: a login, API tokens, their own secrets" },
];

function schemasOf(components: Json): Json {
  // Kept by key; what trpc-to-openapi invents for errors is replaced by our own schema.
  const schemas = (components.schemas ?? {}) as Json;
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => !name.startsWith("error.")));
}

interface About {
  readonly http: HttpMeta;
  readonly parameters: readonly Parameter[];
  readonly types: readonly string[] | undefined;
  readonly errors: readonly number[];
  readonly access: Meta["access"];
}

function complete(operation: Operation, about: About): Operation {
  const { http, parameters } = about;
  const takesFile = http.body === "file" || http.body === "stream";
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
  const isInPath = (name: string) => inPath.some((parameter) => parameter.name === name);
  const inQuery =
    takesFile || http.body === "none"
      ? parameters.filter(({ name, type }) => type !== "file" && !isInPath(name)).map(asQuery)
      : extraQuery(about);
  const body = bodyOf(operation, about);
  const security = { member: MEMBER, session: [SESSION], open: [{}, ...MEMBER] }[about.access ?? "open"];
  const { requestBody: _, ...rest } = operation;
  return {
    ...rest,
    security,
    parameters: [...inPath, ...inQuery, ...headersOf(about)],
    ...(body ? { requestBody: body } : {}),
    responses: { ...successOf(operation, about), ...failuresOf(about.errors) },
  };
}

const SESSION = { session: [] };
const MEMBER = [{ token: [] }, SESSION];

function extraQuery({ http, parameters }: About): Json[] {
  const expires =
    http.body === "content" ? parameters.filter(({ name }) => name === "expires").map(asQuery) : [];
  return http.text?.by === "raw" ? [...expires, RAW] : expires;
}

const RAW = {
  name: "raw",
  in: "query",
  required: false,
  description: "True for the bare text instead of JSON",
  schema: { type: "boolean", default: false },
};

function headersOf({ http, parameters }: About): Json[] {
  const takesFile = http.body === "file" || http.body === "stream";
  if (!takesFile || !parameters.some(({ name }) => name === "password")) return [];
  const description = "The password, percent-encoded UTF-8: a URL is no place for one";
  return [{ name: "Tool-Password", in: "header", required: false, description, schema: { type: "string" } }];
}

function bodyOf({ requestBody }: Operation, { http, parameters }: About): Operation["requestBody"] {
  const json = requestBody?.content["application/json"];
  const binary = { type: "string", format: "binary" };
  switch (http.body) {
    case "file":
    case "stream": {
      const options = parameters.filter(({ type }) => type !== "file");
      const fields = Object.fromEntries(options.map((facts) => [facts.name, asQuery(facts).schema]));
      const form = { type: "object", properties: { file: binary, ...fields }, required: ["file"] };
      return {
        required: true,
        content: { "application/octet-stream": { schema: binary }, "multipart/form-data": { schema: form } },
      };
    }
    case "files":
      return (
        json && {
          required: true,
          content: { "application/json": inBase64(json), "multipart/form-data": PARTS },
        }
      );
    case "content":
      return (
        json && { required: true, content: { ...forms(json), "text/plain": { schema: { type: "string" } } } }
      );
    case "fields":
      // DELETE may have a body, which trpc-to-openapi takes for a query.
      return { required: true, content: forms(json ?? { schema: fieldsOf(parameters) }) };
    default:
      return json && { required: false, content: { "application/json": json } };
  }
}

// What is bytes over RPC is base64 inside JSON.
function inBase64(json: { schema: Json }): { schema: Json } {
  const text = JSON.stringify(json).replaceAll('"format":"binary"', '"contentEncoding":"base64"');
  return JSON.parse(text) as { schema: Json };
}

const PARTS = {
  schema: {
    type: "object",
    description:
      "File parts in the order in which they are joined; range[0], password[1] belong to one of them",
    properties: { file: { type: "array", items: { type: "string", format: "binary" } } },
    required: ["file"],
    additionalProperties: { type: "string" },
  },
};

function forms(json: { schema: Json }) {
  return { "application/json": json, "application/x-www-form-urlencoded": json, "multipart/form-data": json };
}

function successOf(operation: Operation, { http, types }: About): Record<string, Json> {
  const { content } = operation.responses["200"] as { content: Record<string, { schema: Json }> };
  const json = content["application/json"] ?? { schema: {} };
  const text = http.text ? { "text/plain": { schema: { type: "string" } } } : {};
  const headers = {
    "Request-Id": { description: "Names this request in the log", schema: { type: "string" } },
  };
  const description =
    http.result === "file" ? "The file, or with Accept: application/json an envelope" : "The result";
  const binary = (types ?? []).map((type) => [type, { schema: { type: "string", format: "binary" } }]);
  const bodies =
    http.result === "file"
      ? { ...Object.fromEntries(binary), "application/json": envelope(json) }
      : { "application/json": json };
  return { [String(http.status ?? 200)]: { description, headers, content: { ...bodies, ...text } } };
}

// The envelope is the typed answer with its bytes in base64 and three keys more.
function envelope({ schema }: { schema: Json }): { schema: Json } {
  const properties = {
    ...(schema.properties as Json | undefined),
    data: { type: "string", contentEncoding: "base64", description: "The file in base64" },
    encoding: { type: "string", const: "base64" },
    requestId: { type: "string" },
  };
  return { schema: { ...schema, properties } };
}

function asGet(post: Operation, parameters: readonly Parameter[]): Operation {
  const { requestBody: _, ...rest } = post;
  return { ...rest, operationId: `${String(post.operationId)}-get`, parameters: parameters.map(asQuery) };
}
