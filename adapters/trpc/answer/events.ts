import { isObservable, observableToAsyncIterable } from "@trpc/server/observable";
import type { RequestContext } from "../adapter.ts";
import { answerStream } from "./answer-parts.ts";
import { openStream } from "./stream.ts";

/** One server-sent event (WHATWG HTML, 9.2); an empty `id` forgets the last one. */
interface ServerEvent {
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
}

/**
 * The caching header of an event stream. A proxy that compresses answers holds events back until there are enough of
 * them, unless it may transform nothing (RFC 9111, 5.2.2.6).
 */
export const EVENTS_CACHE = "no-store, no-transform";

/** Adds this to the Cache-Control of other answers that are sent piece by piece. */
export function forbidTransforms(headers: Headers): void {
  const said = headers.get("Cache-Control") ?? "no-store";
  if (!said.includes("no-transform")) headers.set("Cache-Control", `${said}, no-transform`);
}

/** How a stream of events is written. Where a function gives nothing, nothing is sent. */
export interface EventWriter {
  /** The head leaves with these. */
  readonly first: readonly ServerEvent[];
  /** Sent after this long without an event, so that no proxy takes the connection for dead. */
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

/** How often a comment is sent, where the router says nothing else. */
const COMMENT_MS = 20_000;
/** The longest time that a timer takes. */
const MOST_MS = 2 ** 31 - 1;

/** After how many milliseconds without an event something is sent; a router's pings may have no interval, or no end. */
export function pauseOf(intervalMs = COMMENT_MS): number {
  return intervalMs > 0 && intervalMs <= MOST_MS ? intervalMs : COMMENT_MS;
}

/**
 * What aborts with its request, and is aborted when nobody listens any more. AbortSignal.any needs more memory, and the
 * edge runtime of Next 16.4 lacks it.
 */
export function listenerOf({ request: { signal } }: RequestContext): AbortController {
  const left = new AbortController();
  const abort = () => left.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return left;
}

/** Answers with what a subscription or a generator yields, until it ends or nobody listens any more. */
export function answerEvents(result: unknown, { context, headers, writer, left }: EventStream): Response {
  const signal = left?.signal ?? new AbortController().signal;
  const values = isObservable(result) ? observableToAsyncIterable(result, signal) : result;
  if (!isAsyncIterable(values)) throw new TypeError("A subscription must yield values");
  forbidTransforms(headers);
  const close = openStream(context.adapter);
  const events = eventsOf(openSource(values), { context, writer });
  const response = answerStream(events, { context, status: 200, headers });
  void context.answer.sent?.then(() => {
    close();
    left?.abort();
  });
  return response;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in Object(value);
}

/** A generator, and its last result. */
interface Source {
  /** Asks for the next value, or ends the generator where nobody wants one. */
  readonly ask: () => void;
  isOver: boolean;
  came: IteratorResult<unknown> | undefined;
  fault: { readonly thrown: unknown } | undefined;
  /** Is called when something came. */
  wake: () => void;
}

function openSource(values: AsyncIterable<unknown>): Source {
  let iterator: AsyncIterator<unknown> | undefined;
  const work = async () => {
    try {
      if (source.isOver) await iterator?.return?.();
      else source.came = await (iterator ??= values[Symbol.asyncIterator]()).next();
    } catch (thrown) {
      source.fault = { thrown };
    }
    source.wake();
  };
  const askHere = inThisContext(() => void work());
  const source: Source = {
    ask: () => {
      source.came = undefined;
      askHere();
    },
    isOver: false,
    came: undefined,
    fault: undefined,
    wake: () => {},
  };
  return source;
}

/**
 * A function that has this done where AsyncLocalStorage finds what the program keeps for the request: sockets ask for
 * events somewhere else.
 */
function inThisContext(work: () => void): () => void {
  let ask = () => {};
  const wait = async () => {
    for (;;) {
      await new Promise<void>((resolve) => (ask = resolve));
      work();
    }
  };
  void wait();
  return () => ask();
}

async function* eventsOf(
  source: Source,
  { context, writer }: Pick<EventStream, "context" | "writer">,
): AsyncGenerator<Uint8Array, void> {
  const { first, idle } = writer;
  let hasLeft = false;
  // Whatever happens wakes it. A race of promises would keep something of each event until the last one.
  void context.answer.sent?.then(() => {
    hasLeft = true;
    source.wake();
  });
  const isLate = () =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), idle.afterMs);
      source.wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  try {
    yield first.length > 0 ? written(first) : COMMENT;
    for (;;) {
      source.ask();
      while (!source.came && !source.fault && !hasLeft)
        if (await isLate()) yield idle.event ? written([idle.event]) : COMMENT;
      // What a generator does when nobody listens any more is not reported.
      if (hasLeft) return;
      const { came, fault } = source;
      if (fault) throw fault.thrown;
      if (!came) return;
      source.isOver = came.done ?? false;
      if (source.isOver) return yield written([writer.end(came.value)]);
      yield written(writer.value(came.value));
    }
  } catch (error) {
    // What cannot be written is no end of the generator.
    source.isOver = source.fault !== undefined;
    const failure = writer.failure(error);
    if (failure) yield written([failure]);
  } finally {
    // A waiting generator gets this when it continues; its signal makes it continue.
    if (!source.isOver) {
      source.isOver = true;
      source.ask();
    }
  }
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
