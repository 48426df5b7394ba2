import { type AnyTRPCRouter, getTRPCErrorFromUnknown, getTRPCErrorShape } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY, type TRPCErrorShape } from "@trpc/server/rpc";
import { FastResponse } from "srvx";
import { streamedFrameParts, type Transform } from "../../../wire/frame.ts";
import { JsonText } from "../../../wire/json/json-text.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import { answerParts } from "../answer/answer-parts.ts";
import { spliceTexts } from "../answer/json-text.ts";
import type { Adapter, FormattedError, RequestContext, RpcEndpoint } from "../adapter.ts";
import { writtenError, errorHeaders, formatThrown } from "../answer/write-error.ts";
import type { ReadOptions } from "../body/request-body.ts";

/** The type that tRPC 11.25 gives its JSON. */
export const RPC_TYPE = "application/json";

// JSON-RPC 2.0, 5.1: the first code that servers may define; ours is in `data`.
const SERVER_ERROR = -32000;

/** Whether a call came as a frame, or is a query that wants one as its answer. */
export function isFrame({ mediaType, request: { method, headers } }: RequestContext): boolean {
  return mediaType === FRAME_TYPE || (method === "GET" && headers.get("accept") === FRAME_TYPE);
}

/** Whether one of tRPC's links or this package's sent a request. */
export function isRpcCall(context: RequestContext): boolean {
  const { searchParams } = context.url;
  const { headers } = context.request;
  const isMarked = ["trpc-accept", "x-trpc-source"].some((name) => headers.has(name));
  return isFrame(context) || isMarked || searchParams.has("batch") || searchParams.has("input");
}

/** Answers with a frame: a result, or an error. */
export function writeFrame(
  value: unknown,
  {
    context,
    error,
    serialize,
  }: { context: RequestContext; error?: FormattedError | undefined; serialize?: Transform | undefined },
): Response {
  // A stream has its place in the frame, so only texts are put into its JSON.
  const texts = context.jsonParts.filter((part) => part instanceof JsonText);
  const parts = streamedFrameParts(value, { encode: (json) => spliceTexts(json, texts), serialize });
  const headers = headersOf(context, error);
  headers.set("Content-Type", FRAME_TYPE);
  return answerParts(parts, { context, status: error?.status ?? 200, headers });
}

/** An error as tRPC's links read it. `code` is JSON-RPC's. */
function failure(
  error: FormattedError,
  { requestId, code = SERVER_ERROR }: { requestId: string; code?: number | undefined },
) {
  const data = { ...writtenError(error, requestId), httpStatus: error.status };
  return { error: { message: error.message, code, data } };
}

/** The answer to what is refused before any procedure, in the format of the caller's link. */
export function answerRpcError(thrown: unknown, context: RequestContext, code?: number): Response {
  const error = formatThrown(thrown, context);
  const body = failure(error, { requestId: context.requestId, code });
  if (isFrame(context)) return writeFrame(body, { context, error });
  const headers = headersOf(context, error);
  headers.set("Content-Type", RPC_TYPE);
  return new FastResponse(JSON.stringify(body), { status: error.status, headers });
}

/** What makes the context runs, and may refuse the call: with the answer to it. `read` reads the input. */
export async function prepareCall(
  { rpc: path, procedure }: RpcEndpoint,
  context: RequestContext,
  read: () => Promise<unknown>,
): Promise<Response | undefined> {
  const { url, request } = context;
  try {
    await context.prepare?.({
      isBatchCall: false,
      accept: null,
      calls: [{ path, procedure, batchIndex: 0, getRawInput: read, result: () => undefined }],
      type: procedure._def.type,
      connectionParams: null,
      signal: request.signal,
      url,
    });
    return undefined;
  } catch (thrown) {
    const error = getTRPCErrorFromUnknown(thrown);
    return answerRpcError(error, context, TRPC_ERROR_CODES_BY_KEY[error.code]);
  }
}

/** What a procedure threw, as the router shapes it. `router` is the adapter's with errors hidden. */
export function errorShape(
  thrown: unknown,
  of: { context: RequestContext; router: AnyTRPCRouter; path: string; input: unknown },
): TRPCErrorShape {
  const { context, router, path, input } = of;
  return getTRPCErrorShape({
    config: router._def._config,
    error: getTRPCErrorFromUnknown(thrown),
    path,
    input,
    ctx: context.trpcContext,
    type: context.adapter.procedures[path]?.procedure._def.type ?? "unknown",
  });
}

/** The headers that calls have set. An ETag is that of REST's answer, without what RPC adds. */
export function rpcHeaders(context: RequestContext): Headers {
  const headers = new Headers(context.responseHeaders);
  headers.delete("ETag");
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
