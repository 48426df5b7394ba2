import { H3, type H3Event } from "h3";
import { FastResponse } from "srvx";
import { procedures } from "../../router/app.ts";
import { ApiError } from "../../router/errors.ts";
import { metaOf } from "../../router/introspect.ts";
import { createRequestContext, type RequestContext, type ServerContext } from "./request-context.ts";
import { healthRoutes, type Health } from "../operations/health.ts";
import type { Log } from "../operations/log.ts";
import type { Metrics } from "../operations/metrics.ts";
import { openApiDocument } from "../rest/openapi/document.ts";
import type { Pages } from "../pages/files.ts";
import { isPageRequest, notFoundPage, pageRoutes } from "../pages/routes.ts";
import type { ErrorWriter, Handle, Route } from "./route.ts";
import { answerFault, answerRest, restRoutes, type RestRoute } from "../rest/routes.ts";
import { answerRpc, answerRpcFault, calledProcedures } from "../rpc/handler.ts";
import { answerUnreadableHost, answerUnreadablePath, hasReadableHost } from "./unreadable.ts";
import { baseHeaders, EXPOSED_HEADERS } from "../rest/results.ts";

const MAX_URI_BYTES = 8192;

export interface AppParts extends ServerContext {
  readonly log: Log;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly pages: Pages;
}

