import { initTRPC, lazy, tracked, TRPCError } from "@trpc/server";
import { createTRPCClient, httpBatchLink, httpLink } from "@trpc/client";
import { frameLink } from "../../../client/frame-link.ts";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { framePost } from "../../support/requests.ts";
import { z } from "zod";
import {
  bytes,
  createTrpcServer,
  sentNameOf,
  type AdapterMeta,
  type TrpcServerOptions,
} from "../../../adapters/trpc/index.ts";

const t = initTRPC.meta<AdapterMeta>().create();

type Options = Partial<TrpcServerOptions<ReturnType<typeof t.router>>>;

/** A router served, with what it has told. */
function serve(router: ReturnType<typeof t.router>, options: Options = {}) {
  const errors: unknown[] = [];
  const warnings: string[] = [];
  const server = createTrpcServer({
    router,
    createContext: () => ({}),
    openApi: { path: "/openapi.json", info: { title: "Any", version: "1" } },
    onError: (error) => void errors.push(error),
    onWarning: (warning) => void warnings.push(warning),
    ...options,
  });
  const request = (path: string, init?: RequestInit) =>
    server.fetch(new Request(`http://any.test${path}`, init));
  const json = async (path: string, init?: RequestInit) => {
    const response = await request(path, init);
    return [response.status, (await response.json()) as unknown] as const;
  };
  return { errors, warnings, request, json, server };
}

const get = (path: `/${string}`) => t.procedure.meta({ openapi: { method: "GET", path } });
const post = (path: `/${string}`) => t.procedure.meta({ openapi: { method: "POST", path } });

test("a path is decoded once, typed, and may be called anything that OpenAPI allows", async () => {
  const { json } = serve(
    t.router({
      one: get("/items/{item-id}")
        .input(z.object({ "item-id": z.number() }))
        .query(({ input }) => input),
      gone: t.procedure
        .meta({ openapi: { method: "DELETE", path: "/items/{id}" } })
        .input(z.object({ id: z.string() }))
        .mutation(({ input }) => input),
      mixed: get("/files/{name}.{format}:raw")
        .input(z.object({ name: z.string(), format: z.enum(["a", "b"]) }))
        .query(({ input }) => input),
    }),
  );
  expect(await json("/items/7")).toEqual([200, { "item-id": 7 }]);
  expect(await json("/items/a%2Fb%2525%C3%A9+", { method: "DELETE" })).toEqual([200, { id: "a/b%25é+" }]);
  expect(await json("/files/x%20y.b:raw")).toEqual([200, { name: "x y", format: "b" }]);
  expect((await json("/items/seven"))[0]).toBe(400);
  expect(await json("/items/%FF")).toMatchObject([404, { code: "not_found" }]);
});

test("nothing that was sent is dropped without a word", async () => {
  const open = z.object({ n: z.number() });
  const { request } = serve(
    t.router({
      strip: get("/strip")
        .input(open)
        .query(({ input }) => input),
      strict: get("/strict")
        .input(open.strict())
        .query(({ input }) => input),
      loose: get("/loose")
        .input(open.loose())
        .query(({ input }) => input),
    }),
  );
  const stripped = await request("/strip?n=1&nn=2");
  expect([stripped.status, stripped.headers.get("warning")]).toEqual([200, expect.stringContaining("nn")]);
  expect(await (await request("/strict?n=1&x=2")).json()).toMatchObject({ status: 400 });
  expect(await (await request("/loose?n=1&x=2")).json()).toEqual({ n: 1, x: "2" });
});

test("what makes true of any text is told at the start", () => {
  const { warnings } = serve(
    t.router({
      flags: get("/flags")
        .input(z.object({ deep: z.object({ on: z.coerce.boolean() }).optional(), n: z.coerce.number() }))
        .query(() => 1),
      sent: post("/sent")
        .input(z.object({ on: z.coerce.boolean() }))
        .mutation(() => 1),
    }),
  );
  expect(warnings).toEqual([
    expect.stringMatching(/z\.coerce\.boolean\(\) in flags turns every text into true/),
  ]);
});

test("a key inside a value that no schema knows is told, by query and JSON", async () => {
  const where = z.object({ status: z.string().optional(), by: z.object({ id: z.number() }).optional() });
  const owner = z.union([z.string(), z.object({ id: z.string() }), z.strictObject({ name: z.string() })]);
  const input = z.object({
    where: where.and(z.object({ open: z.boolean().optional() })).optional(),
    list: z.array(z.object({ a: z.number() })).optional(),
    owner: owner.optional(),
    free: z
      .object({ any: z.any(), more: z.record(z.string(), z.number()), loose: z.looseObject({}) })
      .optional(),
  });
  const { request } = serve(
    t.router({
      find: get("/find")
        .input(input)
        .query(() => 1),
      store: post("/store")
        .input(input)
        .mutation(() => 1),
    }),
  );
  const warned = async (path: string, body?: object) => {
    const response = await request(path, body && { method: "POST", body: JSON.stringify(body) });
    const [, name] = /parameter (\S+) is not known/.exec(response.headers.get("warning") ?? "") ?? [];
    return [response.status, name];
  };
  expect(await warned("/find?where[statu]=a&where[status]=b&where[open]=1")).toEqual([200, "where.statu"]);
  expect(await warned("/store", { where: { open: true, by: { id: 1, idd: 2 } } })).toEqual([
    200,
    "where.by.idd",
  ]);
  expect(await warned("/store", { list: [{ a: 1 }, { a: 2, b: 3 }] })).toEqual([200, "list[1].b"]);
  expect(await warned("/store", { owner: { id: "1", nam: "x" } })).toEqual([200, "owner.nam"]);
  const kept = { any: { x: [{ y: 1 }] }, more: { z: 1 }, loose: { w: {} } };
  expect(await warned("/store", { free: kept })).toEqual([200, undefined]);
});

test("a key that only another arm of a union has is told", async () => {
  const animal = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("cat"), lives: z.number().optional() }),
    z.object({ kind: z.enum(["dog", "wolf"]), name: z.string().optional() }),
    z.looseObject({ kind: z.literal("any"), note: z.string() }),
  ]);
  const either = z.union([
    z.object({ a: z.number() }),
    z.object({ b: z.number() }),
    z.looseObject({ c: z.number() }),
  ]);
  const router = t.router({
    find: get("/find")
      .input(animal.and(z.object({ page: z.number().optional() })))
      .query(({ input }) => input),
    store: post("/store")
      .input(z.object({ animals: z.array(animal), either: either.optional() }))
      .mutation(({ input }) => input),
  });
  const { request } = serve(
    t.mergeRouters(
      router,
      t.router({
        pick: get("/pick")
          .input(either)
          .query(({ input }) => input),
      }),
    ),
  );
  const told = async (path: string, body?: object) => {
    const headers = { "content-type": "application/json" };
    const response = await request(path, body && { method: "POST", headers, body: JSON.stringify(body) });
    const warning = response.headers.get("warning") ?? "";
    return [response.status, ...Array.from(warning.matchAll(/parameter (\S+) is/g), ([, name]) => name)];
  };
  expect(await told("/find?kind=cat&lives=7&name=Tom&page=2")).toEqual([200, "name"]);
  expect(await told("/find?kind=wolf&lives=7&name=Tom")).toEqual([200, "lives"]);
  expect(await told("/find?kind=cat&lives=7&page=2")).toEqual([200]);
  expect(await told("/find?kind=any&note=x&lives=7")).toEqual([200]);
  expect((await told("/find?kind=cow&lives=7"))[0]).toBe(400);
  const animals = [
    { kind: "cat", lives: 9 },
    { kind: "cat", name: "Tom" },
    { kind: "dog", lifes: 1 },
  ];
  const named = ["animals[1].name", "animals[2].lifes"];
  expect(await told("/store", { animals, either: { a: 1, b: 2 } })).toEqual([200, ...named, "either.b"]);
  expect(await told("/store", { animals: [], either: { a: "1", b: 2 } })).toEqual([200, "either.a"]);
  expect(await told("/store", { animals: [], either: { c: 1, b: "2", d: 3 } })).toEqual([200]);
  expect(await told("/pick?a=1&b=2")).toEqual([200, "b"]);
  expect(await told("/pick?a=x&b=2")).toEqual([200, "a"]);
  expect(await told("/pick?c=1&b=x&d=3")).toEqual([200]);
  expect(await told("/trpc/store", { animals })).toEqual([200, ...named]);
});

async function look(id: string): Promise<string> {
  if (id === "lost") throw new Error("no database");
  return id;
}

