import type { ServerRequest } from "srvx";
import type { Adapter, RequestContext } from "./adapter.ts";
import { RequestBody } from "./body/request-body.ts";

/** What every answer says, whatever it holds. */
export const BASE_HEADERS: readonly [string, string][] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Referrer-Policy", "no-referrer"],
  ["Cache-Control", "no-store"],
];
const BASE = new Headers([...BASE_HEADERS]);

/** Opens the context of a request, for which the procedures' own is still to be made: nothing is read yet. */
export function openRequest(
  request: ServerRequest,
  {
    adapter,
    url,
    base = BASE,
  }: {
    adapter: Adapter;
    url: URL;
    /** What every answer says. */
    base?: Headers;
  },
): Omit<RequestContext, "trpcContext"> {
  const requestId = crypto.randomUUID();
  // Node 24 copies headers in half the time that it reads pairs.
  const responseHeaders = new Headers(base);
  responseHeaders.set("Request-Id", requestId);
  return {
    adapter,
    request,
    url,
    requestId,
    mediaType: mediaTypeOf(request),
    body: new RequestBody(request),
    responseHeaders,
    jsonParts: [],
    warnings: [],
    answer: {},
  };
}

/** A copy of the headers that this call has got so far. */
export function baseHeaders({ responseHeaders }: RequestContext): Headers {
  return new Headers(responseHeaders);
}

function mediaTypeOf({ headers }: Request): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  return type.trim().toLowerCase();
}
