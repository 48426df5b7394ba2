import { TRPCError, type AnyTRPCRouter, type inferRouterContext } from "@trpc/server";
import { H3 } from "h3";
import type { ServerRequest } from "srvx";
import type { Bytes } from "../../wire/bytes.ts";
import { CallError } from "../../wire/call-error.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { parseFiles } from "../../wire/json/json-files.ts";
import type {
  Adapter,
  BodyKind,
  FailedCall,
  FormattedError,
  RequestContext,
  RpcEndpoint,
  WriteResult,
} from "./adapter.ts";
import type { CorsHeaders } from "./answer/answer-route.ts";
import { answerRoute } from "./answer/answer-route.ts";
import { endpointsOf, restOf } from "./endpoints.ts";
import { formatUsually } from "./format-error.ts";
import { makeDocument } from "./openapi/document.ts";
import { documentRoute } from "./openapi/route.ts";
import { usualDocument } from "./openapi/usual-document.ts";
import { openRequest } from "./request-context.ts";
import { fieldsKind } from "./rest/body-kinds/fields.ts";
import { fileKind } from "./rest/body-kinds/file.ts";
import { filesKind } from "./rest/body-kinds/files.ts";
import { json } from "./rest/body-kinds/json.ts";
import { none } from "./rest/body-kinds/none.ts";
import { writeFile } from "./rest/file-result.ts";
import { writeJson } from "./rest/json-result.ts";
import { routesOf } from "./rest/routes.ts";
import type { Route } from "./route.ts";
import { rpcRoutes } from "./rpc/routes.ts";
import { answerError } from "./answer/write-error.ts";

const DEFAULT_MAX_BODY_BYTES = 1_000_000;

export interface TrpcServerOptions<TRouter extends AnyTRPCRouter> {
  /** Any router of tRPC 11. Its procedures with `meta.openapi` are REST too. */
  readonly router: TRouter;
  /** Makes the context of the procedures, once for each request. */
  readonly createContext: (of: {
    readonly request: Request;
    /** Of the socket, where the runtime tells it. */
    readonly address: string | undefined;
    /** Headers for the answer. */
    readonly responseHeaders: Headers;
  }) => inferRouterContext<TRouter> | Promise<inferRouterContext<TRouter>>;
  /** Where RPC is; "/trpc" where it is absent. */
  readonly rpcPath?: string;
  /** Where the OpenAPI document is, and what it says of the service. */
  readonly openApi?: {
    readonly path: string;
    readonly info: { readonly title: string; readonly version: string; readonly description?: string };
    readonly baseUrl?: string;
  };
  /** Of a body, after decompression; one million where it is absent. A batch may have as much as its largest call. */
  readonly maxBodyBytes?: number | ((procedure: string, context: inferRouterContext<TRouter>) => number);
  /** How a failure is answered; `usual` is what it would be otherwise. */
  readonly formatError?: (error: unknown, usual: FormattedError, call: FailedCall) => FormattedError;
  /** Is told of what nobody expected. */
  readonly onError?: (error: unknown, of: { readonly requestId: string }) => void;
  /** More ways to read a body, by what `meta.http.body` calls them. */
  readonly bodyKinds?: Readonly<Record<string, BodyKind>>;
  /** More ways to write a result, by what `meta.http.result` calls them. */
  readonly resultKinds?: Readonly<Record<string, WriteResult>>;
  /** Whether pages of other origins may call, without cookies: yes, no, or with more headers than usual. */
  readonly cors?: boolean | CorsHeaders;
}