test.each([
  ["refines", z.string().refine(look)],
  ["decodes", z.codec(z.string(), z.string(), { decode: look, encode: (id) => id })],
])("a schema that %s asynchronously and rejects is an error of its call alone", async (_, stored) => {
  const router = t.router({
    find: get("/find")
      .input(z.union([z.object({ id: stored }), z.object({ page: z.number() })]))
      .query(({ input }) => input),
  });
  const { json } = serve(router);
  const rejected: unknown[] = [];
  const note = (reason: unknown) => void rejected.push(reason);
  process.on("unhandledRejection", note);
  // tRPC 11.25 itself tries a schema synchronously once, and learns here that it is not.
  expect(await json("/find?id=kept")).toEqual([200, { id: "kept" }]);
  expect((await json("/find?id=lost"))[0]).toBe(400);
  expect(await json("/find?page=3")).toEqual([200, { page: 3 }]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("unhandledRejection", note);
  expect(rejected).toEqual([]);
});

test("the document has lists of lists and objects as JSON, and names that nobody knows as one parameter", async () => {
  const point = z.object({ x: z.number() });
  const { json } = serve(
    t.router({
      look: get("/look")
        .input(
          z.object({
            area: z.object({ from: point }),
            points: z.array(z.union([z.number(), point])),
            rows: z.array(z.array(z.number())),
            flat: z.object({ key: z.string() }),
          }),
        )
        .query(({ input }) => input),
      sums: get("/sums")
        .input(z.record(z.string(), z.number()))
        .query(({ input }) => input),
      loose: get("/loose/{others}")
        .input(z.looseObject({ others: z.string() }))
        .query(({ input }) => input),
    }),
  );
  const value = {
    area: { from: { x: 1 } },
    points: [1, { x: 2 }],
    rows: [[1, 2], [3]],
    flat: { key: "k" },
  };
  const { flat: _, ...nested } = value;
  const [, document] = await json("/openapi.json");
  const { paths } = Object(document);
  expect(paths["/look"].get.parameters).toMatchObject([
    { name: "area", style: "deepObject" },
    ...["points", "rows"].map((name) => ({
      name,
      in: "query",
      required: true,
      schema: { type: "string", contentMediaType: "application/json", contentSchema: { type: "array" } },
    })),
    { name: "flat", style: "deepObject" },
  ]);
  const query = new URLSearchParams(
    Object.entries(nested).map(([name, each]) => [name, JSON.stringify(each)]),
  );
  expect(await json(`/look?${query.toString()}&flat[key]=k`)).toEqual([200, value]);
  const empty = await json("/look?area[from][x]=1&points=[]&rows=[]&flat[key]=k");
  expect(empty).toEqual([200, { ...value, points: [], rows: [] }]);
  // As people write it by hand.
  const byHand = "area[from][x]=1&points=1&points={%22x%22:2}&rows=[1,2]&rows=[3]&flat={%22key%22:%22k%22}";
  expect(await json(`/look?${byHand}`)).toEqual([200, value]);
  expect(await json("/look?area[from][x]=1&points=1&rows=[1,2]&flat[key]=k")).toEqual([
    200,
    { ...value, points: [1], rows: [[1, 2]] },
  ]);
  const open = { in: "query", required: false, style: "form", explode: true };
  const sums = { type: "object", additionalProperties: { type: "number" } };
  expect(paths["/sums"].get.parameters).toMatchObject([{ name: "others", ...open, schema: sums }]);
  expect(await json("/sums?a=1&b=2")).toEqual([200, { a: 1, b: 2 }]);
  expect(paths["/loose/{others}"].get.parameters).toMatchObject([
    { name: "others", in: "path" },
    { name: "otherNames", ...open },
  ]);
});

test("a body where none is read is told", async () => {
  const { request } = serve(
    t.router({
      start: t.procedure.meta({ openapi: { method: "POST", path: "/starts" } }).mutation(() => 1),
      end: t.procedure
        .meta({ openapi: { method: "DELETE", path: "/ends/{id}" } })
        .input(z.object({ id: z.string(), keep: z.boolean().optional() }))
        .mutation(({ input }) => input),
    }),
  );
  const warningOf = async (headers: Record<string, string>) =>
    (await request("/ends/1", { method: "DELETE", headers })).headers.get("warning");
  const started = await request("/starts", { method: "POST", headers: { "content-length": "2" } });
  expect(started.headers.get("warning")).toContain("body_ignored");
  expect(await warningOf({ "content-length": "13" })).toContain("body_ignored");
  expect(await warningOf({ "transfer-encoding": "chunked" })).toContain("body_ignored");
  expect(await warningOf({ "content-length": "0" })).toBeNull();
  expect(await warningOf({})).toBeNull();
});

test("another validator gets the texts as they came and JSON as it is", async () => {
  const parser = (value: unknown) => ({ got: value });
  const { json } = serve(
    t.router({
      get: get("/x/{id}")
        .input(parser)
        .query(({ input }) => input),
      post: post("/x/{id}")
        .input(parser)
        .mutation(({ input }) => input),
    }),
  );
  expect(await json("/x/1?a=1&b=x&b=y&c[d]=e")).toEqual([
    200,
    { got: { a: "1", b: ["x", "y"], c: { d: "e" }, id: "1" } },
  ]);
  const init = { method: "POST", body: '{"a":1,"b":[null]}' };
  expect(await json("/x/1", init)).toEqual([200, { got: { a: 1, b: [null], id: "1" } }]);
});

test("another validator with a JSON Schema has its parameters in the document", async () => {
  const properties = { id: { type: "string" }, a: { type: "string" }, b: { type: "array" } };
  const schema = { type: "object", properties, required: ["id", "a"] };
  const parser = Object.assign((value: unknown) => ({ got: value }), {
    "~standard": {
      validate: (value: unknown) =>
        value ? { value: { got: value } } : { issues: [{ message: "Nothing" }] },
      jsonSchema: { input: () => schema },
    },
  });
  const { json } = serve(
    t.router({
      get: get("/x/{id}")
        .input(parser)
        .query(({ input }) => input),
      post: post("/x/{id}")
        .input(parser)
        .mutation(({ input }) => input),
    }),
  );
  expect(await json("/x/1?a=1&b=x&b=y")).toEqual([200, { got: { a: "1", b: ["x", "y"], id: "1" } }]);
  const [, document] = await json("/openapi.json");
  const parameters = [
    { name: "id", in: "path", required: true },
    { name: "a", in: "query", required: true },
    { name: "b", in: "query", required: false },
  ];
  const body = { requestBody: { required: true } };
  expect(document).toMatchObject({ paths: { "/x/{id}": { get: { parameters }, post: body } } });
});

test("a day that no month has is no date", async () => {
  const schema = z.object({ d: z.date() });
  const router = t.router({
    query: get("/d")
      .input(schema)
      .query(({ input }) => input),
    body: post("/d")
      .input(schema)
      .mutation(({ input }) => input),
  });
  const { json } = serve(router);
  const read = async (d: string) => [
    (await json(`/d?d=${encodeURIComponent(d)}`))[0],
    (await json("/d", { method: "POST", body: JSON.stringify({ d }) }))[0],
  ];
  for (const d of ["2026-02-29", "2026-04-31T10:00:00Z", "2026-00-10", "2026-01-00"])
    expect(await read(d)).toEqual([400, 400]);
  for (const d of ["2024-02-29", "2026-01-31T23:30:00-05:00", "2026-12-31"])
    expect(await read(d)).toEqual([200, 200]);
});

test("a number that is no integer is refused as a number", async () => {
  const router = t.router({
    read: get("/n")
      .input(z.object({ n: z.int().or(z.literal("1.25")) }))
      .query(({ input }) => input),
    only: get("/only")
      .input(z.object({ n: z.int() }))
      .query(({ input }) => input),
  });
  const { json } = serve(router);
  expect(await json("/n?n=1.25")).toEqual([200, { n: "1.25" }]);
  expect(await json("/only?n=1e2")).toEqual([200, { n: 100 }]);
  const error = expect.stringContaining("expected int, received number") as string;
  expect(await json("/only?n=1.5")).toMatchObject([400, { parameter: "n", error }]);
  expect(await json("/only?n=9007199254740993")).toMatchObject([400, { parameter: "n" }]);
});

test("several loose inputs together type the texts of all of them", async () => {
  const { json } = serve(
    t.router({
      both: get("/both")
        .input(z.looseObject({ a: z.number() }))
        .input(z.looseObject({ b: z.number(), c: z.array(z.boolean()) }))
        .query(({ input }) => input),
    }),
  );
  expect(await json("/both?a=1&b=2&c=1&d=3")).toEqual([200, { a: 1, b: 2, c: [true], d: "3" }]);
});

test("the JSON Schema of another validator types the texts of its parameters", async () => {
  const list = { type: "array", items: { type: "integer" } };
  const properties = {
    id: { type: "number" },
    list,
    large: { type: "integer" },
    pair: { type: "array", prefixItems: [{ type: "boolean" }, { type: "string" }], items: false },
    one: { enum: [1, "two"] },
    in: { type: "object", properties: { list }, additionalProperties: { type: "boolean" } },
    text: { type: "string" },
    either: { anyOf: [{ type: "number" }, { type: "null" }] },
  };
  const validate = (value: unknown) => ({ value });
  const parserOf = (schema: object) =>
    Object.assign((value: unknown) => value, {
      "~standard": { validate, jsonSchema: { input: () => schema } },
    });
  const rest = { type: "object", properties: { more: { type: "boolean" } } };
  const { json, warnings } = serve(
    t.router({
      get: get("/x/{id}")
        .input(parserOf({ allOf: [{ type: "object", properties }, rest] }))
        .query(({ input }) => input),
      text: get("/text")
        .input(parserOf({ type: "string" }))
        .query(({ input }) => input),
      untold: get("/untold")
        .input((value: unknown) => value)
        .query(({ input }) => input),
      // As zod 3 has it.
      old: get("/old")
        .input({ _def: { typeName: "ZodObject" }, parse: (value: unknown) => value })
        .query(({ input }) => input),
    }),
  );
  const query =
    "list=1&large=9007199254740993&pair=true&pair=1&one=1&in[list]=2&in[x]=0&text=1&either=1&more=1&other=1";
  expect(await json(`/x/1.5?${query}`)).toEqual([
    200,
    {
      id: 1.5,
      list: [1],
      large: "9007199254740993",
      pair: [true, "1"],
      one: 1,
      in: { list: [2], x: false },
      text: "1",
      either: 1,
      more: true,
      other: "1",
    },
  ]);
  expect(await json("/x/a?list=b&in=c")).toEqual([200, { id: "a", list: ["b"], in: "c" }]);
  expect(warnings).toEqual([
    "text is RPC only: REST has parameters by name, and its input is not an object",
    "REST passes parameters to untold as texts, and the document does not describe them: its validator has no JSON Schema",
    expect.stringMatching(/^REST passes parameters to old as texts, .* "zod\/v4" of zod 3\.25$/),
  ]);
});

test("the JSON Schema of another validator may have unions, references and what zod cannot check", async () => {
  const armOf = (kind: string, size: object) => ({
    type: "object",
    properties: { kind: { const: kind }, size },
    required: ["kind", "size"],
  });
  const tree = {
    type: "object",
    properties: { n: { type: "number" }, kids: { type: "array", items: { $ref: "#/$defs/tree" } } },
    required: ["n"],
  };
  const properties = {
    either: { anyOf: [{ type: "number" }, { const: "NaN" }, { type: "null" }] },
    odd: { type: "integer", not: { const: 2 } },
    rates: { type: "object", propertyNames: { type: "string" }, additionalProperties: { type: "number" } },
  };
  const schemas = {
    arms: { oneOf: [armOf("a", { type: "number" }), armOf("b", { type: "boolean" })] },
    tree: { $ref: "#/$defs/tree", $defs: { tree } },
    other: { type: "object", properties },
  };
  const routes = Object.entries(schemas).map(([name, schema]) => {
    const input = () => ({ ...schema, $schema: "https://json-schema.org/draft/2020-12/schema" });
    const standard = { validate: (value: unknown) => ({ value }), jsonSchema: { input } };
    const parser = Object.assign((value: unknown) => value, { "~standard": standard });
    const procedure = get(`/${name}`)
      .input(parser)
      .query((call) => call.input);
    return [name, procedure] as const;
  });
  const { json } = serve(t.router(Object.fromEntries(routes)));
  expect(await json("/arms?kind=b&size=1")).toEqual([200, { kind: "b", size: true }]);
  expect(await json("/arms?kind=a&size=1")).toEqual([200, { kind: "a", size: 1 }]);
  expect(await json("/tree?n=1&kids[0][n]=2")).toEqual([200, { n: 1, kids: [{ n: 2 }] }]);
  const values = { either: null, odd: 3, rates: { a: 1.5 } };
  expect(await json("/other?either=null&odd=3&rates[a]=1.5")).toEqual([200, values]);
  expect(await json("/other?either=NaN")).toEqual([200, { either: "NaN" }]);
});

test("the document bounds no integer, and has the body of a DELETE and the files of a form", async () => {
  const output = z.object({ degrees: z.int() });
  const gone = (body: string, path: `/${string}`) =>
    t.procedure
      .meta({ openapi: { method: "DELETE", path }, http: { body } })
      .input(z.object({ ids: z.array(z.number()) }))
      .output(output)
      .mutation(() => ({ degrees: -1 }));
  const files = z.object({ files: z.array(z.file()), n: z.number().optional() });
  const { json } = serve(
    t.router({
      json: gone("json", "/json"),
      fields: gone("fields", "/fields"),
      files: post("/files")
        .input(files)
        .mutation(() => 1),
    }),
  );
  const [, document] = await json("/openapi.json");
  const body = (name: string) => ({
    required: true,
    content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  const binary = { type: "string", format: "binary" };
  expect(document).toMatchObject({
    paths: {
      "/json": { delete: { requestBody: body("JsonInput"), parameters: [] } },
      "/fields": { delete: { requestBody: body("FieldsInput"), parameters: [] } },
      "/files": { post: { parameters: [{ name: "n" }] } },
    },
    components: {
      schemas: {
        JsonInput: { required: ["ids"] },
        FieldsInput: { required: ["ids"] },
        FilesForm: { properties: { files: { type: "array", items: binary } }, required: ["files"] },
      },
    },
  });
  const { components } = document as { components: { schemas: Record<string, unknown> } };
  expect(components.schemas.JsonResult).toEqual(
    expect.objectContaining({ properties: { degrees: { type: "integer" } } }),
  );
});

test("what a raw file cannot come with is in the form alone, in the document too", async () => {
  const upload = (path: `/${string}`, input: z.ZodObject) =>
    post(path)
      .input(input)
      .mutation(() => 1);
  const file = z.file();
  const n = z.number();
  const { json } = serve(
    t.router({
      two: upload("/two", z.object({ file, other: file, n })),
      about: upload("/about/{id}", z.object({ id: z.string(), file, about: z.object({ n }), n })),
      plain: upload(
        "/plain",
        z.object({ file, other: file.optional(), n, about: z.object({ n }).optional() }),
      ),
      picture: upload("/picture", z.object({ file: file.mime(["image/png", "image/jpeg"]) })),
      tables: upload("/tables", z.object({ files: z.array(file.mime("text/csv")) })),
    }),
  );
  const [, document] = await json("/openapi.json");
  const { paths, components } = document as {
    paths: Record<string, { post: { parameters: { name: string }[]; requestBody: { content: object } } }>;
    components: { schemas: Record<string, { properties: object; required: string[] }> };
  };
  const told = (path: string, name: string) => [
    paths[path]?.post.parameters.map((each) => each.name),
    Object.keys(paths[path]?.post.requestBody.content ?? {}),
    components.schemas[name]?.required,
  ];
  const form = "multipart/form-data";
  expect(told("/two", "TwoInput")).toEqual([[], [form], ["file", "other", "n"]]);
  expect(told("/about/{id}", "AboutInput")).toEqual([["id"], [form], ["file", "about", "n"]]);
  expect(Object.keys(components.schemas.AboutInput?.properties ?? {})).toEqual(["file", "about", "n"]);
  const both = ["application/octet-stream", form];
  expect(told("/plain", "PlainForm")).toEqual([["n", "about"], both, ["file"]]);
  // What the schema refuses is not told as what it takes.
  expect(told("/picture", "PictureForm")[1]).toEqual(["image/png", "image/jpeg", form]);
  expect(told("/tables", "TablesForm")[1]).toEqual(["text/csv", form]);
});

test("an error of ArkType names its parameter", async () => {
  // As arktype 2.2 throws it (TraversalError).
  const parser = () => {
    const arkErrors = [{ path: ["in", 0], message: "in[0] must be a number (was missing)" }];
    throw Object.assign(new Error("in[0] must be a number (was missing)"), { arkErrors });
  };
  const { json } = serve(
    t.router({
      get: get("/x")
        .input(parser as (input: unknown) => unknown)
        .query(({ input }) => input),
    }),
  );
  expect(await json("/x?in=1")).toMatchObject([
    400,
    {
      code: "invalid_parameter",
      parameter: "in.0",
      in: "query",
      error: expect.stringContaining('"in.0": in[0]'),
    },
  ]);
});

test("JSON has dates, big integers, sets and maps as text, and answers them so", async () => {
  const schema = z.object({
    d: z.date(),
    i: z.bigint(),
    s: z.set(z.number()),
    m: z.map(z.string(), z.date()),
  });
  const { json } = serve(
    t.router({
      typed: post("/typed")
        .input(schema)
        .output(schema)
        .mutation(({ input }) => input),
      untyped: post("/untyped")
        .input(schema)
        .mutation(({ input }) => input),
    }),
  );
  const date = "2026-01-31T10:00:00.000Z";
  const body = { d: date, i: "12345678901234567890", s: [1, 2], m: { a: date } };
  const init = { method: "POST", body: JSON.stringify(body) };
  expect(await json("/typed", init)).toEqual([200, body]);
  expect(await json("/untyped", init)).toEqual([200, body]);
});

test("names in the query of a procedure without an input are told", async () => {
  const { request } = serve(t.router({ all: get("/all").query(() => []) }));
  const warning = async (query: string) => {
    const response = await request(`/all${query}`);
    return [response.status, response.headers.get("warning")];
  };
  expect(await warning("")).toEqual([200, null]);
  expect(await warning("?page=2&page=3")).toEqual([
    200,
    '299 - "The parameter page is not known and was ignored"',
  ]);
});

test("a Buffer in a result is base64, as all bytes are", async () => {
  const buffer = Buffer.from("hi");
  const { json } = serve(
    t.router({
      untyped: get("/untyped").query(() => ({
        icon: buffer,
        all: [buffer],
        sizes: new Map([["a", buffer]]),
      })),
      typed: get("/typed")
        .output(z.object({ icon: z.instanceof(Uint8Array) }))
        .query(() => ({ icon: buffer })),
      whole: get("/whole").query(() => buffer),
    }),
  );
  expect(await json("/untyped")).toEqual([200, { icon: "aGk=", all: ["aGk="], sizes: { a: "aGk=" } }]);
  expect(await json("/typed")).toEqual([200, { icon: "aGk=" }]);
  expect(await json("/whole")).toEqual([200, "aGk="]);
});

test("a result is written as what its schema makes of it", async () => {
  const read = { decode: (text: string) => new TextEncoder().encode(text), encode: String };
  const { json } = serve(
    t.router({
      made: get("/made")
        .output(
          z.object({
            tags: z.string().transform((text) => new Set(text.split(","))),
            counts: z.record(z.string(), z.number()).transform((counts) => new Map(Object.entries(counts))),
            data: z.codec(z.string(), z.instanceof(Uint8Array), read),
            sum: z.coerce.bigint(),
            late: z.string().transform((text) => ({ soon: new Set([text]) })),
          }),
        )
        .query(() => ({ tags: "a,b", counts: { a: 1 }, data: "a", sum: 5, late: "c" })),
    }),
  );
  const made = { tags: ["a", "b"], counts: { a: 1 }, data: "YQ==", sum: "5", late: { soon: ["c"] } };
  expect(await json("/made")).toEqual([200, made]);
});

test("the document types what the schema of a result makes", async () => {
  const total = z.codec(z.number(), z.bigint(), { decode: BigInt, encode: Number });
  const at = z.codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: String });
  const result = z.object({ total, at });
  const { json } = serve(
    t.router({
      sum: get("/sum")
        .output(result)
        .query(() => ({ total: 5, at: "2026-01-31T10:00:00Z" })),
    }),
  );
  expect(await json("/sum")).toEqual([200, { total: "5", at: "2026-01-31T10:00:00.000Z" }]);
  const properties = {
    total: { type: "string", pattern: "^-?[0-9]+$" },
    at: { type: "string", format: "date-time" },
  };
  const [, document] = await json("/openapi.json");
  expect(document).toMatchObject({ components: { schemas: { SumResult: { properties } } } });
});

test("the document allows what JSON makes of a result: of a transform, and of undefined", async () => {
  const day = z.date().transform((date) => date.toISOString().slice(0, 10));
  const { json } = serve(
    t.router({
      made: t.procedure
        .meta({ openapi: { method: "GET", path: "/made/{id}" } })
        .input(z.object({ id: z.string().describe("Its id"), at: z.date() }))
        .output(
          z.object({
            day,
            maybe: day.optional(),
            gone: z.undefined(),
            frozen: z.undefined().readonly(),
            orNull: z.undefined().nullable(),
            either: z.string().or(z.undefined()),
            rest: z.unknown(),
            list: z.array(z.string().optional()).describe("Some"),
            pair: z.tuple([z.string().nullish(), z.date().optional()]),
          }),
        )
        .query(({ input: { at } }) => ({
          day: at,
          maybe: undefined,
          gone: undefined,
          frozen: undefined,
          orNull: undefined,
          either: undefined,
          rest: undefined,
          list: ["a", undefined],
          pair: [undefined, undefined] as [undefined, undefined],
        })),
      nothing: get("/nothing")
        .output(z.string().nullish())
        .query(() => undefined),
    }),
  );
  const written = { day: "2026-01-02", list: ["a", null], pair: [null, null] };
  expect(await json("/made/x?at=2026-01-02")).toEqual([200, written]);
  const [, document] = await json("/openapi.json");
  const { components, paths } = Object(document);
  expect(components.schemas.MadeResult).toMatchObject({
    required: ["day", "list", "pair"],
    properties: {
      list: { description: "Some", items: { anyOf: [{ type: "string" }, { type: "null" }] } },
      pair: {
        prefixItems: [
          { type: ["string", "null"] },
          { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
        ],
      },
    },
  });
  expect(components.schemas.MadeResult.properties.day).toEqual({});
  expect(components.schemas.MadeResult.properties.maybe).toEqual({});
  expect(components.schemas.MadeResult.properties.list.items.anyOf).toHaveLength(2);
  const { parameters } = paths["/made/{id}"].get;
  expect(parameters[0]).toMatchObject({ name: "id", in: "path", description: "Its id" });
  const answer = { content: { "application/json": { schema: { type: ["string", "null"] } } } };
  expect(paths["/nothing"].get.responses["200"]).toMatchObject(answer);
});

test("the document allows null for undefined in every kind of list, and no key for it in a record", async () => {
  const word = z.string().optional();
  const { json } = serve(
    t.router({
      lists: get("/lists")
        .output(
          z.object({
            first: word,
            list: z.array(word),
            pair: z.tuple([word], word),
            set: z.set(word),
            map: z.map(z.number(), word),
            record: z.record(z.enum(["a", "b"]), word),
          }),
        )
        .query(() => ({
          list: [undefined],
          pair: [undefined, undefined] as [undefined, undefined],
          set: new Set([undefined]),
          map: new Map([[1, undefined]]),
          record: { a: undefined, b: "x" },
        })),
    }),
  );
  const written = { list: [null], pair: [null, null], set: [null], map: [[1, null]], record: { b: "x" } };
  expect(await json("/lists")).toEqual([200, written]);
  const [, document] = await json("/openapi.json");
  const { list, pair, set, map, record } = Object(document).components.schemas.ListsResult.properties;
  const orNull = { anyOf: [{ type: "string" }, { type: "null" }] };
  expect([list.items, pair.items, set.items]).toEqual([orNull, orNull, orNull]);
  expect([pair.prefixItems, map.anyOf[0].items.prefixItems[1]]).toEqual([[orNull], orNull]);
  expect(record).not.toHaveProperty("required");
});

test("the document has no formats that only zod knows", async () => {
  const word = z.string().startsWith("a").endsWith("z").includes("b").lowercase();
  const schema = z.object({ word, mail: z.email(), loud: z.string().uppercase() });
  const { json } = serve(
    t.router({
      say: post("/say")
        .input(schema)
        .output(schema)
        .mutation(({ input }) => input),
      ask: get("/ask")
        .input(schema)
        .query(({ input }) => input),
    }),
  );
  const [, document] = await json("/openapi.json");
  const formats = [...JSON.stringify(document).matchAll(/"format":"(\w+)"/g)].map(([, format]) => format);
  expect(formats.filter((format) => format !== "email" && format !== "uuid")).toEqual([]);
  expect(Object(document).components.schemas.SayInput.properties.loud).toEqual({
    type: "string",
    pattern: "^[^a-z]*$",
  });
});

test("any JSON is any value in the document, and what only seems so is what it is", async () => {
  const literal = z.union([z.string(), z.number(), z.boolean(), z.null()]);
  const own: z.ZodType = z.lazy(() => z.union([literal, z.array(own), z.record(z.string(), own)]));
  const short: z.ZodType = z.lazy(() =>
    z.union([literal, z.array(short), z.record(z.string().max(3), short)]),
  );
  const schema = z.object({ data: z.json(), own, short });
  const { json } = serve(
    t.router({
      keep: post("/keep")
        .input(schema)
        .mutation(({ input }) => input),
    }),
  );
  const sent = { data: [{ a: [null] }], own: { b: [1] }, short: { c: "d" } };
  expect(await json("/keep", { method: "POST", body: JSON.stringify(sent) })).toEqual([200, sent]);
  const [, document] = await json("/openapi.json");
  const { Schema, Schema2, Schema3 } = Object(document).components.schemas;
  expect([Schema, Schema2]).toEqual([{}, {}]);
  expect(Schema3.anyOf).toHaveLength(3);
});

test("a big integer that is one of a few values is digits, too", async () => {
  const schema = z.object({ one: z.literal(5n), either: z.literal([6n, "x"]) });
  const server = serve(
    t.router({
      chosen: post("/chosen")
        .input(schema)
        .output(schema)
        .mutation(({ input }) => input),
    }),
  );
  const init = (body: object) => ({ method: "POST", body: JSON.stringify(body) });
  expect(await server.json("/chosen", init({ one: "5", either: 6 }))).toEqual([
    200,
    { one: "5", either: "6" },
  ]);
  expect(await server.json("/chosen", init({ one: 5, either: "x" }))).toEqual([
    200,
    { one: "5", either: "x" },
  ]);
  expect((await server.json("/chosen", init({ one: "6", either: "x" })))[0]).toBe(400);
  const [, document] = await server.json("/openapi.json");
  const properties = { one: { enum: ["5"] }, either: { enum: ["6", "x"] } };
  const schemas = { ChosenInput: { properties }, ChosenResult: { properties } };
  expect(document).toMatchObject({ components: { schemas } });
});

test("a fault of the server is never told as one of the caller, and is told once", async () => {
  const inner = z.object({ secretColumn: z.string() });
  const { json, errors, request } = serve(
    t.router({
      output: get("/output")
        .output(inner)
        .query(() => ({}) as never),
      thrown: get("/thrown").query(() => inner.parse({})),
      asked: get("/asked").query(() => {
        throw new TRPCError({ code: "BAD_REQUEST", message: "Ask otherwise" });
      }),
    }),
  );
  for (const path of ["/output", "/thrown", "/trpc/output", "/trpc/thrown"]) {
    errors.length = 0;
    const response = await request(path);
    expect([path, response.status, errors.length]).toEqual([path, 500, 1]);
    expect(await response.text()).not.toContain("secretColumn");
  }
  expect(await json("/asked")).toMatchObject([400, { code: "bad_request", error: "Ask otherwise" }]);
});

test("a context that cannot be made is told once, and paths without a procedure need none", async () => {
  const { json, errors } = serve(t.router({ x: get("/x").query(() => 1) }), {
    createContext: () => {
      throw new Error("the database is away");
    },
  });
  expect((await json("/openapi.json"))[0]).toBe(200);
  expect((await json("/nowhere"))[0]).toBe(404);
  expect(errors).toEqual([]);
  for (const path of ["/x", "/trpc/x"]) {
    errors.length = 0;
    const [status, body] = await json(path);
    expect([status, errors.length]).toEqual([500, 1]);
    expect(JSON.stringify(body)).not.toContain("database");
  }
});

test("a batch has no limit but the one that is set", async () => {
  const router = t.router({ x: t.procedure.input(z.number()).query(({ input }) => input) });
  const many = (options?: Options) => {
    const { server } = serve(router, options);
    const fetch = (url: string | URL | Request, init?: RequestInit) => server.fetch(new Request(url, init));
    const client = createTRPCClient<typeof router>({
      links: [httpBatchLink({ url: "http://any.test/trpc", fetch: fetch as never })],
    });
    return Promise.all(Array.from({ length: 25 }, (_, i) => client.x.query(i)));
  };
  expect(await many()).toHaveLength(25);
  await expect(many({ maxBatchSize: 5 })).rejects.toThrow();
});

test("connection parameters and what tRPC knows of a call reach the context", async () => {
  const seen: unknown[] = [];
  const { request } = serve(t.router({ x: t.procedure.query(() => 1) }), {
    createContext: ({ info }) => {
      seen.push(
        info?.connectionParams,
        info?.calls.map(({ path }) => path),
      );
      return {};
    },
  });
  await request(`/trpc/x?connectionParams=${encodeURIComponent('{"token":"a"}')}`);
  expect(seen).toEqual([{ token: "a" }, ["x"]]);
});

test("a query may come as a POST where that is allowed", async () => {
  const router = t.router({ x: t.procedure.input(z.number()).query(({ input }) => input) });
  const call = async (options: Options) =>
    (
      await serve(router, options).json("/trpc/x", {
        method: "POST",
        body: "5",
        headers: { "content-type": "application/json" },
      })
    )[0];
  expect([await call({}), await call({ allowMethodOverride: true })]).toEqual([405, 200]);
});

test("a link with a wrong base path is told so in words that it understands", async () => {
  const router = t.router({ x: t.procedure.query(() => 1), y: t.procedure.mutation(() => 1) });
  for (const [link, asked, basePath] of [
    [httpLink, "/api/trpc"],
    [httpBatchLink, "/api/trpc"],
    [httpLink, "/trpc", "/api"],
  ] as const) {
    const { server } = serve(router, basePath && { basePath });
    const fetch = ((url: string, init?: RequestInit) => server.fetch(new Request(url, init))) as never;
    const client = createTRPCClient<typeof router>({
      links: [link({ url: `http://any.test${asked}`, fetch })],
    });
    for (const call of [() => client.x.query(), () => client.y.mutate()])
      await expect(call()).rejects.toThrow(`RPC is at ${basePath ?? ""}/trpc`);
  }
});

test("a procedure that is switched off is not served over REST", async () => {
  const { json } = serve(
    t.router({
      off: t.procedure.meta({ openapi: { method: "GET", path: "/off", enabled: false } }).query(() => 1),
    }),
  );
  expect((await json("/off"))[0]).toBe(404);
  expect((await json("/trpc/off"))[0]).toBe(200);
  expect(Object.keys(Object((await json("/openapi.json"))[1]).paths)).toEqual([]);
});

test("lazy routers are there from the first request on, over REST, RPC and in the document", async () => {
  const inner = t.router({ x: get("/inner").query(() => "inner") });
  const middle = t.router({ deep: lazy(async () => inner) });
  const make = () => t.router({ a: get("/a").query(() => "a"), slow: lazy(async () => middle) });
  expect(await serve(make()).json("/inner")).toEqual([200, "inner"]);
  expect((await serve(make()).json("/trpc/slow.deep.x"))[0]).toBe(200);
  const [, document] = await serve(make()).json("/openapi.json");
  expect(Object.keys(Object(document).paths)).toEqual(["/a", "/inner"]);
  const broken = serve(
    t.router({ a: get("/a").query(() => "a"), gone: lazy(() => Promise.reject(new Error("lost"))) }),
  );
  expect(await broken.json("/a")).toEqual([200, "a"]);
  expect(broken.warnings).toEqual([expect.stringContaining('"gone"')]);
});

test("what cannot work stops the start, with the name of the procedure", () => {
  const at = (path: `/${string}`) => get(path).query(() => 1);
  const start = (router: ReturnType<typeof t.router>, options?: object) => () =>
    serve(router, options as Options);
  expect(start(t.router({ a: at("/x/{id}") }))).toThrow("a has {id}");
  expect(start(t.router({ a: at("/x"), b: at("/x") }))).toThrow("a and b");
  const named = (name: string) =>
    get(`/x/{${name}}`)
      .input(z.object({ [name]: z.string() }))
      .query(() => 1);
  expect(start(t.router({ a: named("id"), b: named("name") }))).toThrow("a and b");
  expect(start(t.router({ a: at("/x") }), { endpoint: "/rpc" })).toThrow('no option "endpoint"');
  expect(start(t.router({ a: at("/x") }), { rpcPath: "rpc/" })).toThrow("rpcPath");
  expect(start(t.router({ a: at("/x") }), { createContext: undefined })).toThrow("createContext");
  const odd = t.procedure.meta({
    openapi: { method: "GET", path: "/x" },
    http: { body: "xml", result: "json" },
  });
  expect(start(t.router({ a: odd.query(() => 1) }))).toThrow(
    /^meta\.http\.body of a is "xml" but must be one of .*fields/,
  );
  const colon = get("/x/:id").input(z.object({ id: z.string() }));
  expect(start(t.router({ a: colon.query(() => 1) }))).toThrow("a has :id; write {id}");
  const pathless = t.procedure.meta(JSON.parse('{"openapi":{"method":"GET"}}'));
  expect(start(t.router({ a: pathless.query(() => 1) }))).toThrow("of a has no path");
  const http = { status: 999, lists: "commas", unknwon: "warn", compressed: "yes" };
  for (const [name, value] of Object.entries(http)) {
    const wrong = t.procedure.meta({ openapi: { method: "GET", path: "/x" }, http: { [name]: value } });
    expect(start(t.router({ a: wrong.query(() => 1) }))).toThrow(new RegExp(`meta\\.http.*${name}`));
  }
  const texts = t.procedure.meta({
    openapi: { method: "GET", path: "/x" },
    http: { text: { field: "b", by: "raw" } },
  });
  expect(start(t.router({ a: texts.output(z.object({ c: z.string() })).query(() => ({ c: "" })) }))).toThrow(
    'names "b", which its result lacks',
  );
  const about = { info: { title: "", version: "" } };
  for (const openApi of [true, { path: "/o" }, { path: "o", ...about }])
    expect(start(t.router({ a: at("/x") }), { openApi })).toThrow("openApi must be like");
  const openApi = { path: "/openapi.json" as const, info: { title: "x", version: "1" }, basUrl: "/" };
  expect(start(t.router({ a: at("/x") }), { openApi })).toThrow('openApi has no option "basUrl"');
  expect(start(t.router({ a: at("/x") }), { cors: "https://a.test" })).toThrow("cors must be");
  const older = { _def: { router: true, procedures: {}, record: {}, _config: {} } };
  for (const router of [older, at("/x"), undefined])
    expect(start(Object(router))).toThrow("needs a router of tRPC 11");
  expect(start(t.router({ a: at("/x/{id") }))).toThrow('"/x/{id" of a has a brace without its pair');
});

test("a file where none can be sent stops the start, or is told where it need not be sent", () => {
  const start = (meta: AdapterMeta, input: z.ZodObject) => {
    const procedure = t.procedure.meta(meta).input(input);
    return serve(t.router({ a: procedure.mutation(() => 1) })).warnings;
  };
  const openapi = (method: "GET" | "POST" | "DELETE") => ({ method, path: "/x" }) as const;
  const file = z.object({ file: z.file() });
  expect(() => start({ openapi: openapi("GET") }, file)).toThrow(/"none" of a .*"file"; POST, PUT and PATCH/);
  expect(() => start({ openapi: openapi("DELETE") }, file)).toThrow('"none" of a carries no file');
  expect(() => start({ openapi: openapi("POST"), http: { body: "json" } }, file)).toThrow('"json" of a');
  expect(() => start({ openapi: openapi("GET"), http: { body: "file" } }, file)).toThrow("a GET has none");
  expect(start({ openapi: openapi("GET") }, file.partial())).toEqual([
    'The body "none" of a carries no file, and its input has one',
  ]);
  expect(start({ openapi: openapi("POST") }, z.object({ in: file }))).toHaveLength(1);
  const asFile = { openapi: openapi("POST"), http: { body: "file" } } as const;
  expect(() => start(asFile, z.object({ page: z.number() }))).toThrow('"file" of a carries a file, and its');
  const deep = z.object({ page: z.object({ file: z.file() }) });
  expect(() => start(asFile, deep)).toThrow("its input has none but inside other values");
  expect(start(asFile, z.object({ file: z.custom<File>() }))).toEqual([]);
  const misspelt = { ...openapi("POST"), sumary: "x" };
  expect(start({ openapi: misspelt }, file)).toEqual([
    'meta.openapi of a has the unknown field "sumary", which has no effect',
  ]);
  expect(start({ openapi: openapi("POST") }, file)).toEqual([]);
});

test("a limit that is no number stops the start, or else the call", async () => {
  const router = t.router({
    size: post("/size")
      .input(z.object({ text: z.string() }))
      .mutation(({ input }) => input.text.length),
  });
  for (const name of ["maxBodyBytes", "maxBatchSize", "maxJsonValues", "maxStreams"])
    for (const limit of [NaN, -1, "1mb"])
      expect(() => serve(router, { [name]: limit } as Options)).toThrow(`${name} must be a number`);
  const { json, errors } = serve(router, { maxBodyBytes: () => NaN });
  expect((await json("/size", { method: "POST", body: '{"text":"a"}' }))[0]).toBe(500);
  expect(errors).toHaveLength(1);
});

test("schemas with a name, and those that hold themselves, are components that exist", async () => {
  const Tree = z.object({
    label: z.string(),
    get inner() {
      return z.array(Tree).optional();
    },
  });
  const Filter = z.object({ since: z.date().optional() }).meta({ id: "Filter" });
  const { json } = serve(
    t.router({
      plant: post("/trees")
        .input(Tree)
        .output(Tree)
        .mutation(({ input }) => input),
      find: get("/trees")
        .input(z.object({ filter: Filter, limit: z.int() }))
        .query(({ input }) => input),
    }),
  );
  const [, document] = await json("/openapi.json");
  const { paths, components } = Object(document);
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)];
  for (const [, name = ""] of references) expect(Object.keys(components.schemas)).toContain(name);
  expect(JSON.stringify(document)).not.toContain("$defs");
  expect(paths["/trees"].get.parameters).toMatchObject([
    { name: "filter", in: "query", required: true, style: "deepObject" },
    { name: "limit", required: true, schema: { type: "integer" } },
  ]);
  expect(components.schemas.Filter).toMatchObject({ properties: { since: { format: "date-time" } } });
  const tree = { label: "a", inner: [{ label: "b" }] };
  const init = { method: "POST", body: JSON.stringify(tree) };
  expect(await json("/trees", init)).toEqual([200, tree]);
  expect((await json("/trees?filter[since]=2026-01-01&limit=3"))[0]).toBe(200);
});

