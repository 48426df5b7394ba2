// What applications on tRPC do every day, and this repository's own router does not.
import { initTRPC, TRPCError } from "@trpc/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";

const t = initTRPC.meta<AdapterMeta>().create();
const at = (method: "POST" | "PUT", path: `/${string}`) => t.procedure.meta({ openapi: { method, path } });

const router = t.router({
  archive: at("POST", "/cards/{id}/archive")
    .input(z.object({ id: z.string(), why: z.string().optional() }))
    .mutation(({ input }) => input),
  rename: at("PUT", "/cards/{id}")
    .input(z.object({ id: z.string(), title: z.string() }))
    .mutation(({ input }) => input),
  limit: at("POST", "/limits")
    .input(
      z.object({
        limits: z.map(z.enum(["todo", "done"]), z.number().min(1)),
        from: z.coerce.date().optional(),
        sum: z.coerce.bigint().optional(),
        place: z.coerce.number().int().optional(),
      }),
    )
    .mutation(({ input }) => input),
});

const server = createTrpcServer({
  router,
  createContext: () => ({}),
  openApi: { path: "/openapi.json", info: { title: "Usual", version: "1" } },
});

async function call(path: string, method: string, body?: string): Promise<[number, unknown]> {
  const init = body === undefined ? { method } : { method, body };
  const response = await server.fetch(new Request(`http://usual.test${path}`, init));
  return [response.status, await response.json()];
}

test("what stands in the path and in the query needs no body beside it", async () => {
  expect(await call("/cards/1/archive", "POST")).toEqual([200, { id: "1" }]);
  expect(await call("/cards/1/archive?why=old", "POST")).toEqual([200, { id: "1", why: "old" }]);
  expect(await call("/cards/1?title=New", "PUT")).toEqual([200, { id: "1", title: "New" }]);
  expect(await call("/cards/1", "PUT")).toMatchObject([
    400,
    { code: "missing_body", error: "The body is empty; send a JSON object with title" },
  ]);
});

test("a fault inside of a map is told as what it is", async () => {
  const refused = { code: "invalid_parameter", in: "body" };
  expect(await call("/limits", "POST", '{"limits":{"todo":0}}')).toMatchObject([
    400,
    { ...refused, parameter: "limits.todo", error: expect.stringContaining("Too small") },
  ]);
  expect(await call("/limits", "POST", '{"limits":{"doing":1}}')).toMatchObject([
    400,
    { ...refused, parameter: "limits.doing", error: expect.stringContaining("Invalid") },
  ]);
});

test("meta.http says what is unusual, and no more", async () => {
  const get = (path: `/${string}`, http: AdapterMeta["http"]) =>
    t.procedure.meta({ openapi: { method: "GET", path }, ...(http && { http }) });
  const { fetch } = createTrpcServer({
    router: t.router({
      made: t.procedure
        .meta({ openapi: { method: "POST", path: "/made" }, http: { status: 201 } })
        .input(z.object({ n: z.number() }))
        .mutation(({ input }) => input),
      sent: t.procedure
        .meta({ openapi: { method: "POST", path: "/sent" }, http: { status: 202 } })
        .input(z.object({ file: z.file() }))
        .mutation(({ input }) => input.file.size),
      csv: get("/csv", { result: "file", type: "text/csv" }).query(() => new TextEncoder().encode("a,b")),
    }),
    createContext: () => ({}),
  });
  const call = async (path: string, body?: string) => {
    const init = body === undefined ? {} : { method: "POST", body };
    const response = await fetch(new Request(`http://usual.test${path}`, init));
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
  const json = "application/json; charset=utf-8";
  expect(await call("/made", '{"n":1}')).toEqual([201, json, '{"n":1}']);
  expect(await call("/sent", "abc")).toEqual([202, json, "3"]);
  expect(await call("/csv")).toEqual([200, "text/csv", "a,b"]);
});

test("a field whose schema reads JSON by itself gets the text, whatever its part is called", async () => {
  const about = z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.object({ caption: z.string() }));
  const { fetch } = createTrpcServer({
    router: t.router({
      add: at("POST", "/files")
        .input(z.object({ file: z.file(), about }))
        .mutation(({ input }) => input.about),
      name: at("POST", "/names")
        .input(z.object({ file: z.file(), about: z.string() }))
        .mutation(({ input }) => [input.about]),
    }),
    createContext: () => ({}),
  });
  const send = async (path: string, ...part: [string | Blob]) => {
    const body = new FormData();
    body.append("file", new File(["a"], "a.txt"));
    body.append("about", ...part);
    return (await fetch(new Request(`http://usual.test${path}`, { method: "POST", body }))).json();
  };
  const json = (text: string) => new Blob([text], { type: "application/json" });
  expect(await send("/files", '{"caption":"a"}')).toEqual({ caption: "a" });
  expect(await send("/files", json('{"caption":"a"}'))).toEqual({ caption: "a" });
  // What is wrong stands inside of a text, where nobody can see whether it is there.
  expect(await send("/files", '{"caption":1}')).toMatchObject({
    code: "invalid_parameter",
    parameter: "about.caption",
    error: expect.stringContaining("received number"),
  });
  expect(await send("/names", json('"a"'))).toEqual(["a"]);
});

