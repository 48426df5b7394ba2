import { generateOpenApiDocument } from "trpc-to-openapi";
import type { Services } from "../../../router/context.ts";
import { appRouter } from "../../../router/app.ts";
import { SESSION_COOKIE } from "../../../router/accounts/cookies.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH, MIN_IDEMPOTENCY_KEY_LENGTH } from "../../../router/limits.ts";
import { VERSION } from "../../operations/version.ts";
import { makeDocument, type DocumentOptions } from "../../trpc/openapi/document.ts";
import { mapValues } from "../../trpc/schema/read-value.ts";
import type { Document, ContentObject, Json, MediaType, OperationObject } from "../../trpc/openapi/types.ts";
import { offered, serviceEndpoint, type ServiceEndpoint } from "../endpoints.ts";
import { exampleOf, withLifetimes } from "../catalogue.ts";
import {
  ERROR_SCHEMAS,
  failures,
  failuresOf,
  HEADERS,
  envelopeAt,
  componentName,
  successOf,
} from "./responses.ts";
import { EXAMPLES_BY_NAME } from "../../../router/procedures/examples.ts";

const SESSION = { session: [] };
const MEMBER = [{ token: [] }, SESSION];
const SECURITY = { member: MEMBER, session: [SESSION], admin: [SESSION], open: [{}, ...MEMBER] };

/** The OpenAPI document of this service. */
export function makeServiceDocument(services: Pick<Services, "publicUrl" | "tools" | "limits">): Document {
  const { publicUrl, limits } = services;
  const documented = { router: appRouter, endpoints: offered(services) };
  const document = withLifetimes(makeDocument(documented, documentOptions(publicUrl)), limits);
  return withExamples(document, documented.endpoints);
}

function documentOptions(publicUrl: string): DocumentOptions {
  return {
    generate: generateOpenApiDocument,
    options: {
      title: "Hushkit",
      version: VERSION,
      description:
        "Share a secret once, and do something to a file. No account is needed anywhere; an API token only " +
        "raises limits. The same procedures answer as typed RPC under /trpc.",
      baseUrl: publicUrl,
      license: { name: "MIT", identifier: "MIT" },
      tags: TAGS.map(({ name }) => name),
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An API token" },
        session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE, description: "A login" },
      },
    },
    tagObjects: TAGS,
    nameOf: componentName,
    components: { schemas: ERROR_SCHEMAS, responses: failures(), headers: HEADERS },
    parameters: (endpoint) => {
      const { retry, hasTag } = serviceEndpoint(endpoint).http;
      return [...(retry === "key" ? [IDEMPOTENCY_KEY] : []), ...(hasTag ? [IF_NONE_MATCH] : [])];
    },
    security: (endpoint) => SECURITY[serviceEndpoint(endpoint).meta.access ?? "open"],
    successes: (endpoint, json, schemas) => successOf(serviceEndpoint(endpoint), json, schemas),
    failures: (endpoint) => failuresOf(serviceEndpoint(endpoint).errors),
    // The example of the catalogue.
    sample: (endpoint) => ({
      lang: "Shell",
      label: "curl",
      source: exampleOf(serviceEndpoint(endpoint)).replaceAll("$URL", publicUrl),
    }),
    morePaths: (endpoint, written) => envelopeAt(serviceEndpoint(endpoint), written),
  };
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "From a random source, such as a UUID. Sent again within a day, by the same caller with the same body, query and " +
    "passphrase, it gives the first answer again and makes nothing new",
  schema: {
    type: "string",
    minLength: MIN_IDEMPOTENCY_KEY_LENGTH,
    maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
    pattern: "^[!-~]+$",
  },
};

const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The ETag of an answer that you have: 304 where it is the same",
  schema: { type: "string" },
};

const TAGS = [
  { name: "secrets", description: "Texts that can be read once" },
  { name: "tools", description: "Work on files and texts, of which nothing is kept" },
  { name: "instance", description: "What this server is" },
  { name: "account", description: "What only members have: a login, API tokens, their own secrets" },
  { name: "admin", description: "What administrators of the server do with its members" },
];

