import { H3, type H3Event } from "h3";
import type { ServerRequest } from "srvx";
import { actingAs, arrivedAt, LONGEST_WAIT_MS, withWaits } from "../../router/policy/running-call.ts";
import type { Health } from "../operations/health.ts";
import type { Logo } from "./pages/instance.ts";
import type { OrganizationLogin } from "./login/oidc-routes.ts";
import { type Log, startSpan } from "../operations/log.ts";
import type { Metrics } from "../operations/metrics.ts";
import type { Pages } from "./pages/files.ts";
import { addCorsHeaders, answerRoute, type CorsHeaders } from "../trpc/request.ts";
import { createAdapter } from "./adapter.ts";
import { draining, MAX_URI_LENGTH, uriTooLong } from "./explain-error.ts";
import {
  createRequestContext,
  releaseWhenSent,
  type ServiceContext,
  type ServerContext,
  type ServiceRoute,
} from "./request-context.ts";
import { isApiPath, serviceRoutes } from "./routes.ts";
import { SECRET_HEADERS } from "./body-kinds/body-kinds.ts";
import { FACT_HEADERS } from "./endpoints.ts";
import { ApiError } from "../../router/errors/errors.ts";
import { withLength } from "../trpc/answer/answer-parts.ts";
import { answerError } from "../trpc/answer/write-error.ts";

/** What pages of other origins may read and send. */
const CORS: CorsHeaders = {
  exposed: [
    ...["Content-Range", "Secret-Ticket"],
    ...["Request-Id", "Location", "Content-Disposition", "Repr-Digest", "Retry-After"],
    ...["RateLimit", "RateLimit-Policy", "Tool-Warning", "ETag"],
    ...FACT_HEADERS.keys(),
  ],
  allowed: [
    ...["Accept", "Authorization", "Content-Type", "Range", "If-None-Match"],
    ...["Secret-Passphrase", "Secret-Proof", "Secret-Ticket", "Idempotency-Key", "Last-Event-ID"],
    ...Object.values(SECRET_HEADERS),
    // Added by tRPC's links and instrumented clients.
    ...["trpc-accept", "x-trpc-source", "traceparent", "tracestate", "baggage", "sentry-trace"],
    "x-requested-with",
  ],
};

interface AppParts extends ServerContext {
  readonly log: Log;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly pages: Pages;
  /** The instance's image; undefined without one. */
  readonly logo?: Logo | undefined;
  /** Whether search engines may list the pages. */
  readonly isIndexed?: boolean;
  readonly organization?: OrganizationLogin | undefined;
}

/** Answers every request. */
export interface ServiceApp {
  readonly fetch: (request: ServerRequest) => Response | Promise<Response>;
}

/** The h3 app: one handler for each path, whatever the method. */
export function createApp(given: Omit<AppParts, "adapter">): ServiceApp {
  const adapter = createAdapter(given);
  const parts = { ...given, adapter };
  // Before any route: h3 2.0's own answer to a path that is not percent-encoded UTF-8 quotes the URL with its query.
  const app = new H3({
    silent: true,
    onError: (_, { req, url }) => {
      const error = new ApiError("not_found", "The URL of this request cannot be read");
      return refuse(req, { ...parts, url, error });
    },
  });
  const basePath = parts.services.basePath;
  const readUrl = basePath === "" ? (url: URL) => url : (url: URL) => withoutBase(url, basePath);
  for (const [path, routes] of Map.groupBy(serviceRoutes(parts, adapter), (route) => route.path)) {
    const at = { ...describePath(path, routes), readUrl, parts };
    // Below the base path and without it, for proxies that remove it and for health checks of the port itself.
    for (const each of new Set([basePath + path, path])) app.all(each, (event) => handleRequest(event, at));
  }
  return {
    fetch: (request) => (hasReadableUrl(request) ? app.fetch(request) : refuseHost(request, parts)),
  };
}

/** What is the same for every request to one path. */
interface ServedPath {
  /** All routes with this path. */
  readonly routes: readonly ServiceRoute[];
  /** Its name in log and metrics. */
  readonly label: string;
  readonly isTool: (url: URL) => boolean;
  readonly corsOf: (url: URL) => CorsHeaders | undefined;
  readonly whileDraining: boolean;
}

interface RequestParts extends ServedPath {
  /** Removes the base path. */
  readonly readUrl: (url: URL) => URL;
  readonly parts: AppParts;
}