/** What answers every request. */
export interface App {
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

/**
 * The h3 app. The order is the promise: the file tools are answered before the request log is reached, so no
 * line about them can be written.
 */
export function createApp(parts: AppParts): App {
  const app = new H3({
    silent: true,
    // Whatever h3 itself refuses, such as a URL it cannot read, in the words of everything else.
    onError: (_, event) => answerUnreadablePath(event, parts),
  });
  const tools = restRoutes().filter(isUnderTools);
  const rest = restRoutes().filter((route) => !isUnderTools(route));
  for (const route of byPath(tools, parts)) mount(app, { route, parts, logged: () => false });
  mount(app, { route: rpcRoute(parts), parts, logged: ({ url }) => !namesTool(url) });
  const others = [
    ...byPath(rest, parts),
    ...healthRoutes(parts.health),
    documentRoute(parts),
    ...pageRoutes(parts.services.publicUrl, parts.pages),
  ];
  for (const route of mergePaths(others)) mount(app, { route, parts, logged: () => true });
  app.all("/**", (event) =>
    answer(event, { parts, logged: ({ url }) => !isToolPath(url), handle: unknownPath(parts) }),
  );
  return {
    fetch: (request) =>
      hasReadableHost(request) ? app.fetch(request) : answerUnreadableHost(request, parts),
  };
}

function isUnderTools({ path }: RestRoute): boolean {
  return path.startsWith("/api/tools");
}

function isToolPath({ pathname }: URL): boolean {
  return /^\/api\/tools(\/|$)/i.test(pathname);
}

function namesTool(url: URL): boolean {
  return calledProcedures(url).some((path) => path.startsWith("tools."));
}

function byPath(routes: readonly RestRoute[], { log }: AppParts): Route[] {
  return mergePaths(
    routes.map((route) => ({
      path: route.path,
      methods: { [route.method]: (context, params) => answerRest(route, { context, params, log }) },
      cors: !route.http.ownPagesOnly,
    })),
  );
}

function mergePaths(routes: readonly Route[]): Route[] {
  const merged = new Map<string, Route>();
  for (const route of routes) {
    const before = merged.get(route.path);
    const methods = { ...before?.methods, ...route.methods };
    merged.set(route.path, { ...route, methods, cors: route.cors || (before?.cors ?? false) });
  }
  return [...merged.values()];
}

function rpcRoute({ log }: AppParts): Route {
  const handle: Handle = (context) => answerRpc(context, { log });
  const methods = { GET: handle, POST: handle };
  return { path: "/trpc/**", methods, fault: answerRpcFault, cors: (url) => !namesOwn(url) };
}

function namesOwn(url: URL): boolean {
  return calledProcedures(url).some((path) => ownPagesOnly(path));
}

function ownPagesOnly(path: string): boolean {
  const procedure = procedures()[path];
  return (procedure && metaOf(procedure).http?.ownPagesOnly) ?? false;
}

function documentRoute({ services }: AppParts): Route {
  const handle: Handle = (context) => {
    const headers = baseHeaders(context);
    headers.set("Content-Type", "application/json; charset=utf-8");
    return new FastResponse(openApiDocument(services.publicUrl), { headers });
  };
  return { path: "/api/openapi.json", methods: { GET: handle }, cors: true };
}

interface Mounting {
  readonly route: Route;
  readonly parts: AppParts;
  readonly logged: (context: RequestContext) => boolean;
}

// One handler for every method of a path: h3 would answer a wrong method with a 404 that quotes the URL.
function mount(app: H3, { route, parts, logged }: Mounting): void {
  const { path: pattern, fault } = route;
  const handle = chooseMethod(route);
  app.all(pattern, (event) => answer(event, { parts, logged, pattern, handle, fault }));
}

function chooseMethod({ methods, cors: mayCross }: Route): Handle {
  const names = Object.keys(methods);
  const allowed = [...names, ...(methods.GET ? ["HEAD"] : []), "OPTIONS"];
  return (context, params) => {
    const cors = typeof mayCross === "boolean" ? mayCross : mayCross(context.url);
    if (cors) allowOrigins(context);
    const { method } = context.request;
    if (method === "OPTIONS") return preflight(context, { allowed, cors });
    const name = method === "HEAD" ? "GET" : method;
    // A method may be any word, and one runtime lets "constructor" through.
    const handle = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (handle) return handle(context, params);
    throw new ApiError("method_not_allowed", `This path takes ${names.join(" and ")}`, { allowed });
  };
}

function allowOrigins({ trpcContext: { responseHeaders: headers } }: RequestContext): void {
  headers.set("Access-Control-Allow-Origin", "*");
  headers.set("Access-Control-Expose-Headers", EXPOSED_HEADERS);
}

function preflight(
  context: RequestContext,
  { allowed, cors }: { allowed: readonly string[]; cors: boolean },
): Response {
  const headers = baseHeaders(context);
  headers.set("Allow", allowed.join(", "));
  if (cors) {
    headers.set("Access-Control-Allow-Methods", allowed.join(", "));
    headers.set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, Tool-Password");
    headers.set("Access-Control-Max-Age", "600");
  }
  return new FastResponse(null, { status: 204, headers });
}

interface Answering {
  readonly parts: AppParts;
  readonly logged: (context: RequestContext) => boolean;
  readonly handle: Handle;
  readonly pattern?: string;
  readonly fault?: ErrorWriter | undefined;
}

async function answer(event: H3Event, answering: Answering): Promise<Response> {
  const { parts, logged, handle, pattern, fault = answerFault } = answering;
  const { log, health, metrics } = parts;
  const started = performance.now();
  const context = createRequestContext(event.req, { ...parts, url: event.url });
  let response: Response;
  try {
    checkUri(context);
    health.checkAccepting(pattern);
    response = await handle(context, event.context.params ?? {});
  } catch (error) {
    response = fault(error, { context, log });
  }
  // Some clients lose an answer that overtakes their upload.
  await context.body.drain();
  const isLogged = logged(context);
  const { requestId, request } = context;
  const milliseconds = performance.now() - started;
  const seen = { route: pattern ?? "(none)", status: response.status, milliseconds };
  if (isLogged) log.request({ requestId, method: request.method, ...seen });
  metrics.request({ ...seen, isTool: !isLogged });
  releaseWhenSent(event, context);
  return response;
}

function checkUri({ request }: RequestContext): void {
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, "");
  if (path.length <= MAX_URI_BYTES) return;
  throw new ApiError(
    "uri_too_long",
    `The path and query exceed ${MAX_URI_BYTES} bytes; send long values in the body`,
    {
      limit: "uri",
      value: MAX_URI_BYTES,
      unit: "bytes",
    },
  );
}

// A result stays in memory until a slow client has taken it; only Node tells when that is.
function releaseWhenSent(event: H3Event, { release }: RequestContext): void {
  const response = event.runtime?.node?.res;
  if (!response || response.closed) return release();
  response.once("close", release);
}

function unknownPath({ services: { publicUrl }, pages }: AppParts): Handle {
  return (context) =>
    isPageRequest(context) ? notFoundPage(context, { publicUrl, pages }) : refusePath(context);
}

function refusePath({ url }: RequestContext): never {
  if (!isToolPath(url)) throw new ApiError("not_found", "There is nothing at this path");
  const tools = restRoutes().flatMap(({ isTool, path }) =>
    isTool ? [path.slice("/api/tools/".length)] : [],
  );
  const names = [...new Set(tools)];
  throw new ApiError("unknown_tool", `There is no such tool; the tools are ${names.join(", ")}`, {
    tools: names,
  });
}
