import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import type { TRPCRequestInfo } from "@trpc/server/http";
import type { ByteStream } from "../../wire/byte-pieces.ts";
import type { parseCalls, parseFrame } from "../../wire/json/json-calls.ts";
import type { parseFiles, parseTexts } from "../../wire/json/json-files.ts";
import type { JsonText } from "../../wire/json/json-text.ts";
import type { ReadOptions, RequestBody, ServerRequest } from "./body/request-body.ts";
import type { Warning } from "./rest/unknown-parameter.ts";
import type { AdapterMeta, HttpMeta } from "./meta.ts";
import type { Streams } from "./answer/stream.ts";
import type { Json, MediaType, RequestBodyObject } from "./openapi/types.ts";
import type { Parameter, ProcedureInput } from "./schema/input.ts";

/**
 * A router, and everything that the one who runs it decides. Its methods get the contexts and endpoints that whoever made it
 * has made too, with all that these have besides.
 */
export interface Adapter<
  Context extends RequestContext = RequestContext,
  Served extends RpcEndpoint = RpcEndpoint,
> {
  readonly router: AnyTRPCRouter;
  /** All of its procedures by path. */
  readonly procedures: Readonly<Record<string, Served>>;
  /** Those of them that REST offers. */
  readonly endpoints: readonly (Served & Endpoint)[];
  /** Where RPC is, such as "/trpc". */
  readonly rpcPath: string;
  /** Of a batch; as many as fit its body, where it is absent. */
  readonly maxBatchSize?: number | undefined;
  /** Values in the JSON of one body; as many as it holds, where it is absent. */
  readonly maxJsonValues?: number | undefined;
  /** Whether a query may come as a POST. */
  readonly allowMethodOverride?: boolean | undefined;
  /** How large the body of calls of these procedures may be, as JSON or as a frame. */
  bodyLimit(called: readonly Served[], context: Context, encoding: "json" | "frame"): Limit;
  /** How large a file by itself may be. */
  fileLimit(endpoint: Served, context: Context): Limit;
  /** Of events, where their number has a limit. */
  readonly streams?: Streams | undefined;
  readonly formatError: (error: unknown, of: FailedCall) => FormattedError;
  /** What RFC 9457 calls the type of a problem: a URI that tells more about a code, or "about:blank". */
  readonly problemType: (code: string) => string;
  /** Is told of what nobody expected, unless the caller has left. */
  readonly onFault: (error: unknown, context: RequestContext) => void;
  /** Reads long bodies, in another thread where there is one. */
  readonly parsers: Parsers<Context>;
  /** Refuses HEAD to whoever may not call these procedures, and adds the headers that their calls would have. */
  checkHead?(called: readonly Served[], context: Context): Promise<void>;
  /** Adds what was ignored to the headers of an answer. */
  readonly addWarnings: (headers: Headers, context: RequestContext) => void;
}

type Limit = ReadOptions | Promise<ReadOptions>;

/** What reads the JSON of bodies that are long, or that hold files; bytes in `args` are given away. */
interface Parsers<Context extends RequestContext = RequestContext> {
  parseFiles(args: Parameters<typeof parseFiles>, context: Context): Promise<ReturnType<typeof parseFiles>>;
  /** Without these three, long JSON is parsed like short JSON. */
  parseTexts?(args: Parameters<typeof parseTexts>, context: Context): Promise<ReturnType<typeof parseTexts>>;
  parseCalls?(args: Parameters<typeof parseCalls>, context: Context): Promise<ReturnType<typeof parseCalls>>;
  parseFrame?(args: Parameters<typeof parseFrame>, context: Context): Promise<ReturnType<typeof parseFrame>>;
}

