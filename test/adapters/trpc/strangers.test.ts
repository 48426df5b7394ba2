// Habits of other programs on tRPC that once broke here; each result is compared with tRPC's own handler or caller.
import { AsyncLocalStorage } from "node:async_hooks";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  createTRPCClient,
  createTRPCUntypedClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  type TRPCClientError,
  type TRPCLink,
} from "@trpc/client";
import { type AnyTRPCRouter, initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as old from "zod/v3";
import { createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";
import { frameLink } from "../../../client/frame-link.ts";
import { byTrpc } from "./by-trpc.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";

const t = initTRPC.meta<AdapterMeta>().create();
const at = (path: `/${string}`): AdapterMeta => ({ openapi: { method: "GET", path } });
const EVENTS = { accept: "text/event-stream" };

function serve(router: AnyTRPCRouter, createContext: (about: { request: Request }) => object = () => ({})) {
  const faults: unknown[] = [];
  const app = createTrpcServer({
    router,
    createContext,
    openApi: { path: "/openapi.json", info: { title: "Strange", version: "1" } },
    onError: (error) => faults.push(error),
    onWarning: () => {},
    cors: true,
  });
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await app.fetch(new Request(`http://any.test${path}`, { headers }));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { fetch: app.fetch, byTrpc: byTrpc(router, createContext), ask, faults };
}

test("a formatter finds no context where there is none", async () => {
  interface Context {
    readonly session: { readonly locale: string };
  }
  const own = initTRPC
    .context<Context>()
    .meta<AdapterMeta>()
    .create({
      errorFormatter: ({ shape, ctx }) => ({
        ...shape,
        data: { ...shape.data, locale: ctx?.session.locale ?? "en" },
      }),
    });
  const router = own.router({ me: own.procedure.meta(at("/me")).query(() => "me") });
  const { ask, faults } = serve(router, () => {
    throw new TRPCError({ code: "UNAUTHORIZED", message: "Log in" });
  });
  for (const path of ["/trpc/me", "/trpc/me?batch=1", "/me"]) {
    const { status, text } = await ask(path);
    expect([status, text]).toEqual([401, expect.stringContaining('"locale":"en"')]);
  }
  expect(faults).toEqual([]);
});

test("a formatter that throws is a fault of the server, and told", async () => {
  const own = initTRPC.meta<AdapterMeta>().create({
    errorFormatter: () => {
      throw new Error("hunter2");
    },
  });
  const refuse = own.procedure.meta(at("/refuse")).query(() => {
    throw new TRPCError({ code: "CONFLICT", message: "It is there" });
  });
  const { ask, faults } = serve(own.router({ refuse }));
  for (const path of ["/trpc/refuse", "/trpc/refuse?batch=1", "/refuse"]) {
    const { status, text } = await ask(path);
    expect([status, text]).toEqual([500, expect.stringContaining("Something went wrong on the server")]);
    expect(text.includes('"code":-32603')).toBe(path.startsWith("/trpc"));
  }
  expect(faults.map(String)).toEqual(Array(3).fill("Error: hunter2"));
});

test("a path of RPC that is not UTF-8 is answered as RPC", async () => {
  const { ask } = serve(t.router({ a: t.procedure.query(() => 1) }));
  const { status, text, headers } = await ask("/trpc/100%");
  expect([status, text]).toEqual([404, expect.stringMatching(/^\{"error":\{"message":"The URL/)]);
  // A page of another origin may read it, too.
  expect(headers.get("access-control-allow-origin")).toBe("*");
});

test("generators find what AsyncLocalStorage has for the request", async () => {
  const store = new AsyncLocalStorage<string>();
  async function* read() {
    yield store.getStore() ?? "nothing";
    await new Promise((resolve) => setTimeout(resolve, 5));
    yield store.getStore() ?? "nothing";
  }
  const router = t.router({
    events: t.procedure.meta(at("/events")).subscription(read),
    rows: t.procedure.meta(at("/rows")).query(read),
  });
  const { ask } = serve(router);
  for (const path of ["/trpc/events", "/events", "/rows"]) {
    const { text } = await store.run("of the request", () => ask(path, EVENTS));
    expect(text.match(/"of the request"/g), path).toHaveLength(2);
  }
});

test("events may not be held back by what compresses them", async () => {
  const events = async function* () {
    yield 1;
  };
  const router = t.router({ s: t.procedure.meta(at("/s")).subscription(events) });
  const { ask } = serve(router);
  for (const path of ["/trpc/s", "/s", "/trpc/s?connectionParams=null"]) {
    const { headers } = await ask(path, EVENTS);
    expect(headers.get("cache-control"), path).toBe("no-store, no-transform");
  }
  const own = createTrpcServer({
    router,
    createContext: ({ responseHeaders }) => {
      responseHeaders.set("Cache-Control", "private");
      return {};
    },
  });
  for (const path of ["/trpc/s", "/s"]) {
    const { headers } = await own.fetch(new Request(`http://any.test${path}`, { headers: EVENTS }));
    expect(headers.get("cache-control"), path).toBe("private, no-transform");
  }
});

test("a listener without a context gets the error as an event, as from tRPC", async () => {
  const router = t.router({ s: t.procedure.subscription(async function* () {}) });
  const served = serve(router, () => {
    throw new TRPCError({ code: "UNAUTHORIZED", message: "Log in" });
  });
  const listen = async (fetch: (request: Request) => Response | Promise<Response>) => {
    const response = await fetch(new Request("http://any.test/trpc/s", { headers: EVENTS }));
    // tRPC puts an empty line between the fields of an event more.
    return [response.status, (await response.text()).replace(/,"stack":"[^"]*"/, "").match(/.+/g)];
  };
  const answer = await listen(served.fetch);
  expect(answer).toEqual(await listen(served.byTrpc));
  expect(answer[1]).toContain("event: serialized-error");
});

test("a generator in lines ends when its listener leaves, also one that does not look at its signal", async () => {
  let ended: () => void = () => {};
  const isEnded = new Promise<void>((resolve) => (ended = resolve));
  async function* count() {
    try {
      for (let i = 0; ; i++) {
        yield i;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    } finally {
      ended();
    }
  }
  const { fetch } = serve(t.router({ count: t.procedure.query(count) }));
  const headers = { "trpc-accept": "application/jsonl" };
  const response = await fetch(new Request("http://any.test/trpc/count?batch=1", { headers }));
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  await isEnded;
});

function serveWith(transformer: typeof superjson | undefined) {
  const own = initTRPC.create({
    ...(transformer && { transformer }),
    errorFormatter: ({ shape }) => {
      const { stack: _, ...data } = shape.data;
      return { ...shape, own: "beside data", data: { ...data, at: new Date(0), list: new Set([1]) } };
    },
  });
  const router = own.router({
    open: own.procedure.query(() => {
      throw new TRPCError({ code: "NOT_FOUND", message: "No such file" });
    }),
    read: own.procedure.input(z.unknown()).query(({ input }) => typeof input),
  });
  return { router, ...serve(router) };
}

describe.each([
  ["none", undefined],
  ["superjson", superjson],
])("with the transformer %s", (_, transformer) => {
  const { router, fetch: ours, byTrpc: theirs, faults } = serveWith(transformer);

  test("an error in a frame is what it is in JSON", async () => {
    const refusal = async (link: unknown, serveIt: (request: Request) => Response | Promise<Response>) => {
      const fetch = (to: string, init: RequestInit) => serveIt(new Request(to, init));
      // Each link has a type of options of its own, of which these are a part.
      const made = (link as (options: object) => ReturnType<typeof httpLink<typeof router>>)({
        url: "http://any.test/trpc",
        transformer,
        fetch,
      });
      const client = createTRPCClient<typeof router>({ links: [made] });
      const error = await client.open.query().catch((thrown: unknown) => thrown);
      const { message, shape } = error as TRPCClientError<typeof router>;
      return { message, shape };
    };
    const inJson = await refusal(httpLink, theirs);
    expect(await refusal(frameLink, ours)).toEqual(inJson);
    expect(await refusal(httpLink, ours)).toEqual(inJson);
    expect(faults).toEqual([]);
  });
});

describe("with superjson", () => {
  const { ask } = serveWith(superjson);

  test("a query carries all that superjson carries", async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    for (const value of [Infinity, Number.NaN, { most: -Infinity }, circle]) {
      const input = encodeURIComponent(JSON.stringify(superjson.serialize(value)));
      const asked = await ask(`/trpc/read?input=${input}`);
      expect([asked.status, asked.text]).toEqual([200, `{"result":{"data":{"json":"${typeof value}"}}}`]);
    }
  });

  test("a query of shared lists takes no time beyond its length", async () => {
    const json = { x: Array.from({ length: 40 }).reduce<unknown>((inner) => [inner, null], 1) };
    const referentialEqualities: Record<string, string[]> = {};
    for (let level = 0, at = "x"; level < 39; level++, at += ".0")
      referentialEqualities[`${at}.0`] = [`${at}.1`];
    const meta = { referentialEqualities, v: 1 };
    const shared = superjson.deserialize<{ x: unknown[] }>({ json: structuredClone(json) as never, meta });
    expect(shared.x[0]).toBe(shared.x[1]);
    const input = encodeURIComponent(JSON.stringify({ json, meta }));
    expect((await ask(`/trpc/read?input=${input}`)).status).toBe(200);
  });
});

describe("a REST call with nothing is one without an input", () => {
  const q = z.object({ q: z.string() });
  const inputs: Record<string, z.ZodType> = {
    optional: q.optional(),
    nullish: q.nullish(),
    default: z.object({ q: z.string().default("inner") }).default({ q: "outer" }),
    prefault: q.prefault({ q: "first" }),
    union: z.union([q, z.void()]),
    void: z.void(),
    undefined: z.undefined(),
    object: z.object({ q: z.string().default("own") }),
  };
  const echo = (path: `/${string}`, input: z.ZodType) =>
    t.procedure
      .meta(at(path))
      .input(input)
      .query((given) => ({ got: given.input ?? null }));
  const router = t.router(
    Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, echo(`/${name}`, input)])),
  );
  const { ask } = serve(router);
  const caller = t.createCallerFactory(router)({}) as unknown as Record<
    string,
    (input?: unknown) => Promise<unknown>
  >;

  test.each(Object.keys(inputs))("%s", async (name) => {
    const expected = await caller[name]!(name === "object" ? {} : undefined);
    const { status, text } = await ask(`/${name}`);
    expect([status, JSON.parse(text)]).toEqual([200, expected]);
  });

  test("and with something it is that", async () => {
    const { text } = await ask("/optional?q=a");
    expect(JSON.parse(text)).toEqual({ got: { q: "a" } });
    // Names that nobody knows are passed over with a warning.
    expect(JSON.parse((await ask("/optional?utm_source=a")).text)).toEqual({ got: null });
  });
});

test("the document refers to a recursive input and output by name", async () => {
  const Cat = z.object({
    name: z.string(),
    get kittens() {
      return z.array(Cat);
    },
  });
  const router = t.router({
    keep: t.procedure
      .meta({ openapi: { method: "POST", path: "/cats" } })
      .input(Cat)
      .output(Cat)
      .mutation(({ input }) => input),
    find: t.procedure
      .meta(at("/cats"))
      .input(Cat)
      .query(() => "found"),
  });
  const { ask } = serve(router);
  const { text } = await ask("/openapi.json");
  const document = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
  const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference = ""]) => reference);
  expect(references.length).toBeGreaterThan(3);
  for (const reference of references) {
    const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(.+)$/.exec(reference) ?? [];
    expect(Reflect.get(Reflect.get(document.components, kind) as object, name), reference).toBeTypeOf(
      "object",
    );
  }
  const cat = { name: "a", kittens: [{ name: "b", kittens: [] }] };
  expect(JSON.stringify(document.components.schemas)).toContain('"kittens"');
  const router2 = t.createCallerFactory(router)({});
  expect(await router2.keep(cat)).toEqual(cat);
});

test("what a promise in a result promises is waited for as well", async () => {
  const { ask } = serve(
    t.router({
      deep: t.procedure
        .meta(at("/deep"))
        .query(() => ({ user: Promise.resolve({ name: "a", posts: Promise.resolve([1]) }) })),
    }),
  );
  expect(JSON.parse((await ask("/deep")).text)).toEqual({ user: { name: "a", posts: [1] } });
});

test("fields may be called as what every object has", async () => {
  const fields = z.object({ constructor: z.string(), toString: z.string().optional() });
  const router = t.router({
    keep: t.procedure
      .meta({ openapi: { method: "POST", path: "/keep" }, http: { body: "fields" } })
      .input(fields)
      .mutation(({ input }) => Object.entries(input)),
  });
  const { fetch, ask } = serve(router);
  const body = new URLSearchParams({ constructor: "a", toString: "b" });
  const response = await fetch(new Request("http://any.test/keep", { method: "POST", body }));
  expect(await response.json()).toEqual([
    ["constructor", "a"],
    ["toString", "b"],
  ]);
  expect((await ask("/openapi.json")).text).not.toContain('"in":"header"');
});

describe("a set-up that cannot work stops the start", () => {
  const echo = (path: `/${string}`, http?: AdapterMeta["http"]) =>
    t.procedure
      .meta({ ...at(path), ...(http && { http }) })
      .input(z.object({ id: z.string() }))
      .query(({ input }) => input.id);

  test.each<[string, Record<string, ReturnType<typeof echo>>]>([
    ["a and b are both at GET /things/{id}", { a: echo("/things/{id}"), b: echo("/things/{id}") }],
    ['The path "/things/{name}" of a has {name}, which its input lacks', { a: echo("/things/{name}") }],
    [
      'The path "/old/{key}" of a has {key}, which its input lacks',
      { a: echo("/things/{id}", { aliases: ["/old/{key}"] }) },
    ],
    ['The path "/a/{id}/{id}" of a has {id} twice', { a: echo("/a/{id}/{id}") }],
    ['The path "/a?x=1" of a must end before a query or a fragment', { a: echo("/a?x=1") }],
    [
      'The path "/trpc/{id}" of a also matches /trpc/a, which is for RPC; choose another rpcPath',
      { a: echo("/trpc/{id}") },
    ],
    ["the document and a are both at GET /openapi.json", { a: echo("/openapi.json") }],
  ])("%s", (sentence, procedures) => {
    expect(() => serve(t.router(procedures))).toThrow(sentence);
  });
});

test("two operations of one name are told at the start", () => {
  const echo = (path: `/${string}`, operationId?: string) =>
    t.procedure
      .meta({ openapi: { method: "GET", path, ...(operationId && { operationId }) } })
      .query(() => 1);
  const warnings: string[] = [];
  createTrpcServer({
    router: t.router({ a: echo("/a"), b: echo("/b", "a"), c: echo("/c"), in: t.router({ c: echo("/d") }) }),
    createContext: () => ({}),
    openApi: { path: "/openapi.json", info: { title: "Names", version: "1" } },
    onWarning: (warning) => warnings.push(warning),
  });
  expect(warnings).toEqual(['a and b are both the operation "a" of the document']);
});

test("a refused frame has the code that the same call has in JSON", async () => {
  const router = t.router({ save: t.procedure.input(z.string()).mutation(({ input }) => input.length) });
  const { fetch } = createTrpcServer({ router, createContext: () => ({}), maxBodyBytes: 1_000 });
  const refusal = async (link: unknown) => {
    const own = {
      url: "http://any.test/trpc",
      fetch: (to: string, init: RequestInit) => fetch(new Request(to, init)),
    };
    // Each link has a type of options of its own, of which these are a part.
    const made = (link as (options: object) => ReturnType<typeof httpLink<typeof router>>)(own);
    const client = createTRPCClient<typeof router>({ links: [made] });
    const error = await client.save.mutate("x".repeat(2_000)).catch((thrown: unknown) => thrown);
    const { shape } = error as TRPCClientError<typeof router>;
    return [shape?.code, shape?.data];
  };
  expect(await refusal(frameLink)).toEqual(await refusal(httpLink));
  expect((await refusal(frameLink))[1]).toMatchObject({ code: "PAYLOAD_TOO_LARGE", httpStatus: 413 });
});

test("a POST needs no body where its input may be absent, and the document says so", async () => {
  const keep = (path: `/${string}`, input: z.ZodType) =>
    t.procedure
      .meta({ openapi: { method: "POST", path } })
      .input(input)
      .mutation((given) => ({ got: given.input ?? null }));
  const numbered = z.object({ a: z.number() });
  const router = t.router({
    optional: keep("/optional", numbered.optional()),
    default: keep("/default", numbered.default({ a: 7 })),
    required: keep("/required", numbered),
    either: keep("/either", z.union([numbered, z.object({ b: z.date() })])),
    nullable: keep("/nullable", numbered.nullable()),
    all: keep("/all", z.record(z.enum(["a", "b"]), z.int())),
    some: keep("/some", z.union([numbered, z.object({ b: z.date().optional() })])),
  });
  const { fetch, ask } = serve(router);
  const post = async (path: string) =>
    (await fetch(new Request(`http://any.test${path}`, { method: "POST" }))).json() as Promise<unknown>;
  expect([await post("/optional"), await post("/default")]).toEqual([{ got: null }, { got: { a: 7 } }]);
  expect(await post("/required")).toMatchObject({ code: "missing_body" });
  for (const path of ["/either", "/nullable", "/all"])
    expect(await post(path)).toMatchObject({ status: 400 });
  expect(await post("/some")).toEqual({ got: {} });
  const { paths } = JSON.parse((await ask("/openapi.json")).text) as {
    paths: Record<string, { post: { requestBody: { required: boolean } } }>;
  };
  expect(Object.values(paths).map(({ post: { requestBody } }) => requestBody.required)).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
});

test("JSON as the text of a field is read like a body", async () => {
  const { ask } = serve(
    t.router({
      read: t.procedure
        .meta(at("/read"))
        .input(z.object({ o: z.record(z.string(), z.unknown()) }))
        .query(({ input }) => input.o),
    }),
  );
  const read = async (text: string) =>
    JSON.parse((await ask(`/read?o=${encodeURIComponent(text)}`)).text) as unknown;
  expect(await read('{"a":1}')).toEqual({ a: 1 });
  expect(await read('{"a":1,"a":2}')).toMatchObject({
    code: "repeated_parameter",
    parameter: "o.a",
    in: "query",
  });
  for (const text of ['{"a":1e999}', '{"a":'.repeat(5_000)])
    expect(await read(text)).toMatchObject({ status: 400 });
});

describe("when the caller of a plain handler leaves", () => {
  /** Asks for more than comes, and leaves. */
  const leave = async (router: AnyTRPCRouter, path: string, init: RequestInit = {}) => {
    const { body } = await serve(router).fetch(new Request(`http://any.test${path}`, init));
    const reader = body?.getReader();
    for (let piece = 0; piece < 3; piece++) void reader?.read().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    void reader?.cancel();
  };

  test.each(["GET", "POST"] as const)("a generator that waits for its signal ends, at %s", async (method) => {
    let ended = 0;
    async function* wait(signal: AbortSignal | undefined) {
      try {
        yield 1;
        await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      } finally {
        ended++;
      }
    }
    const procedure = t.procedure.meta({ openapi: { method, path: "/wait" } });
    const resolver = ({ signal }: { signal: AbortSignal | undefined }) => wait(signal);
    const built = method === "GET" ? procedure.query(resolver) : procedure.mutation(resolver);
    await leave(t.router({ wait: built }), "/wait", { method });
    await expect.poll(() => ended).toBe(1);
  });

  test.each<[string, string, RequestInit, (stream: ReadableStream) => unknown]>([
    ["file", "/file", {}, (data) => ({ data })],
    ["Response", "/file", {}, (data) => new Response(data)],
    ["Response to HEAD", "/file", { method: "HEAD" }, (data) => new Response(data)],
    ["file in a frame", "/trpc/file", { headers: { accept: FRAME_TYPE } }, (data) => ({ data })],
  ])("the stream of a %s that is waited for is cancelled", async (_, path, init, resultOf) => {
    let cancelled = 0;
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(3)),
      pull: () => new Promise<void>(() => {}),
      cancel: () => void cancelled++,
    });
    const procedure = t.procedure.meta({ ...at("/file"), http: { result: "file" } });
    await leave(t.router({ file: procedure.query(() => resultOf(stream)) }), path, init);
    await expect.poll(() => cancelled).toBe(1);
  });
});