test("every object in a body has a name, also as an arm, a part or an item of a tuple", async () => {
  const armOf = (kind: string) => z.object({ kind: z.literal(kind), at: z.object({ x: z.number() }) });
  const point = z.object({ y: z.number() });
  const input = z.object({
    any: z.union([armOf("a"), z.number()]),
    one: z.discriminatedUnion("kind", [armOf("b"), armOf("c")]),
    all: z.intersection(z.object({ l: point }), z.record(z.string(), point)),
    two: z.tuple([z.object({ z: z.number() }), z.string()]),
  });
  const { json } = serve(
    t.router({
      draw: post("/draw")
        .input(input)
        .mutation(() => 1),
    }),
  );
  const [, document] = await json("/openapi.json");
  const { schemas } = Object(document).components;
  expect(Object.keys(schemas).filter((name) => name.startsWith("DrawInput"))).toEqual([
    "DrawInputAnyAt",
    "DrawInputAny",
    "DrawInputOneAt",
    "DrawInputOne",
    "DrawInputOne2",
    "DrawInputAllL",
    "DrawInputAll",
    "DrawInputAll2",
    "DrawInputTwo",
    "DrawInput",
  ]);
  const { one, two } = schemas.DrawInput.properties;
  const named = (name: string) => ({ $ref: `#/components/schemas/DrawInput${name}` });
  expect(one).toEqual({ oneOf: [named("One"), named("One2")] });
  expect(two).toMatchObject({ prefixItems: [named("Two"), { type: "string" }] });
});

