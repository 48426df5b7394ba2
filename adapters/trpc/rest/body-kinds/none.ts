import { isInPath } from "../../endpoints.ts";
import { asQuery } from "../../openapi/parameters.ts";
import { addTexts, createRawInput, queryEntries } from "../raw-input.ts";
import type { BodyKind, Endpoint, RequestContext, RawInput } from "../../adapter.ts";

/** No body: the parameters are in the query. */
export const none: BodyKind = {
  read: (context, endpoint) => {
    if (announcesBody(context.request)) context.warnings.push({ code: "body_ignored" });
    return readQuery(context, endpoint);
  },
  types: [],
  place: "query",
  also: () => [],
  documentParameters: (endpoint) => {
    const inQuery = endpoint.input.parameters.filter((parameter) => !isInPath(endpoint, parameter));
    return asQuery(inQuery, endpoint);
  },
  // trpc-to-openapi 3.3 gives every POST a body.
  documentBody: () => undefined,
  curl: ({ openapi }) => (openapi.method === "POST" ? ["-X POST"] : []),
};

// Its stream is not asked: on Deno it is there for a body of nothing, too.
function announcesBody({ headers }: Request): boolean {
  return Number(headers.get("content-length") ?? 0) > 0 || headers.has("transfer-encoding");
}

/** Reads the query, for every kind that allows parameters there. */
export function readQuery(context: RequestContext, endpoint: Endpoint): RawInput {
  const rawInput = createRawInput();
  addTexts(rawInput, queryEntries(context.url), { context, endpoint, place: "query" });
  return rawInput;
}
