import { initTRPC } from "@trpc/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";
import { inputOf } from "../../../adapters/trpc/schema/input.ts";

/** Every schema by itself, as a procedure that answers what it was given, at GET and at POST. */
function serve(
  schema: z.ZodType,
  { more = [], path = "/x" }: { more?: readonly z.ZodType[]; path?: `/${string}` } = {},
) {
  const t = initTRPC.meta<AdapterMeta>().create();
  const procedure = [schema, ...more].reduce<typeof t.procedure>(
    (built, each) => built.input(each as never) as never,
    t.procedure,
  );
  const echo = ({ input }: { input: unknown }) => shown(input);
  const router = t.router({
    get: procedure.meta({ openapi: { method: "GET", path } }).query(echo),
    post: procedure.meta({ openapi: { method: "POST", path } }).mutation(echo),
    form: procedure
      .meta({ openapi: { method: "PUT", path }, http: { body: "fields", result: "json" } })
      .mutation(echo),
  });
  const warnings: string[] = [];
  const server = createTrpcServer({
    router,
    createContext: () => ({}),
    openApi: { path: "/openapi.json", info: { title: "Any", version: "1" } },
    onWarning: (warning) => void warnings.push(warning),
  });
  const caller = t.createCallerFactory(router)({});
  const call = async (target: string, init?: RequestInit) => {
    const response = await server.fetch(new Request(`http://any.test${target}`, init));
    const body: unknown = await response.json();
    return response.status === 200 ? body : { status: response.status, ...Object(body) };
  };
  return {
    warnings,
    get: (query: string) => call(`/x${query}`),
    at: (target: string) => call(target),
    post: (body: unknown) =>
      call("/x", {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    form: (fields: Record<string, string>) =>
      call("/x", { method: "PUT", body: new URLSearchParams(fields) }),
    // What tRPC's own caller gives for it.
    own: async (input: unknown) => await caller.get(input as never),
    server,
  };
}

/** A value with its type, as JSON would lose it. */
function shown(value: unknown): unknown {
  if (value instanceof Date) return { date: value.toISOString() };
  if (typeof value === "bigint") return { bigint: String(value) };
  if (value instanceof Set) return { set: [...value].map(shown) };
  if (value instanceof Map) return { map: [...value].map(([key, each]) => [shown(key), shown(each)]) };
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return value === undefined ? { undefined: true } : value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each)]));
}

const n = z.number();
const item = z.object({ id: n, tags: z.array(z.string()).optional() });

const later = (isRight: boolean) => async () => {
  await new Promise((resolve) => setTimeout(resolve, 1));
  return isRight;
};
const refusedLater = async (_: number, context: z.RefinementCtx) => {
  await later(false)();
  context.addIssue("refused");
};

interface Case {
  readonly what: string;
  readonly schema: z.ZodType;
  readonly query: string;
  readonly input: unknown;
  readonly more?: z.ZodType[];
}