/** What answers requests: for `serve` of any runtime, and to mount in another server. */
export interface TrpcServer {
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Serves a tRPC router over REST, RPC and frames. */
export function createTrpcServer<TRouter extends AnyTRPCRouter>(
  options: TrpcServerOptions<TRouter>,
): TrpcServer {
  const { openApi } = options;
  const adapter = adapterOf(options);
  const document =
    openApi && documentRoute(openApi.path, () => makeDocument(adapter, usualDocument(openApi)));
  const table: Route[] = [
    ...adapter.endpoints.flatMap((endpoint) => routesOf(endpoint)),
    ...rpcRoutes(adapter),
    ...(document ? [document] : []),
    UNKNOWN,
  ];
  const cors = options.cors === true ? USUAL_CORS : options.cors || undefined;
  // h3 2.0's own answer to a path that is not UTF-8 quotes the URL with its query.
  const app = new H3({ silent: true, onError: (_, { req, url }) => refuse(req, { url, adapter }) });
  for (const [path, routes] of Map.groupBy(table, (route) => route.path))
    app.all(path, async (event) => {
      const request: ServerRequest = event.req;
      const context: RequestContext = {
        ...openRequest(request, { adapter, url: event.url }),
        trpcContext: {},
      };
      const { responseHeaders } = context;
      // Not for OPTIONS: a browser sends it without what a context may demand.
      const prepare = async () => {
        const made = await options.createContext({ request, address: request.ip, responseHeaders });
        Object.assign(context, { trpcContext: made });
      };
      const params = event.context.params ?? {};
      const response = await answerRoute(context, { routes, params, cors, prepare });
      // Some clients lose an answer that overtakes their upload.
      await context.body.drain();
      return response;
    });
  return { fetch: async (request) => app.fetch(request) };
}

const UNKNOWN: Route = {
  method: "*",
  path: "/**",
  handle: () => {
    throw new CallError("not_found", "There is nothing at this path");
  },
};

const USUAL_CORS: CorsHeaders = {
  exposed: ["Request-Id", "Content-Disposition", "Content-Range", "Retry-After"],
  // tRPC's links and instrumented clients add the last ones by themselves.
  allowed: [
    "Accept",
    "Authorization",
    "Content-Type",
    "trpc-accept",
    "x-trpc-source",
    "traceparent",
    "tracestate",
  ],
};

function refuse(request: ServerRequest, parts: { url: URL; adapter: Adapter }): Response {
  const error = new CallError("not_found", "The URL of this request cannot be read");
  return answerError(error, { ...openRequest(request, parts), trpcContext: {} });
}

function adapterOf<TRouter extends AnyTRPCRouter>(options: TrpcServerOptions<TRouter>): Adapter {
  const { router, rpcPath = "/trpc", formatError, onError } = options;
  const limitOf = (called: readonly RpcEndpoint[], context: RequestContext) => {
    const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
    if (typeof maxBodyBytes === "number") return limit(maxBodyBytes);
    // It was made by `createContext`.
    const made = context.trpcContext as inferRouterContext<TRouter>;
    return limit(Math.max(0, ...called.map(({ rpc }) => maxBodyBytes(rpc, made))));
  };
  const usualKinds = { none, json, fields: fieldsKind(), file: fileKind(), files: filesKind() };
  const procedures = endpointsOf(router, {
    bodyKinds: { ...usualKinds, ...options.bodyKinds },
    resultKinds: { json: writeJson, file: writeFile, ...options.resultKinds },
  });
  return {
    router,
    procedures,
    endpoints: restOf(procedures),
    rpcPath,
    bodyLimit: limitOf,
    fileLimit: (endpoint, context) => limitOf([endpoint], context),
    formatError: (error, call) => {
      const usual = formatUsually(error, call);
      return formatError?.(error, usual, call) ?? usual;
    },
    problemType: () => "about:blank",
    onFault: (error, { requestId }) => onError?.(thrownBy(error), { requestId }),
    parsers: { parseFiles: async ([body]) => readFiles(body) },
    checkHead: async (called) => {
      if (called.includes(undefined)) throw new CallError("not_found", "There is nothing at this path");
    },
    addWarnings: () => {},
  };
}

// tRPC wraps what a procedure throws.
function thrownBy(error: unknown): unknown {
  return error instanceof TRPCError ? (error.cause ?? error) : error;
}

function readFiles(body: Bytes): ReturnType<typeof parseFiles> {
  try {
    return parseFiles(body);
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    // Of the parser's failures there is this one alone.
    throw new CallError("invalid_base64", error.message, error.fields);
  }
}

function limit(bytes: number) {
  const value = bytes;
  const message = `The body exceeds the limit of ${value.toLocaleString("en-US")} bytes`;
  const tooLarge = () =>
    new CallError("total_too_large", message, { limit: "bodySize", value, unit: "bytes" });
  return { limit: bytes, tooLarge };
}
