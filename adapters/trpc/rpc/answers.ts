import { type AnyTRPCRouter, getTRPCErrorFromUnknown, getTRPCErrorShape, type TRPCError } from "@trpc/server";
import type { TRPCRequestInfo } from "@trpc/server/http";
import { TRPC_ERROR_CODES_BY_KEY, type TRPCErrorShape } from "@trpc/server/rpc";
import { FastResponse } from "srvx";
import { CallError } from "../../../wire/call-error.ts";
import { streamedFrameParts } from "../../../wire/frame.ts";
import { JsonText } from "../../../wire/json/json-text.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import { answerParts } from "../answer/answer-parts.ts";
import { spliceTexts } from "../answer/json-text.ts";
import type { Adapter, FormattedError, RequestContext, RpcEndpoint } from "../adapter.ts";
import { writtenError, errorHeaders, formatThrown, runFormatter } from "../answer/write-error.ts";
import { INTERNAL, rpcStatus, withHiddenErrors } from "../format-error.ts";
import type { ReadOptions } from "../body/request-body.ts";
import { warnDropped } from "../rest/unknown-parameter.ts";
import { headWriter } from "./transformer.ts";

/** The type that tRPC 11.25 gives its JSON. */
export const RPC_TYPE = "application/json";

// JSON-RPC 2.0, 5.1: the first code that servers may define; ours is in `data`.
const SERVER_ERROR = -32000;

/** Whether a call came as a frame, or is a query that wants one as its answer. */
export function isFrame({ mediaType, request: { method, headers } }: RequestContext): boolean {
  return mediaType === FRAME_TYPE || (method === "GET" && headers.get("accept") === FRAME_TYPE);
}

/** Whether one of tRPC's links or this package's sent a request, perhaps to a path with another part in front. */
export function isRpcCall(context: RequestContext): boolean {
  const { searchParams, pathname } = context.url;
  const { headers } = context.request;
  const isMarked = ["trpc-accept", "x-trpc-source"].some((name) => headers.has(name));
  const isNamed = pathname.includes(`${context.adapter.rpcPath.replace(/.*\//, "/")}/`);
  return isFrame(context) || isMarked || isNamed || searchParams.has("batch") || searchParams.has("input");
}

/** Answers with a frame: a result, or an error, which holds what JSON makes of it. */
export function writeFrame(
  answer: object,
  { context, error }: { context: RequestContext; error?: FormattedError | undefined },
): Response {
  // A stream has its place in the frame, so only texts are put into its JSON.
  const texts = context.jsonParts.filter((part) => part instanceof JsonText);
  const encode = (json: string) => spliceTexts(json, texts);
  const serialize = headWriter(context.adapter.router);
  const failed = () => JSON.parse(JSON.stringify(serialize?.(answer) ?? answer)) as object;
  const parts = error
    ? streamedFrameParts(failed(), { encode })
    : streamedFrameParts(answer, { encode, serialize });
  const headers = headersOf(context, error);
  headers.set("Content-Type", FRAME_TYPE);
  return answerParts(parts, { context, status: error?.status ?? 200, headers });
}

/**
 * The answer to a request that is refused before any procedure runs, as the caller's link reads it: shaped by the
 * router's formatter, except for the adapter's own errors, which no formatter knows.
 */
export function answerRpcError(thrown: unknown, context: RequestContext): Response {
  const { adapter, requestId } = context;
  const formatted = formatThrown(thrown, context);
  const known = getTRPCErrorFromUnknown(thrown);
  const own = { ...writtenError(formatted, requestId), httpStatus: formatted.status };
  const shape =
    known.cause instanceof CallError
      ? { message: formatted.message, code: SERVER_ERROR, data: own }
      : errorShape(known, { context, router: withHiddenErrors(adapter), type: "unknown" });
  const error = { ...formatted, status: rpcStatus(known, formatted, shape) };
  if (isFrame(context)) return writeFrame({ error: shape }, { context, error });
  const headers = headersOf(context, error);
  headers.set("Content-Type", RPC_TYPE);
  const { serialize } = adapter.router._def._config.transformer.output;
  return new FastResponse(JSON.stringify({ error: serialize(shape) }), { status: error.status, headers });
}