test("schemas of other routers change no name in a document", async () => {
  for (const key of ["weight", "length", "weight"]) {
    const parcel = z.object({ [key]: z.number() }).meta({ id: "Parcel" });
    const other = z.object({ other: z.string() }).meta({ id: "Parcel" });
    const call = (path: `/${string}`, input: z.ZodType) =>
      post(path)
        .input(z.object({ input }))
        .mutation(() => "a");
    const router = t.router({ first: call("/first", parcel), second: call("/second", other) });
    const [, document] = await serve(router).json("/openapi.json");
    const { Parcel, Parcel2, ...more } = Object(document).components.schemas;
    expect([Parcel, Parcel2]).toMatchObject([{ properties: { [key]: {} } }, { properties: { other: {} } }]);
    expect(Object.keys(more).filter((name) => name.startsWith("Parcel"))).toEqual([]);
  }
});

test("a schema of many that all refer to each other is read a few times, and not once for each", async () => {
  const count = 100;
  let read = 0;
  const model = (i: number) => ({
    type: "object",
    get description() {
      read++;
      return `The model ${i}`;
    },
    properties: { next: { $ref: `#/$defs/Linked${(i + 1) % count}` } },
  });
  const $defs = Object.fromEntries(Array.from({ length: count }, (_, i) => [`Linked${i}`, model(i)]));
  const input = () => ({ type: "object", properties: { first: { $ref: "#/$defs/Linked0" } }, $defs });
  const parser = Object.assign((value: unknown) => value, { "~standard": { jsonSchema: { input } } });
  const link = post("/link")
    .input(parser)
    .mutation(() => "a");
  const [status, document] = await serve(t.router({ link })).json("/openapi.json");
  expect(status).toBe(200);
  expect(read).toBeLessThan(20 * count);
  const { schemas } = Object(document).components;
  expect(schemas.Linked99.properties.next).toEqual({ $ref: "#/components/schemas/Linked0" });
});