/**
 * Adds an example to every body and answer that is not a file. It follows from the schema: required fields and those
 * with their own examples, by the examples of procedures and of names, defaults and first values.
 */
function withExamples(document: Document, endpoints: readonly ServiceEndpoint[]): Document {
  const schemas: Json = Object(document.components.schemas);
  const own = Object.fromEntries(endpoints.flatMap(ownExamples));
  const paths = mapValues(document.paths, (item) =>
    mapValues(item, (operation): OperationObject => {
      const { requestBody, operationId = "" } = operation;
      const add = (content: ContentObject) =>
        addExamples(content, { schemas, own, name: operationId, owner: "" });
      return {
        ...operation,
        ...(requestBody && { requestBody: { ...requestBody, content: add(requestBody.content) } }),
        responses: mapValues(operation.responses, (each) =>
          each.content ? { ...each, content: add(each.content) } : each,
        ),
      };
    }),
  );
  return { ...document, paths };
}

/**
 * From the meta of a procedure, by schema and field ("PdfRotateEnvelope.name") or by operation ("secrets-create-raw").
 */
function ownExamples(endpoint: ServiceEndpoint): [string, unknown][] {
  const { rpc, http, meta } = endpoint;
  const { examples = {}, tool } = meta;
  const isFile = tool && http.result === "file";
  const file = isFile ? { "Envelope.tool": tool.name, "Envelope.type": tool.types?.[0] } : {};
  return Object.entries({ ...file, ...examples }).map(([key, example]) => [
    key.includes(".") ? componentName(endpoint, key) : `${rpc.replaceAll(".", "-")}-${key}`,
    example,
  ]);
}

function addExamples(content: ContentObject, context: SampleContext): ContentObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]): [string, MediaType] => {
      const isDone = media.example !== undefined || !/json|form|^text\//.test(type);
      return [type, isDone ? media : { ...media, example: sampleOf(media.schema, context) }];
    }),
  );
}

interface SampleContext {
  readonly schemas: Json;
  readonly own: Json;
  /** The property's name; at the top level the operation's. */
  readonly name: string;
  /** The schema that contains it. */
  readonly owner: string;
}

function sampleOf(schema: Json, context: SampleContext): unknown {
  const { schemas, name, owner } = context;
  const own = context.own[`${owner}.${name}`];
  if (own !== undefined) return own;
  if (typeof schema.$ref === "string") {
    const component = schema.$ref.split("/").at(-1) ?? "";
    return sampleOf(Object(schemas[component]), { ...context, owner: component });
  }
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const types = Array.isArray(schema.anyOf)
    ? schema.anyOf.map(({ type }: Json) => type)
    : [schema.type].flat();
  if (types.includes("null")) return null;
  return sampleOfType(schema, context);
}

function sampleOfType(schema: Json, context: SampleContext): unknown {
  const { name } = context;
  const byName = EXAMPLES_BY_NAME[name];
  switch (schema.type) {
    case "object":
      return sampleObject(schema, context);
    case "array":
      if (Array.isArray(byName)) return byName;
      return [sampleOf(Object(schema.items), { ...context, name: `${name}[]` })];
    case "boolean":
      return schema.default ?? false;
    case "string":
      return context.own[name] ?? byName ?? schema.default ?? "";
    default:
      return schema.default ?? byName ?? schema.minimum ?? 1;
  }
}

function sampleObject({ properties, required }: Json, context: SampleContext): unknown {
  const wanted = [required].flat();
  const isShown = (name: string) => wanted.includes(name) || `${context.owner}.${name}` in context.own;
  const entries = Object.entries<Json>(Object(properties)).filter(([name]) => isShown(name));
  return Object.fromEntries(entries.map(([name, each]) => [name, sampleOf(each, { ...context, name })]));
}
