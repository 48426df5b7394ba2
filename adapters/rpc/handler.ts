import { callTRPCProcedure } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { FastResponse } from "srvx";
import { appRouter, procedures } from "../../router/app.ts";
import type { Context } from "../../router/context.ts";
import { LIMITS } from "../../router/limits.ts";
import { ApiError, errorBody, tooLarge } from "../../router/errors.ts";
import { explainError, toApiError, wrongRpcType } from "../../router/explain-error.ts";
import { inputSchemaOf } from "../../router/introspect.ts";
import { decodeFrame, frameParts } from "../../wire/frame.ts";
import { FRAME_TYPE, MAX_BATCH_CALLS } from "../../wire/rpc.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Log } from "../operations/log.ts";
import { answerParts, spliceTexts } from "../http/send.ts";
import { decodeText, mediaType } from "../http/content-type.ts";
import { baseHeaders, errorHeaders } from "../rest/results.ts";

// JSON-RPC 2.0, 5.1: the first of the codes that a server may give a meaning; ours is in `data`.
const SERVER_ERROR = -32000;

// What base64 adds to bytes, and room for the JSON around them.
const JSON_FACTOR = 1.4;
const OVERHEAD_BYTES = 1024 * 1024;

/** The procedures that a /trpc path names; a batch names several. */
export function calledProcedures({ pathname }: URL): string[] {
  try {
    return decodeURIComponent(pathname.replace(/^\/trpc\//, "")).split(",");
  } catch {
    return [];
  }
}

/** Answers a typed call: JSON by tRPC's own handler, or a binary frame. */
export async function answerRpc(context: RequestContext, { log }: { log: Log }): Promise<Response> {
  if (mediaType(context.request) === FRAME_TYPE) return answerFrame(context, { log });
  let isUnderstood = false;
  const answered = await fetchRequestHandler({
    endpoint: "/trpc",
    router: appRouter,
    req: boundedRequest(context),
    createContext: () => {
      isUnderstood = true;
      return context.trpcContext;
    },
    maxBatchSize: MAX_BATCH_CALLS,
    onError: ({ error, path, input }) => {
      const { code } = explainError(error, { schema: schemaAt(path), input });
      if (code === "internal" && !context.request.signal.aborted) log.fault(error, context.requestId);
    },
    responseMeta: ({ info, errors, paths }) => {
      const [error] = errors;
      if (!error || info?.isBatchCall) return {};
      const apiError = explainError(error, { schema: schemaAt(paths?.[0]), input: undefined });
      return { status: apiError.status, headers: errorHeaders(apiError) };
    },
  });
  const response = await complete(answered, { context, isWhole: isUnderstood && !isStreamed(answered) });
  for (const [name, value] of baseHeaders(context)) response.headers.set(name, value);
  return response;
}

function schemaAt(path: string | undefined) {
  const procedure = path === undefined ? undefined : procedures()[path];
  return procedure && inputSchemaOf(procedure);
}

// Lines of JSON are not told apart by their type.
function isStreamed({ headers }: Response): boolean {
  return headers.get("transfer-encoding") === "chunked";
}

// The calls of a streamed batch read the body while the answer is already on its way, behind the drain; so the
// answer waits for all of them. What tRPC refuses before it asks for a context cannot know the request id.
async function complete(
  response: Response,
  { context, isWhole }: { context: RequestContext; isWhole: boolean },
): Promise<Response> {
  const { requestId, trpcContext } = context;
  if (isWhole && trpcContext.jsonTexts.length === 0) return response;
  const text = (await response.text()).replaceAll('"requestId":""', `"requestId":"${requestId}"`);
  response.headers.delete("transfer-encoding");
  return answerParts(spliceTexts(text, trpcContext.jsonTexts), response);
}

/** The answer to what is refused before any procedure, in the form that the caller's link reads. */
export function answerRpcFault(
  error: unknown,
  { context, log }: { context: RequestContext; log: Log },
): Response {
  const apiError = toApiError(error);
  if (apiError.code === "internal") log.fault(error, context.requestId);
  const body = failure(apiError, context.requestId);
  if (mediaType(context.request) === FRAME_TYPE) return frameResponse(body, { context, error: apiError });
  const headers = baseHeaders(context);
  for (const [name, value] of errorHeaders(apiError)) headers.set(name, value);
  headers.set("Content-Type", "application/json; charset=utf-8");
  return new FastResponse(JSON.stringify(body), { status: apiError.status, headers });
}

function failure(error: ApiError, requestId: string) {
  const data = { ...errorBody(error, requestId), httpStatus: error.status };
  return { error: { message: error.message, code: SERVER_ERROR, data } };
}

// tRPC reads through this: nothing before a procedure asks, never more than the caller may send.
function boundedRequest({ request, url, body, trpcContext }: RequestContext): Request {
  const { headers, signal } = request;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const text = async () => decodeText(await body.bytes(await rpcLimit(trpcContext, JSON_FACTOR)), "body");
  const formData = () => Promise.reject(wrongRpcType());
  // The handler uses just these members; a real Request would stream the body through once more.
  return { method, headers, url: url.href, signal, text, formData, body: null } as unknown as Request;
}

async function rpcLimit(context: Context, factor: number) {
  const { tier } = await context.identify();
  const value = LIMITS[tier].totalSize;
  const about = { what: "The call", limit: "totalSize", value, unit: "bytes", tier };
  const tokenValue = LIMITS.member.totalSize;
  return {
    limit: Math.ceil(value * factor) + OVERHEAD_BYTES,
    tooLarge: (actual?: number) => tooLarge("total_too_large", { ...about, actual, tokenValue }),
  };
}

async function answerFrame(context: RequestContext, { log }: { log: Log }): Promise<Response> {
  const { url, trpcContext, requestId, request } = context;
  const [path = ""] = calledProcedures(url);
  const procedure = procedures()[path];
  let input: unknown;
  try {
    checkFrameCall(context, path);
    const result: unknown = await callTRPCProcedure({
      router: appRouter,
      path,
      getRawInput: async () => (input = await readFrame(context)),
      ctx: trpcContext,
      type: procedure?._def.type ?? "mutation",
      signal: request.signal,
      batchIndex: 0,
    });
    return frameResponse({ result: { data: result } }, { context });
  } catch (error) {
    const apiError = explainError(error, { schema: schemaAt(path), input });
    if (apiError.code === "internal" && !request.signal.aborted) log.fault(error, requestId);
    return frameResponse(failure(apiError, requestId), { context, error: apiError });
  }
}

function checkFrameCall({ request, url }: RequestContext, path: string): void {
  if (request.method !== "POST") {
    throw new ApiError("method_not_allowed", "A frame is sent with POST", { allowed: ["POST"] });
  }
  if (url.searchParams.has("batch") || path.includes(",")) {
    throw new ApiError("invalid_parameter", "A frame holds one call; batches are JSON", {
      parameter: "batch",
    });
  }
}

async function readFrame({ body, trpcContext }: RequestContext): Promise<unknown> {
  const bytes = await body.bytes(await rpcLimit(trpcContext, 1));
  try {
    return decodeFrame(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new ApiError("invalid_json", "The body is not a well-formed frame");
    throw error;
  }
}

function frameResponse(
  value: unknown,
  { context, error }: { context: RequestContext; error?: ApiError },
): Response {
  const parts = frameParts(value, { encode: (json) => spliceTexts(json, context.trpcContext.jsonTexts) });
  const headers = baseHeaders(context);
  if (error) for (const [name, value] of errorHeaders(error)) headers.set(name, value);
  headers.set("Content-Type", FRAME_TYPE);
  return answerParts(parts, { status: error?.status ?? 200, headers });
}
