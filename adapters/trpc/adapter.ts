import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import type { TRPCRequestInfo } from "@trpc/server/http";
import type { ByteStream } from "../../wire/byte-pieces.ts";
import type { parseCalls, parseFrame } from "../../wire/json/json-calls.ts";
import type { parseFiles, parseTexts } from "../../wire/json/json-files.ts";
import type { JsonText } from "../../wire/json/json-text.ts";
import type { ReadOptions, RequestBody, ServerRequest } from "./body/request-body.ts";
import type { Warning } from "./rest/unknown-parameter.ts";
import type { AdapterMeta, HttpMeta } from "./meta.ts";
import type { RunProcedure } from "./runner.ts";
import type { Streams } from "./answer/stream.ts";
import type { Json, MediaType, RequestBodyObject } from "./openapi/types.ts";
import type { Parameter, ProcedureInput } from "./schema/input.ts";

/**
 * A router, and everything that its operator decides. The methods get the contexts and endpoints that the operator's
 * code has made, with all additional fields.
 */
export interface Adapter<
  Context extends RequestContext = RequestContext,
  Served extends RpcEndpoint = RpcEndpoint,
> {
  readonly router: AnyTRPCRouter;
  /** All of its procedures by path. */
  readonly procedures: Readonly<Record<string, Served>>;
  /** The procedures that REST offers. */
  readonly endpoints: readonly (Served & Endpoint)[];
  /** Where RPC is, such as "/trpc". */
  readonly rpcPath: string;
  /** The most calls in a batch; where it is absent, as many as fit its body. */
  readonly maxBatchSize?: number | undefined;
  /** The most values in one JSON body; unlimited where it is absent. */
  readonly maxJsonValues?: number | undefined;
  /** The most bytes of a form's fields beside its files, together; unlimited where it is absent. */
  readonly maxFieldBytes?: number | undefined;
  /** Whether queries may be sent with POST. */
  readonly allowMethodOverride?: boolean | undefined;
  /** How large the body of calls of these procedures may be, as JSON or as a frame. */
  bodyLimit(called: readonly Served[], context: Context, encoding: "json" | "frame"): Limit;
  /** How large a single file may be. */
  fileLimit(endpoint: Served, context: Context): Limit;
  /** For event streams, where their number is limited. */
  readonly streams?: Streams | undefined;
  readonly formatError: (error: unknown, of: FailedCall) => FormattedError;
  /** The `type` of a problem (RFC 9457): a URI with more about a code, or "about:blank". */
  readonly problemType: (code: string) => string;
  /** Called for unexpected errors, unless the caller has left. */
  readonly onFault: (error: unknown, context: RequestContext) => void;
  /** Parse long bodies, in another thread where there is one. */
  readonly parsers: Parsers<Context>;
  /** Refuses HEAD to callers who may not call these procedures, and adds the headers that the calls would have. */
  checkHead?(called: readonly Served[], context: Context): Promise<void>;
  /** Adds what was ignored to the headers of an answer. */
  readonly addWarnings: (headers: Headers, context: RequestContext) => void;
}

type Limit = ReadOptions | Promise<ReadOptions>;

/** Parsers for JSON bodies that are long, or that contain files; bytes in `args` are transferred. */
interface Parsers<Context extends RequestContext = RequestContext> {
  parseFiles(args: Parameters<typeof parseFiles>, context: Context): Promise<ReturnType<typeof parseFiles>>;
  /** Without these three, long JSON is parsed like short JSON. */
  parseTexts?(args: Parameters<typeof parseTexts>, context: Context): Promise<ReturnType<typeof parseTexts>>;
  parseCalls?(args: Parameters<typeof parseCalls>, context: Context): Promise<ReturnType<typeof parseCalls>>;
  parseFrame?(args: Parameters<typeof parseFrame>, context: Context): Promise<ReturnType<typeof parseFrame>>;
}