test("the document types what z.coerce makes, and says which body must be there", async () => {
  const [, { paths, components }] = (await call("/openapi.json", "GET")) as [
    number,
    { paths: Record<string, Record<string, object>>; components: { schemas: Record<string, object> } },
  ];
  expect(components.schemas.LimitInput).toMatchObject({
    properties: {
      from: { type: "string", format: "date-time" },
      sum: { type: "string", pattern: "^-?[0-9]+$" },
      place: { type: "integer" },
    },
  });
  expect(components.schemas.LimitInput).not.toHaveProperty("properties.place.maximum");
  expect(paths["/cards/{id}"]?.put).toHaveProperty("requestBody.required", true);
  expect(paths["/cards/{id}/archive"]?.post).toHaveProperty("requestBody.required", false);
});

/** A reason that programs can read, as applications have one. */
class FullError extends Error {
  readonly reason = "full";
}

test("REST has what the router's own formatter adds to an error, and not a word of what nobody expected", async () => {
  const own = initTRPC
    .context<{ user: string }>()
    .meta<AdapterMeta>()
    .create({
      isDev: true,
      errorFormatter: ({ shape, error: { cause, message, stack }, ctx }) => ({
        ...shape,
        data: {
          ...shape.data,
          reason: cause instanceof FullError ? cause.reason : undefined,
          ...(ctx && { user: ctx.user, message, sum: 1n, at: new Date(0), stack }),
        },
      }),
    });
  const at = (path: `/${string}`) => own.procedure.meta({ openapi: { method: "GET", path } });
  const faults: unknown[] = [];
  const { fetch } = createTrpcServer({
    router: own.router({
      full: at("/full").query(() => {
        throw new TRPCError({ code: "CONFLICT", message: "No room", cause: new FullError() });
      }),
      broken: at("/broken").query(() => {
        throw new Error("hunter2");
      }),
      wrong: at("/wrong")
        .input(z.object({ n: z.number() }))
        .query(() => 1),
      told: at("/told").subscription(async function* () {
        yield 1;
        throw new TRPCError({ code: "CONFLICT", message: "No room", cause: new FullError() });
      }),
    }),
    createContext: () => ({ user: "ann" }),
    formatError: (_, usual) => ({ ...usual, code: usual.code.toUpperCase() }),
    onError: (error) => faults.push(error),
  });
  const get = async (path: string) => (await fetch(new Request(`http://usual.test${path}`))).text();
  const common = { user: "ann", sum: "1", at: "1970-01-01T00:00:00.000Z" };
  const full = { error: "No room", code: "CONFLICT", status: 409, requestId: expect.any(String) };
  const data = { ...common, message: "No room", reason: "full" };
  expect(JSON.parse(await get("/full"))).toEqual({ ...full, data });
  expect(await get("/told")).toContain('"data":{"reason":"full"');
  expect(JSON.parse(await get("/wrong?n=x"))).toMatchObject({ parameter: "n", status: 400, data: common });
  const broken = await get("/broken");
  expect(JSON.parse(broken)).toMatchObject({ status: 500, data: common });
  expect(broken).not.toMatch(/hunter2|stack/);
  expect(faults).toEqual([expect.objectContaining({ message: "hunter2" })]);
});

