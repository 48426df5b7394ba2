import { besidePath } from "../../endpoints.ts";
import { asQuery } from "../../openapi/parameters.ts";
import { readQuery } from "../raw-input.ts";
import type { BodyKind } from "../../adapter.ts";

/** No body: the parameters are in the query. */
export const none: BodyKind = {
  read: (context, endpoint) => {
    if (announcesBody(context.request)) context.warnings.push({ code: "body_ignored" });
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

// Its stream is not asked: on Deno it is there for a body of nothing, too.
function announcesBody({ headers }: Request): boolean {
  return Number(headers.get("content-length") ?? 0) > 0 || headers.has("transfer-encoding");
}
