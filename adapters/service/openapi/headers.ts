import { FACT_HEADERS } from "../endpoints.ts";
import type { FactHeader } from "../fact-headers.ts";
import type { Json } from "../../trpc/openapi/types.ts";

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

const NAMED = {
  "Request-Id": { description: "Names this request in the log", schema: { ...text, format: "uuid" } },
  "RateLimit-Policy": {
    description: 'The rate that the call counts under, as "tools";q=60;w=900',
    schema: text,
  },
  RateLimit: { description: 'What is left of it, as "tools";r=57;t=412', schema: text },
  "Retry-After": { description: "Seconds after which to try again", schema: count },
  "WWW-Authenticate": { description: "Bearer: an API token, or a login", schema: text },
  Allow: { description: "The methods that the path takes, with commas (RFC 9110)", schema: text },
  ETag: { description: "Sent back in If-None-Match, what has not changed is 304", schema: text },
  Location: { description: "Where what was created is", schema: { ...text, format: "uri-reference" } },
  "Content-Disposition": { description: "The name of the file (RFC 6266)", schema: text },
  "Content-Range": { description: "Which bytes of the file these are (RFC 9110)", schema: text },
  "Repr-Digest": { description: "SHA-256 of the file (RFC 9530)", schema: text },
  "Secret-Ticket": { description: "With it the same call goes on after a cut", schema: text },
  "Tool-Warning": { description: "What was lost or ignored: the message of each warning", schema: text },
} as const satisfies Json;

const facts = [...FACT_HEADERS.values()].map(({ header, key, schema }) => {
  return [header, { description: `As ${key} of the envelope`, schema }] as const;
});

/** Every header of an answer that a caller may want to read. */
export const HEADERS: Json = { ...NAMED, ...Object.fromEntries(facts) };

export type HeaderName = keyof typeof NAMED | FactHeader["header"];

/** References to some of them. */
export function headersOf(...names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