describe("a generator", () => {
  test("ends where one of its values cannot be written", async () => {
    let ended = 0;
    async function* count() {
      try {
        for (;;) yield 1n;
      } finally {
        ended++;
      }
    }
    const { ask } = serve(t.router({ s: t.procedure.meta(at("/s")).subscription(count) }));
    await ask("/trpc/s", EVENTS);
    await expect.poll(() => ended).toBe(1);
  });

  test("that cannot be begun takes no place from others", async () => {
    const broken = {
      [Symbol.asyncIterator]: () => {
        throw new Error("hunter2");
      },
    };
    const { fetch } = createTrpcServer({
      router: t.router({
        broken: t.procedure.subscription(() => broken as unknown as AsyncIterable<number>),
        works: t.procedure.subscription(async function* () {
          yield 1;
        }),
      }),
      createContext: () => ({}),
      maxStreams: 1,
      onError: () => {},
    });
    const listen = async (name: string) =>
      (await fetch(new Request(`http://any.test/trpc/${name}`, { headers: EVENTS }))).text();
    for (let i = 0; i < 3; i++) expect(await listen("broken")).toContain("event: serialized-error");
    expect(await listen("works")).toContain("data: 1");
  });
});

test("what makes the context may ask for an input, in lines too", async () => {
  const seen: unknown[] = [];
  const router = t.router({ save: t.procedure.input(z.string()).mutation(({ input }) => input) });
  const { fetch } = createTrpcServer({
    router,
    createContext: async ({ info }) => {
      seen.push(await info?.calls[0]?.getRawInput());
      return {};
    },
  });
  const client = createTRPCClient<typeof router>({
    links: [
      httpBatchStreamLink({
        url: "http://any.test/trpc",
        fetch: (to, init) => fetch(new Request(to as string, init as RequestInit)),
      }),
    ],
  });
  expect(await client.save.mutate("acme")).toBe("acme");
  expect(seen).toEqual(["acme"]);
});

