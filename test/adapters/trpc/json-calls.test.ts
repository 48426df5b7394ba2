// Calls in JSON, single and in a batch, are run and written here; with the header of tRPC's streams they are left to tRPC's
// own handler.
import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { bytes, bytesTransformer, createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";

interface Context {
  readonly headers: Headers;
}

const faults: unknown[] = [];
const TRANSFORMERS = { none: undefined, superjson, bytes: bytesTransformer };

function serve(transformer: (typeof TRANSFORMERS)[keyof typeof TRANSFORMERS]) {
  const t = initTRPC
    .context<Context>()
    .meta<AdapterMeta>()
    .create({
      ...(transformer && { transformer }),
      errorFormatter: ({ shape, error, input, type }) => ({
        ...shape,
        data: { ...shape.data, cause: error.cause?.name, input, type },
      }),
    });
  const sized = z.object({ size: z.number() });
  const router = t.router({
    nothing: t.procedure.query(() => undefined),
    empty: t.procedure.query(() => null),
    sized: t.procedure.input(sized).query(({ input }) => input),
    loose: t.procedure.input(z.unknown()).query(({ input }) => [typeof input, input ?? null]),
    long: t.procedure.query(() => "x".repeat(100_000)),
    bytes: t.procedure.query(() => ({ data: new Uint8Array(3) })),
    packed: t.procedure
      .meta({ http: { body: "none", result: "json", compressed: true } })
      .query(() => "x".repeat(2_000)),
    wrong: t.procedure.output(sized).query(() => ({ size: "large" }) as unknown as { size: number }),
    refuse: t.procedure.query(() => {
      throw new TRPCError({ code: "CONFLICT", message: "It is there already" });
    }),
    fail: t.procedure.query(() => {
      throw new Error("hunter2");
    }),
    dated: t.procedure.query(() => new Date(0)),
    huge: t.procedure.query(() => 1n),
    pieces: t.procedure.query(async function* () {
      yield 1;
    }),
    later: t.procedure.query(() => ({ later: Promise.resolve(1) })),
    tag: t.procedure.query(({ ctx }) => {
      ctx.headers.set("ETag", '"a"');
      ctx.headers.append("Set-Cookie", "a=1");
      ctx.headers.append("Set-Cookie", "b=2");
    }),
    save: t.procedure.input(sized).mutation(({ input }) => input),
    count: t.procedure.input(z.object({ data: bytes() })).mutation(({ input }) => input.data.length),
    nested: { deep: t.procedure.mutation(() => "deep") },
  });
  return createTrpcServer({
    router,
    createContext: ({ request, responseHeaders, info }) => {
      if (request.headers.has("refused")) throw new TRPCError({ code: "UNAUTHORIZED" });
      responseHeaders.set("Called", `${info?.type} ${info?.calls.map(({ path }) => path).join()}`);
      return { headers: responseHeaders };
    },
    maxBodyBytes: 1_000,
    onError: (error) => faults.push(error),
    onWarning: () => {},
  });
}

const written = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const post = (body: string, type = "application/json"): RequestInit => ({
  method: "POST",
  body,
  headers: { "content-type": type },
});
const CALLS: readonly (readonly [path: string, init?: RequestInit])[] = [
  ...[
    "nothing",
    "empty",
    "long",
    "bytes",
    "wrong",
    "refuse",
    "fail",
    "huge",
    "dated",
    "pieces",
    "later",
    "tag",
  ].map((path) => [path] as const),
  ...[{ size: 1 }, { size: "1" }, {}, null, 7, [1], { json: { size: 1 } }].map(
    (input) => [`sized?input=${written(input)}`] as const,
  ),
  ...["sized", "sized?input=", "sized?input={", "sized/?input=%00", "loose", "loose?input="].map(
    (path) => [path] as const,
  ),
  ["packed", { headers: { "accept-encoding": "gzip" } }],
  ["nothing", { headers: { refused: "yes" } }],
  ["nothing", { headers: { "content-type": "application/json" } }],
  ["save"],
  ...['{"size":1}', '{"json":{"size":1}}', '{"size":"1"}', "", "{", "[]", "null", '{"size":1e999}'].map(
    (body) => ["save", post(body)] as const,
  ),
  ["save", post(JSON.stringify({ size: 1, more: "x".repeat(2_000) }))],
  ["save", post("size=1", "application/x-www-form-urlencoded")],
  ["save", post('{"size":1}', "application/json; charset=utf-8")],
  ["count", post('{"data":{"$bytes":"AAAA"}}')],
  ["nested.deep", post("")],
  ["nested.deep", { method: "POST" }],
  ["nested", post("")],
  ["sized", post('{"size":1}')],
  ["nobody"],
  ...[
    "nothing",
    "nothing,empty,long",
    "refuse",
    "refuse,refuse",
    "refuse,nothing",
    "nothing,fail,wrong",
    "huge",
    "empty,huge",
    "empty,dated",
    "pieces",
    "pieces,empty",
    "empty,later",
    "tag,empty",
    "sized,empty",
    "loose,loose",
    "nothing,nobody",
    "nobody",
    "nothing,save",
    "save",
    "nothing,",
    ",",
    "",
    "nothing%2Cempty",
    "%ff",
  ].map((paths) => [`${paths}?batch=1`] as const),
  ...[{ 0: { size: 1 }, 1: { size: 2 } }, { 0: { size: 1 }, 1: { size: "2" } }, { 1: { size: 2 } }, {}].map(
    (inputs) => [`sized,sized?batch=1&input=${written(inputs)}`] as const,
  ),
  ...[null, 7, "a", [{ size: 1 }], { 0: null, 1: [1] }, { json: 1 }].map(
    (inputs) => [`loose,sized,empty?batch=1&input=${written(inputs)}`] as const,
  ),
  ...["{", "", "%00"].map((text) => [`sized,empty?batch=1&input=${text}`] as const),
  ...["nothing?batch=2", "nothing?batch", "nothing,empty?batch=0", "nothing,empty"].map(
    (path) => [path] as const,
  ),
  ...["packed?batch=1", "packed,packed?batch=1", "packed,long?batch=1"].map(
    (path) => [path, { headers: { "accept-encoding": "gzip" } }] as const,
  ),
  ["nothing,empty?batch=1", { headers: { refused: "yes" } }],
  ...[
    '{"0":{"size":1},"1":{"size":2}}',
    '{"0":{"size":1}}',
    '{"0":{"size":1},"1":{"size":"2"}}',
    '{"0":{"json":{"size":1}},"1":{"json":{"size":2}}}',
    '{"0":{"size":1e999}}',
    "[]",
    "null",
    "7",
    "{",
    "",
  ].map((body) => ["save,save?batch=1", post(body)] as const),
  ["save,nested.deep?batch=1", post('{"0":{"size":1}}')],
  ["save,count?batch=1", post('{"0":{"size":1},"1":{"data":{"$bytes":"AAAA"}}}')],
  ["save,sized?batch=1", post('{"0":{"size":1}}')],
  ["save?batch=1", post('{"0":{"size":1,"more":"' + "x".repeat(2_000) + '"}}')],
  ["save?batch=1", post("0=1", "application/x-www-form-urlencoded")],
  ["save?batch=1", post("0=1", "text/plain")],
];

describe.each(Object.entries(TRANSFORMERS))("with the transformer %s", (_, transformer) => {
  const { fetch } = serve(transformer);

  async function answerTo(path: string, init: RequestInit = {}, more: Record<string, string> = {}) {
    faults.length = 0;
    const headers = { ...init.headers, ...more };
    const response = await fetch(new Request(`http://calls.test/trpc/${path}`, { ...init, headers }));
    const { "request-id": id = "", "content-length": _, ...told } = Object.fromEntries(response.headers);
    const body = Buffer.from(await response.arrayBuffer()).toString("latin1");
    return {
      status: response.status,
      headers: told,
      cookies: response.headers.getSetCookie(),
      // Of what comes piece by piece tRPC does not say which procedure it was.
      body: body.replaceAll(id, "ID").replace(/"path":"(pieces|later)",/, ""),
      faults: faults.map(String),
    };
  }

  test.each(CALLS.map(([path, init]) => ({ path, init })))(
    "$path is answered as by tRPC's own handler (%#)",
    async ({ path, init }) => {
      const byTrpc = await answerTo(path, init, { "trpc-accept": "application/json" });
      expect(await answerTo(path, init)).toEqual(byTrpc);
    },
  );
});