test("two schemas that are called the same, or as no component may be, are two components", async () => {
  const user = z.object({ name: z.string() }).meta({ id: "User" });
  const other = z.object({ size: z.int() }).meta({ id: "User" });
  const named = z.object({ a: z.date() }).meta({ id: "A <b>/c" });
  const titled = z.object({ text: z.string() }).meta({ title: "What is said" });
  const error = z.object({ why: z.string() }).meta({ id: "ErrorBody" });
  // As Valibot 1.5 counts them.
  const counted = (properties: object) => {
    const tree = { type: "object", properties: { ...properties, of: { $ref: "#/$defs/0" } } };
    const standard = { jsonSchema: { input: () => ({ ...tree, $defs: { 0: tree } }) } };
    return Object.assign((value: unknown) => value, { "~standard": standard });
  };
  const schemas = {
    user: z.object({ in: user }),
    other: z.object({ in: other }),
    named: z.object({ in: named, titled, "größer als": z.object({ n: z.int() }) }),
    error: z.object({ in: error }),
  };
  const parsers = {
    ...schemas,
    first: counted({ x: { type: "number" } }),
    second: counted({ y: { type: "string" } }),
  };
  const routes = Object.entries(parsers).map(([name, parser]) => {
    const output = name === "user" ? user : name === "other" ? other : z.unknown();
    const procedure = post(`/${name}`)
      .input(parser)
      .output(output)
      .mutation(() => null as never);
    return [name, procedure] as const;
  });
  const [status, document] = await serve(t.router(Object.fromEntries(routes))).json("/openapi.json");
  expect(status).toBe(200);
  const { paths, components } = Object(document);
  expect(Object.keys(components.schemas).filter((name) => !/^[\w.-]+$/.test(name))).toEqual([]);
  const follow = (schema: { $ref?: string }) =>
    components.schemas[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;
  const bodyOf = (name: string) =>
    follow(paths[`/${name}`].post.requestBody.content["application/json"].schema);
  const answerOf = (name: string) =>
    follow(paths[`/${name}`].post.responses[200].content["application/json"].schema);
  const inside = (name: string, key = "in") => Object.keys(follow(bodyOf(name).properties[key]).properties);
  expect(["user", "other", "named", "error"].map((name) => inside(name))).toEqual([
    ["name"],
    ["size"],
    ["a"],
    ["why"],
  ]);
  expect(bodyOf("user").properties.in).toEqual({ $ref: "#/components/schemas/User" });
  expect(["user", "other"].map((name) => Object.keys(answerOf(name).properties))).toEqual([
    ["name"],
    ["size"],
  ]);
  expect(follow(bodyOf("named").properties.titled)).toMatchObject({ title: "What is said" });
  expect([inside("first", "of"), inside("second", "of")]).toEqual([
    ["x", "of"],
    ["y", "of"],
  ]);
  expect(components.schemas.ErrorBody.required).toContain("requestId");
});

test("examples, defaults and bounds that JSON has no type for are told as they are sent", async () => {
  const input = z.object({
    large: z.bigint().default(7n),
    sizes: z.set(z.bigint()).default(new Set([1n])),
    rates: z.map(z.string(), z.number()).meta({ examples: [new Map([["a", 1]])] }),
    shown: z.bigint().meta({ examples: [5n] }),
    open: z.number().min(-Infinity).max(Infinity),
  });
  const plain = z.object({ open: z.number().max(Infinity) });
  const { json, warnings } = serve(
    t.router({
      get: get("/get")
        .input(input)
        .query(() => 1),
      plain: get("/plain")
        .input(plain)
        .output(plain)
        .query(({ input: given }) => given),
    }),
  );
  expect(warnings).toEqual([]);
  const { paths } = Object((await json("/openapi.json"))[1]);
  const [large, sizes, rates, shown, open] = paths["/get"].get.parameters;
  expect([large, sizes, rates, shown].map(({ required }) => required)).toEqual([false, false, true, true]);
  expect([large.schema.default, sizes.schema.default]).toEqual(["7", ["1"]]);
  expect([rates.schema.examples, shown.schema.examples]).toEqual([[{ a: 1 }], ["5"]]);
  expect([open.schema, paths["/plain"].get.parameters[0].schema]).toEqual([
    { type: "number" },
    { type: "number" },
  ]);
});

test("no default is told that a function makes anew for each call", async () => {
  const input = z.object({
    id: z.string().default(() => crypto.randomUUID()),
    at: z.date().default(() => new Date()),
    text: z.string().prefault(() => new Date().toISOString()),
    since: z.number().default(() => Date.now()),
    odds: z.array(z.number()).default(() => [Math.random()]),
    day: z.date().default(new Date(0)),
    sizes: z.array(z.number()).default(() => [1]),
    bare: z.array(z.unknown()).default([Object.create(null)]),
    word: z.string().prefault("a"),
  });
  const { json } = serve(
    t.router({
      get: get("/get")
        .input(input)
        .query(() => 1),
    }),
  );
  const { paths } = Object((await json("/openapi.json"))[1]);
  const told: Array<{ name: string; schema: { default?: unknown } }> = paths["/get"].get.parameters;
  expect(told.map(({ name, schema }) => [name, schema.default])).toEqual([
    ["id", undefined],
    ["at", undefined],
    ["text", undefined],
    ["since", undefined],
    ["odds", undefined],
    ["day", "1970-01-01T00:00:00.000Z"],
    ["sizes", [1]],
    ["bare", [{}]],
    ["word", "a"],
  ]);
});

test("no body of the document has what is in the path, whatever the input is put together of", async () => {
  const id = z.string();
  const circle = z.object({ id, kind: z.literal("circle"), radius: z.number() }).meta({ id: "Circle" });
  const square = z.object({ id, kind: z.literal("square"), side: z.number() });
  const shape = z.discriminatedUnion("kind", [circle, square]);
  const { json } = serve(
    t.router({
      one: post("/one/{id}")
        .input(shape)
        .mutation(({ input }) => input),
      several: post("/several/{id}")
        .input(z.object({ id }))
        .input(z.union([z.object({ a: z.number() }), z.object({ b: z.date() })]))
        .mutation(({ input }) => input),
      wrapped: post("/wrapped/{id}")
        .input(z.lazy(() => shape.and(z.object({ id, note: z.string() }))))
        .mutation(({ input }) => input),
    }),
  );
  const [, document] = await json("/openapi.json");
  const { paths, components } = Object(document);
  for (const path of ["/one/{id}", "/several/{id}", "/wrapped/{id}"]) {
    const { parameters, requestBody } = paths[path].post;
    expect(parameters).toMatchObject([{ name: "id", in: "path", required: true }]);
    const { schema } = requestBody.content["application/json"];
    const refersTo = /#\/components\/schemas\/([^"]+)/g;
    const inside = [...JSON.stringify(schema).matchAll(refersTo)].map(
      ([, name = ""]) => components.schemas[name],
    );
    expect(JSON.stringify([schema, inside])).not.toContain('"id"');
  }
  const init = { method: "POST", body: JSON.stringify({ kind: "circle", radius: 1 }) };
  expect(await json("/one/a", init)).toEqual([200, { id: "a", kind: "circle", radius: 1 }]);
});

test("the document types sets and maps as they are read and answered", async () => {
  const Node: z.ZodType = z.map(
    z.string(),
    z.lazy(() => Node),
  );
  const parser = z.object({
    tags: z.set(z.enum(["a", "b"])),
    sums: z.map(z.string(), z.bigint()),
    pairs: z.map(z.number(), z.set(z.date())),
    node: Node.optional(),
  });
  const { json } = serve(
    t.router({
      keep: post("/keep")
        .input(parser)
        .output(parser)
        .mutation(({ input }) => input),
      look: get("/look")
        .input(parser)
        .query(({ input }) => input),
    }),
  );
  const [, document] = await json("/openapi.json");
  const { KeepInput, KeepResult } = Object(document).components.schemas;
  const digits = { type: "string", pattern: "^-?[0-9]+$" };
  const days = { type: "array", uniqueItems: true, items: { type: "string", format: "date-time" } };
  const text = { type: "string" };
  const properties = {
    tags: { type: "array", uniqueItems: true, items: { type: "string", enum: ["a", "b"] } },
    sums: { type: "object", propertyNames: text, additionalProperties: digits },
    pairs: {
      type: "object",
      propertyNames: { type: "string", pattern: "^-?\\d+(?:\\.\\d+)?$" },
      additionalProperties: days,
    },
    node: { type: "object", propertyNames: text, additionalProperties: {} },
  };
  expect(KeepInput.properties).toEqual(properties);
  const pair = {
    type: "array",
    prefixItems: [{ type: "number" }, days],
    items: false,
    minItems: 2,
    maxItems: 2,
  };
  const table = { type: "object", additionalProperties: days };
  const pairs = { anyOf: [{ type: "array", items: pair }, table] };
  expect(KeepResult.properties).toEqual({ ...properties, pairs });
  const day = "2026-01-31T10:00:00.000Z";
  const sent = { tags: ["a"], sums: { x: "5" }, node: { a: {} } };
  const answer = [200, { ...sent, pairs: [[1, [day]]] }];
  for (const pairs of [{ 1: [day] }, [[1, [day]]]])
    expect(await json("/keep", { method: "POST", body: JSON.stringify({ ...sent, pairs }) })).toEqual(answer);
  expect(await json(`/look?tags=a&sums[x]=5&pairs[1]=${day}`)).toEqual([
    200,
    { tags: ["a"], sums: { x: "5" }, pairs: [[1, [day]]] },
  ]);
});

test("the document has both forms of a map whose keys may be no texts", async () => {
  const maps = {
    n: new Map(),
    b: new Map([[1n, 1]]),
    d: new Map([[new Date(0), 1]]),
    either: new Map([["a", 1]]),
  };
  const int = z.int();
  const output = z.object({
    n: z.map(z.number(), int),
    b: z.map(z.bigint(), int),
    d: z.map(z.date(), int),
    either: z.map(z.union([z.string(), z.number()]), int),
  });
  const { json } = serve(
    t.router({
      maps: get("/maps")
        .output(output)
        .query(() => maps),
    }),
  );
  expect(await json("/maps")).toEqual([
    200,
    { n: {}, b: [["1", 1]], d: [["1970-01-01T00:00:00.000Z", 1]], either: { a: 1 } },
  ]);
  const [, document] = await json("/openapi.json");
  const { properties } = Object(document).components.schemas.MapsResult;
  const table = { type: "object", additionalProperties: { type: "integer" } };
  for (const name of Object.keys(maps))
    expect(properties[name]).toEqual({ anyOf: [expect.objectContaining({ type: "array" }), table] });
});

test("what REST cannot carry is named at the start, and RPC serves it", async () => {
  const { warnings, json } = serve(
    t.router({
      text: get("/text")
        .input(z.string())
        .query(({ input }) => input),
    }),
  );
  expect(warnings).toEqual([expect.stringContaining("text is RPC only")]);
  expect(await json('/trpc/text?input="a"')).toMatchObject([200, { result: { data: "a" } }]);
});

test("files come by their parts' names, several of them, with their names and types", async () => {
  const file = (f: File) => [f.name, f.type, f.size];
  const { json } = serve(
    t.router({
      two: post("/two")
        .input(
          z.object({
            photo: z.file(),
            proof: z.instanceof(File).optional(),
            about: z.object({ n: z.number() }),
          }),
        )
        .mutation(({ input }) => ({
          photo: file(input.photo),
          proof: input.proof && file(input.proof),
          about: input.about,
        })),
      many: post("/many")
        .input(z.object({ files: z.array(z.instanceof(File)), raw: bytes().optional() }))
        .mutation(({ input }) => input.files.map(file)),
    }),
  );
  const form = new FormData();
  form.append("proof", new File(["pp"], "résumé.pdf", { type: "application/pdf" }));
  form.append("photo", new File(["p"], "p.png", { type: "image/png" }));
  form.append("about", new Blob(['{"n":1.5}'], { type: "application/json" }));
  const expected = {
    photo: ["p.png", "image/png", 1],
    proof: ["résumé.pdf", "application/pdf", 2],
    about: { n: 1.5 },
  };
  expect(await json("/two", { method: "POST", body: form })).toEqual([200, expected]);
  const text = new FormData();
  for (const name of ["proof", "photo"]) text.append(name, form.get(name)!);
  text.append("about[n]", "1.5");
  expect(await json("/two", { method: "POST", body: text })).toEqual([200, expected]);
  const list = new FormData();
  for (const name of ["a", "b"]) list.append("files", new File([name], name, { type: "image/png" }));
  expect(await json("/many", { method: "POST", body: list })).toEqual([
    200,
    [
      ["a", "image/png", 1],
      ["b", "image/png", 1],
    ],
  ]);
});

test("a file that the schema has no name for is refused, kept or told as any other value", async () => {
  const keys = ({ input }: { input: object }) => Object.keys(input);
  const photo = { photo: z.file() };
  const { json } = serve(
    t.router({
      strict: post("/strict").input(z.strictObject(photo)).mutation(keys),
      loose: post("/loose").input(z.looseObject(photo)).mutation(keys),
      plain: post("/plain").input(z.object(photo)).mutation(keys),
    }),
  );
  const send = async (path: string) => {
    const body = new FormData();
    for (const name of ["photo", "extra"]) body.append(name, new File([name], `${name}.png`));
    return json(path, { method: "POST", body });
  };
  expect(await send("/strict")).toMatchObject([400, { code: "invalid_parameter" }]);
  expect(await send("/loose")).toEqual([200, ["photo", "extra"]]);
  expect(await send("/plain")).toEqual([200, ["photo"]]);
});

test("a result that comes later in part is whole over REST, and one that holds a stream is a fault", async () => {
  const router = t.router({
    later: get("/later").query(() => ({ now: 1, later: Promise.resolve({ n: 2 }) })),
    failing: get("/failing").query(() => ({ later: Promise.reject(new Error("hunter2")) })),
    streaming: get("/streaming").query(() => ({ rows: (async function* () {})() })),
  });
  const { json, errors } = serve(router);
  expect(await json("/later")).toEqual([200, { now: 1, later: { n: 2 } }]);
  expect(await json("/failing")).toMatchObject([500, { code: "internal" }]);
  expect(await json("/streaming")).toMatchObject([500, { code: "internal" }]);
  expect(errors.map(String)).toEqual([
    "Error: hunter2",
    'TypeError: "rows" of a result is a stream, which JSON cannot carry',
  ]);
});

test("the name of bytes is known too, by form and by frame", async () => {
  const router = t.router({
    keep: post("/keep")
      .meta({ http: { body: "file", result: "json" } })
      .input(z.object({ data: bytes() }))
      .mutation(({ input: { data } }) => [sentNameOf(data) ?? null, data.length]),
  });
  const { json, server } = serve(router);
  const form = new FormData();
  form.append("data", new File(["abc"], "résumé.pdf"));
  expect(await json("/keep", { method: "POST", body: form })).toEqual([200, ["résumé.pdf", 3]]);
  expect(await json("/keep", { method: "POST", body: "abc" })).toEqual([200, [null, 3]]);
  const fetch = (address: RequestInfo | URL, init?: object) => server.fetch(new Request(address, init));
  const client = createTRPCClient<typeof router>({
    links: [frameLink({ url: "http://any.test/trpc", fetch })],
  });
  expect(await client.keep.mutate({ data: new File(["abc"], "a.txt") })).toEqual(["a.txt", 3]);
});

const whole = new TextEncoder().encode("0123456789");

test("a result of kind file is any file, and of a query with a known length a part can be asked for", async () => {
  const file = (path: `/${string}`) =>
    t.procedure.meta({ openapi: { method: "GET", path }, http: { body: "none", result: "file" } });
  const { request } = serve(
    t.router({
      bytes: file("/bytes").query(() => whole),
      blob: file("/blob").query(() => new Blob([whole], { type: "text/plain" })),
      file: file("/file").query(() => new File([whole], "digits.txt", { type: "text/plain" })),
      stream: file("/stream").query(() => new Blob([whole]).stream()),
      response: file("/response").query(
        () => new Response(whole, { status: 201, headers: { "x-own": "1" } }),
      ),
    }),
  );
  for (const path of ["/bytes", "/blob", "/file", "/stream", "/response"])
    expect(await (await request(path)).text()).toBe("0123456789");
  expect((await request("/file")).headers.get("content-disposition")).toContain("digits.txt");
  const own = await request("/response");
  expect([own.status, own.headers.get("x-own"), own.headers.get("x-content-type-options")]).toEqual([
    201,
    "1",
    "nosniff",
  ]);
  for (const path of ["/bytes", "/blob", "/file"]) {
    const head = await request(path, { method: "HEAD" });
    const tag = head.headers.get("etag")!;
    expect([head.headers.get("content-length"), head.headers.get("accept-ranges")]).toEqual(["10", "bytes"]);
    const ask = async (headers: Record<string, string>) => {
      const response = await request(path, { headers });
      return [response.status, response.headers.get("content-range"), await response.text()];
    };
    expect(await ask({ range: "bytes=2-4" })).toEqual([206, "bytes 2-4/10", "234"]);
    expect(await ask({ range: "bytes=-3" })).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await ask({ range: "bytes=8-" })).toEqual([206, "bytes 8-9/10", "89"]);
    expect(await ask({ range: "bytes=0-1,4-5" })).toEqual([200, null, "0123456789"]);
    expect(await ask({ range: "bytes=2-4", "if-range": '"other"' })).toEqual([200, null, "0123456789"]);
    expect((await ask({ range: "bytes=10-" })).slice(0, 2)).toEqual([416, "bytes */10"]);
    expect((await ask({ "if-none-match": tag }))[0]).toBe(304);
  }
});