function describePath(path: string, routes: readonly ServiceRoute[]): ServedPath {
  const isCalledByOthers = anyOf(routes.map(({ cors }) => cors));
  return {
    routes,
    label: routes[0]?.label ?? path,
    isTool: anyOf(routes.map(({ isTool }) => isTool)),
    corsOf: (url) => (isCalledByOthers(url) ? CORS : undefined),
    whileDraining: routes.some((route) => route.whileDraining),
  };
}

function anyOf(claims: readonly ServiceRoute["isTool"][]): (url: URL) => boolean {
  const asked = claims.filter((claim) => typeof claim === "function");
  const isAlways = claims.includes(true);
  return asked.length === 0 ? () => isAlways : (url) => isAlways || asked.some((claim) => claim(url));
}

/** Only in log and metrics, as other servers write it. */
const CALLER_LEFT = 499;

/**
 * The steps of every request. File tools are neither logged nor traced, so that nothing reveals who sent a file, or how
 * long it took.
 */
async function handleRequest(event: H3Event, at: RequestParts): Promise<Response> {
  const started = arrivedAt();
  const { log, metrics } = at.parts;
  const context = createRequestContext(event.req, { ...at.parts, url: at.readUrl(event.url) });
  const { url, request, requestId } = context;
  const { label: route } = at;
  const isTool = at.isTool(url);
  // A caller can send any word as a method, even a secret.
  const method = METHODS.includes(request.method) ? request.method : "_OTHER";
  const span = isTool ? undefined : startSpan({ method, route, headers: request.headers });
  const work = () => answer(context, { ...at, params: event.context.params ?? {} });
  const { actor } = context;
  // Where nobody records acts, transactions have no actor.
  const acting = actor ? () => actingAs(actor, work) : work;
  const response = await withLength(await withWaits(acting, LONGEST_WAIT_MS, started), context);
  // Some clients lose an answer that arrives before their upload has ended.
  await context.body.drain();
  const answered = { route, status: statusOf(response, request), milliseconds: performance.now() - started };
  metrics.request({ ...answered, isTool });
  span?.end({ status: answered.status, requestId });
  releaseWhenSent(context, event.runtime?.node?.res);
  if (isTool) return response;
  log.request({ requestId, method, ...answered });
  return response;
}

/** The methods of HTTP (RFC 9110 §9.1, RFC 5789). */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

// Work that was stopped for a caller who has left is not a fault of the server; nobody reads the answer.
function statusOf({ status }: Response, { signal }: Request): number {
  return status === 500 && signal.aborted ? CALLER_LEFT : status;
}

function answer(
  context: ServiceContext,
  { params, ...at }: RequestParts & { params: Readonly<Record<string, string>> },
): Promise<Response> {
  const { request, url } = context;
  const { routes, whileDraining, parts } = at;
  const check = () => {
    // The length without scheme and host.
    if (request.url.replace(/^[a-z]+:\/\/[^/]*/i, "").length > MAX_URI_LENGTH) throw uriTooLong();
    if (parts.health.isDraining && !whileDraining) throw draining();
  };
  return answerRoute(context, { routes, params, cors: at.corsOf(url), check });
}

function withoutBase(url: URL, basePath: string): URL {
  if (!`${url.pathname}/`.startsWith(`${basePath}/`)) return url;
  const inner = new URL(url.href);
  inner.pathname = url.pathname.slice(basePath.length);
  return inner;
}

// Runtimes build the URL from path and Host header; Bun 1.4 from the path alone if that header is missing. Other values
// make h3 or the runtime answer themselves, in one case with lines of source code.
function hasReadableUrl({ url, headers }: Request): boolean {
  const host = headers.get("host");
  return (host === null || HOST.test(host)) && (url.startsWith("/") || URL.canParse(url));
}

/**
 * A Host header (RFC 9112, 3.2). With a slash or a question mark in it, Deno 2.9 would take another path; Bun 1.4 joins
 * two headers with a comma.
 */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s/?#\\@,[\]]*)(?::\d*)?$/i;

/** Answers a request whose host is unclear. */
function refuseHost(request: ServerRequest, parts: ServerContext): Promise<Response> {
  const message =
    "The Host header must be a host name or address, with a port up to 65535 where it needs one";
  const error = new ApiError("invalid_parameter", message, { parameter: "Host", in: "header" });
  return refuse(request, { ...parts, url: new URL("http://localhost"), error });
}

async function refuse(
  request: ServerRequest,
  { error, ...opening }: ServerContext & { url: URL; error: ApiError },
): Promise<Response> {
  const context = createRequestContext(request, opening);
  if (isApiPath(opening.url)) addCorsHeaders(context.responseHeaders, { request, cors: CORS });
  await context.body.drain();
  return withLength(answerError(error, context), context);
}
