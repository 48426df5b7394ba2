import { isInPath } from "../../endpoints.ts";
import { asQuery } from "../../openapi/parameters.ts";
import { addStrings, createRawInput, queryEntries, type RawInput } from "../raw-input.ts";
import type { BodyKind, Endpoint, RequestContext } from "../../adapter.ts";

/** No body: the parameters are in the query. */
export const none: BodyKind = {
  read: readQuery,
  types: [],
  place: "query",
  also: () => [],
  documentParameters: (endpoint) =>
    endpoint.parameters.filter((parameter) => !isInPath(endpoint, parameter)).map(asQuery),
  // trpc-to-openapi 3.3 gives every POST a body.
  documentBody: () => undefined,
  curl: ({ openapi }) => (openapi.method === "POST" ? ["-X POST"] : []),
};

/** What stands in the query, for every kind that allows parameters there. */
export function readQuery(context: RequestContext, endpoint: Endpoint): RawInput {
  const rawInput = createRawInput();
  const { warnings, url } = context;
  addStrings(rawInput, queryEntries(url), { parameters: endpoint.parameters, place: "query", warnings });
  return rawInput;
}