test("what fetch has got from another server goes on without the coding that it had there", async () => {
  const packed = gzipSync(whole);
  const other = createServer((_, answer) => {
    answer.writeHead(200, { "content-encoding": "gzip", "content-length": packed.length, "x-own": "1" });
    answer.end(packed);
  });
  await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { request } = serve(
    t.router({
      passed: t.procedure
        .meta({ openapi: { method: "GET", path: "/passed" }, http: { body: "none", result: "file" } })
        .query(() => fetch(`http://127.0.0.1:${port}`)),
    }),
  );
  const response = await request("/passed");
  expect(["content-encoding", "x-own"].map((name) => response.headers.get(name))).toEqual([null, "1"]);
  expect(await response.text()).toBe("0123456789");
});

test("a status without a body has none", async () => {
  const { request } = serve(
    t.router({
      none: t.procedure
        .meta({
          openapi: { method: "DELETE", path: "/x" },
          http: { body: "none", result: "json", status: 204 },
        })
        .mutation(() => undefined),
    }),
  );
  const response = await request("/x", { method: "DELETE" });
  expect([response.status, response.body, response.headers.get("content-type")]).toEqual([204, null, null]);
});

test("a base path stands in front of everything, and other paths are the host's", async () => {
  const { json, request } = serve(t.router({ x: get("/x").query(() => 1) }), {
    basePath: "/api/v1",
    notFound: () => new Response("the host's"),
  });
  expect(await json("/api/v1/x")).toEqual([200, 1]);
  expect((await json("/api/v1/trpc/x"))[0]).toBe(200);
  const [, document] = await json("/api/v1/openapi.json");
  expect(document).toMatchObject({ servers: [{ url: "/api/v1" }], paths: { "/x": {} } });
  expect(await (await request("/x")).text()).toBe("the host's");
});