test("a formatter that writes what zod says does so of inputs, and not of results", async () => {
  const own = initTRPC.meta<AdapterMeta>().create({
    errorFormatter: ({ shape, error: { cause } }) => ({
      ...shape,
      data: { ...shape.data, zod: cause instanceof z.ZodError ? z.flattenError(cause).formErrors : null },
    }),
  });
  const at = (path: `/${string}`) => own.procedure.meta({ openapi: { method: "GET", path } });
  const router = own.router({
    wrong: at("/wrong")
      .input(z.strictObject({ n: z.number() }))
      .query(() => 1),
    result: at("/result")
      .output(z.strictObject({ n: z.number() }))
      .query(() => ({ n: 1, hunter2: 1 })),
    inside: at("/inside").query(() => z.strictObject({}).parse({ hunter2: 1 })),
  });
  const faults: unknown[] = [];
  const { fetch } = createTrpcServer({ router, createContext: () => ({}), onError: (it) => faults.push(it) });
  const get = async (path: string) => (await fetch(new Request(`http://usual.test${path}`))).text();
  const refused = { zod: ['Unrecognized key: "m"'] };
  expect(JSON.parse(await get("/wrong?n=1&m=2"))).toMatchObject({ status: 400, data: refused });
  const input = encodeURIComponent('{"n":1,"m":2}');
  expect(JSON.parse(await get(`/trpc/wrong?input=${input}`))).toMatchObject({ error: { data: refused } });
  for (const path of ["/result", "/trpc/result", "/inside", "/trpc/inside", "/trpc/inside?batch=1"]) {
    const text = await get(path);
    expect(text).toContain('"zod":null');
    expect(text).not.toContain("hunter2");
  }
  expect(faults).toHaveLength(5);
});

test("a whole FormData is RPC only, which is said at the start, and its fields are both", async () => {
  const post = (path: `/${string}`) => t.procedure.meta({ openapi: { method: "POST", path } });
  const fields = z.object({ file: z.file(), n: z.coerce.number() });
  const opened = (input: unknown) => (input instanceof FormData ? Object.fromEntries(input) : input);
  const warnings: string[] = [];
  const { fetch } = createTrpcServer({
    router: t.router({
      whole: post("/whole")
        .input(z.instanceof(FormData))
        .mutation(({ input }) => [...input.keys()]),
      later: post("/later")
        .input(z.instanceof(FormData).transform(opened).pipe(fields))
        .mutation(({ input }) => input.n),
      opened: post("/opened")
        .input(z.preprocess(opened, fields))
        .mutation(({ input }) => [input.file.name, input.n]),
      either: post("/either")
        .input(z.union([z.instanceof(FormData), fields]))
        .mutation(({ input }) => (input instanceof FormData ? "form" : [input.file.name, input.n])),
    }),
    createContext: () => ({}),
    onWarning: (warning) => warnings.push(warning),
  });
  expect(warnings).toEqual([
    expect.stringMatching(/^whole is RPC only: its input is a whole FormData/),
    expect.stringMatching(/^later is RPC only: its input is a whole FormData/),
  ]);
  const send = async (path: string) => {
    const body = new FormData();
    body.append("file", new File(["a"], "a.txt"));
    body.append("n", "1");
    const response = await fetch(new Request(`http://usual.test${path}`, { method: "POST", body }));
    const answer = (await response.json()) as { result?: { data: unknown } };
    return answer.result?.data ?? answer;
  };
  expect(await send("/trpc/whole")).toEqual(["file", "n"]);
  expect(await send("/trpc/later")).toBe(1);
  expect(await send("/trpc/opened")).toEqual(["a.txt", 1]);
  expect(await send("/trpc/either")).toBe("form");
  for (const path of ["/opened", "/either"]) expect(await send(path)).toEqual(["a.txt", 1]);
  expect(await send("/whole")).toMatchObject({ code: "not_found" });
});
