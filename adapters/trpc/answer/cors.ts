import { FastResponse } from "srvx";
import { baseHeaders, type RequestContext } from "../request-context.ts";
import { allowedMethods } from "../route.ts";

/** What a page of another origin may read and send. No cookie goes along with its requests. */
export interface CorsHeaders {
  readonly exposed: readonly string[];
  readonly allowed: readonly string[];
}

/** Headers with which a page of another origin may read an answer to this request. */
export function addCorsHeaders(
  headers: Headers,
  { request, cors: { exposed } }: { request: Request; cors: CorsHeaders },
): void {
  headers.set("Access-Control-Allow-Origin", "*");
  // A page of our own reads all of them; the list is longer than most answers to it.
  if (request.headers.get("Sec-Fetch-Site") === "same-origin") return;
  headers.set("Access-Control-Expose-Headers", exposed.join(", "));
}

/** The answer to OPTIONS; `cors` where pages of other origins may call. */
export function answerOptions(
  context: RequestContext,
  { routes, cors }: { routes: readonly { method: string }[]; cors?: CorsHeaders | undefined },
): Response {
  const methods = allowedMethods(routes).join(", ");
  const headers = baseHeaders(context);
  headers.set("Allow", methods);
  if (cors) {
    headers.set("Access-Control-Allow-Methods", methods);
    headers.set("Access-Control-Allow-Headers", cors.allowed.join(", "));
    headers.set("Access-Control-Max-Age", "600");
  }
  return new FastResponse(null, { status: 204, headers });
}
