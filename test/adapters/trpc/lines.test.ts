import { once } from "node:events";
import { initTRPC } from "@trpc/server";
import { createTRPCClient, httpBatchStreamLink } from "@trpc/client";
import { serve } from "srvx";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";
import { HIDDEN } from "./sample-router.ts";

/** A call that lasts until the test ends it, or its caller leaves. */
interface Call {
  readonly end: () => void;
  readonly signal: AbortSignal;
}

const calls: Call[] = [];
const errors: unknown[] = [];
beforeEach(() => {
  for (const list of [calls, errors]) list.length = 0;
});

const t = initTRPC.context<{ responseHeaders: Headers }>().meta<AdapterMeta>().create();

const wait = (signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    if (!signal) return reject(new Error("There is no signal"));
    calls.push({ end: resolve, signal });
    signal.addEventListener("abort", () => reject(signal.reason));
  });
const text = t.procedure.input(z.object({ text: z.string() }));

const router = t.router({
  fast: text.query(({ input }) => input.text),
  fastWrite: text.mutation(({ input }) => input.text),
  slow: text.query(async ({ input, signal }) => wait(signal).then(() => input.text)),
  slowWrite: text.mutation(async ({ input, signal }) => wait(signal).then(() => input.text)),
  bare: t.procedure.mutation(() => "bare"),
  slowBare: t.procedure.mutation(async ({ signal }) => wait(signal).then(() => "slow")),
  refused: t.procedure
    .use(() => {
      throw new Error(HIDDEN);
    })
    .input(z.object({}))
    .query(() => ""),
  broken: t.procedure.query(() => ({ later: Promise.reject(new Error(HIDDEN)) })),
  named: text.mutation(({ input, ctx }) => {
    ctx.responseHeaders.set("x-name", input.text);
    return input.text;
  }),
  login: text
    .meta({ http: { body: "json", result: "json", setsHeaders: true } })
    .mutation(async ({ input, ctx, signal }) => {
      await wait(signal);
      for (const name of ["a", "b"]) ctx.responseHeaders.append("set-cookie", `${name}=${input.text}`);
      return input.text;
    }),
});

const app = createTrpcServer({
  router,
  createContext: ({ responseHeaders }) => ({ responseHeaders }),
  onError: (error) => void errors.push(error),
});

let url = "";
let stop: () => Promise<void>;
beforeAll(async () => {
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1", silent: true });
  await server.ready();
  url = `${new URL(server.url ?? "").origin}/trpc`;
  stop = () => server.close(true);
});
afterAll(() => stop());

const answers: Response[] = [];
function client() {
  const keep = async (...args: Parameters<typeof fetch>) => {
    const response = await fetch(...args);
    answers.unshift(response);
    return response;
  };
  // tRPC's own types of fetch differ from the platform's in optional members.
  return createTRPCClient<typeof router>({ links: [httpBatchStreamLink({ url, fetch: keep as never })] });
}

/** The calls that have begun to wait. */
async function begun(count: number): Promise<Call[]> {
  await expect.poll(() => calls.length).toBe(count);
  return calls;
}

test("each query is answered when it is done, whatever others of its batch still do", async () => {
  const { fast, slow } = client();
  const last = slow.query({ text: "slow" });
  expect(await fast.query({ text: "fast" })).toBe("fast");
  // What compresses answers, as in front of an Express app, would hold the line back.
  expect(answers[0]?.headers.get("cache-control")).toBe("no-store, no-transform");
  const [call] = await begun(1);
  call!.end();
  expect(await last).toBe("slow");
});

test("each mutation too, once the inputs of all have been read", async () => {
  const { fastWrite, slowWrite } = client();
  const long = "x".repeat(300_000);
  const last = slowWrite.mutate({ text: long });
  expect(await fastWrite.mutate({ text: "fast" })).toBe("fast");
  const [call] = await begun(1);
  call!.end();
  expect(await last).toBe(long);
});

test("mutations that read nothing are answered one by one", async () => {
  const { bare, slowBare } = client();
  const last = slowBare.mutate();
  expect(await bare.mutate()).toBe("bare");
  const [call] = await begun(1);
  call!.end();
  expect(await last).toBe("slow");
});

test("one call fails while others go on, and not a word of what nobody expected is told", async () => {
  const { refused, slow, broken, fast } = client();
  const last = slow.query({ text: "slow" });
  const nested = broken.query().then(({ later }) => later);
  const failures = [
    await refused.query({}).catch((error: unknown) => error),
    await nested.catch((error: unknown) => error),
    await fast.query({ text: 1 as never }).catch((error: unknown) => error),
  ];
  expect(failures).toEqual([
    expect.objectContaining({ message: "Something went wrong on the server" }),
    expect.objectContaining({ message: "Something went wrong on the server" }),
    expect.objectContaining({ data: expect.objectContaining({ code: "BAD_REQUEST" }) }),
  ]);
  expect(JSON.stringify(failures)).not.toContain("hunter2");
  expect(errors.map(String)).toEqual([expect.stringContaining(HIDDEN), expect.stringContaining(HIDDEN)]);
  const [call] = await begun(1);
  call!.end();
  expect(await last).toBe("slow");
});

test("a caller who leaves in the middle stops the calls that still run, which is no fault", async () => {
  const leaving = new AbortController();
  const { fast, slow } = client();
  const last = slow.query({ text: "slow" }, { signal: leaving.signal });
  await fast.query({ text: "fast" }, { signal: leaving.signal });
  const [call] = await begun(1);
  leaving.abort();
  await expect(last).rejects.toThrow();
  if (!call!.signal.aborted) await once(call!.signal, "abort");
  expect(errors).toEqual([]);
});

test("who cancels the answer alone stops them too", async () => {
  const input = encodeURIComponent(JSON.stringify({ 0: { text: "a" }, 1: { text: "b" } }));
  const request = new Request(`http://lines.test/trpc/fast,slow?batch=1&input=${input}`, {
    headers: { accept: "application/jsonl" },
  });
  const { body } = await app.fetch(request);
  const [call] = await begun(1);
  await body!.cancel();
  await expect.poll(() => call!.signal.aborted).toBe(true);
  expect(errors).toEqual([]);
});

test("the answer has the headers of the call that is done first", async () => {
  const { named, slowWrite } = client();
  const last = slowWrite.mutate({ text: "slow" });
  await named.mutate({ text: "first" });
  expect(answers[0]!.headers.get("x-name")).toBe("first");
  const [call] = await begun(1);
  call!.end();
  await last;
});

test("a batch with a call that sets headers waits for all of its calls", async () => {
  const { login, fastWrite } = client();
  const done: string[] = [];
  const both = [
    fastWrite.mutate({ text: "fast" }).then((name) => done.push(name)),
    login.mutate({ text: "1" }).then((name) => done.push(name)),
  ];
  const [call] = await begun(1);
  expect(done).toEqual([]);
  call!.end();
  await Promise.all(both);
  expect(answers[0]!.headers.getSetCookie()).toEqual(["a=1", "b=1"]);
});
