// Shapes of inputs as public applications have them, each sent over REST and compared with tRPC's own caller.
import { initTRPC } from "@trpc/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";
import { jsonOf } from "../../../adapters/trpc/answer/json-text.ts";

const t = initTRPC.meta<AdapterMeta>().create();

/** A procedure that returns its input: by query at `/q`, as JSON at `/j`, as a form at `/f`. */
function serve(schema: z.ZodType) {
  const at = (method: "GET" | "POST", path: `/${string}`) =>
    t.procedure.meta({ openapi: { method, path } }).input(schema);
  const router = t.router({
    q: at("GET", "/q").query(({ input }) => input),
    j: at("POST", "/j").mutation(({ input }) => input),
    f: at("POST", "/f")
      .meta({ http: { body: "fields" } })
      .mutation(({ input }) => input),
  });
  const info = { title: "Shapes", version: "1" };
  const { fetch } = createTrpcServer({
    router,
    createContext: () => ({}),
    openApi: { path: "/openapi.json", info },
    onWarning: () => undefined,
  });
  const json = async (path: string, init?: RequestInit) => {
    const response = await fetch(new Request(`http://shapes.test${path}`, init));
    return { status: response.status, warning: response.headers.get("warning"), body: await response.json() };
  };
  return { json, fetch, call: (input: unknown) => router.createCaller({}).j(input) };
}

interface Shape {
  readonly schema: z.ZodType;
  readonly input: unknown;
  readonly query: string;
}

interface Filter {
  readonly id?: number | undefined;
  readonly and?: Filter | Filter[] | undefined;
}

const filter: z.ZodType<Filter> = z.object({
  id: z.number().optional(),
  get and(): z.ZodType<Filter["and"]> {
    return z.union([filter, z.array(filter)]).optional();
  },
});
const toDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const day = new Date("2026-01-02");
const arms = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number() }),
  z.object({ kind: z.literal("text"), text: z.string(), at: z.date().optional() }),
]);

const SHAPES: Readonly<Record<string, Shape>> = {
  "one of several objects": {
    schema: arms,
    input: { kind: "text", text: "5" },
    query: "kind=text&text=5",
  },
  "one of several objects inside": {
    schema: z.object({ shape: arms }),
    input: { shape: { kind: "text", text: "5", at: day } },
    query: "shape[kind]=text&shape[text]=5&shape[at]=2026-01-02",
  },
  "one of two by true and false": {
    schema: z.discriminatedUnion("ok", [
      z.object({ ok: z.literal(true), value: z.number() }),
      z.object({ ok: z.literal(false), why: z.string() }),
    ]),
    input: { ok: false, why: "1" },
    query: "ok=0&why=1",
  },
  "a literal of true among others": {
    schema: z.object({ a: z.literal([true, "1"]), b: z.literal([true, "no"]), c: z.literal(true) }),
    input: { a: "1", b: true, c: true },
    query: "a=1&b=1&c=true",
  },
  "objects that are added to each other": {
    schema: z
      .object({ page: z.int(), in: z.object({ a: z.date() }) })
      .and(z.object({ sort: z.enum(["up", "down"]), in: z.object({ b: z.bigint() }) })),
    input: { page: 1, sort: "up", in: { a: day, b: 3n } },
    query: "page=1&sort=up&in[a]=2026-01-02&in[b]=3",
  },
  "an object or a list of it, which holds itself": {
    schema: z.object({ where: filter }),
    input: { where: { and: [{ id: 1 }, { and: { id: 2 } }] } },
    query: "where[and][0][id]=1&where[and][1][and][id]=2",
  },
  "a record or a list": {
    schema: z.object({ of: z.union([z.record(z.string(), z.number()), z.array(z.number())]) }),
    input: { of: [4, 5] },
    query: "of[0]=4&of[1]=5",
  },
  "a record whose keys are numbers": {
    schema: z.object({ of: z.record(z.string(), z.number()) }),
    input: { of: { 0: 4, 1: 5 } },
    query: "of[0]=4&of[1]=5",
  },
  "records that take only some keys": {
    schema: z
      .looseRecord(z.string().regex(/^n_/), z.number())
      .and(z.looseRecord(z.templateLiteral(["d_", z.string()]), z.date()))
      .and(z.object({ name: z.string(), of: z.looseRecord(z.int(), z.boolean()) })),
    input: { n_a: 5, d_b: day, name: "6", of: { 1: true, a: "1" } },
    query: "n_a=5&d_b=2026-01-02&name=6&of[1]=1&of[a]=1",
  },
  "a record of a few keys and an object": {
    schema: z.record(z.enum(["a", "b"]), z.number()).and(z.object({ name: z.string() })),
    input: { a: 1, b: 2, name: "3" },
    query: "a=1&b=2&name=3",
  },
  "codecs, pipes and what stands before a schema": {
    schema: z.object({
      at: toDate,
      length: z
        .string()
        .transform((text) => text.length)
        .pipe(z.number().min(1)),
      tags: z.preprocess((tags) => (typeof tags === "string" ? tags.split(";") : tags), z.array(z.string())),
      on: z.stringbool(),
    }),
    input: { at: "2026-01-02T03:04:05Z", length: "four", tags: "a;b", on: "yes" },
    query: "at=2026-01-02T03:04:05Z&length=four&tags=a;b&on=yes",
  },
  "what JSON has no type for": {
    schema: z.object({
      times: z.map(z.string(), z.date()),
      ids: z.set(z.bigint()),
      count: z.int64(),
      id: z.number().brand("Id"),
    }),
    input: { times: new Map([["a", day]]), ids: new Set([1n, 2n]), count: 5n, id: 7 },
    query: "times[a]=2026-01-02&ids=1&ids=2&count=5&id=7",
  },
  "null in many places": {
    schema: z.object({ a: z.number().nullish(), b: z.object({ c: z.date().nullable() }).nullable() }),
    input: { a: null, b: { c: null } },
    query: "a=null&b[c]=null",
  },
  "nothing at all": {
    schema: z.object({ page: z.int().default(1), at: z.string().prefault("x") }).prefault({}),
    input: {},
    query: "",
  },
};

