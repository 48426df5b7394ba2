import {
  type AnyTRPCRouter,
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  transformTRPCResponse,
  TRPCError,
} from "@trpc/server";
import { getHTTPStatusCode, type TRPCRequestInfo } from "@trpc/server/http";
import type { TRPCResponse } from "@trpc/server/rpc";
import { ByteStream } from "../../../wire/byte-pieces.ts";
import { CallError } from "../../../wire/call-error.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import type { FormattedError, RequestContext, RpcEndpoint } from "../adapter.ts";
import { errorHeaders, formatThrown } from "../answer/write-error.ts";
import { hideInShape, rpcStatus } from "../format-error.ts";
import {
  calledProcedures,
  errorShape,
  type FailedRpc,
  infoOf,
  isFrame,
  readOnce,
  rpcHeaders,
  writeFrame,
} from "./answers.ts";
import { answerListener, hasUsualEvents } from "./events.ts";
import { withByteStream } from "./framed-files.ts";
import type { ProcedureCall, RunProcedure } from "../runner.ts";
import { ignoreRejections, isPromise } from "../rest/json.ts";
import { readersOf, readFrame, refuseForTrpc } from "./inputs.ts";
import { takeTurns, writeJsonText, withLongBytesLater } from "./json.ts";

/**
 * Answers what tRPC's links usually send: a frame, or queries or mutations in JSON, one by itself or a batch. Undefined
 * for calls that tRPC's own handler answers: batches in lines, forms, and those with a wrong method or path. `router` is
 * the adapter's with errors hidden.
 */
export function answerCall(context: RequestContext, router: AnyTRPCRouter): Promise<Response> | undefined {
  const paths = calledProcedures(context.url, context.adapter);
  if (isFrame(context)) return answerFrame(paths[0] ?? "", context, router);
  const isBatch = context.url.searchParams.has("batch");
  const called = paths.flatMap((path) => context.adapter.procedures[path] ?? []);
  const [first, ...others] = called;
  const isKnown = first !== undefined && called.length === paths.length;
  if (!isKnown || !called.every((endpoint) => isPlain(endpoint, context))) return undefined;
  if (isBatch ? !isUsualBatch(called, context) : others.length > 0) return undefined;
  if (!first.isSubscription) return answerPlain(called, { context, router, isBatch });
  return hasUsualEvents(router) ? answerListener(first, context, router) : undefined;
}

/** The outcome of a call: what is written for it and, of an error, its forms for the adapter and for tRPC. */
interface Outcome {
  readonly item: TRPCResponse;
  readonly error?: FormattedError;
  readonly thrown?: TRPCError;
}

type RpcContext = Pick<FailedRpc, "context" | "router">;

async function runCall(
  call: Omit<ProcedureCall, "ctx" | "signal"> & Pick<TRPCRequestInfo["calls"][number], "result">,
  { context, router, run }: RpcContext & { run: RunProcedure | undefined },
): Promise<Outcome> {
  const { result: knownInput, ...about } = call;
  const { adapter, request, trpcContext: ctx } = context;
  const whole = { ...about, ctx, signal: request.signal };
  try {
    // tRPC refuses what is no procedure.
    const data: unknown = await (run ? run(whole) : callTRPCProcedure({ router: adapter.router, ...whole }));
    return { item: { result: { data } } };
  } catch (thrown) {
    const { path, type } = call;
    return failedCall(thrown, { context, router, path, type, input: knownInput() });
  }
}

function failedCall(thrown: unknown, of: FailedRpc): Outcome {
  const { context, path, input } = of;
  const known = getTRPCErrorFromUnknown(thrown);
  const formatted = formatThrown(thrown, context, { path, input });
  hideInShape(known, formatted);
  const shape = errorShape(known, of);
  const { code, message, details } = formatted;
  const error = { status: rpcStatus(known, formatted, shape), code, message, details };
  return { item: { error: shape }, error, thrown: known };
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
    !url.searchParams.has("connectionParams")
  );
}

function isUsualBatch(called: readonly RpcEndpoint[], { adapter, url }: RequestContext): boolean {
  const { maxBatchSize = Infinity } = adapter;
  const isListening = called.some(({ isSubscription }) => isSubscription);
  return url.searchParams.get("batch") === "1" && called.length <= maxBatchSize && !isListening;
}

