import { generateOpenApiDocument } from "trpc-to-openapi";
import type { Services } from "../../../router/context.ts";
import { appRouter } from "../../../router/app.ts";
import { SESSION_COOKIE } from "../../../router/accounts/cookies.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH, MIN_IDEMPOTENCY_KEY_LENGTH } from "../../../router/limits.ts";
import { VERSION } from "../../operations/version.ts";
import { makeDocument, type DocumentOptions } from "../../trpc/openapi/document.ts";
import type { Document } from "../../trpc/openapi/types.ts";
import { offered, serviceEndpoint } from "../endpoints.ts";
import { exampleOf, holdingLimits } from "../catalogue.ts";
import {
  ERROR_SCHEMAS,
  failures,
  failuresOf,
  HEADERS,
  envelopeAt,
  componentName,
  successOf,
} from "./responses.ts";
import { withExamples } from "./examples.ts";

const SESSION = { session: [] };
const MEMBER = [{ token: [] }, SESSION];
const SECURITY = { member: MEMBER, session: [SESSION], admin: [SESSION], open: [{}, ...MEMBER] };

/** The OpenAPI document of this service. */
export function makeServiceDocument(services: Pick<Services, "publicUrl" | "tools" | "limits">): Document {
  const { publicUrl, limits } = services;
  const documented = { router: appRouter, endpoints: offered(services) };
  const document = holdingLimits(makeDocument(documented, documentOptions(publicUrl)), limits);
  return withExamples(document, documented.endpoints);
}

function documentOptions(publicUrl: string): DocumentOptions {
  return {
    generate: generateOpenApiDocument,
    options: {
      title: "Hushkit",
      version: VERSION,
      description:
        "Hand over a secret once, and do something to a file. No account is needed anywhere; an API token only " +
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
      const { again, hasTag } = serviceEndpoint(endpoint).http;
      return [...(again === "key" ? [IDEMPOTENCY_KEY] : []), ...(hasTag ? [IF_NONE_MATCH] : [])];
    },
    security: (endpoint) => SECURITY[serviceEndpoint(endpoint).meta.access ?? "open"],
    successes: (endpoint, json, schemas) => successOf(serviceEndpoint(endpoint), json, schemas),
    failures: (endpoint) => failuresOf(serviceEndpoint(endpoint).errors),
    // The catalogue has the same line.
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
  { name: "instance", description: "What this instance is" },
  { name: "account", description: "What only members have: a login, API tokens, their own secrets" },
  { name: "admin", description: "What administrators of the instance do with its members" },
];