const CASES: readonly Case[] = [
  { what: "an optional object", schema: z.object({ n }).optional(), query: "?n=1", input: { n: 1 } },
  { what: "a nullish object", schema: z.object({ n }).nullish(), query: "?n=1", input: { n: 1 } },
  { what: "a default", schema: z.object({ n }).default({ n: 2 }), query: "?n=1", input: { n: 1 } },
  { what: "a prefault", schema: z.object({ n }).prefault({ n: 2 }), query: "?n=1", input: { n: 1 } },
  {
    what: "a preprocess",
    schema: z.preprocess((v) => v ?? {}, z.object({ n })),
    ...{ query: "?n=1", input: { n: 1 } },
  },
  {
    what: "a transform",
    schema: z.object({ n }).transform(({ n: m }) => ({ m: m + 1 })),
    ...{ query: "?n=1", input: { n: 1 } },
  },
  {
    what: "a pipe",
    schema: z.object({ n }).pipe(z.object({ n: n.min(1) })),
    ...{ query: "?n=1", input: { n: 1 } },
  },
  { what: "a brand", schema: z.object({ n }).brand("N"), query: "?n=1", input: { n: 1 } },
  { what: "a readonly", schema: z.object({ n }).readonly(), query: "?n=1", input: { n: 1 } },
  {
    what: "a refinement",
    schema: z.object({ n }).refine(({ n: m }) => m > 0),
    ...{ query: "?n=1", input: { n: 1 } },
  },
  {
    what: "an intersection",
    schema: z.object({ n }).and(z.object({ b: z.boolean() })),
    ...{ query: "?n=1&b=true", input: { n: 1, b: true } },
  },
  {
    what: "a union",
    schema: z.union([z.object({ n }), z.object({ s: z.string() })]),
    ...{ query: "?s=1", input: { s: "1" } },
  },
  {
    what: "a discriminated union",
    schema: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), v: z.string() }),
      z.object({ kind: z.literal("b"), v: n }),
    ]),
    ...{ query: "?kind=b&v=7", input: { kind: "b", v: 7 } },
  },
  { what: "a record", schema: z.record(z.string(), n), query: "?a=1&b=2.5", input: { a: 1, b: 2.5 } },
  { what: "a loose object", schema: z.looseObject({ n }), query: "?n=1&x=1", input: { n: 1, x: "1" } },
  {
    what: "a catchall",
    schema: z.object({ n }).catchall(z.boolean()),
    ...{ query: "?n=1&x=1", input: { n: 1, x: true } },
  },
  { what: "a lazy object", schema: z.lazy(() => z.object({ n })), query: "?n=1", input: { n: 1 } },
  {
    what: "several inputs",
    schema: z.object({ n }),
    more: [z.object({ b: z.boolean() })],
    ...{ query: "?n=1&b=0", input: { n: 1, b: false } },
  },
  ...["1.5", "-3", "1e3", "0", "-0.25e-2"].map((text) => ({
    what: `the number ${text}`,
    schema: z.object({ n }),
    ...{ query: `?n=${text}`, input: { n: Number(text) } },
  })),
  {
    what: "a large integer",
    schema: z.object({ i: z.int() }),
    ...{ query: "?i=9007199254740991", input: { i: 9_007_199_254_740_991 } },
  },
  {
    what: "a big integer",
    schema: z.object({ i: z.bigint() }),
    ...{ query: "?i=123456789012345678901234567890", input: { i: 123456789012345678901234567890n } },
  },
  {
    what: "a date",
    schema: z.object({ d: z.date() }),
    ...{ query: "?d=2026-01-31", input: { d: new Date("2026-01-31") } },
  },
  {
    what: "a date with a time",
    schema: z.object({ d: z.date().optional() }),
    ...{ query: "?d=2026-01-31T10:11:12.5%2B02:00", input: { d: new Date("2026-01-31T08:11:12.500Z") } },
  },
  {
    what: "a coerced date",
    schema: z.object({ d: z.coerce.date(), n: z.coerce.number() }),
    ...{ query: "?d=2026&n=0x10", input: { d: "2026", n: "0x10" } },
  },
  {
    what: "booleans",
    schema: z.object({ a: z.boolean(), b: z.boolean().nullable(), c: z.boolean().default(true) }),
    ...{ query: "?a=1&b=false&c=0", input: { a: true, b: false, c: false } },
  },
  {
    what: "stringbool",
    schema: z.object({ a: z.stringbool() }),
    ...{ query: "?a=yes", input: { a: "yes" } },
  },
  {
    what: "null",
    schema: z.object({ a: n.nullable(), s: z.string().nullable() }),
    ...{ query: "?a=null&s=null", input: { a: null, s: "null" } },
  },
  {
    what: "literals and enums of numbers",
    schema: z.object({ a: z.literal([1, 2, "x"]), e: z.enum({ One: 1, Two: 2 }) }),
    ...{ query: "?a=2&e=1", input: { a: 2, e: 1 } },
  },
  {
    what: "a union of fields",
    schema: z.object({ a: z.union([z.literal("all"), n]), b: z.union([z.string(), n]) }),
    ...{ query: "?a=5&b=5", input: { a: 5, b: "5" } },
  },
  {
    what: "a list with commas in it",
    schema: z.object({ l: z.array(z.string()) }),
    ...{ query: "?l=a,b&l=c", input: { l: ["a,b", "c"] } },
  },
  { what: "a list of one", schema: z.object({ l: z.array(n) }), query: "?l=1.5", input: { l: [1.5] } },
  {
    what: "one or a list",
    schema: z.object({ l: z.union([z.string(), z.array(z.string())]) }),
    ...{ query: "?l=a&l=b", input: { l: ["a", "b"] } },
  },
  {
    what: "a tuple and a set",
    schema: z.object({ t: z.tuple([n, z.string()]), s: z.set(n) }),
    ...{ query: "?t=1&t=1&s=1&s=2", input: { t: [1, "1"], s: new Set([1, 2]) } },
  },
  {
    what: "nested values",
    schema: z.object({ a: z.object({ b: n, c: z.array(item) }) }),
    query: "?a[b]=1&a[c][0][id]=2&a[c][1][id]=3&a[c][1][tags]=x&a[c][1][tags]=y",
    input: { a: { b: 1, c: [{ id: 2 }, { id: 3, tags: ["x", "y"] }] } },
  },
  {
    what: "a record inside",
    schema: z.object({ m: z.record(z.string(), n) }),
    ...{ query: "?m[x]=1&m[0]=2", input: { m: { x: 1, 0: 2 } } },
  },
  {
    what: "brackets with nothing in them",
    schema: z.object({ l: z.array(z.string()) }),
    ...{ query: "?l[]=a&l[]=b", input: { l: ["a", "b"] } },
  },
  {
    what: "an object as JSON",
    schema: z.object({ a: z.object({ b: n }) }),
    ...{ query: `?a=${encodeURIComponent('{"b":1}')}`, input: { a: { b: 1 } } },
  },
  {
    what: "an intersection as JSON",
    schema: z.object({ a: z.object({ b: n }).and(z.object({ d: z.date() })) }),
    query: `?a=${encodeURIComponent('{"b":1,"d":"2026-01-31"}')}`,
    input: { a: { b: 1, d: new Date("2026-01-31") } },
  },
  {
    what: "intersections with what is an object or not",
    schema: z.object({
      a: z.union([n, z.object({ b: n })]).and(z.any()),
      l: z.union([z.array(n), z.object({ b: n })]).and(z.any()),
    }),
    ...{ query: "?a=5&l=1&l=2", input: { a: 5, l: [1, 2] } },
  },
  {
    what: "a list and a text in one list",
    schema: z.object({ t: z.tuple([z.array(n)], z.string()) }),
    ...{ query: `?t=${encodeURIComponent('[[1],"a"]')}`, input: { t: [[1], "a"] } },
  },
  {
    what: "lists and objects in one list",
    schema: z.object({ l: z.array(z.union([z.array(n), z.object({ b: n }), z.null()])) }),
    ...{ query: `?l=${encodeURIComponent('[{"b":1},[2],null]')}`, input: { l: [{ b: 1 }, [2], null] } },
  },
  {
    what: "one list of a list of lists or nulls",
    schema: z.object({ l: z.array(z.array(z.string()).nullable()) }),
    ...{ query: `?l=${encodeURIComponent('["a"]')}`, input: { l: [["a"]] } },
  },
  {
    what: "an exclusive union that takes a value only as a text",
    schema: z.object({ v: z.xor([n, z.coerce.string()]) }),
    ...{ query: "?v=1", input: { v: "1" } },
  },
  {
    what: "an exclusive union of objects",
    schema: z.xor([z.object({ v: n }), z.object({ v: z.union([z.string(), n]), w: n.optional() })]),
    ...{ query: "?v=1", input: { v: "1" } },
  },
  {
    what: "an arm that refuses later",
    schema: z.object({ v: z.union([n.refine(later(false)), z.bigint().refine(later(true))]) }),
    ...{ query: "?v=5", input: { v: 5n } },
  },
  {
    what: "an arm whose transform refuses later",
    schema: z.object({ v: z.union([n.transform(refusedLater), z.boolean()]) }),
    ...{ query: "?v=1", input: { v: true } },
  },
  {
    what: "objects that refuse later, in a list",
    schema: z.object({
      l: z.array(z.union([z.object({ v: n.refine(later(false)) }), z.object({ v: z.bigint() }), n])),
    }),
    query: "?l[0][v]=1&l[1]=7&l[2][v]=2",
    input: { l: [{ v: 1n }, 7, { v: 2n }] },
  },
  {
    what: "an object that refuses later, one of several",
    schema: z.union([z.object({ v: n.refine(later(false)) }), z.object({ v: z.bigint() })]),
    ...{ query: "?v=1", input: { v: 1n } },
  },
  { what: "an empty text", schema: z.object({ s: z.string() }), query: "?s=", input: { s: "" } },
  {
    what: "a plus and a percent",
    schema: z.object({ s: z.string() }),
    query: "?s=a+b%2B",
    input: { s: "a b+" },
  },
  {
    what: "names of JavaScript",
    schema: z.looseObject({}),
    query: "?constructor=1",
    input: { constructor: "1" },
  },
];

