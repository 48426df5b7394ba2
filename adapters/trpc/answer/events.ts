import { isObservable, observableToAsyncIterable } from "@trpc/server/observable";
import type { Adapter, RequestContext } from "../adapter.ts";
import { answerStream } from "./answer-parts.ts";
import { openStream } from "./stream.ts";

/** One server-sent event (WHATWG HTML, 9.2); an empty `id` forgets the last one. */
export interface ServerEvent {
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
}

/** How a stream of events is written. Where a function gives nothing, nothing is sent. */
export interface EventWriter {
  /** The head leaves with these. */
  readonly first: readonly ServerEvent[];
  /** Sent where nothing has happened for so long, so that no proxy takes the connection for dead. */
  readonly idle: { readonly event: ServerEvent | undefined; readonly afterMs: number };
  readonly value: (value: unknown) => readonly ServerEvent[];
  readonly end: (value: unknown) => ServerEvent;
  readonly failure: (thrown: unknown) => ServerEvent | undefined;
}

interface EventStream {
  readonly context: RequestContext;
  readonly headers: Headers;
  readonly writer: EventWriter;
  /** Is aborted when nobody listens any more. */
  readonly left: AbortController | undefined;
}

/** How often a comment is sent; or the router's own ping interval. */
const COMMENT_MS = 20_000;

/** After how many milliseconds without an event something is sent. */
export function idleMs({ router }: Pick<Adapter, "router">): number {
  const { ping } = router._def._config.sse ?? {};
  return (ping?.enabled ? ping.intervalMs : undefined) ?? COMMENT_MS;
}

/** Answers with what a subscription or a generator yields, until it ends or nobody listens any more. */
export function answerEvents(result: unknown, { context, headers, writer, left }: EventStream): Response {
  const signal = left?.signal ?? new AbortController().signal;
  const values = isObservable(result) ? observableToAsyncIterable(result, signal) : result;
  if (!isAsyncIterable(values)) throw new TypeError("A subscription must yield values");
  const close = openStream(context.adapter);
  const response = answerStream(eventsOf(values, { context, writer }), { context, status: 200, headers });
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
  { context, writer }: Pick<EventStream, "context" | "writer">,
): AsyncGenerator<Uint8Array, void> {
  const { first, idle } = writer;
  const iterator = values[Symbol.asyncIterator]();
  const isLeft = (context.answer.sent ?? Promise.resolve()).then(() => "left" as const);
  let isOver = false;
  try {
    yield first.length > 0 ? written(first) : COMMENT;
    for (;;) {
      const next = iterator.next();
      let came = await soonest(next, { isLeft, pauseMs: idle.afterMs });
      while (came === "late") {
        yield idle.event ? written([idle.event]) : COMMENT;
        came = await soonest(next, { isLeft, pauseMs: idle.afterMs });
      }
      if (came === "left") return void next.catch(() => undefined);
      isOver = came.done ?? false;
      if (isOver) return yield written([writer.end(came.value)]);
      yield written(writer.value(came.value));
    }
  } catch (error) {
    isOver = true;
    const failure = writer.failure(error);
    if (failure) yield written([failure]);
  } finally {
    // A waiting generator gets this when it continues; its signal makes it continue.
    if (!isOver) void iterator.return?.().catch(() => undefined);
  }
}

async function soonest<T>(
  next: Promise<T>,
  { isLeft, pauseMs }: { isLeft: Promise<"left">; pauseMs: number },
): Promise<T | "left" | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), pauseMs)));
  return await Promise.race([next, isLeft, late]).finally(() => clearTimeout(timer));
}

function written(events: readonly ServerEvent[]): Uint8Array {
  const texts = events.map((each) => {
    const lines = Object.entries(each).map(([name, value]) => `${name}: ${breakless(value)}\n`);
    return `${lines.join("")}\n`;
  });
  return encoder.encode(texts.join(""));
}

function breakless(value: string): string {
  return value.replace(/[\r\n\0]/g, "");
}

const encoder = new TextEncoder();
const COMMENT = encoder.encode(": \n\n");