test("a frame carries no infinite number, as JSON carries none", async () => {
  const { fetch } = serve(
    t.router({ read: t.procedure.input(z.object({ a: z.number() })).mutation(({ input }) => input.a) }),
  );
  const head = new TextEncoder().encode('{"a":1e999}');
  const body = new Uint8Array(4 + head.length);
  body.set([0, 0, 0, head.length]);
  body.set(head, 4);
  const headers = { "content-type": FRAME_TYPE };
  const answer = await fetch(new Request("http://any.test/trpc/read", { method: "POST", body, headers }));
  expect(answer.status).toBe(400);
});

test("a recursive schema within a map refers to itself, and not to what is around it", async () => {
  const Node = z.object({
    label: z.string(),
    get kids() {
      return z.array(Node);
    },
  });
  const { ask } = serve(
    t.router({
      tree: t.procedure
        .meta(at("/tree"))
        .output(z.object({ total: z.number(), byKey: z.map(z.string(), Node) }))
        .query(() => ({ total: 0, byKey: new Map() })),
    }),
  );
  const document = JSON.parse((await ask("/openapi.json")).text) as {
    components: { schemas: Record<string, { properties?: Record<string, { items?: { $ref?: string } }> }> };
  };
  const { schemas } = document.components;
  const kids = Object.values(schemas).flatMap(({ properties }) => properties?.kids ?? []);
  expect(kids.length).toBeGreaterThan(0);
  for (const { items } of kids)
    expect(Object.keys(schemas[items?.$ref?.split("/").at(-1) ?? ""]?.properties ?? {})).toEqual([
      "label",
      "kids",
    ]);
});