/** The calls of a request for what makes the context, each with the function that reads its input. */
export function infoOf(
  context: RequestContext,
  {
    calls,
    isBatchCall = false,
  }: { calls: readonly (readonly [RpcEndpoint, ReadInput])[]; isBatchCall?: boolean },
): TRPCRequestInfo {
  const { url, request } = context;
  return {
    isBatchCall,
    accept: null,
    calls: calls.map(([endpoint, read], batchIndex) => ({
      path: endpoint.rpc,
      procedure: endpoint.procedure,
      batchIndex,
      ...readOnce(read, context, endpoint),
    })),
    type: calls[0]?.[0].procedure._def.type ?? "unknown",
    connectionParams: null,
    signal: request.signal,
    url,
  };
}

type ReadInput = () => Promise<unknown>;

/**
 * Reads an input when it is first asked for, and warns of what its schema drops; `result` returns what has been read.
 */
export function readOnce(
  read: ReadInput,
  context: RequestContext,
  endpoint: RpcEndpoint | undefined,
): Pick<TRPCRequestInfo["calls"][number], "getRawInput" | "result"> {
  let input: Promise<unknown> | undefined;
  let known: unknown;
  const readAndTell = async () => {
    const sent = await read();
    if (endpoint) warnDropped(context.warnings, sent, endpoint.input);
    return (known = endpoint?.isSubscription ? withLastEvent(sent, context) : sent);
  };
  return { getRawInput: () => (input ??= readAndTell()), result: () => known };
}

/** The last event that a returning listener has received. */
export function lastEventIdOf({ request, url }: RequestContext): string | null {
  const inUrl = url.searchParams.get("lastEventId") ?? url.searchParams.get("Last-Event-Id");
  return request.headers.get("last-event-id") ?? inUrl;
}

/** Adds that event to the input of a subscription, as tRPC adds it to the input of a GET. */
function withLastEvent(input: unknown, context: RequestContext): unknown {
  const lastEventId = lastEventIdOf(context);
  if (!lastEventId) return input;
  const isPlain = Object.prototype === Object.getPrototypeOf(input ?? {});
  return isPlain ? { ...Object(input), lastEventId } : input;
}

/** What is known of a call that failed; a batch that cannot be written has no path. */
export interface FailedRpc {
  readonly context: RequestContext;
  /** The adapter's, with errors hidden. */
  readonly router: AnyTRPCRouter;
  readonly type: TRPCRequestInfo["type"];
  readonly path?: string;
  readonly input?: unknown;
}

/** An error as the router shapes it. */
export function errorShape(
  error: TRPCError,
  { context, router, type, path, input }: FailedRpc,
): TRPCErrorShape {
  const { _config: config } = router._def;
  return runFormatter(context, {
    format: () => getTRPCErrorShape({ config, error, type, path, input, ctx: context.trpcContext }),
    instead: () => {
      const { message, status: httpStatus } = INTERNAL;
      const code = "INTERNAL_SERVER_ERROR";
      return { message, code: TRPC_ERROR_CODES_BY_KEY[code], data: { code, httpStatus, path } };
    },
  });
}

/** The headers that calls have set, and warnings. An ETag would be that of REST's answer, without what RPC adds. */
export function rpcHeaders(context: RequestContext): Headers {
  const headers = new Headers(context.responseHeaders);
  headers.delete("ETag");
  context.adapter.addWarnings(headers, context);
  return headers;
}

function headersOf(context: RequestContext, error: FormattedError | undefined): Headers {
  const headers = rpcHeaders(context);
  if (error) for (const [name, value] of errorHeaders(error)) headers.set(name, value);
  return headers;
}

/** The procedures in a path of RPC; a batch has several. */
export function calledProcedures(
  { pathname }: URL,
  { rpcPath, router }: Pick<Adapter, "rpcPath" | "router">,
): string[] {
  try {
    const { pathSeparator: separator = "." } = router._def._config;
    const called = decodeURIComponent(pathname.slice(rpcPath.length + 1)).split(",");
    return separator === "." ? called : called.map((path) => path.replaceAll(separator, "."));
  } catch {
    return [];
  }
}

/** How large the body of the calls in a URL may be. */
export function callLimit(
  context: RequestContext,
  encoding: "json" | "frame",
): ReadOptions | Promise<ReadOptions> {
  const { adapter, url } = context;
  const called = calledProcedures(url, adapter).flatMap((path) => adapter.procedures[path] ?? []);
  return adapter.bodyLimit(called, context, encoding);
}
