import { initTRPC } from "@trpc/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";

const t = initTRPC.meta<AdapterMeta>().create();
const echo = ({ input }: { input: unknown }) => typeof input;
const at = (path: `/${string}`, schema: z.ZodType) =>
  t.procedure
    .meta({ openapi: { method: "POST", path }, http: { body: "fields", result: "json" } })
    .input(schema)
    .mutation(echo);

const json: z.ZodType = z.lazy(() =>
  z.union([z.number(), z.boolean(), z.array(json), z.record(z.string(), json), z.null()]),
);
const arms = Array.from({ length: 100 }, (_, i) =>
  z.object({ kind: z.literal(`k${i}`), n: z.number().min(i) }),
);
const [first, ...others] = arms;

const server = createTrpcServer({
  createContext: () => ({}),
  maxBodyBytes: 2_000_000,
  router: t.router({
    object: at(
      "/object",
      z.object({ a: z.record(z.string(), z.unknown()).optional(), n: z.number().optional() }),
    ),
    own: at("/own", z.object({ a: json })),
    union: at("/union", z.union([first!, ...others])),
    big: at("/big", z.object({ i: z.bigint() })),
    list: at("/list", z.object({ l: z.array(z.string()) })),
  }),
});

async function post(path: string, pairs: Iterable<readonly [string, string]>) {
  const body = [...pairs].map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join("&");
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await server.fetch(
    new Request(`http://any.test${path}`, { method: "POST", body, headers }),
  );
  return [response.status, (await response.json()) as unknown] as const;
}

const brackets = (depth: number, name: string) => `a${`[${name}]`.repeat(depth)}`;

test("brackets go 32 deep, and no deeper", async () => {
  expect(await post("/object", [[brackets(31, "b"), "1"]])).toEqual([200, "object"]);
  for (const depth of [32, 10_000])
    expect(await post("/object", [[brackets(depth, "b"), "1"]])).toMatchObject([
      400,
      { code: "invalid_parameter", parameter: "a", maximum: 32 },
    ]);
});

test("ten thousand names and a thousand repeated ones are read", async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => [`a[k${i}]`, "1"] as const);
  expect(await post("/object", many)).toEqual([200, "object"]);
  expect(
    await post(
      "/list",
      Array.from({ length: 1000 }, () => ["l", "x"] as const),
    ),
  ).toEqual([200, "object"]);
  expect(
    await post(
      "/object",
      Array.from({ length: 1000 }, () => ["n", "1"] as const),
    ),
  ).toMatchObject([400, { code: "repeated_parameter", parameter: "n", in: "body" }]);
});

test("a schema that holds itself is not tried in every way that there is", async () => {
  const pairs = Array.from({ length: 2000 }, (_, i) => [`${brackets(20, "0")}[${i}]`, "x"] as const);
  expect((await post("/own", pairs))[0]).toBe(400);
  expect((await post("/own", [[brackets(30, "0"), "1"]]))[0]).toBe(200);
});

test("the arms of a schema that holds itself are tried a few times more than its values ask for", async () => {
  let tried = 0;
  const count = z.number().refine(() => (tried += 1));
  const node: z.ZodType = z.lazy(() =>
    z.union([
      z.object({ inside: node, note: z.string() }),
      z.object({ list: z.array(node), note: z.string().optional() }),
      z.object({ count, extra: z.string().optional() }),
    ]),
  );
  const taking = t.procedure
    .meta({ openapi: { method: "POST", path: "/node" } })
    .input(z.object({ node }))
    .mutation(echo);
  const { fetch } = createTrpcServer({ router: t.router({ taking }), createContext: () => ({}) });
  let value: object = { list: Array.from({ length: 5_000 }, () => ({ count: 1 })) };
  for (let level = 0; level < 50; level++) value = { inside: value, note: "", list: "" };
  const body = JSON.stringify({ node: value });
  expect((await fetch(new Request("http://any.test/node", { method: "POST", body }))).status).toBe(200);
  expect(tried).toBeGreaterThan(4_999);
  expect(tried).toBeLessThan(20_000);
});

test("a union of a hundred arms is read by the one that fits", async () => {
  expect(
    await post("/union", [
      ["kind", "k99"],
      ["n", "99"],
    ]),
  ).toEqual([200, "object"]);
  expect(
    (
      await post("/union", [
        ["kind", "none"],
        ["n", "1"],
      ])
    )[0],
  ).toBe(400);
});

test("JSON may hold as many values as its bytes, or fewer where that is said", async () => {
  const schema = z.object({ l: z.array(z.number()) });
  const router = t.router({ sum: at("/sum", schema) });
  const body = JSON.stringify({ l: Array.from({ length: 50_000 }, (_, i) => i) });
  const ask = async (options: { maxJsonValues?: number }) => {
    const { fetch } = createTrpcServer({ router, createContext: () => ({}), ...options });
    return (await fetch(new Request("http://any.test/sum", { method: "POST", body }))).status;
  };
  expect([await ask({}), await ask({ maxJsonValues: 1000 })]).toEqual([200, 400]);
});

test("a number of a megabyte is refused by its name", async () => {
  const digits = "1".repeat(1_000_000);
  expect(await post("/object", [["n", digits]])).toMatchObject([400, { parameter: "n" }]);
  expect(await post("/big", [["i", digits]])).toMatchObject([400, { parameter: "i" }]);
});

test("brackets that are none are a name, and places of a list are its own", async () => {
  for (const name of ["[a]", "a]", "a[[b]]", "a[b", "n[]x"])
    expect((await post("/object", [[name, "1"]]))[0]).toBe(200);
  expect(
    await post("/list", [
      ["l[0]", "x"],
      ["l[7]", "y"],
    ]),
  ).toMatchObject([400, { parameter: "l", maximum: 1 }]);
  expect(
    await post("/list", [
      ["l", "x"],
      ["l[0]", "y"],
    ]),
  ).toMatchObject([400, { code: "repeated_parameter" }]);
});