test("any schema that takes undefined gets it where nothing was sent", async () => {
  const asText = ({ input }: { input: unknown }) => (input === undefined ? "nothing" : JSON.stringify(input));
  const optional = (name: string) => old.object({ name: old.string() }).optional().describe(name);
  const router = t.router({
    any: t.procedure.meta(at("/any")).input(z.any()).query(asText),
    old: t.procedure.meta(at("/old")).input(optional("of zod 3")).query(asText),
    needed: t.procedure.meta(at("/needed")).input(old.object({})).query(asText),
  });
  const { ask } = serve(router);
  expect(await ask("/any")).toMatchObject({ text: '"nothing"' });
  expect(await ask("/old")).toMatchObject({ text: '"nothing"' });
  expect(await ask("/old?name=a")).toMatchObject({ text: '"{\\"name\\":\\"a\\"}"' });
  expect(await ask("/needed")).toMatchObject({ text: '"{}"' });
});

test("no parameter of a query must be there where none may be", async () => {
  const input = z.object({ id: z.string(), size: z.number() }).optional();
  const procedure = t.procedure.input(input);
  const router = t.router({
    all: procedure.meta(at("/all")).query((call) => call.input ?? "nothing"),
    one: procedure.meta(at("/all/{id}")).query((call) => call.input),
  });
  const { ask } = serve(router);
  expect(await ask("/all")).toMatchObject({ text: '"nothing"' });
  expect(await ask("/all/1")).toMatchObject({ status: 400 });
  const { paths } = JSON.parse((await ask("/openapi.json")).text) as { paths: Record<string, unknown> };
  const places = (...required: [string, boolean][]) => ({
    get: { parameters: required.map(([name, required]) => expect.objectContaining({ name, required })) },
  });
  expect(paths["/all"]).toMatchObject(places(["id", false], ["size", false]));
  expect(paths["/all/{id}"]).toMatchObject(places(["id", true], ["size", true]));
});