test.each<[what: string, path: `/${string}`, options: object]>([
  ["of a procedure", "/api/x", {}],
  ["of RPC", "/x", { rpcPath: "/api/x" }],
  ["of the document", "/x", { openApi: { path: "/api/x", info: { title: "a", version: "1" } } }],
])("a path %s that repeats the base path is told at the start", (_, path, options) => {
  const told: string[] = [];
  const onWarning = (warning: string) => void told.push(warning);
  serve(t.router({ x: get(path).query(() => 1) }), { basePath: "/api", onWarning, ...options });
  expect(told).toEqual(['basePath stands in front of every path: "/api/x" is at "/api/api/x"']);
  serve(t.router({ x: get("/apis/x").query(() => 1) }), { basePath: "/api", onWarning });
  expect(told).toHaveLength(1);
});

test("a frame's failure has the shape of the router's own formatter", async () => {
  const own = initTRPC.create({
    errorFormatter: ({ shape }) => ({ ...shape, data: { ...shape.data, own: true } }),
  });
  const router = own.router({
    fail: own.procedure.mutation((): string => {
      throw new TRPCError({ code: "CONFLICT", message: "There already" });
    }),
  });
  const { server } = serve(router as never);
  const fetch = ((url: string, init?: RequestInit) => server.fetch(new Request(url, init))) as never;
  const errors = await Promise.all(
    [frameLink({ url: "http://any.test/trpc", fetch }), httpLink({ url: "http://any.test/trpc", fetch })].map(
      (link) =>
        createTRPCClient<typeof router>({ links: [link] })
          .fail.mutate()
          .catch((error: { message: string; data: unknown; shape: unknown }) => [error.message, error.data]),
    ),
  );
  expect(errors[0]).toEqual(errors[1]);
  expect(errors[0]).toMatchObject(["There already", { code: "CONFLICT", own: true }]);
});

