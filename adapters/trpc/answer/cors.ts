import { FastResponse } from "srvx";
import { TOOL_HEADERS } from "../rest/results.ts";
import { allowedMethods, type Route } from "../route.ts";
import { baseHeaders, type RequestContext } from "../../service/request-context.ts";

// Headers that a page of another origin may read.
const EXPOSED = [
  "Content-Range",
  "Secret-Ticket",

  ...["Request-Id", "Location", "Content-Disposition", "Repr-Digest", "Retry-After"],
  ...["RateLimit", "RateLimit-Policy", "Tool-Warning"],
  ...TOOL_HEADERS,
];

/** What lets a page of another origin read an answer. No cookie goes along with its requests. */
const ALLOWED = [
  ...["Accept", "Authorization", "Content-Type", "Range"],
  ...["Secret-Passphrase", "Secret-Ticket", "Tool-Password"],
  // tRPC's links and instrumented clients add these by themselves.
  ...["trpc-accept", "x-trpc-source", "traceparent", "tracestate"],
];

export const CORS_HEADERS: readonly [string, string][] = [
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", EXPOSED.join(", ")],
];

interface Preflight {
  readonly routes: readonly Route[];
  readonly isCrossOrigin: boolean;
}

/** The answer to OPTIONS. */
export function answerOptions(context: RequestContext, { routes, isCrossOrigin }: Preflight): Response {
  const allowed = allowedMethods(routes);
  const headers = baseHeaders(context);
  headers.set("Allow", allowed.join(", "));
  if (isCrossOrigin) {
    headers.set("Access-Control-Allow-Methods", allowed.join(", "));
    headers.set("Access-Control-Allow-Headers", ALLOWED.join(", "));
    headers.set("Access-Control-Max-Age", "600");
  }
  return new FastResponse(null, { status: 204, headers });
}