test("a call that GET makes too has its place in the path there", async () => {
  const input = z.object({ id: z.string(), day: z.date() });
  const meta: AdapterMeta = {
    openapi: {
      method: "POST",
      path: "/days/{id}",
      requestHeaders: z.object({ "x-org": z.string().optional() }),
    },
    http: { alsoGet: true },
  };
  const router = t.router({
    days: t.procedure
      .meta(meta)
      .input(input)
      .query((call) => call.input),
  });
  const { ask } = serve(router);
  expect(await ask("/days/a?day=2026-12-01")).toMatchObject({ status: 200 });
  const { paths } = JSON.parse((await ask("/openapi.json")).text) as { paths: Record<string, unknown> };
  expect(paths["/days/{id}"]).toMatchObject({
    get: {
      parameters: [
        { name: "id", in: "path" },
        { name: "x-org", in: "header" },
        { name: "day", in: "query" },
      ],
    },
  });
});

describe("a whole input that may be left out or null", () => {
  const page = z.object({ size: z.number().default(10) });
  const form = (path: `/${string}`): AdapterMeta => ({
    openapi: { method: "POST", path },
    http: { body: "fields" },
  });
  const router = t.router({
    json: t.procedure
      .meta({ openapi: { method: "POST", path: "/json" } })
      .input(page.nullish())
      .mutation(({ input }) => [input === undefined ? "nothing" : input]),
    form: t.procedure
      .meta(form("/form"))
      .input(page.nullish())
      .mutation(({ input }) => [input === undefined ? "nothing" : input]),
    placed: t.procedure
      .meta({ openapi: { method: "POST", path: "/placed/{size}" } })
      .input(page.nullable())
      .mutation(({ input }) => [input]),
    needed: t.procedure
      .meta(form("/needed"))
      .input(page)
      .mutation(({ input }) => [input]),
    file: t.procedure
      .meta({ openapi: { method: "POST", path: "/file" }, http: { body: "file" } })
      .input(z.object({ file: z.instanceof(File).optional(), name: z.string() }).default({ name: "none" }))
      .mutation(({ input }) => [input.name, input.file?.size]),
  });
  const { fetch } = serve(router);
  const send = async (path: string, body: string | FormData) => {
    const response = await fetch(new Request(`http://any.test${path}`, { method: "POST", body }));
    return [response.status, await response.json()];
  };

  test("is null where the JSON is, as the document says", async () => {
    expect(await send("/json", "null")).toEqual([200, [null]]);
    expect(await send("/form", "null")).toEqual([200, [null]]);
    expect(await send("/json", "{}")).toEqual([200, [{ size: 10 }]]);
    expect(await send("/json", '{"other":1}')).toEqual([200, [{ size: 10 }]]);
    expect(await send("/json?size=2", "null")).toEqual([200, [{ size: 2 }]]);
    expect(await send("/placed/3", "null")).toEqual([200, [{ size: 3 }]]);
    for (const body of ["null", "[]", "1"]) expect(await send("/needed", body)).toMatchObject([400, {}]);
    expect(await send("/json", "[]")).toMatchObject([400, { code: "invalid_json" }]);
  });

  test("was left out where a form has no fields", async () => {
    expect(await send("/form", new FormData())).toEqual([200, ["nothing"]]);
    expect(await send("/form", "")).toEqual([200, ["nothing"]]);
    // A field that nobody knows was sent all the same.
    const other = new FormData();
    other.set("other", "1");
    expect(await send("/form", other)).toEqual([200, [{ size: 10 }]]);
    expect(await send("/needed", new FormData())).toEqual([200, [{ size: 10 }]]);
  });

  test("was left out where a file may be and neither that nor a field was sent", async () => {
    expect(await send("/file", "")).toEqual([200, ["none", null]]);
    expect(await send("/file", new FormData())).toEqual([200, ["none", null]]);
    expect(await send("/file?name=a", "")).toEqual([200, ["a", null]]);
    expect(await send("/file?name=a", "abc")).toEqual([200, ["a", 3]]);
    expect(await send("/file", "abc")).toMatchObject([400, { code: "missing_parameter", in: "query" }]);
  });
});

