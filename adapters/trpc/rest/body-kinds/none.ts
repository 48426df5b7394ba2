import { besidePath } from "../../endpoints.ts";
import { asQuery } from "../../openapi/parameters.ts";
import { readQuery } from "../raw-input.ts";
import { warnOfBody } from "../unknown-parameter.ts";
import type { BodyKind } from "../../adapter.ts";

/** No body: the parameters are in the query. */
export const none: BodyKind = {
  read: (context, endpoint) => {
    warnOfBody(context);
    return readQuery(context, endpoint);
  },
  types: [],
  place: "query",
  also: () => [],
  documentParameters: (endpoint) => asQuery(besidePath(endpoint), endpoint),
  // trpc-to-openapi 3.3 gives every POST a body.
  documentBody: () => undefined,
  curl: ({ openapi }) => (openapi.method === "POST" ? ["-X POST"] : []),
};
