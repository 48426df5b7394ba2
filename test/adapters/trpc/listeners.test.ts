// Subscriptions as tRPC's httpSubscriptionLink listens to them, beside what tRPC's own handler answers.
import { initTRPC, tracked, TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { observable } from "@trpc/server/observable";
import superjson from "superjson";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";

type Settings = Parameters<ReturnType<typeof initTRPC.meta<AdapterMeta>>["create"]>[0];

function makeRouter(settings: Settings = {}) {
  const t = initTRPC.meta<AdapterMeta>().create({ transformer: superjson, ...settings });
  const from = z.object({ from: z.number(), lastEventId: z.string().optional() });
  return t.router({
    plain: t.procedure.subscription(async function* () {
      yield { at: new Date(0) };
      yield "two\nlines";
    }),
    counted: t.procedure.input(from).subscription(async function* ({ input }) {
      yield tracked("1", input);
      yield "between";
      yield tracked("2", { last: input.lastEventId });
      yield "behind";
    }),
    nothing: t.procedure.subscription(async function* () {
      yield undefined;
    }),
    observed: t.procedure.subscription(() =>
      observable<number>((listener) => {
        listener.next(1);
        listener.next(2);
        listener.complete();
      }),
    ),
    refused: t.procedure.subscription(async function* () {
      yield 1;
      throw new TRPCError({ code: "CONFLICT", message: "There already" });
    }),
    early: t.procedure.subscription(async () => {
      throw new TRPCError({ code: "FORBIDDEN", message: "Not you" });
    }),
    stopped: t.procedure.subscription(async function* () {
      yield 1;
      throw new DOMException("Left", "AbortError");
    }),
    value: t.procedure.subscription((() => 7) as unknown as () => AsyncIterable<number>),
  });
}

interface Sent {
  readonly status: number;
  readonly type: string | null;
  readonly events: Record<string, unknown>[];
}

/** The events of an answer, without comments. */
async function read(response: Response): Promise<Sent> {
  const events = (await response.text())
    .split(/\n\n+/)
    .map((text) => text.split("\n").filter((line) => line !== "" && !line.startsWith(":")))
    .filter((lines) => lines.length > 0)
    .map((lines) =>
      Object.fromEntries(
        lines.map((line) => {
          const [name = "", ...value] = line.split(": ");
          return [name, readData(value.join(": "))];
        }),
      ),
    );
  const { headers, status } = response;
  return { status, type: headers.get("content-type"), events };
}

function readData(text: string): unknown {
  if (!text.startsWith("{")) return text;
  const data = JSON.parse(text) as { json?: { data?: { stack?: string } } };
  delete data.json?.data?.stack;
  return data;
}

function serve(router: ReturnType<typeof makeRouter>, more: { maxStreams?: number } = {}) {
  return createTrpcServer({ router, createContext: () => ({}), rpcPath: "/trpc", ...more }).fetch;
}

const FROM = encodeURIComponent(JSON.stringify({ json: { from: 3 } }));

describe("an answer to a listener is what tRPC's handler writes", () => {
  const client = { reconnectAfterInactivityMs: 5_000 };
  test.each<[string, Settings?, Record<string, string>?]>([
    ["plain"],
    ["plain", { sse: { client } }],
    ["plain", { sse: { emitAndEndImmediately: true } }],
    ["plain", { sse: { enabled: false } }],
    ["plain", { sse: { client, ping: { enabled: true, intervalMs: 4_000 } } }],
    [`counted?input=${FROM}`],
    [`counted?input=${FROM}`, {}, { "last-event-id": "7" }],
    [`counted?input=${FROM}&lastEventId=8`],
    [`counted?input=${FROM}&Last-Event-Id=9`],
    ["counted?input=%7B%22json%22%3A%7B%7D%7D"],
    ["counted?input=%7B"],
    ["nothing"],
    ["observed"],
    ["refused"],
    ["early"],
    ["stopped"],
  ])("%s with %j, %j", async (path, settings, headers = {}) => {
    const router = makeRouter(settings);
    const request = () => new Request(`http://listen.test/trpc/${path}`, { headers });
    const theirs = await fetchRequestHandler({ endpoint: "/trpc", req: request(), router });
    expect(await read(await serve(router)(request()))).toEqual(await read(theirs));
  });
});

test("what a middleware has set is in the head, and nothing is told of a generator that was left", async () => {
  const t = initTRPC.context<{ headers: Headers }>().create();
  const faults: unknown[] = [];
  const { fetch } = createTrpcServer({
    router: t.router({
      listened: t.procedure
        .use(async ({ ctx, next }) => {
          ctx.headers.set("X-Left", "9");
          return next();
        })
        .subscription(async function* ({ signal }) {
          yield 1;
          await new Promise((_, reject) =>
            signal?.addEventListener("abort", () => reject(new Error("hunter2"))),
          );
        }),
    }),
    createContext: ({ responseHeaders }) => ({ headers: responseHeaders }),
    onError: (error) => faults.push(error),
  });
  const response = await fetch(new Request("http://listen.test/trpc/listened"));
  expect(response.headers.get("x-left")).toBe("9");
  const reader = response.body!.getReader();
  await reader.read();
  await reader.read();
  const waiting = reader.read().catch(() => undefined);
  await reader.cancel();
  await waiting;
  await new Promise((resolve) => setTimeout(resolve));
  expect(faults).toEqual([]);
});

test("what is wrong with the router is told to nobody", async () => {
  const ask = async (path: string, settings?: Settings) => {
    const router = makeRouter(settings);
    const request = () => new Request(`http://listen.test/trpc/${path}`);
    const theirs = await fetchRequestHandler({ endpoint: "/trpc", req: request(), router });
    return [await read(await serve(router)(request())), await read(theirs)] as const;
  };
  const [ours, theirs] = await ask("value");
  expect(ours.events.map(({ event }) => event)).toEqual(theirs.events.map(({ event }) => event));
  expect(ours.events[1]).toMatchObject({ data: { json: { message: "Something went wrong on the server" } } });
  const ping = { enabled: true, intervalMs: 9_000 };
  const statuses = await ask("plain", { sse: { ping, client: { reconnectAfterInactivityMs: 5_000 } } });
  expect(statuses.map(({ status }) => status)).toEqual([500, 500]);
});

test("who waits hears a ping or a comment, and a generator that nobody hears ends", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    for (const [sse, idle] of [
      [{}, ": \n\n"],
      [{ ping: { enabled: true, intervalMs: Infinity } }, ": \n\n"],
      [{ ping: { enabled: true, intervalMs: 20_000 } }, "event: ping\ndata: \n\n"],
    ] as const) {
      const t = initTRPC.create({ sse });
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const router = t.router({
        wait: t.procedure.subscription(async function* ({ signal }) {
          yield 1;
          await new Promise<void>((done) => signal?.addEventListener("abort", () => done()));
          resolve();
        }),
      });
      const { fetch } = createTrpcServer({ router, createContext: () => ({}), maxStreams: 1 });
      const ask = () => fetch(new Request("http://listen.test/trpc/wait"));
      const reader = (await ask()).body!.getReader();
      const next = async () => new TextDecoder().decode((await reader.read()).value);
      expect(await next()).toBe("event: connected\ndata: {}\n\n");
      expect(await next()).toBe("data: 1\n\n");
      expect((await ask()).status).toBe(503);
      const waited = next();
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await waited).toBe(idle);
      await reader.cancel();
      await ended;
    }
  } finally {
    vi.useRealTimers();
  }
});