test("a list of objects is no JSON text in a query where a text comes first", async () => {
  const rows = z.array(z.object({ a: z.number() }));
  const input = z.object({
    any: z.json(),
    text: z.union([z.string(), rows]),
    mail: z.union([z.email(), rows]),
    rows: z.union([rows, z.string()]),
  });
  const { ask } = serve(
    t.router({
      all: t.procedure
        .meta(at("/all"))
        .input(input)
        .query((call) => call.input),
    }),
  );
  const list = '[{"a":1}]';
  const query = new URLSearchParams({ any: list, text: list, mail: list, rows: list });
  const answer = await ask(`/all?${String(query)}`);
  expect(JSON.parse(answer.text)).toEqual({ any: list, text: list, mail: [{ a: 1 }], rows: [{ a: 1 }] });
  const { paths } = JSON.parse((await ask("/openapi.json")).text) as {
    paths: Record<string, { get: { parameters: { name: string; schema: { contentMediaType?: string } }[] } }>;
  };
  const asJson = paths["/all"]?.get.parameters.filter(({ schema }) => schema.contentMediaType !== undefined);
  expect(asJson?.map(({ name }) => name)).toEqual(["mail", "rows"]);
});

test("a form has lists of lists, and a list of objects, as JSON texts", async () => {
  const input = z.object({
    rows: z.array(z.array(z.number())),
    days: z.array(z.object({ day: z.date() })).optional(),
  });
  const form = { openapi: { method: "POST", path: "/form" }, http: { body: "fields" } } as const;
  const router = t.router({
    form: t.procedure
      .meta(form)
      .input(input)
      .mutation((call) => call.input),
  });
  const { fetch } = serve(router);
  const body = new FormData();
  for (const [name, text] of [
    ["rows", "[1,2]"],
    ["rows", "[3]"],
    ["days", '[{"day":"2026-11-29"}]'],
  ] as const)
    body.append(name, text);
  const answer = await fetch(new Request("http://any.test/form", { method: "POST", body }));
  expect(await answer.json()).toEqual({ rows: [[1, 2], [3]], days: [{ day: "2026-11-29T00:00:00.000Z" }] });
});

