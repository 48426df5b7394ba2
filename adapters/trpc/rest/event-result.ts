import { isTrackedEnvelope } from "@trpc/server";
import { isObservable, observableToAsyncIterable } from "@trpc/server/observable";
import type { Adapter, Endpoint, RequestContext } from "../adapter.ts";
import { answerStream } from "../answer/answer-parts.ts";
import { formatThrown, writtenError } from "../answer/write-error.ts";
import { jsonOf } from "./json.ts";
import { openStream } from "../answer/stream.ts";

/** How often a comment is sent, so that no proxy takes the connection for dead; or the router's own ping interval. */
const COMMENT_MS = 20_000;

/** Headers of an event stream. nginx would buffer what it could send at once. */
export const EVENT_HEADERS: readonly [string, string][] = [
  ["Content-Type", "text/event-stream; charset=utf-8"],
  ["X-Accel-Buffering", "no"],
];

interface EventStream {
  readonly context: RequestContext;
  readonly endpoint: Endpoint;
  /** Aborts when nobody listens any more. */
  readonly left: AbortController | undefined;
}

/**
 * Sends what a subscription or a generator yields as server-sent events (WHATWG HTML, 9.2): `message` with the value as
 * JSON, and an id for tracked values; at the end `done` with the return value, or `error` with the body of an error.
 */
export function writeEvents(result: unknown, { context, endpoint, left }: EventStream): Response {
  const signal = left?.signal ?? new AbortController().signal;
  const values = isObservable(result) ? observableToAsyncIterable(result, signal) : result;
  if (!isAsyncIterable(values)) throw new TypeError("A subscription must yield values");
  const close = openStream(context.adapter);
  const headers = new Headers(context.responseHeaders);
  context.adapter.addWarnings(headers, context);
  for (const [name, value] of EVENT_HEADERS) headers.set(name, value);
  const source = eventsOf(values, { context, endpoint });
  const response = answerStream(source, { context, status: 200, headers });
  void context.answer.sent?.then(() => {
    close();
    left?.abort();
  });
  return response;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in Object(value);
}

async function* eventsOf(
  values: AsyncIterable<unknown>,
  { context, endpoint }: Omit<EventStream, "left">,
): AsyncGenerator<Uint8Array, void> {
  const iterator = values[Symbol.asyncIterator]();
  const isLeft = (context.answer.sent ?? Promise.resolve()).then(() => "left" as const);
  const pauseMs = commentMs(context.adapter);
  let isOver = false;
  try {
    // The head leaves with the first bytes.
    yield comment();
    for (;;) {
      const next = iterator.next();
      let came = await soonest(next, { isLeft, pauseMs });
      while (came === "late") {
        yield comment();
        came = await soonest(next, { isLeft, pauseMs });
      }
      if (came === "left") return void next.catch(() => undefined);
      const { done, value } = came;
      isOver = done ?? false;
      if (isOver) return yield event({ event: "done", data: jsonOf(value) });
      if (isTrackedEnvelope(value)) yield event({ event: "message", id: value[0], data: jsonOf(value[1]) });
      else yield event({ event: "message", data: jsonOf(value) });
    }
  } catch (error) {
    isOver = true;
    const failure = formatThrown(error, context, { path: endpoint.rpc, ctx: context.trpcContext });
    yield event({ event: "error", data: JSON.stringify(writtenError(failure, context.requestId)) });
  } finally {
    // A waiting generator gets this when it continues; its signal makes it continue.
    if (!isOver) void iterator.return?.().catch(() => undefined);
  }
}

function commentMs({ router }: Adapter): number {
  const { ping } = router._def._config.sse ?? {};
  return (ping?.enabled ? ping.intervalMs : undefined) ?? COMMENT_MS;
}

async function soonest<T>(
  next: Promise<T>,
  { isLeft, pauseMs }: { isLeft: Promise<"left">; pauseMs: number },
): Promise<T | "left" | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), pauseMs)));
  return await Promise.race([next, isLeft, late]).finally(() => clearTimeout(timer));
}

function comment(): Uint8Array {
  return encoder.encode(": \n\n");
}

function event(fields: Readonly<Record<"event" | "data", string>> & { readonly id?: string }): Uint8Array {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value.replace(/[\r\n\0]/g, "")}\n`);
  return encoder.encode(`${lines.join("")}\n`);
}

const encoder = new TextEncoder();
