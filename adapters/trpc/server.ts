import type { AnyTRPCRouter, inferRouterContext } from "@trpc/server";
import { H3 } from "h3";
import type { Bytes } from "../../wire/bytes.ts";
import { CallError } from "../../wire/call-error.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { parseFiles } from "../../wire/json/json-files.ts";
import type { Adapter, RequestContext, RpcEndpoint } from "./adapter.ts";
import { withLength } from "./answer/answer-parts.ts";
import type { ServerRequest } from "./body/request-body.ts";
import { answerRoute, type CorsHeaders, openRequest, type Route } from "./request.ts";
import { checkTable, endpointsOf, restOf } from "./endpoints.ts";
import { isLazy, loadAll } from "./introspect.ts";
import { answerRpcError, isRpcCall } from "./rpc/answers.ts";
import { addOwnData, causeOf, formatUsually } from "./format-error.ts";
import { makeDocument, documentRoute } from "./openapi/document.ts";
import { usualOperationId } from "./openapi/names.ts";
import { usualDocument } from "./openapi/usual-document.ts";
import { checkOptions, warningsOf, type TrpcServerOptions } from "./options.ts";
import { fieldsKind } from "./rest/body-kinds/fields.ts";
import { fileKind } from "./rest/body-kinds/file.ts";
import { filesKind } from "./rest/body-kinds/files.ts";
import { json } from "./rest/body-kinds/json.ts";
import { none } from "./rest/body-kinds/none.ts";
import { writeFile } from "./rest/file-result.ts";
import { writeJson, routesOf } from "./rest/routes.ts";
import { rpcRoutes } from "./rpc/routes.ts";
import { answerError } from "./answer/write-error.ts";

const DEFAULT_MAX_BODY_BYTES = 1_000_000;

/** Answers requests: for `serve` of any runtime, or mounted in another server. */
export interface TrpcServer {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Resolves when every lazy router is loaded, for which requests wait; rejects where the set-up of one is wrong. */
  readonly ready: Promise<void>;
}

/**
 * Serves a tRPC router over REST, RPC and frames.
 * @throws Error for a set-up that cannot work, which names what is wrong
 */
export function createTrpcServer<TRouter extends AnyTRPCRouter>(
  options: TrpcServerOptions<TRouter>,
): TrpcServer {
  checkOptions(options);
  if (!isLazy(options.router)) {
    const app = createApp(options);
    return { fetch: async (request) => app.fetch(request), ready: Promise.resolve() };
  }
  const loading = loadApp(options);
  return { fetch: async (request) => (await loading).fetch(request), ready: loading.then(() => undefined) };
}

async function loadApp<TRouter extends AnyTRPCRouter>(options: TrpcServerOptions<TRouter>): Promise<H3> {
  for (const { path, error } of await loadAll(options.router))
    warningsOf(options)(`The lazy router "${path}" cannot be loaded: ${String(error)}`);
  return createApp(options);
}

function createApp<TRouter extends AnyTRPCRouter>(options: TrpcServerOptions<TRouter>): H3 {
  const { basePath = "", rpcPath = "/trpc", notFound } = options;
  const adapter = adapterOf(options);
  const rpcPaths = Object.keys(adapter.procedures).map((path) => `${rpcPath}/${path}`);
  checkTable(adapter.endpoints, { rpcPaths, documentPath: options.openApi?.path });
  const paths = [...adapter.endpoints.flatMap((each) => each.paths), rpcPath, options.openApi?.path ?? ""];
  const doubled = basePath === "" ? undefined : paths.find((path) => path.startsWith(`${basePath}/`));
  if (doubled !== undefined)
    warningsOf(options)(`basePath stands in front of every path: "${doubled}" is at "${basePath}${doubled}"`);
  const table: Route[] = [
    ...adapter.endpoints.flatMap((endpoint) => routesOf(endpoint, basePath)),
    ...rpcRoutes(adapter),
    ...documentRoutes(adapter, options),
    unknownPath(adapter, notFound),
  ];
  const cors = options.cors === true ? USUAL_CORS : options.cors || undefined;
  // h3 2.0's own answer to a path that is not UTF-8 quotes the URL with its query.
  const app = new H3({ silent: true, onError: (_, { req, url }) => refuse(req, { url, adapter, cors }) });
  for (const path of new Set(table.map((route) => route.path))) {
    const routes = table.filter((route) => route.path === path);
    app.all(path, async (event) => {
      const request: ServerRequest = event.req;
      const opened = openRequest(request, { adapter, url: event.url });
      const { responseHeaders } = opened;
      const context: RequestContext = {
        ...opened,
        trpcContext: undefined,
        prepare: async (info) => {
          const of = { request, address: request.ip, responseHeaders, info };
          Object.assign(context, { trpcContext: await options.createContext(of) });
        },
      };
      const params = event.context.params ?? {};
      const response = await answerRoute(context, { routes, params, cors });
      // Some clients lose an answer that overtakes their upload.
      await context.body.drain();
      return withLength(response, context);
    });
  }
  return app;
}