test.each(CASES)(
  "a query with $what is what tRPC's own caller gives",
  async ({ schema, more = [], query, input }) => {
    const served = serve(schema, { more });
    expect(await served.get(query)).toEqual(shown(await served.own(input)));
    expect(served.warnings).toEqual([]);
  },
);

test.each(CASES)("a form with $what is the same", async ({ schema, more = [], query, input }) => {
  const served = serve(schema, { more });
  const body = query.slice(1).replaceAll("[", "%5B").replaceAll("]", "%5D");
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await served.server.fetch(
    new Request("http://any.test/x", { method: "PUT", body, headers }),
  );
  expect([response.status, await response.json()]).toEqual([200, shown(await served.own(input))]);
});

test("a parameter may be null in every way in which a schema says so", () => {
  const n = z.int();
  const schema = z.object({
    never: n,
    merged: n.nullable(),
    flag: z.boolean().nullish(),
    bounded: n.max(5).nullable(),
    exclusive: z.xor([n.max(5), z.null()]),
  });
  const { parameters } = inputOf(
    initTRPC
      .create()
      .procedure.input(schema)
      .query(() => 1),
  );
  expect(parameters.map(({ type, nullable }) => [type, nullable])).toEqual([
    ["integer", undefined],
    ["integer", true],
    ["boolean", true],
    ["integer", true],
    ["integer", true],
  ]);
});