for (const [name, { schema, input, query }] of Object.entries(SHAPES))
  test(`REST gives a procedure what its caller does: ${name}`, async () => {
    const { json, call } = serve(schema);
    const body: unknown = JSON.parse(jsonOf(await call(input)));
    const form = new URLSearchParams(query);
    expect(await json(`/q?${query}`)).toEqual({ status: 200, warning: null, body });
    expect(await json("/f", { method: "POST", body: form })).toEqual({ status: 200, warning: null, body });
    expect(await json("/j", { method: "POST", body: jsonOf(input) })).toEqual({
      status: 200,
      warning: null,
      body,
    });
  });

const BOUNDED: [name: string, schema: z.ZodType, value: unknown, query: string][] = [
  ["a number that may be absent or null", z.number().min(1).max(100).nullish(), 101, "of=101"],
  ["an integer that may be null", z.int().nullable(), 1.5, "of=1.5"],
  ["a date that may be null", z.date().min(day).nullish(), new Date(0), "of=1970-01-01"],
  ["a big integer that may be null", z.bigint().min(5n).nullable(), 3n, "of=3"],
  ["a list that may be null", z.array(z.number().min(1)).nullish(), [0, -1], "of=0&of=-1"],
  ["an object that may be null", z.object({ n: z.number().min(1) }).nullish(), { n: 0 }, "of[n]=0"],
  ["a number or a word", z.number().min(1).or(z.literal("all")), 0, "of=0"],
  ["one or several", z.enum(["a", "b"]).or(z.array(z.enum(["a", "b"]))), ["a", "c"], "of=a&of=c"],
];

for (const [name, schema, value, query] of BOUNDED)
  test(`REST refuses a value in the words of its schema: ${name}`, async () => {
    const { json, call } = serve(z.object({ of: schema }));
    const refused: unknown = await call({ of: value }).catch((error: unknown) => error);
    const [{ message }] = JSON.parse(Object(refused).message);
    const body = { code: "invalid_parameter", error: expect.stringContaining(message) as string };
    expect(await json(`/q?${query}`)).toMatchObject({ status: 400, body });
    const sent = { method: "POST", body: jsonOf({ of: value }) };
    expect(await json("/j", sent)).toMatchObject({ status: 400, body });
  });

test("a fault inside a parameter of a query is told where it is", async () => {
  const item = z.object({ b: z.number() });
  const { json } = serve(
    z.object({ a: z.array(item), in: z.object({ list: z.array(item), one: z.string() }).optional() }),
  );
  const told = async (query: string) => {
    const { code, error, parameter, in: place } = Object((await json(`/q?${query}`)).body);
    expect(place).toBe("query");
    return [code, parameter, error];
  };
  const wrong = "invalid_parameter";
  expect(await told("a[][b]=1")).toEqual([
    wrong,
    "a",
    'Parameter "a" is a list: "a[][b]" does not say of which item, as "a[0][b]" does',
  ]);
  expect(await told("a[0][b]=1&in[list][][b]=1")).toEqual([
    wrong,
    "in.list",
    'Parameter "in.list" is a list: "in[list][][b]" does not say of which item, as "in[list][0][b]" does',
  ]);
  expect(await told("a[0][b]=1&in[list][1][b]=1")).toEqual([
    wrong,
    "in.list",
    'Parameter "in.list" is a list: its places are numbered from 0 to 0',
  ]);
  expect(await told("a[0][b]=1&in[one]=x&in[one]=y")).toMatchObject(["repeated_parameter", "in.one", /once/]);
});