function documentRoutes<TRouter extends AnyTRPCRouter>(
  adapter: Adapter,
  options: TrpcServerOptions<TRouter>,
): Route[] {
  const { openApi, basePath = "" } = options;
  if (!openApi) return [];
  const warn = warningsOf(options);
  const ids = new Map<string, string>();
  for (const { rpc, openapi } of adapter.endpoints) {
    const id = openapi.operationId ?? usualOperationId(rpc);
    const other = ids.get(id);
    if (other !== undefined) warn(`${other} and ${rpc} are both the operation "${id}" of the document`);
    ids.set(id, rpc);
  }
  const about = usualDocument({ baseUrl: basePath || "/", ...openApi });
  const write = async () => {
    const { generateOpenApiDocument: generate } = await import("trpc-to-openapi");
    return makeDocument(adapter, { ...about, generate });
  };
  return [documentRoute(basePath + openApi.path, write)];
}

function unknownPath(adapter: Adapter, notFound: TrpcServerOptions<AnyTRPCRouter>["notFound"]): Route {
  const nothing = "There is nothing at this path";
  return {
    method: "*",
    path: "/**",
    handle: ({ request }) => {
      if (notFound) return notFound(request);
      throw new CallError("not_found", nothing);
    },
    // A tRPC link with a wrong URL only understands an error of RPC.
    writeError: (error, context) =>
      isRpcCall(context)
        ? answerRpcError(new CallError("not_found", `${nothing}; RPC is at ${adapter.rpcPath}`), context)
        : answerError(error, context),
  };
}

/** All headers of a router; a page sends no cookies, without which `*` means every name but one (Fetch, 4.9). */
const USUAL_CORS: CorsHeaders = { exposed: ["*"], allowed: ["*", "Authorization"] };

function refuse(
  request: ServerRequest,
  { cors, ...parts }: { url: URL; adapter: Adapter; cors: CorsHeaders | undefined },
): Promise<Response> {
  const context = { ...openRequest(request, parts), trpcContext: undefined };
  const isRpc = parts.url.pathname.startsWith(`${parts.adapter.rpcPath}/`);
  const unreadable: Route = {
    method: "*",
    path: "/**",
    handle: () => {
      throw new CallError("not_found", "The URL of this request cannot be read");
    },
    writeError: isRpc ? answerRpcError : answerError,
  };
  return answerRoute(context, { routes: [unreadable], params: {}, cors });
}

function adapterOf<TRouter extends AnyTRPCRouter>(options: TrpcServerOptions<TRouter>): Adapter {
  const { router, rpcPath = "/trpc", basePath = "", formatError, onError } = options;
  const limitOf = (called: readonly RpcEndpoint[], context: RequestContext) => {
    const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
    if (typeof maxBodyBytes === "number") return limit(maxBodyBytes);
    // Made by `createContext`.
    const made = context.trpcContext as inferRouterContext<TRouter>;
    const most = Math.max(0, ...called.map(({ rpc }) => maxBodyBytes(rpc, made)));
    if (Number.isNaN(most)) throw new TypeError("maxBodyBytes must return a number of bytes");
    return limit(most);
  };
  const usualKinds = { none, json, fields: fieldsKind(), file: fileKind(), files: filesKind() };
  const procedures = endpointsOf(router, {
    bodyKinds: { ...usualKinds, ...options.bodyKinds },
    resultKinds: { json: writeJson, file: writeFile, ...options.resultKinds },
    isExtended: options.bodyKinds !== undefined || options.resultKinds !== undefined,
    onWarning: warningsOf(options),
  });
  return {
    router,
    procedures,
    endpoints: restOf(procedures),
    rpcPath: basePath + rpcPath,
    maxBatchSize: options.maxBatchSize,
    maxJsonValues: options.maxJsonValues,
    allowMethodOverride: options.allowMethodOverride,
    streams: options.maxStreams === undefined ? undefined : { open: 0, max: options.maxStreams },
    bodyLimit: limitOf,
    fileLimit: (endpoint, context) => limitOf([endpoint], context),
    formatError: (error, call) => {
      const { path = "" } = call;
      const type = procedures[path]?.procedure._def.type ?? "unknown";
      const plain = formatUsually(error, call);
      const usual = "ctx" in call ? addOwnData(plain, error, { router, type, call }) : plain;
      return formatError?.(error, usual, call) ?? usual;
    },
    problemType: () => "about:blank",
    onFault: (error, { requestId }) => onError?.(causeOf(error), { requestId }),
    parsers: { parseFiles: async ([body]) => readFiles(body) },
    addWarnings: writeWarnings,
  };
}

// RFC 7234's header (5.5), which caches no longer use and every client can read.
function writeWarnings(headers: Headers, { warnings }: RequestContext): void {
  for (const { code, ...about } of warnings) {
    const { parameter, nearest }: { parameter?: string; nearest?: string } = about;
    const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
    const text =
      parameter === undefined ? code : `The parameter ${parameter} is not known and was ignored${hint}`;
    headers.append("Warning", `299 - "${text.replace(/[\\"]/g, "\\$&")}"`);
  }
}

function readFiles(body: Bytes): ReturnType<typeof parseFiles> {
  try {
    return parseFiles(body);
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    // The parser has no other failure.
    throw new CallError("invalid_base64", error.message, error.fields);
  }
}

function limit(bytes: number) {
  const value = bytes;
  const tooLarge = () => {
    const message = `The body exceeds the limit of ${value.toLocaleString("en-US")} bytes`;
    return new CallError("total_too_large", message, { limit: "bodySize", value, unit: "bytes" });
  };
  return { limit: bytes, tooLarge };
}
