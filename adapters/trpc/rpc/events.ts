import { getTRPCErrorFromUnknown, isTrackedEnvelope, TRPCError, type AnyTRPCRouter } from "@trpc/server";
import { isObservable } from "@trpc/server/observable";
import type { RequestContext, RpcEndpoint } from "../adapter.ts";
import { answerEvents, EVENTS_CACHE, type EventWriter, listenerOf, pauseOf } from "../answer/events.ts";
import { formatThrown } from "../answer/write-error.ts";
import { hideInShape } from "../format-error.ts";
import { answerRpcError, errorShape, infoOf, lastEventIdOf, rpcHeaders } from "./answers.ts";
import { readersOf } from "./inputs.ts";

/** Headers of events, as tRPC 11.25 writes them (unstable-core-do-not-import/stream/sse.ts), but never kept. */
export const SSE_HEADERS: [name: string, value: string][] = [
  ["Content-Type", "text/event-stream"],
  ["Cache-Control", EVENTS_CACHE],
  ["X-Accel-Buffering", "no"],
];

/** tRPC's own, where pings are on and say nothing else. */
const PING_MS = 1_000;

/** Whether the router asks for nothing but pings and what its clients are told; tRPC's handler does the rest. */
export function hasUsualEvents(router: AnyTRPCRouter): boolean {
  const {
    enabled = true,
    ping,
    client,
    emitAndEndImmediately,
    maxDurationMs,
  } = router._def._config.sse ?? {};
  const { reconnectAfterInactivityMs: most } = client ?? {};
  const isTooSlow = ping?.enabled && most && (ping.intervalMs ?? PING_MS) > most;
  return enabled && !isTooSlow && !emitAndEndImmediately && !maxDurationMs;
}

/**
 * Answers one subscription as tRPC's `httpSubscriptionLink` reads it. tRPC's handler sends events through five streams,
 * which takes 41 kB of memory for each listener who waits.
 */
export async function answerListener(
  endpoint: RpcEndpoint,
  context: RequestContext,
  router: AnyTRPCRouter,
): Promise<Response> {
  const { rpc: path, run } = endpoint;
  const left = listenerOf(context);
  const [read] = readersOf(context, [path], false);
  const info = infoOf(context, { calls: [[endpoint, read!]] });
  const { getRawInput, result: knownInput } = info.calls[0]!;
  const writer = makeWriter(context, router, (thrown) => {
    const error = getTRPCErrorFromUnknown(thrown);
    hideInShape(error, formatThrown(thrown, context, { path, input: knownInput() }));
    return errorShape(error, { context, router, type: "subscription", path, input: knownInput() });
  });
  const listen = async () => {
    await context.prepare?.(info);
    const about = { path, type: "subscription", batchIndex: 0 } as const;
    return run({ ...about, getRawInput, ctx: context.trpcContext, signal: left.signal });
  };
  try {
    const result = await listen().catch(failed);
    const headers = rpcHeaders(context);
    for (const [name, value] of [["Vary", "trpc-accept, accept"] as const, ...SSE_HEADERS])
      if (!headers.has(name)) headers.set(name, value);
    return answerEvents(isListened(result) ? result : failed(notListened(path)), {
      context,
      headers,
      left,
      writer,
    });
  } catch (error) {
    left.abort();
    return answerRpcError(error, context);
  }
}

/** What is thrown before the first event is an event too. */
function failed(thrown: unknown): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(thrown) }) };
}

function isListened(result: unknown): boolean {
  return isObservable(result) || Symbol.asyncIterator in Object(result);
}

function notListened(path: string): TRPCError {
  const message = `Subscription ${path} did not return an observable or a AsyncGenerator`;
  return new TRPCError({ code: "INTERNAL_SERVER_ERROR", message });
}

function makeWriter(
  context: RequestContext,
  router: AnyTRPCRouter,
  shapeOf: (thrown: unknown) => unknown,
): EventWriter {
  const { sse, transformer } = router._def._config;
  const write = (value: unknown) => String(JSON.stringify(transformer.output.serialize(value)));
  const { enabled, intervalMs = PING_MS } = sse?.ping ?? {};
  // tRPC takes an interval without an end for no pings.
  const isPinged = enabled && pauseOf(intervalMs) === intervalMs;
  let lastId = lastEventIdOf(context);
  return {
    first: [{ event: "connected", data: JSON.stringify(sse?.client ?? {}) }],
    idle: isPinged
      ? { event: { event: "ping", data: "" }, afterMs: intervalMs }
      : { event: undefined, afterMs: pauseOf() },
    value: (value) => {
      if (isTrackedEnvelope(value)) return [{ id: (lastId = value[0]), data: write(value[1]) }];
      if (!lastId) return [{ data: write(value) }];
      // An EventSource gives an event without an id the last one, which it has to know again for a new connection.
      return [
        { data: write(value), id: "" },
        { event: "restore-id", data: "", id: lastId },
      ];
    },
    end: () => ({ event: "return", data: "" }),
    failure: (thrown) =>
      // Of a generator that its listener has left.
      thrown instanceof Error && thrown.name === "AbortError"
        ? undefined
        : { event: "serialized-error", data: write(shapeOf(thrown)) },
  };
}
