import type { AnyTRPCRouter, TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { RequestContext } from "../adapter.ts";
import { answerParts, answerStream, answerText, type Answer } from "../answer/answer-parts.ts";
import { answerCompressed, codingOf } from "../answer/compressed.ts";
import { base64Within, spliceParts } from "../answer/json-text.ts";
import { errorHeaders, formatThrown } from "../answer/write-error.ts";
import { hideInShape, rpcStatus } from "../format-error.ts";
import { answerRpcError, rpcHeaders, calledProcedures } from "./answers.ts";
import { readInputsHere } from "./inputs.ts";
import { encodeBase64Tree, isBytesOnly } from "../../../wire/byte-tree.ts";
import { forbidTransforms, listenerOf } from "../answer/events.ts";
import { openStream, watched, type AnswerPart } from "../answer/stream.ts";
import { FastResponse } from "srvx";
import type { TRPCRequestInfo } from "@trpc/server/http";
import { type Bytes, nextTurn, utf8 } from "../../../wire/bytes.ts";

/**
 * Lets tRPC's own handler answer what is not a single call in JSON (call.ts); `router` is the adapter's with errors
 * hidden.
 */
export async function answerJson(context: RequestContext, router: AnyTRPCRouter): Promise<Response> {
  const { adapter, request } = context;
  const cancelling = wantsLines(request) ? listenerOf(context) : undefined;
  const { signal } = cancelling ?? request;
  let earlyError: TRPCError | undefined;
  let ready: Promise<void> | undefined;
  let isParsed = false;
  let isPrepared = false;
  let wasTold = false;
  let isCompressed = false;
  let callCount = 0;
  const response = await fetchRequestHandler({
    endpoint: adapter.rpcPath,
    router: withLongBytesLater(router, context),
    req: new TrpcRequest(context, signal),
    createContext: async ({ info }) => {
      isParsed = true;
      // What makes the context may ask for an input.
      const read = readInputsHere(info, context);
      await context.prepare?.(info);
      isPrepared = true;
      takeTurns(info.calls);
      callCount = info.calls.length;
      isCompressed = info.calls.every(({ path }) => adapter.procedures[path]?.http.compressed);
      const isWhole = info.calls.some(({ path }) => adapter.procedures[path]?.http.setsHeaders);
      ready = isWhole ? new Promise(() => {}) : read;
      return context.trpcContext;
    },
    ...(adapter.maxBatchSize !== undefined && { maxBatchSize: adapter.maxBatchSize }),
    allowMethodOverride: adapter.allowMethodOverride ?? false,
    onError: ({ error, path, input }) => {
      // Refused before there are calls: tRPC's own answer would lack the request id.
      if (!isParsed) earlyError = error;
      // Without a context all calls fail for one reason.
      else if (!signal.aborted && (isPrepared || !wasTold))
        hideInShape(error, formatThrown(error, context, { path, input }));
      wasTold = true;
    },
    responseMeta: ({ info, errors: [error], paths, data: [item] }) => {
      if (!error || info?.isBatchCall) return {};
      const formatted = adapter.formatError(error, { path: paths?.[0] });
      const isShaped = item !== undefined && "error" in item;
      const status = isShaped ? rpcStatus(error, formatted, item.error) : formatted.status;
      return { status, headers: errorHeaders(formatted) };
    },
  });
  if (earlyError) return answerRpcError(earlyError, context);
  // Lines of JSON are known by this header, since their type is JSON's.
  if (!cancelling || !response.body || !response.headers.has("transfer-encoding"))
    return complete(response, context, isCompressed);
  return answerLines(response.body, {
    context,
    ready,
    headers: () => headersOf(response, context),
    mostLeft: LINES_LEFT * callCount,
    cancel: () => cancelling.abort(),
    onFault: (error) => signal.aborted || adapter.onFault(error, context),
  });
}

/**
 * The router with a transformer that leaves long bytes for the end of the answer, where its own would put them in one
 * text. Events have no end, and are written as they come.
 */
export function withLongBytesLater(
  router: AnyTRPCRouter,
  { adapter, jsonParts, url }: RequestContext,
): AnyTRPCRouter {
  const { _config: config } = router._def;
  const { transformer } = config;
  const isListening = () =>
    calledProcedures(url, adapter).some((path) => adapter.procedures[path]?.isSubscription);
  if (!isBytesOnly(transformer.output) || isListening()) return router;
  const serialize = (value: unknown) => encodeBase64Tree(value, base64Within(jsonParts));
  const output = { ...transformer.output, serialize };
  return {
    ...router,
    _def: { ...router._def, _config: { ...config, transformer: { ...transformer, output } } },
  };
}

// Includes all requests that tRPC would answer so, and more (unstable-core-do-not-import/http/contentType.ts).
function wantsLines({ headers }: Request): boolean {
  return [headers.get("trpc-accept"), headers.get("accept")].some((type) => type?.includes("jsonl"));
}

async function complete(
  response: Response,
  context: RequestContext,
  isCompressed: boolean,
): Promise<Response> {
  const { status } = response;
  // A subscription has no end to wait for.
  if (response.body && response.headers.get("content-type")?.startsWith("text/event-stream"))
    return passEvents(response.body, { context, status, headers: headersOf(response, context) });
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Only now have all calls run.
  const { jsonParts } = context;
  const parts = jsonParts.length > 0 ? spliceParts(new TextDecoder().decode(bytes), jsonParts) : [bytes];
  const answer = { context, status, headers: headersOf(response, context) };
  return writeParts(parts, answer, isCompressed);
}

/** An answer of this JSON, with its marks replaced. */
export function writeJsonText(text: string, answer: Answer, isCompressed = false): Response {
  const { jsonParts } = answer.context;
  if (jsonParts.length === 0 && !isCompressed) return answerText(text, answer);
  return writeParts(jsonParts.length > 0 ? spliceParts(text, jsonParts) : [utf8(text)], answer, isCompressed);
}

function writeParts(parts: readonly AnswerPart[], answer: Answer, isCompressed: boolean): Response {
  const coding = isCompressed ? codingOf(answer.context, answer.headers) : undefined;
  return coding ? answerCompressed(parts, answer, coding) : answerParts(parts, answer);
}

function passEvents(body: ReadableStream<Uint8Array>, { context, ...init }: Answer): Response {
  try {
    forbidTransforms(init.headers);
    const close = openStream(context.adapter);
    let end = () => {};
    // Without Promise.withResolvers, which Node 20 lacks.
    context.answer.sent = new Promise<void>((resolve) => (end = resolve)).then(close);
    return new FastResponse(
      watched(body, () => end()),
      init,
    );
  } catch (error) {
    void body.cancel();
    return answerRpcError(error, context);
  }
}

/** tRPC's headers, overruled by those that the calls have set. */
function headersOf(response: Response, context: RequestContext): Headers {
  const headers = rpcHeaders(context);
  for (const [name, value] of response.headers)
    if (name !== "transfer-encoding" && !headers.has(name)) headers.set(name, value);
  return headers;
}

/**
 * Makes each call of a batch wait for a turn of the event loop before it works on its input. tRPC 11.25 starts all at
 * once (unstable-core-do-not-import/http/resolveResponse.ts), and what ten of them do without waiting would be one
 * turn, in which nobody else is answered.
 */
export function takeTurns(calls: TRPCRequestInfo["calls"]): void {
  if (calls.length < 2) return;
  let last = Promise.resolve();
  for (const call of calls) {
    const read = call.getRawInput;
    call.getRawInput = async () => {
      const input = await read();
      await (last = last.then(nextTurn));
      return input;
    };
  }
}

/**
 * The request as tRPC reads it: everything but the body, which is read where its inputs are asked for (inputs.ts).
 *
 * fetchRequestHandler of @trpc/server 11.25 (unstable-core-do-not-import/http/contentType.ts) uses `method`,
 * `headers`, `url` and `signal`. A Request with a body of its own would stream all of it through once more.
 */
class TrpcRequest extends Request {
  readonly #request: Request;
  readonly #signal: AbortSignal;

  constructor({ request, url }: RequestContext, signal: AbortSignal) {
    super(url, { method: request.method === "HEAD" ? "GET" : request.method });
    this.#request = request;
    this.#signal = signal;
  }

  override get headers(): Headers {
    return this.#request.headers;
  }

  override get signal(): AbortSignal {
    return this.#signal;
  }
}

const LINES_LEFT = 10;

interface LineStream {
  readonly context: RequestContext;
  /** The head of the answer waits for this, or for the end of all calls. */
  readonly ready: Promise<void> | undefined;
  /** The answer's headers, once the first call has ended. */
  readonly headers: () => Headers;
  /** How many lines are waited for once nobody takes them. */
  readonly mostLeft: number;
  /** Stops the running calls. */
  readonly cancel: () => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Answers a batch of tRPC's `httpBatchStreamLink` with lines of JSON, each when its call has ended. The head leaves
 * with the first of them, because that call may set headers. Where nobody takes the answer any more the calls are
 * stopped, and the request keeps what it holds until the last of them has ended.
 */
async function answerLines(
  body: ReadableStream<Bytes>,
  { context, ready, headers, mostLeft, cancel, onFault }: LineStream,
): Promise<Response> {
  const reader = body.getReader();
  const read = async () => (await reader.read()).value;
  // tRPC 11.25 first writes a line with the calls, and then a line for each part of a call, as separate pieces.
  const first = [await read(), await read()];
  let next = read();
  for (let line = await Promise.race([next, ready]); line; line = await Promise.race([next, ready])) {
    first.push(line);
    next = read();
  }
  // The next line may fail while the client still takes earlier ones.
  next.catch(() => undefined);
  const sent = headers();
  forbidTransforms(sent);
  const response = answerStream(write(), { context, status: 200, headers: sent });
  context.answer.ended = end();
  return response;

  async function end(): Promise<void> {
    await context.answer.sent;
    cancel();
    // A call that is stopped still writes a few lines, and a generator that does not look at its signal any number.
    for (let line = 0; line < mostLeft && (await read().catch(() => undefined)); line++);
    await reader.cancel().catch(() => undefined);
  }

  async function* write(): AsyncGenerator<AnswerPart, void> {
    for (const line of first) if (line) yield* splice(line);
    try {
      for (let line = await next; line; line = await read()) yield* splice(line);
    } catch (error) {
      onFault(error);
      throw error;
    }
  }

  function splice(line: Bytes): AnswerPart[] {
    const { jsonParts } = context;
    return jsonParts.length > 0 ? spliceParts(new TextDecoder().decode(line), jsonParts) : [line];
  }
}