test("the document has each object in a query as it is read, and lists of objects as texts of JSON", async () => {
  const point = z.object({ x: z.number() });
  const { json } = serve(
    z.object({
      shape: arms,
      both: point.and(z.object({ y: z.number() })),
      either: z.union([z.number(), point]),
      filter,
      rows: z.array(point).optional(),
      text: z.string(),
    }),
  );
  const { body } = await json("/openapi.json");
  const { parameters } = Object(body).paths["/q"].get;
  const styles = parameters.map(({ name, style }: { name: string; style?: string }) => [name, style]);
  expect(Object.fromEntries(styles)).toEqual({
    shape: "deepObject",
    both: "deepObject",
    either: "deepObject",
    filter: "deepObject",
    rows: undefined,
    text: undefined,
  });
  // `content` would say the same, and ends orval 7 with an error.
  expect(parameters.filter((each: object) => "content" in each)).toEqual([]);
  const rows = parameters.find(({ name }: { name: string }) => name === "rows");
  expect(rows.schema).toMatchObject({
    type: "string",
    contentMediaType: "application/json",
    contentSchema: { type: "array", items: { type: "object" } },
  });
  const query = "shape[kind]=circle&shape[radius]=1&both[x]=1&both[y]=2&either[x]=3&filter[id]=4&text=5";
  const sent = await json(`/q?${query}&rows=${encodeURIComponent('[{"x":6}]')}`);
  expect(sent).toMatchObject({ status: 200, body: { either: { x: 3 }, rows: [{ x: 6 }] } });
});

test("a file that may be null is null where a form says so", async () => {
  const at = (path: `/${string}`) => t.procedure.meta({ openapi: { method: "PUT", path } });
  const sizeOf = (file: File | null | undefined) => (file ? file.size : String(file));
  const router = t.router({
    face: at("/face")
      .input(z.object({ face: z.file().nullable(), name: z.string().optional() }))
      .mutation(({ input }) => [sizeOf(input.face), input.name]),
    faces: at("/faces")
      .input(z.object({ faces: z.array(z.file()).nullable() }))
      .mutation(({ input }) => [input.faces?.length ?? "null"]),
    sure: at("/sure")
      .input(z.object({ face: z.file() }))
      .mutation(({ input }) => [sizeOf(input.face)]),
  });
  const info = { title: "Faces", version: "1" };
  const openApi = { path: "/openapi.json", info } as const;
  const { fetch } = createTrpcServer({ router, createContext: () => ({}), openApi });
  const put = async (path: string, body: Blob | Record<string, string | Blob> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.append(name, value);
    const init = { method: "PUT", body: body instanceof Blob ? body : form };
    const response = await fetch(new Request(`http://faces.test${path}`, init));
    const { code, parameter, ...all } = (await response.json()) as Record<string, unknown>;
    return code ? [response.status, code, parameter] : Object.values(all);
  };
  const file = new Blob(["abc"]);
  expect(await put("/face", { face: "null", name: "a" })).toEqual(["null", "a"]);
  expect(await put("/face", { face: file })).toEqual([3, null]);
  expect(await put("/face", { name: "a" })).toEqual([400, "missing_body", "face"]);
  expect(await put("/face?face=null", new Blob())).toEqual(["null", null]);
  expect(await put("/face", file)).toEqual([3, null]);
  expect(await put("/face?face=null", file)).toEqual([400, "repeated_parameter", "face"]);
  expect(await put("/faces", { faces: "null" })).toEqual(["null"]);
  expect(await put("/faces", { faces: file })).toEqual([1]);
  expect(await put("/sure", { face: "null" })).toEqual([400, "missing_body", "face"]);
  const document = await (await fetch(new Request("http://faces.test/openapi.json"))).json();
  const { schemas } = Object(document).components;
  const isNull = { type: "string", const: "null" };
  expect(schemas.FaceForm.properties.face.anyOf).toContainEqual(isNull);
  expect(schemas.FacesForm.properties.faces.anyOf).toContainEqual(isNull);
  expect(schemas.SureForm.properties.face.anyOf).toBeUndefined();
});
