import type { AnyTRPCRouter, inferRouterContext } from "@trpc/server";
import type { TRPCRequestInfo } from "@trpc/server/http";
import type { BodyKind, FailedCall, FormattedError, WriteResult } from "./adapter.ts";
import type { CorsHeaders } from "./request.ts";

/** What `createTrpcServer` is told; a router and `createContext` are enough. */
export interface TrpcServerOptions<TRouter extends AnyTRPCRouter> {
  /** Any router of tRPC 11. Its procedures with `meta.openapi` are REST too. */
  readonly router: TRouter;
  /** Makes the context of the procedures, once for each request that calls one. */
  readonly createContext: (of: {
    readonly request: Request;
    /** Of the socket, where the runtime tells it. */
    readonly address: string | undefined;
    /** Headers for the answer. */
    readonly responseHeaders: Headers;
    /** What tRPC knows of a call over RPC, such as its connection parameters; a frame and REST have none of it. */
    readonly info: TRPCRequestInfo | undefined;
  }) => inferRouterContext<TRouter> | Promise<inferRouterContext<TRouter>>;
  /** Where RPC is; "/trpc" where it is absent. */
  readonly rpcPath?: string;
  /** In front of every path, such as "/api/v1"; what a host has taken off the URL does not belong to it. */
  readonly basePath?: string;
  /** Where the OpenAPI document is, and what it says of the service. */
  readonly openApi?: {
    readonly path: string;
    readonly info: { readonly title: string; readonly version: string; readonly description?: string };
    readonly baseUrl?: string;
  };
  /** Of a body, after decompression; one million where it is absent. A batch may have as much as its largest call. */
  readonly maxBodyBytes?: number | ((procedure: string, context: inferRouterContext<TRouter>) => number);
  /** Calls in a batch; as many as its body holds, where it is absent. */
  readonly maxBatchSize?: number;
  /** Values in the JSON of one body; as many as it holds, where it is absent. */
  readonly maxJsonValues?: number;
  /** Whether a query may come as a POST, as tRPC's links send it with `methodOverride`. */
  readonly allowMethodOverride?: boolean;
  /** Streams of events that are open at once; without a limit, where it is absent. More of them are 503. */
  readonly maxStreams?: number;
  /** How a failure is answered; `usual` is what it would be otherwise. */
  readonly formatError?: (error: unknown, usual: FormattedError, call: FailedCall) => FormattedError;
  /** Is told of what nobody expected. */
  readonly onError?: (error: unknown, of: { readonly requestId: string }) => void;
  /** Is told at the start of what REST or the document cannot offer, by its procedure; the console, where it is absent. */
  readonly onWarning?: (warning: string) => void;
  /** Answers a path that nobody has; an error with 404, where it is absent. */
  readonly notFound?: (request: Request) => Response | Promise<Response>;
  /** More ways to read a body, by what `meta.http.body` calls them. */
  readonly bodyKinds?: Readonly<Record<string, BodyKind>>;
  /** More ways to write a result, by what `meta.http.result` calls them. */
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

/** @throws Error for options that are missing, unknown, or cannot work */
export function checkOptions(options: object): void {
  const names = Object.keys(OPTIONS);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`createTrpcServer has no option "${unknown}"; its options are ${names.join(", ")}`);
  const given: { router?: unknown; createContext?: unknown; rpcPath?: unknown; basePath?: unknown } = options;
  if (!("_def" in Object(given.router))) throw new Error("createTrpcServer needs a router of tRPC 11");
  if (typeof given.createContext !== "function")
    throw new Error("createTrpcServer needs createContext, a function that makes what procedures get as ctx");
  for (const name of ["rpcPath", "basePath"] as const)
    if (given[name] !== undefined && !/^(?:\/[^/?#]+)+$/.test(String(given[name])))
      throw new Error(`${name} must begin with a slash and not end with one, such as "/api"`);
}

/** Who is told of what REST or the document cannot offer. */
export function warningsOf({
  onWarning = (warning) => console.warn(warning),
}: {
  onWarning?: (warning: string) => void;
}) {
  return onWarning;
}