/** One request on its way in and its answer on the way out. */
export interface RequestContext {
  /** What serves it. */
  readonly adapter: Adapter;
  readonly request: ServerRequest;
  /** As the routes read it: two readings of one path would let a call pass under another's name. */
  readonly url: URL;
  readonly requestId: string;
  /** Of the body, without its parameters and in lower case; "" when there is none. */
  readonly mediaType: string;
  readonly body: RequestBody;
  /** Headers for the answer, whatever it will be. */
  readonly responseHeaders: Headers;
  /** Parts of the answer that are JSON already, and streams; they are inserted where a procedure has put them. */
  readonly jsonParts: (JsonText | ByteStream)[];
  readonly warnings: Warning[];
  /** What the procedures get as `ctx`; this very object where that is made here. */
  readonly trpcContext: object;
  /** Makes `trpcContext`, where a request needs it; tRPC says what it was asked for. */
  readonly prepare?: (info?: TRPCRequestInfo) => Promise<void>;
  readonly answer: {
    /** Settles when its last byte has left, where that takes time. */
    sent?: Promise<void>;
    /** Settles when no call runs any more, where the caller can leave while some do. */
    ended?: Promise<void>;
  };
}

/** A procedure, and what is the same for each of its calls, which is worked out once. */
export interface RpcEndpoint {
  /** The procedure's path under RPC. */
  readonly rpc: string;
  readonly procedure: AnyTRPCProcedure;
  /** Whether it answers a stream of events. */
  readonly isSubscription: boolean;
  readonly input: ProcedureInput;
  /** How REST reads its call. */
  readonly http: HttpMeta;
}

/** The same of a procedure that REST offers. */
export interface Endpoint extends RpcEndpoint {
  readonly openapi: NonNullable<AdapterMeta["openapi"]>;
  /** Every path that leads to it, as OpenAPI writes them: `/notes/{id}`. */
  readonly paths: readonly string[];
  readonly resultKeys: readonly string[];
  /** Whether JSON can write its result as it is. */
  readonly isPlainResult: boolean;
  readonly body: BodyKind;
  readonly write: WriteResult;
}

/** What is known of a call that has failed. */
export interface FailedCall {
  /** The path of the procedure, such as "notes.add". */
  readonly path?: string | undefined;
  readonly input?: unknown;
  /** Where a parameter stood: body, query, path or header. */
  readonly locate?: (name: string) => string;
  /** What the procedure got as `ctx`; over REST alone, as tRPC asks the router's own formatter over RPC. */
  readonly ctx?: object;
}

/** A failure as it is answered, over REST and RPC. */
export interface FormattedError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: object & { readonly retryAfter?: number; readonly allowed?: readonly unknown[] };
}

/** What was sent by name, of which texts are still to be typed, and where each stood ("query", "body", "path", "header"). */
export interface RawInput {
  readonly values: Record<string, unknown>;
  readonly locations: Map<string, string>;
  /** Whether one of the values is a text that may become something else. */
  hasTexts: boolean;
}

/** Everything that follows from the kind of body that a procedure takes over REST. */
export interface BodyKind {
  readonly read: (context: RequestContext, endpoint: Endpoint) => Promise<RawInput> | RawInput;
  /** Whether in a frame a file may still arrive while the procedure works: one that is marked so, or always the last. */
  readonly streamed?: "marked" | "last";
  /** Media types of the body. */
  readonly types: readonly string[];
  /** Where a parameter stands that is neither a file nor in the path. */
  readonly place: "query" | "body";
  /** Whether a parameter stands in the body all the same. */
  readonly isInBody?: (parameter: Parameter) => boolean;
  /** Where else a parameter may stand. */
  readonly also: (parameter: Parameter, endpoint: Endpoint) => readonly string[];
  /** Parameters of the OpenAPI document that are not in the path. */
  readonly documentParameters: (endpoint: Endpoint) => readonly Json[];
  /** The body in the OpenAPI document; `json` is what trpc-to-openapi wrote for it. */
  readonly documentBody: (endpoint: Endpoint, json: MediaType | undefined) => RequestBodyObject | undefined;
  /** The same at an alias of the path, where that shows more kinds of body. */
  readonly documentAliasBody?: (json: MediaType) => RequestBodyObject;
  /** What curl is given to send an example. */
  readonly curl: (endpoint: Endpoint) => readonly string[];
}

/** Writes the result of a procedure. The output schema has checked its shape. */
export type WriteResult = (
  result: unknown,
  context: RequestContext,
  endpoint: Endpoint,
) => Response | Promise<Response>;
