import { isTrackedEnvelope } from "@trpc/server";
import type { Endpoint, RequestContext } from "../adapter.ts";
import { answerEvents, pauseOf } from "../answer/events.ts";
import { formatThrown, writtenError } from "../answer/write-error.ts";
import { jsonOf } from "./json.ts";

/** Headers of an event stream. nginx would buffer what it could send at once. */
export const EVENT_HEADERS: readonly [string, string][] = [
  ["Content-Type", "text/event-stream; charset=utf-8"],
  ["X-Accel-Buffering", "no"],
];

interface EventResult {
  readonly context: RequestContext;
  readonly endpoint: Endpoint;
  /** Is aborted when nobody listens any more. */
  readonly left: AbortController | undefined;
}

/**
 * Sends what a subscription or a generator yields: `message` with the value as JSON, and an id for tracked values; at the
 * end `done` with the return value, or `error` with the body of an error.
 */
export function writeEvents(result: unknown, { context, endpoint, left }: EventResult): Response {
  const headers = new Headers(context.responseHeaders);
  context.adapter.addWarnings(headers, context);
  for (const [name, value] of EVENT_HEADERS) headers.set(name, value);
  const { ping } = context.adapter.router._def._config.sse ?? {};
  return answerEvents(result, {
    context,
    headers,
    left,
    writer: {
      first: [],
      idle: { event: undefined, afterMs: pauseOf(ping?.enabled ? ping.intervalMs : undefined) },
      value: (value) =>
        isTrackedEnvelope(value)
          ? [{ event: "message", id: value[0], data: jsonOf(value[1]) }]
          : [{ event: "message", data: jsonOf(value) }],
      end: (value) => ({ event: "done", data: jsonOf(value) }),
      failure: (thrown) => {
        const failure = formatThrown(thrown, context, { path: endpoint.rpc, ctx: context.trpcContext });
        return { event: "error", data: JSON.stringify(writtenError(failure, context.requestId)) };
      },
    },
  });
}
