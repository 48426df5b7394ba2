import { appRouter } from "../../../router/app.ts";
import { SESSION_COOKIE } from "../../../router/policy/session-cookie.ts";
import { VERSION } from "../../operations/version.ts";
import { makeDocument, type DocumentOptions } from "../../trpc/openapi/document.ts";
import type { Document } from "../../trpc/openapi/types.ts";
import { BODY_KINDS } from "../body-kinds/body-kinds.ts";
import { endpointOf, endpoints } from "../endpoints.ts";
import { exampleOf } from "../catalogue.ts";
import { ERROR_SCHEMAS, failures, failuresOf } from "./errors.ts";
import { HEADERS } from "./headers.ts";
import { envelopeAt, componentName, successOf } from "./successes.ts";

const SESSION = { session: [] };
const MEMBER = [{ token: [] }, SESSION];
const SECURITY = { member: MEMBER, session: [SESSION], open: [{}, ...MEMBER] };

/** The OpenAPI document of this service. */
export function makeServiceDocument(publicUrl: string): Document {
  return makeDocument({ router: appRouter, endpoints, bodyKinds: BODY_KINDS }, documentOptions(publicUrl));
}

function documentOptions(publicUrl: string): DocumentOptions {
  return {
    generate: {
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
    security: (endpoint) => SECURITY[endpointOf(endpoint).access ?? "open"],
    successes: (endpoint, json, schemas) => successOf(endpointOf(endpoint), json, schemas),
    failures: (endpoint) => failuresOf(endpointOf(endpoint).errors),
    // The catalogue has the same line.
    sample: (endpoint) => ({
      lang: "Shell",
      label: "curl",
      source: exampleOf(endpointOf(endpoint)).replaceAll("$URL", publicUrl),
    }),
    morePaths: (endpoint, written) => envelopeAt(endpointOf(endpoint), written),
  };
}

const TAGS = [
  { name: "secrets", description: "Texts that can be read once" },
  { name: "tools", description: "Work on files and texts, of which nothing is kept" },
  { name: "account", description: "What only members have: a login, API tokens, their own secrets" },
];
