import { type AnyTRPCRouter, callTRPCProcedure, transformTRPCResponse, TRPCError } from "@trpc/server";
import type { TRPCResponse } from "@trpc/server/rpc";
import { CallError } from "../../../wire/call-error.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import type { FormattedError, RequestContext, RpcEndpoint } from "../adapter.ts";
import { errorHeaders, formatThrown } from "../answer/write-error.ts";
import { calledProcedures, errorShape, isFrame, prepareCall, rpcHeaders, writeFrame } from "./answers.ts";
import { answerListener, hasUsualEvents } from "./events.ts";
import { withByteStream } from "./framed-files.ts";
import type { RunProcedure } from "../runner.ts";
import { readFrame, readSingle } from "./inputs.ts";
import { writeJsonText, writingLongBytesLater } from "./json.ts";
import { headWriter } from "./transformer.ts";

/**
 * Answers one call by itself: a frame, or a query or mutation in JSON as tRPC's links send it. Undefined for calls that
 * tRPC's own handler answers: batches, forms, and those with a wrong method or path. `router` is the adapter's
 * with errors hidden.
 */
export function answerCall(context: RequestContext, router: AnyTRPCRouter): Promise<Response> | undefined {
  const called = calledProcedures(context.url, context.adapter);
  const [path = ""] = called;
  if (isFrame(context)) return answerFrame(path, context, router);
  const endpoint = called.length === 1 ? context.adapter.procedures[path] : undefined;
  if (!endpoint || !isPlain(endpoint, context)) return undefined;
  if (!endpoint.isSubscription) return answerPlain(endpoint, context, router);
  return hasUsualEvents(router) ? answerListener(endpoint, context, router) : undefined;
}

interface SingleCall {
  readonly path: string;
  /** Where there is no such procedure, tRPC says so. */
  readonly run: RunProcedure | undefined;
  /** Runs before the procedure; an error here is written like one of the procedure. */
  readonly prepare?: () => Promise<void> | undefined;
  readonly type: "query" | "mutation" | "subscription";
  readonly read: () => Promise<unknown>;
  readonly write: (item: TRPCResponse, error?: FormattedError) => Response;
}

async function runCall(
  { path, run, type, read, write, prepare }: SingleCall,
  context: RequestContext,
  router: AnyTRPCRouter,
): Promise<Response> {
  const { adapter, request } = context;
  let input: Promise<unknown> | undefined;
  try {
    await prepare?.();
    const call = {
      path,
      getRawInput: () => (input ??= read()),
      ctx: context.trpcContext,
      type,
      signal: request.signal,
      batchIndex: 0,
    };
    const data: unknown = await (run?.(call) ?? callTRPCProcedure({ router: adapter.router, ...call }));
    return write({ result: { data } });
  } catch (thrown) {
    const known = await input?.catch(() => undefined);
    const error = formatThrown(thrown, context, { path, input: known });
    return write({ error: errorShape(thrown, { context, router, path, input: known }) }, error);
  }
}

const METHODS: Readonly<Record<string, string>> = {
  query: "GET",
  mutation: "POST",
  subscription: "GET",
};

/** Whether tRPC's handler would only run the procedure and write what comes of it. */
function isPlain({ procedure }: RpcEndpoint, { request, url, mediaType }: RequestContext): boolean {
  const { method, headers } = request;
  return (
    METHODS[procedure._def.type] === method &&
    (mediaType === "application/json" || (mediaType === "" && method === "GET")) &&
    !headers.has("trpc-accept") &&
    !headers.get("accept")?.includes("jsonl") &&
    !url.searchParams.has("batch") &&
    !url.searchParams.has("connectionParams")
  );
}

// Does what tRPC's handler (11.25, http/resolveResponse.ts) does with such a call, without its Request, Response and
// signals, which took half the time of a short call.
async function answerPlain(
  endpoint: RpcEndpoint,
  context: RequestContext,
  router: AnyTRPCRouter,
): Promise<Response> {
  const { rpc: path, procedure, run, http } = endpoint;
  const { type } = procedure._def;
  const { _config: config } = writingLongBytesLater(router, context)._def;
  let input: Promise<unknown> | undefined;
  // Whatever makes the context may ask too.
  const read = () => (input ??= readSingle(context, path));
  const refused = await prepareCall(endpoint, context, read);
  if (refused) return refused;
  const write: SingleCall["write"] = (item, error) => {
    if ("result" in item && isStreamed(item.result.data)) throw notStreamed();
    const headers = rpcHeaders(context);
    for (const [name, value] of [...JSON_HEADERS, ...(error ? errorHeaders(error) : [])])
      if (!headers.has(name)) headers.set(name, value);
    const text = JSON.stringify(transformTRPCResponse(config, item));
    return writeJsonText(text, { context, status: error?.status ?? 200, headers }, http.compressed);
  };
  return runCall({ path, run, type, read, write }, context, router);
}

const JSON_HEADERS: readonly (readonly [string, string])[] = [
  ["vary", "trpc-accept, accept"],
  ["content-type", "application/json"],
];

/** Whether a result comes piece by piece, or contains promises, which a single answer cannot carry. */
function isStreamed(result: unknown): boolean {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return false;
  return Symbol.asyncIterator in result || Object.values(result).some(isLater);
}

function isLater(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Symbol.asyncIterator in value || ("then" in value && typeof value.then === "function");
}

function notStreamed(): TRPCError {
  const message = "Cannot use stream-like response in non-streaming request - use httpBatchStreamLink";
  return new TRPCError({ code: "UNSUPPORTED_MEDIA_TYPE", message });
}

async function answerFrame(path: string, context: RequestContext, router: AnyTRPCRouter): Promise<Response> {
  const { adapter, request } = context;
  const endpoint = adapter.procedures[path];
  const called = endpoint?.procedure._def.type;
  // GET only calls queries; a frame calls any procedure.
  const type = request.method === "GET" ? "query" : (called ?? "mutation");
  const run = type === called ? endpoint?.run : undefined;
  const read = () => readFrame(context, path);
  const write: SingleCall["write"] = (item, error) => {
    if (error || !("result" in item)) return writeFrame(item, { context, error });
    const answer = { result: { ...item.result, data: withByteStream(item.result.data) } };
    return writeFrame(answer, { context, serialize: headWriter(adapter.router) });
  };
  const prepare = () => {
    checkFrameCall(context, path);
    return context.prepare?.();
  };
  return runCall({ path, run, type, read, write, prepare }, context, router);
}

function checkFrameCall({ adapter, request, url, mediaType }: RequestContext, path: string): void {
  if (adapter.procedures[path]?.isSubscription) {
    throw new CallError("method_not_allowed", "Events are listened to with GET and not in a frame", {
      allowed: ["GET"],
    });
  }
  if (request.method !== "POST" && mediaType === FRAME_TYPE) {
    throw new CallError("method_not_allowed", "A frame is sent with POST", { allowed: ["POST"] });
  }
  if (url.searchParams.has("batch") || path.includes(",")) {
    const error = "A frame contains one call; batches are JSON";
    throw new CallError("invalid_parameter", error, { parameter: "batch" });
  }
}