test("a subscription is a stream of events over REST, and ends when its listener leaves", async () => {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const { request } = serve(
    t.router({
      count: t.procedure
        .meta({ openapi: { method: "GET", path: "/count" } })
        .input(z.object({ to: z.number(), lastEventId: z.string().optional() }))
        .subscription(async function* ({ input: { to, lastEventId = "0" } }) {
          for (let i = Number(lastEventId) + 1; i <= to; i++) yield tracked(String(i), { i });
        }),
      wait: t.procedure.meta({ openapi: { method: "GET", path: "/wait" } }).subscription(async function* ({
        signal,
      }) {
        try {
          yield 1;
          await new Promise((_, reject) =>
            signal?.addEventListener("abort", () => reject(new Error("left"))),
          );
        } finally {
          resolve("ended");
        }
      }),
      broken: t.procedure
        .meta({ openapi: { method: "GET", path: "/broken" } })
        // eslint-disable-next-line require-yield
        .query(async function* () {
          yield 1;
          throw new Error("hunter2");
        }),
    }),
    { maxStreams: 1 },
  );
  const counted = await request("/count?to=3&lastEventId=0", { headers: { "last-event-id": "1" } });
  expect(counted.headers.get("content-type")).toContain("text/event-stream");
  expect(await counted.text()).toBe(
    ': \n\nevent: message\nid: 2\ndata: {"i":2}\n\nevent: message\nid: 3\ndata: {"i":3}\n\nevent: done\ndata: null\n\n',
  );
  const broken = await (await request("/broken")).text();
  expect(broken).toContain("event: message\ndata: 1\n\nevent: error\ndata: {");
  expect(broken).not.toContain("hunter2");
  const { paths }: { paths: Record<string, object> } = await (await request("/openapi.json")).json();
  for (const path of ["/count", "/wait", "/broken"])
    expect(paths[path]).toMatchObject({
      get: { responses: { 200: { content: { "text/event-stream": {} } } } },
    });
  const waiting = await request("/wait");
  const reader = waiting.body!.getReader();
  await reader.read();
  await reader.read();
  expect((await request("/count?to=1")).status).toBe(503);
  await reader.cancel();
  expect(await ended).toBe("ended");
  expect((await request("/count?to=1")).status).toBe(200);
});

test("a subscription that is sent as a POST knows where its listener has stopped, and none is a frame", async () => {
  const { request } = serve(
    t.router({
      heard: t.procedure
        .input(z.object({ from: z.number().optional(), lastEventId: z.string().optional() }).optional())
        .subscription(async function* ({ input }) {
          yield input ?? "nothing";
        }),
    }),
    { allowMethodOverride: true },
  );
  const heard = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const type = { "content-type": "application/json" };
    const init = { method: "POST", body, headers: { ...type, ...headers } };
    return /data: (\{"(?:from|lastEventId)".*)/.exec(await (await request(path, init)).text())?.[1];
  };
  expect([
    await heard("/trpc/heard", '{"from":1}'),
    await heard("/trpc/heard", '{"from":1}', { "last-event-id": "7" }),
    await heard("/trpc/heard?lastEventId=8", '{"from":1,"lastEventId":"1"}'),
    await heard("/trpc/heard?Last-Event-Id=9", ""),
  ]).toEqual([
    '{"from":1}',
    '{"from":1,"lastEventId":"7"}',
    '{"from":1,"lastEventId":"8"}',
    '{"lastEventId":"9"}',
  ]);
  const framed = await request("/trpc/heard", framePost({ from: 1 }));
  expect([framed.status, framed.headers.get("allow")]).toEqual([405, "GET"]);
});
