import { FastResponse } from "srvx";
import type { RequestContext } from "../adapter.ts";
import { baseHeaders } from "../request-context.ts";
import { allowedMethods, methodNotAllowed, type Route } from "../route.ts";
import { answerError } from "./write-error.ts";

/** What a page of another origin may read and send. No cookie goes along with its requests. */
export interface CorsHeaders {
  readonly exposed: readonly string[];
  readonly allowed: readonly string[];
}

interface MatchedRoutes<Context> {
  /** All rows of the table that have the request's path. */
  readonly routes: readonly Route<Context>[];
  readonly params: Readonly<Record<string, string>>;
  /** Where pages of other origins may call. */
  readonly cors: CorsHeaders | undefined;
  /** Refuses a request before anything else. */
  readonly check?: () => void;
}

/** Answers a request by the route for its method, and whatever goes wrong as an error. */
export async function answerRoute<Context extends RequestContext>(
  context: Context,
  { routes, params, cors, check }: MatchedRoutes<Context>,
): Promise<Response> {
  const { request, responseHeaders } = context;
  // Whatever comes of it, a page of another origin may read it: a refusal too.
  if (cors) addCorsHeaders(responseHeaders, { request, cors });
  if (cors && isPreflight(request)) return answerOptions(context, { routes, cors });
  try {
    check?.();
    const method = request.method === "HEAD" ? "GET" : request.method;
    const route = routes.find((each) => each.method === method || each.method === "*");
    if (route) return await route.handle(context, params);
    if (method === "OPTIONS") return answerOptions(context, { routes, cors });
    throw methodNotAllowed(routes);
  } catch (error) {
    return routes[0]?.writeError?.(error, context) ?? answerError(error, context);
  }
}

/** Whether a browser asks before the request itself (Fetch, 4.8). */
function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
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
function answerOptions(
  context: RequestContext,
  { routes, cors }: { routes: readonly { method: string }[]; cors?: CorsHeaders | undefined },
): Response {
  const methods = allowedMethods(routes).join(", ");
  const headers = baseHeaders(context);
  // A path that nobody has takes none, whatever the browser asks for.
  if (!methods.startsWith("*")) headers.set("Allow", methods);
  if (cors) {
    headers.set("Access-Control-Allow-Methods", methods);
    headers.set("Access-Control-Allow-Headers", cors.allowed.join(", "));
    headers.set("Access-Control-Max-Age", "600");
  }
  return new FastResponse(null, { status: 204, headers });
}
