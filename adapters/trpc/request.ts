import { FastResponse } from "srvx";
import { CallError } from "../../wire/call-error.ts";
import type { Adapter, RequestContext } from "./adapter.ts";
import { answerError, writeError } from "./answer/write-error.ts";
import { INTERNAL } from "./format-error.ts";
import { RequestBody, type ServerRequest } from "./body/request-body.ts";

/** Headers of every answer, whatever it contains. */
export const BASE_HEADERS: readonly [string, string][] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Referrer-Policy", "no-referrer"],
  ["Cache-Control", "no-store"],
];
const BASE = new Headers([...BASE_HEADERS]);

/** Opens the context of a request; that of the procedures is made later, and nothing is read yet. */
export function openRequest(
  request: ServerRequest,
  {
    adapter,
    url,
    base = BASE,
  }: {
    adapter: Adapter;
    url: URL;
    /** Headers of every answer. */
    base?: Headers;
  },
): Omit<RequestContext, "trpcContext"> {
  const requestId = crypto.randomUUID();
  // Node 24 copies headers in half the time that it takes to read pairs.
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

/** Answers one request; `parameters` are those of the path. */
export type Handle<Context = RequestContext> = (
  context: Context,
  params: Readonly<Record<string, string>>,
) => Promise<Response> | Response;

/** A route. */
export interface Route<Context = RequestContext> {
  /** "*" for every method. GET answers HEAD too. */
  readonly method: string;
  /** In h3's notation: `/notes/:id`. */
  readonly path: string;
  readonly handle: Handle<Context>;
  /** Its name in log and metrics; the path, where it is absent. */
  readonly label?: string;
  /** What callers with another method should do instead. */
  readonly instead?: string;
  /** Writes errors from before the procedure, where REST's format does not apply. */
  readonly writeError?: (error: unknown, context: Context) => Response;
}

/** The methods in the Allow header of a path. */
function allowedMethods(routes: readonly { readonly method: string }[]): string[] {
  const methods = routes.map(({ method }) => method);
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
}

/** The path does not accept the request's method. */
function methodNotAllowed(
  routes: readonly { readonly method: string; readonly instead?: string }[],
): CallError {
  const methods = routes.map(({ method }) => method).join(" and ");
  const instead = routes.flatMap((route) => route.instead ?? []).map((each) => `; ${each}`);
  return new CallError("method_not_allowed", `This path takes ${methods}${instead.join("")}`, {
    allowed: allowedMethods(routes),
  });
}

/** What pages of other origins may read and send. Their requests carry no cookies. */
export interface CorsHeaders {
  readonly exposed: readonly string[];
  readonly allowed: readonly string[];
}

/** Answers a request by the route for its method, and any failure as an error. */
export async function answerRoute<Context extends RequestContext>(
  context: Context,
  {
    routes,
    params,
    cors,
    check,
  }: {
    /** All routes with the request's path. */
    readonly routes: readonly Route<Context>[];
    readonly params: Readonly<Record<string, string>>;
    /** Set where pages of other origins may call. */
    readonly cors: CorsHeaders | undefined;
    /** Refuses a request before anything else. */
    readonly check?: () => void;
  },
): Promise<Response> {
  const { request, responseHeaders } = context;
  // Pages of other origins may read every answer, errors too.
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
    try {
      return routes[0]?.writeError?.(error, context) ?? answerError(error, context);
    } catch (fault) {
      // In a formatter of the program's own.
      context.adapter.onFault(fault, context);
      return writeError(INTERNAL, context);
    }
  }
}

/** Whether a browser asks before the actual request (Fetch, 4.8). */
function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}

/** Headers that let a page of another origin read the answer to this request. */
export function addCorsHeaders(
  headers: Headers,
  { request, cors: { exposed } }: { request: Request; cors: CorsHeaders },
): void {
  headers.set("Access-Control-Allow-Origin", "*");
  // A page of our own origin can read all headers anyway; the list is longer than most answers to it.
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
  // An unknown path accepts no method, whatever the browser asks for.
  if (!methods.startsWith("*")) headers.set("Allow", methods);
  if (cors) {
    headers.set("Access-Control-Allow-Methods", methods);
    headers.set("Access-Control-Allow-Headers", cors.allowed.join(", "));
    headers.set("Access-Control-Max-Age", "600");
  }
  return new FastResponse(null, { status: 204, headers });
}
