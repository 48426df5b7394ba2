import { initTRPC } from "@trpc/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { bytes, createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";
import { fc, runs } from "../../support/properties.ts";

/** A schema, and a value that it takes. */
interface Typed {
  readonly schema: z.ZodType;
  readonly value: unknown;
}

const name = fc
  .stringMatching(/^[a-z][a-zA-Z0-9_-]{0,6}$/)
  .filter((each) => !["file", "constructor"].includes(each));
const text = fc.string({ unit: "grapheme", maxLength: 12 }).filter((each) => each.isWellFormed());
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0 || 0);

function of<T>(values: fc.Arbitrary<T>, make: (value: T) => z.ZodType): fc.Arbitrary<Typed> {
  return values.map((value) => ({ schema: make(value), value }));
}

const scalar: fc.Arbitrary<Typed> = fc.oneof(
  of(text, () => z.string()),
  of(number, () => z.number()),
  of(
    fc.maxSafeInteger().map((each) => each || 0),
    () => z.int(),
  ),
  of(fc.boolean(), () => z.boolean()),
  of(fc.bigInt(), () => z.bigint()),
  of(fc.date({ min: new Date(0), max: new Date("9999-01-01"), noInvalidDate: true }), () => z.date()),
  of(fc.constantFrom("a", "b"), () => z.enum(["a", "b"])),
  of(fc.constantFrom(1, 2), () => z.literal([1, 2])),
  of(number, () => z.union([z.literal("all"), z.number()])),
  of(number, () => z.number().nullable()),
);

const wrapped: fc.Arbitrary<Typed> = fc.tuple(scalar, fc.nat(4)).map(([{ schema, value }, kind]) => ({
  schema: [schema, schema.optional(), schema.default(value as never), schema.readonly(), schema.brand("B")][
    kind
  ]!,
  value,
}));

const { field } = fc.letrec<{ field: Typed; object: Typed }>((tie) => ({
  field: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    wrapped,
    wrapped,
    fc.array(tie("field"), { minLength: 1, maxLength: 3 }).map(([first, ...more]) => {
      // A list has one schema for its items; each value of the first fits it.
      const { schema, value } = first!;
      return { schema: z.array(schema), value: [value, ...more.map(() => value)] };
    }),
    tie("object"),
    fc.tuple(name, scalar).map(([key, { schema, value }]) => ({
      schema: z.record(z.string(), schema),
      value: { [key]: value },
    })),
  ),
  object: fc
    .uniqueArray(fc.tuple(name, tie("field")), { minLength: 1, maxLength: 4, selector: ([key]) => key })
    .map((fields) => ({
      schema: z.object(Object.fromEntries(fields.map(([key, { schema }]) => [key, schema]))),
      value: Object.fromEntries(fields.map(([key, { value }]) => [key, value])),
    })),
}));

const input = fc.uniqueArray(fc.tuple(name, field), { minLength: 1, maxLength: 5, selector: ([key]) => key });

/** What RFC 6570 and deepObject make of a value; a text for each name. */
function texts(key: string, value: unknown): [string, string][] {
  if (Array.isArray(value))
    return value.every((each) => typeof each !== "object" || each instanceof Date)
      ? value.map((each): [string, string] => [key, textOf(each)])
      : value.flatMap((each, i) => texts(`${key}[${i}]`, each));
  if (typeof value !== "object" || value === null || value instanceof Date) return [[key, textOf(value)]];
  return Object.entries(value).flatMap(([inner, each]) => texts(`${key}[${inner}]`, each));
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each));
}

test("what the document says is legal is read as the schema itself reads it", async () => {
  await fc.assert(
    fc.asyncProperty(input, async (fields) => {
      const shape = Object.fromEntries(fields.map(([key, { schema }]) => [key, schema]));
      const value = Object.fromEntries(fields.map(([key, each]) => [key, each.value]));
      const schema = z.object(shape);
      const seen: unknown[] = [];
      const t = initTRPC.meta<AdapterMeta>().create();
      const at = (method: "GET" | "POST" | "PUT" | "PATCH", body: string, takes: z.ZodType = schema) =>
        t.procedure
          .meta({ openapi: { method, path: "/x" }, http: { body, result: "json" } })
          .input(takes as typeof schema)
          .mutation(({ input: got }) => void seen.push(got));
      const withFile = z.object({ ...shape, file: bytes() });
      const router = t.router({
        get: at("GET", "none"),
        post: at("POST", "json"),
        put: at("PUT", "fields"),
        patch: at("PATCH", "file", withFile),
      });
      const warnings: string[] = [];
      const server = createTrpcServer({
        router,
        createContext: () => ({}),
        openApi: { path: "/openapi.json", info: { title: "Random", version: "1" } },
        onWarning: (warning) => void warnings.push(warning),
      });
      const ask = (path: string, init?: RequestInit) =>
        server.fetch(new Request(`http://any.test${path}`, init));
      const document = Object(await (await ask("/openapi.json")).json());
      const listed: { name: string; content?: object }[] = document.paths["/x"].get.parameters;
      expect(listed.map((each) => each.name).toSorted()).toEqual(Object.keys(shape).toSorted());
      const asDocumented = listed.flatMap(({ name: key, content }) =>
        content ? [[key, jsonOf(value[key])]] : texts(key, value[key]),
      );
      const pairs = Object.entries(value).flatMap(([key, each]) => texts(key, each));
      const form = new FormData();
      for (const [key, each] of pairs) form.append(key, each);
      form.append("file", new File(["x"], "x"));
      const query = new URLSearchParams(pairs).toString();
      const answers = [
        await ask(`/x?${new URLSearchParams(asDocumented).toString()}`),
        await ask(`/x?${query}`),
        await ask("/x", { method: "POST", body: jsonOf(value) }),
        await ask("/x", { method: "PUT", body: new URLSearchParams(pairs) }),
        await ask(`/x?${query}`, { method: "PATCH", body: "x", headers: { "content-type": "text/plain" } }),
        await ask("/x", { method: "PATCH", body: form }),
      ];
      const told = await Promise.all(answers.map((each) => each.text()));
      expect(answers.map(({ status }, i) => [status, told[i]])).toEqual(answers.map(() => [200, "null"]));
      const parsed = schema.parse(value);
      const file = new TextEncoder().encode("x");
      expect(seen).toEqual([parsed, parsed, parsed, parsed, { ...parsed, file }, { ...parsed, file }]);
      expect(warnings).toEqual([]);
    }),
    runs(1000),
  );
});
