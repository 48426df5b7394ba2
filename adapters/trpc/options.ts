import type { AnyTRPCRouter, inferRouterContext } from "@trpc/server";
import type { TRPCRequestInfo } from "@trpc/server/http";
import type { BodyKind, FailedCall, FormattedError, WriteResult } from "./adapter.ts";
import type { CorsHeaders } from "./request.ts";

/** The options of `createTrpcServer`; a router and `createContext` are enough. */
export interface TrpcServerOptions<TRouter extends AnyTRPCRouter> {
  /** Any tRPC 11 router. Its procedures with `meta.openapi` are offered over REST too. */
  readonly router: TRouter;
  /** Makes the procedures' context, once for each request that calls one. */
  readonly createContext: (of: {
    readonly request: Request;
    /** The socket's address, where the runtime tells it. */
    readonly address: string | undefined;
    /** Headers for the answer. */
    readonly responseHeaders: Headers;
    /** What tRPC knows of a call over RPC, such as its connection parameters; undefined for frames and REST. */
    readonly info: TRPCRequestInfo | undefined;
  }) => inferRouterContext<TRouter> | Promise<inferRouterContext<TRouter>>;
  /** The path of RPC; "/trpc" where it is absent. */
  readonly rpcPath?: string;
  /** The part before every path, such as "/api/v1"; not what a host has already removed from the URL. */
  readonly basePath?: string;
  /** The path of the OpenAPI document, and what it says about the service. */
  readonly openApi?: {
    readonly path: string;
    readonly info: { readonly title: string; readonly version: string; readonly description?: string };
    readonly baseUrl?: string;
  };
  /**
   * The limit of a body, after decompression; one million where it is absent. A batch may have as much as its largest
   * call.
   */
  readonly maxBodyBytes?: number | ((procedure: string, context: inferRouterContext<TRouter>) => number);
  /** The most calls in a batch; where it is absent, as many as fit its body. */
  readonly maxBatchSize?: number;
  /** The most values in one JSON body; unlimited where it is absent. */
  readonly maxJsonValues?: number;
  /** Whether queries may be sent with POST, as tRPC's links do with `methodOverride`. */
  readonly allowMethodOverride?: boolean;
  /** The most event streams that may be open at once, beyond which calls are 503; unlimited where it is absent. */
  readonly maxStreams?: number;
  /** Formats an error; `usual` is the default. */
  readonly formatError?: (error: unknown, usual: FormattedError, call: FailedCall) => FormattedError;
  /** Called for unexpected errors. */
  readonly onError?: (error: unknown, of: { readonly requestId: string }) => void;
  /**
   * Called at the start, with the procedure's name, for what REST or the document cannot offer; writes to the console
   * where it is absent.
   */
  readonly onWarning?: (warning: string) => void;
  /** Answers unknown paths; a 404 error where it is absent. */
  readonly notFound?: (request: Request) => Response | Promise<Response>;
  /** More ways to read a body, by their name in `meta.http.body`. */
  readonly bodyKinds?: Readonly<Record<string, BodyKind>>;
  /** More ways to write a result, by their name in `meta.http.result`. */
  readonly resultKinds?: Readonly<Record<string, WriteResult>>;
  /** Whether pages of other origins may call, without cookies: yes, no, or with more headers than usual. */
  readonly cors?: boolean | CorsHeaders;
}

const OPTIONS: Readonly<Record<keyof TrpcServerOptions<AnyTRPCRouter>, true>> = {
  router: true,
  createContext: true,
  rpcPath: true,
  basePath: true,
  openApi: true,
  maxBodyBytes: true,
  maxBatchSize: true,
  maxJsonValues: true,
  maxStreams: true,
  allowMethodOverride: true,
  formatError: true,
  onError: true,
  onWarning: true,
  notFound: true,
  bodyKinds: true,
  resultKinds: true,
  cors: true,
};

/** @throws Error for missing, unknown or impossible options */
export function checkOptions(options: object): void {
  const names = Object.keys(OPTIONS);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`createTrpcServer has no option "${unknown}"; its options are ${names.join(", ")}`);
  const given: { router?: unknown; createContext?: unknown; rpcPath?: unknown; basePath?: unknown } = options;
  // That of tRPC 10 has no lazy parts, and a procedure none either.
  if (!("lazy" in Object(Reflect.get(Object(given.router), "_def"))))
    throw new Error("createTrpcServer needs a router of tRPC 11, as t.router({ … }) makes it");
  if (typeof given.createContext !== "function")
    throw new Error("createTrpcServer needs createContext, a function that makes what procedures get as ctx");
  for (const name of ["rpcPath", "basePath"] as const)
    if (given[name] !== undefined && !/^(?:\/[^/?#]+)+$/.test(String(given[name])))
      throw new Error(`${name} must begin with a slash and not end with one, such as "/api"`);
  for (const name of LIMITS) checkLimit(name, Reflect.get(options, name));
  checkDocument(Reflect.get(options, "openApi"));
  if (!["undefined", "boolean", "object"].includes(typeof Reflect.get(options, "cors")))
    throw new Error("cors must be true or false");
}

const LIMITS = ["maxBodyBytes", "maxBatchSize", "maxJsonValues", "maxStreams"] as const;

// NaN, as of a variable that is not set, would be no limit at all.
function checkLimit(name: (typeof LIMITS)[number], limit: unknown): void {
  const mayBeFunction = name === "maxBodyBytes";
  if (limit === undefined || (mayBeFunction && typeof limit === "function")) return;
  if (typeof limit === "number" && limit >= 0) return;
  throw new Error(`${name} must be a number from 0 on${mayBeFunction ? ", or a function" : ""}`);
}

function checkDocument(openApi: unknown): void {
  if (openApi === undefined) return;
  const { path, info }: { path?: unknown; info?: unknown } = Object(openApi);
  const { title, version }: { title?: unknown; version?: unknown } = Object(info);
  if ([path, title, version].some((each) => typeof each !== "string") || !String(path).startsWith("/"))
    throw new Error('openApi must be like { path: "/api/openapi.json", info: { title, version } }');
  const unknown = Object.keys(Object(openApi)).find((name) => !["path", "info", "baseUrl"].includes(name));
  if (unknown !== undefined)
    throw new Error(`openApi has no option "${unknown}"; its options are path, info, baseUrl`);
}

/** The function that is told what REST or the document cannot offer. */
export function warningsOf({ onWarning = console.warn }: { onWarning?: (warning: string) => void }) {
  return onWarning;
}