test("a result that may be absent is null in JSON, and in the document", async () => {
  const procedure = t.procedure.meta(at("/maybe")).input(z.object({})).output(z.string().optional());
  const { ask } = serve(t.router({ maybe: procedure.query(() => undefined) }));
  expect(await ask("/maybe")).toMatchObject({ status: 200, text: "null" });
  const { paths } = JSON.parse((await ask("/openapi.json")).text) as { paths: Record<string, unknown> };
  expect(paths["/maybe"]).toMatchObject({
    get: {
      responses: {
        200: {
          content: { "application/json": { schema: { anyOf: [{ type: "string" }, { type: "null" }] } } },
        },
      },
    },
  });
});

test("a frame refuses what comes piece by piece, as JSON does", async () => {
  const router = t.router({
    late: t.procedure.query(() => ({ a: Promise.resolve(1) })),
    generated: t.procedure.query(async function* () {
      yield 1;
    }),
  });
  const { fetch } = serve(router);
  const options = {
    url: "http://any.test/trpc",
    fetch: (to: string | URL | Request, init?: object) => fetch(new Request(to, init)),
  };
  const refusal = async (link: TRPCLink<typeof router>, path: string) => {
    const { message, data } = (await createTRPCUntypedClient<typeof router>({ links: [link] })
      .query(path)
      .catch((error: unknown) => error)) as { message: string; data: object };
    return { message, data };
  };
  for (const path of ["late", "generated"]) {
    const framed = await refusal(frameLink(options), path);
    expect(framed).toEqual(await refusal(httpLink(options), path));
    expect(framed.data).toMatchObject({ httpStatus: 415 });
  }
});

test("a frame's answer has the response in its meta, as with tRPC's links", async () => {
  const createContext = ({ responseHeaders }: { responseHeaders: Headers }) => {
    responseHeaders.set("Own", "said");
    return {};
  };
  const fail = t.procedure.query(() => {
    throw new TRPCError({ code: "NOT_FOUND", message: "Gone" });
  });
  const router = t.router({ fail });
  const { fetch } = createTrpcServer({ router, createContext });
  const own = (to: string | URL | Request, init?: RequestInit) => fetch(new Request(to, init));
  const links = [frameLink<typeof router>({ url: "http://any.test/trpc", fetch: own })];
  const asked = createTRPCClient<typeof router>({ links }).fail.query();
  const failed = (await asked.catch((error: unknown) => error)) as { meta: { response: Response } };
  const { status, headers } = failed.meta.response;
  expect([status, headers.get("own")]).toEqual([404, "said"]);
});