/** A request and its answer. */
export interface RequestContext {
  /** The adapter that serves it. */
  readonly adapter: Adapter;
  readonly request: ServerRequest;
  /** The URL as the routes read it: two readings of a path would let a call pass under another's name. */
  readonly url: URL;
  readonly requestId: string;
  /** The body's media type, without parameters and in lower case; "" when there is none. */
  readonly mediaType: string;
  readonly body: RequestBody;
  /** Headers for the answer, whatever it will be. */
  readonly responseHeaders: Headers;
  /** Parts of the answer that are JSON already, and streams; they replace their marks. */
  readonly jsonParts: (JsonText | ByteStream)[];
  readonly warnings: Warning[];
  /** What the procedures get as `ctx`; this same object where it is made here. */
  readonly trpcContext: object | undefined;
  /** Makes `trpcContext`, where a request needs it; `info` is what tRPC knows about the calls. */
  readonly prepare?: (info?: TRPCRequestInfo) => Promise<void>;
  readonly answer: {
    /** Resolves when its last byte has left, where that takes time. */
    sent?: Promise<void>;
    /** Resolves when no call is running any more, where the caller can leave before. */
    ended?: Promise<void>;
  };
}

/** A procedure, with everything that is the same for each of its calls, computed once. */
export interface RpcEndpoint {
  /** The procedure's path under RPC. */
  readonly rpc: string;
  readonly procedure: AnyTRPCProcedure;
  readonly run: RunProcedure;
  /** Whether it returns a stream of events. */
  readonly isSubscription: boolean;
  readonly input: ProcedureInput;
  /** How REST reads its call. */
  readonly http: HttpMeta;
}

/** A procedure that REST offers, with everything about it that is the same for each call. */
export interface Endpoint extends RpcEndpoint {
  readonly openapi: NonNullable<AdapterMeta["openapi"]>;
  /** All its paths, as OpenAPI writes them: `/notes/{id}`. */
  readonly paths: readonly string[];
  readonly resultKeys: readonly string[];
  /** Whether it is known to be answered by events. */
  readonly yields: boolean;
  /** Whether JSON can write its result as it is. */
  readonly isPlainResult: boolean;
  readonly body: BodyKind;
  readonly write: WriteResult;
}

/** What is known about a failed call. */
export interface FailedCall {
  /** The path of the procedure, such as "notes.add". */
  readonly path?: string | undefined;
  readonly input?: unknown;
  /** Where a parameter was: body, query, path or header. */
  readonly locate?: (name: string) => string;
  /** The procedure's `ctx`; only over REST, since tRPC itself calls the router's formatter over RPC. */
  readonly ctx?: object | undefined;
}

/** An error as REST and RPC return it. */
export interface FormattedError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: object & { readonly retryAfter?: number; readonly allowed?: readonly unknown[] };
}

/**
 * The values that were sent by name, where texts are still to be typed, and the place of each ("query", "body", "path",
 * "header").
 */
export interface RawInput {
  readonly values: Record<string, unknown>;
  readonly locations: Map<string, string>;
  /** Whether one of the values is a text that may become another type. */
  hasTexts: boolean;
  /** What the body is, where anything was sent: an object also with names that nobody knows. A form without fields is none. */
  body?: "object" | "null";
}

/** Everything that follows from the kind of body that a procedure takes over REST. */
export interface BodyKind {
  readonly read: (context: RequestContext, endpoint: Endpoint) => Promise<RawInput> | RawInput;
  /**
   * Whether a file in a frame may still arrive while the procedure works: only a file that is marked so, or always the
   * last one.
   */
  readonly streamed?: "marked" | "last";
  /** Whether it warns by itself about unknown keys inside of values. */
  readonly tellsInside?: true;
  /** Media types of the body. */
  readonly types: readonly string[];
  /** Where parameters are that are neither files nor in the path. */
  readonly place: "query" | "body";
  /** Whether a parameter is in the body all the same. */
  readonly isInBody?: (parameter: Parameter) => boolean;
  /** Other places where a parameter may be. */
  readonly also: (parameter: Parameter, endpoint: Endpoint) => readonly string[];
  /** Parameters in the OpenAPI document that are not in the path. */
  readonly documentParameters: (endpoint: Endpoint) => readonly Json[];
  /** The body in the OpenAPI document; `json` is what trpc-to-openapi wrote for it. */
  readonly documentBody: (endpoint: Endpoint, json: MediaType | undefined) => RequestBodyObject | undefined;
  /** The body at an alias of the path, where that accepts more kinds. */
  readonly documentAliasBody?: (json: MediaType) => RequestBodyObject;
  /** Arguments for curl to send an example. */
  readonly curl: (endpoint: Endpoint) => readonly string[];
}

/** Writes the result of a procedure. The output schema has checked its shape. */
export type WriteResult = (
  result: unknown,
  context: RequestContext,
  endpoint: Endpoint,
) => Response | Promise<Response>;