// Does what tRPC's handler (11.25, http/resolveResponse.ts) does with such calls, without its Request, Response and
// signals, which took half the time of a short call.
async function answerPlain(
  called: readonly RpcEndpoint[],
  { context, router, isBatch }: RpcContext & { isBatch: boolean },
): Promise<Response> {
  const reads = readersOf(
    context,
    called.map(({ rpc }) => rpc),
    isBatch,
  );
  const info = infoOf(context, { calls: called.map((each, i) => [each, reads[i]!]), isBatchCall: isBatch });
  const of = { context, router };
  const write = writerOf(called, of);
  let outcomes: readonly Outcome[] | undefined;
  try {
    await context.prepare?.(info);
  } catch (thrown) {
    outcomes = withoutContext(thrown, called, of);
  }
  takeTurns(info.calls);
  outcomes ??= await Promise.all(called.map((endpoint, i) => runPlain(endpoint, info.calls[i]!, of)));
  try {
    return isBatch ? writeBatch(outcomes, write) : writeSingle(outcomes[0]!, write);
  } catch (thrown) {
    return writeSingle(failedCall(thrown, { context, router, type: info.type }), write);
  }
}

// The context of all calls could not be made: one fault, which is the outcome of each.
function withoutContext(thrown: unknown, called: readonly RpcEndpoint[], of: RpcContext): Outcome[] {
  const [first, ...others] = called.map(({ rpc: path, procedure }) => ({ path, type: procedure._def.type }));
  const failed = failedCall(thrown, { ...of, type: "unknown", ...first });
  const known = getTRPCErrorFromUnknown(thrown);
  return [
    failed,
    ...others.map((call) => ({ ...failed, item: { error: errorShape(known, { ...of, ...call }) } })),
  ];
}

async function runPlain(
  { run, procedure }: RpcEndpoint,
  { path, batchIndex, getRawInput, result }: TRPCRequestInfo["calls"][number],
  { context, router }: RpcContext,
): Promise<Outcome> {
  const { type } = procedure._def;
  const call = { path, type, batchIndex, getRawInput, result };
  const outcome = await runCall(call, { context, router, run });
  const data: unknown = "result" in outcome.item ? outcome.item.result.data : undefined;
  return isStreamed(data)
    ? failedCall(notStreamed(data), { context, router, path, type, input: result() })
    : outcome;
}

/** Writes one item or a batch of them. */
type WriteItems = (
  items: TRPCResponse | TRPCResponse[],
  head: { readonly status: number; readonly more?: Iterable<[string, string]> },
) => Response;

function writerOf(called: readonly RpcEndpoint[], { context, router }: RpcContext): WriteItems {
  const { _config: config } = withLongBytesLater(router, context)._def;
  const isCompressed = called.every(({ http }) => http.compressed);
  return (items, { status, more = [] }) => {
    const headers = rpcHeaders(context);
    for (const [name, value] of [...JSON_HEADERS, ...more]) if (!headers.has(name)) headers.set(name, value);
    const text = JSON.stringify(transformTRPCResponse(config, items));
    return writeJsonText(text, { context, status, headers }, isCompressed);
  };
}

function writeSingle({ item, error }: Outcome, write: WriteItems): Response {
  return error
    ? write(item, { status: error.status, more: errorHeaders(error) })
    : write(item, { status: 200 });
}

function writeBatch(outcomes: readonly Outcome[], write: WriteItems): Response {
  const items = outcomes.map(({ item }) => item);
  const errors = outcomes.map(({ thrown }) => thrown);
  return write(items, { status: getHTTPStatusCode(items, errors) });
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
  return Symbol.asyncIterator in Object(value) || isPromise(value);
}

function notStreamed(result: unknown): TRPCError {
  ignoreRejections(result);
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
  const read = () => readFrame(context, path).catch(refuseForTrpc);
  const { getRawInput, result } = readOnce(read, context, endpoint);
  const call = { path, type, batchIndex: 0, getRawInput, result };
  try {
    const wrong = wrongFrameCall(context, path);
    if (wrong) refuseForTrpc(wrong);
    await context.prepare?.();
    return write(await runFramed());
  } catch (thrown) {
    return write(failedCall(thrown, { context, router, path, type, input: result() }));
  }

  async function runFramed(): Promise<Outcome> {
    const outcome = await runCall(call, { context, router, run });
    if (!("result" in outcome.item)) return outcome;
    const data = withByteStream(outcome.item.result.data);
    if (!(data instanceof ByteStream) && isStreamed(data))
      return failedCall(notStreamed(data), { context, router, path, type, input: result() });
    return { item: { result: { ...outcome.item.result, data } } };
  }

  function write({ item, error }: Outcome): Response {
    return writeFrame(item, { context, error });
  }
}

function wrongFrameCall(
  { adapter, request, url, mediaType }: RequestContext,
  path: string,
): CallError | undefined {
  if (adapter.procedures[path]?.isSubscription)
    return new CallError("method_not_allowed", "A subscription is opened with GET and not in a frame", {
      allowed: ["GET"],
    });
  if (request.method !== "POST" && mediaType === FRAME_TYPE)
    return new CallError("method_not_allowed", "A frame is sent with POST", { allowed: ["POST"] });
  if (!url.searchParams.has("batch") && !path.includes(",")) return undefined;
  const error = "A frame contains one call; batches are JSON";
  return new CallError("invalid_parameter", error, { parameter: "batch" });
}