describe("a key that a schema drops is told over RPC too", () => {
  const where = z.object({ open: z.boolean().optional() });
  const router = t.router({
    find: t.procedure.input(z.object({ name: z.string(), where: where.optional() })).query(() => 1),
    store: t.procedure
      .input(z.object({ name: z.string() }))
      .input(z.object({ where }))
      .mutation(() => 1),
    loose: t.procedure.input(z.looseObject({ where })).query(() => 1),
    strict: t.procedure.input(z.strictObject({ name: z.string() })).query(() => 1),
    nothing: t.procedure.query(() => 1),
    events: t.procedure.input(z.object({ name: z.string() }).optional()).subscription(async function* () {}),
  });
  const { fetch } = serve(router);
  const told: (string | null)[] = [];
  const own = async (to: string | URL | Request, init?: object) => {
    const response = await fetch(new Request(to, init));
    told.push(response.headers.get("warning"));
    return response;
  };
  const options = { url: "http://any.test/trpc", fetch: own };
  const call = async (link: TRPCLink<typeof router>, path: string, input: object) => {
    const client = createTRPCUntypedClient<typeof router>({ links: [link] });
    told.length = 0;
    const calling = path === "store" ? client.mutation(path, input) : client.query(path, input);
    await calling.catch(() => undefined);
    return told.map((warning) =>
      [...(warning ?? "").matchAll(/parameter (\S+) is not/g)].map(([, name]) => name),
    );
  };

  test.each([
    ["httpLink", httpLink<typeof router>(options)],
    ["httpBatchLink", httpBatchLink<typeof router>(options)],
    ["frameLink", frameLink<typeof router>(options)],
  ] as const)("by %s", async (_, link) => {
    expect(await call(link, "find", { nam: "a", name: "b" })).toEqual([["nam"]]);
    expect(await call(link, "find", { name: "b", where: { opne: true } })).toEqual([["where.opne"]]);
    expect(await call(link, "store", { name: "b", where: { open: true }, x: 1 })).toEqual([["x"]]);
    // With an error too.
    expect(await call(link, "find", { nam: "a" })).toEqual([["nam"]]);
    expect(await call(link, "loose", { x: 1, where: { y: 1 } })).toEqual([["where.y"]]);
    for (const path of ["strict", "nothing"]) expect(await call(link, path, { x: 1 })).toEqual([[]]);
  });

  test("by a batch in lines", async () => {
    expect(await call(httpBatchStreamLink<typeof router>(options), "find", { nam: "a", name: "b" })).toEqual([
      ["nam"],
    ]);
  });

  test("but not the id that a listener comes back with", async () => {
    const listened = async (query: string) =>
      (await fetch(new Request(`http://any.test/trpc/events?${query}`, { headers: EVENTS }))).headers.get(
        "warning",
      );
    const input = (value: object) => `input=${encodeURIComponent(JSON.stringify(value))}`;
    expect(await listened(`${input({ name: "a" })}&lastEventId=7`)).toBeNull();
    expect(await listened("lastEventId=7")).toBeNull();
    expect(await listened(input({ name: "a", nmae: "b" }))).toContain("nmae");
  });
});

test("a key that only an arm knows which says later whether it takes a value is not told", async () => {
  const rest = (r: number) => z.number().refine(async (n) => Promise.resolve(n % 2 === r));
  const even = z.object({ n: rest(0), even: z.string().optional() });
  const odd = z.object({ n: rest(1), odd: z.string().optional() });
  const large = z.object({ n: z.number().min(100) });
  const value = z.union([even, odd, large]);
  const { fetch } = serve(
    t.router({
      put: t.procedure
        .meta({ openapi: { method: "POST", path: "/put" } })
        .input(z.object({ value }))
        .mutation(({ input }) => input.value),
    }),
  );
  const headers = { "content-type": "application/json" };
  const put = async (path: string, sent: object) => {
    const init = { method: "POST", headers, body: JSON.stringify({ value: sent }) };
    const response = await fetch(new Request(`http://any.test${path}`, init));
    return [await response.json(), response.headers.get("warning")];
  };
  const sent = { n: 1, odd: "x" };
  expect(await put("/put", sent)).toEqual([sent, null]);
  expect(await put("/trpc/put", sent)).toEqual([{ result: { data: sent } }, null]);
  expect(await put("/put", { n: 2, even: "x" })).toEqual([{ n: 2, even: "x" }, null]);
  expect(await put("/put", { n: 1, ode: "x" })).toEqual([{ n: 1 }, expect.stringContaining("value.ode")]);
  // zod does not wait where an arm takes it at once.
  expect(await put("/put", { n: 101, odd: "x" })).toEqual([{ n: 101 }, expect.stringContaining("value.odd")]);
});

test("a handler in Next gets nothing compressed, because Next would drop how", async () => {
  const long = "x".repeat(1000);
  const meta: AdapterMeta = { ...at("/long"), http: { compressed: true } };
  const { fetch } = serve(t.router({ long: t.procedure.meta(meta).query(() => long) }));
  for (const path of ["/openapi.json", "/long", "/trpc/long", "/trpc/long?batch=1"]) {
    const request = new Request(`http://any.test${path}`, { headers: { "accept-encoding": "gzip" } });
    expect((await fetch(request.clone())).headers.get("content-encoding"), path).toBe("gzip");
    const { headers } = await fetch(Object.assign(request, { nextUrl: new URL(request.url) }));
    expect(headers.get("content-encoding"), path).toBeNull();
  }
});

test("a runtime whose modules cannot be asked for, as Next's edge, does without them", () => {
  const program = fileURLToPath(new URL("./like-edge.ts", import.meta.url));
  const flags = "Deno" in globalThis ? ["run", "-A"] : [];
  const options = { encoding: "utf8", timeout: 120_000 } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, program], options);
  expect(stdout, stderr).not.toBe("");
  expect(JSON.parse(stdout)).toEqual({
    sha256: expect.stringMatching(/^ba7816bf/),
    hellos: 2,
    wasAsked: true,
  });
});
