import { FastResponse } from "srvx";
import { CallError } from "../../wire/call-error.ts";
import type { Adapter, RequestContext } from "./adapter.ts";
import { answerError } from "./answer/write-error.ts";
import { RequestBody, type ServerRequest } from "./body/request-body.ts";

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

function mediaTypeOf({ headers }: Request): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  return type.trim().toLowerCase();
}

/** Answers one request; the path's parameters come beside it. */
export type Handle<Context = RequestContext> = (
  context: Context,
  params: Readonly<Record<string, string>>,
) => Promise<Response> | Response;

/** One row in the table of what is answered. */
export interface Route<Context = RequestContext> {
  /** "*" is every method. GET answers HEAD too. */
  readonly method: string;
  /** In h3's notation: `/notes/:id`. */
  readonly path: string;
  readonly handle: Handle<Context>;
  /** What log and metrics call it; the path, where it is absent. */
  readonly label?: string;
  /** What to do instead, for who comes with another method. */
  readonly instead?: string;
  /** Writes what is refused before a procedure, where that is not done as REST does it. */
  readonly writeError?: (error: unknown, context: Context) => Response;
}

/** What the Allow header of a path lists. */
function allowedMethods(routes: readonly { readonly method: string }[]): string[] {
  const methods = routes.map(({ method }) => method);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
}

/** A path that does not take the method of a request. */
function methodNotAllowed(
  routes: readonly { readonly method: string; readonly instead?: string }[],
): CallError {
  const methods = routes.map(({ method }) => method).join(" and ");
  const instead = routes.flatMap((route) => route.instead ?? []).map((each) => `; ${each}`);
  return new CallError("method_not_allowed", `This path takes ${methods}${instead.join("")}`, {
    allowed: allowedMethods(routes),
  });
}

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
  const headers = new Headers(context.responseHeaders);
  // A path that nobody has takes none, whatever the browser asks for.
  if (!methods.startsWith("*")) headers.set("Allow", methods);
  if (cors) {
    headers.set("Access-Control-Allow-Methods", methods);
    headers.set("Access-Control-Allow-Headers", cors.allowed.join(", "));
    headers.set("Access-Control-Max-Age", "600");
  }
  return new FastResponse(null, { status: 204, headers });
}
