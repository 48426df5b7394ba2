import { createTRPCClient, httpBatchLink, httpLink, type TRPCLink } from "@trpc/client";
import { initTRPC, TRPCError } from "@trpc/server";
import { expect, test } from "vitest";
import { z } from "zod";
import { bytes, ByteStream, byteStream, bytesTransformer } from "../../../adapters/trpc/index.ts";
import { createTrpcServer } from "../../../adapters/trpc/index.ts";
import { frameLink, type Connection } from "../../../client/frame-link.ts";
import { encodeFrame } from "../../../wire/frame.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import { sampleRouter, serveSample } from "./sample-router.ts";

/** Carries dates, maps and large numbers by a tag beside the value, as superjson and devalue do in their own ways. */
const tagging = {
  serialize(value: unknown): unknown {
    if (value instanceof Date) return ["date", value.toISOString()];
    if (value instanceof Map) return ["map", [...value].map((entry) => tagging.serialize(entry))];
    if (typeof value === "bigint") return ["bigint", value.toString()];
    if (value === undefined) return ["undefined"];
    if (Array.isArray(value)) return ["list", value.map(tagging.serialize)];
    if (typeof value !== "object" || value === null) return ["json", value];
    return ["object", Object.entries(value).map(([key, inner]) => [key, tagging.serialize(inner)])];
  },
  deserialize(tagged: unknown): unknown {
    const [tag, value] = tagged as [string, never];
    if (tag === "date") return new Date(value);
    if (tag === "map") return new Map((value as never[]).map(tagging.deserialize) as [unknown, unknown][]);
    if (tag === "bigint") return BigInt(value);
    if (tag === "undefined") return undefined;
    if (tag === "list") return (value as unknown[]).map(tagging.deserialize);
    if (tag === "json") return value;
    const entries = (value as [string, unknown][]).map(([key, inner]) => [key, tagging.deserialize(inner)]);
    return Object.fromEntries(entries);
  },
};

/** The same as one text. */
const writing = {
  serialize: (value: unknown) => JSON.stringify(tagging.serialize(value)),
  deserialize: (text: string) => tagging.deserialize(JSON.parse(text)),
};

/** One for what is sent, another for what is answered. */
const combined = { input: tagging, output: writing };

const rich = z.object({ at: z.date(), names: z.map(z.string(), z.bigint()), more: z.array(z.date()) });
const withFile = rich.extend({ file: bytes(), $bytes: z.string() });

function serveRich(transformer: typeof tagging | typeof writing | typeof combined) {
  const t = initTRPC.create({ transformer });
  const router = t.router({
    echo: t.procedure.input(withFile).mutation(({ input }) => input),
    later: t.procedure.input(z.object({ at: z.date() }).optional()).query(({ input }) => input?.at),
    nothing: t.procedure.mutation(() => undefined),
    streamed: t.procedure.output(z.object({ at: z.date(), data: byteStream() })).query(() => ({
      at: DAY,
      data: new ByteStream(pieces()),
    })),
    refuse: t.procedure.mutation(() => {
      throw new TRPCError({ code: "CONFLICT", message: "It is there already" });
    }),
  });
  const { fetch: answer } = createTrpcServer({ router, createContext: () => ({}) });
  const sent: Request[] = [];
  const fetch = (input: RequestInfo | URL | string, init?: RequestInit) => {
    const request = new Request(input, init);
    sent.push(request.clone());
    return answer(request);
  };
  const clientBy = (link: TRPCLink<typeof router>) => createTRPCClient<typeof router>({ links: [link] });
  const url = "http://rich.test/trpc";
  const framed = (options: Partial<Connection> = { transformer }) =>
    clientBy(frameLink({ url, fetch: fetch as typeof globalThis.fetch, ...options }));
  // tRPC's own types of fetch differ from the platform's in optional members.
  const stock = { url, fetch: fetch as never, transformer };
  return {
    framed,
    stock: clientBy(httpLink(stock)),
    batched: clientBy(httpBatchLink(stock)),
    fetch,
    sent,
    url,
  };
}

const DAY = new Date("2026-11-23T12:00:00.000Z");
const FILE = Uint8Array.of(0, 1, 254, 255);
const RICH = { at: DAY, names: new Map([["large", 2n ** 80n]]), more: [DAY], $bytes: "a key of its own" };

async function* pieces() {
  yield Uint8Array.of(1, 2);
  yield Uint8Array.of(3);
}

test.each([
  ["a tree", tagging],
  ["a text", writing],
  ["a tree one way and a text the other", combined],
])("a frame carries what the transformer carries, as %s, and bytes as they are", async (_, transformer) => {
  const { framed, stock, sent } = serveRich(transformer);
  const client = framed();
  expect(await client.echo.mutate({ ...RICH, file: FILE })).toStrictEqual({ ...RICH, file: FILE });
  const body = new Uint8Array(await sent[0]!.arrayBuffer());
  expect(body.slice(-FILE.length)).toStrictEqual(FILE);
  expect([await client.later.query({ at: DAY }), await client.later.query()]).toStrictEqual([DAY, undefined]);
  expect(sent.map(({ method }) => method)).toEqual(["POST", "GET", "GET"]);
  expect(await client.nothing.mutate()).toBe(undefined);
  await expect(client.refuse.mutate()).rejects.toThrow("It is there already");
  expect(await stock.later.query({ at: DAY })).toStrictEqual(DAY);
});

test("a batch may leave an input out", async () => {
  const { batched } = serveRich(tagging);
  const all = [batched.later.query({ at: DAY }), batched.later.query()];
  expect(await Promise.all(all)).toStrictEqual([DAY, undefined]);
});

test("a stream arrives behind what the transformer carries", async () => {
  const { framed } = serveRich(tagging);
  const { at, data } = await framed({ transformer: tagging, streamed: ["streamed"] }).streamed.query();
  expect([at, await data.bytes()]).toStrictEqual([DAY, Uint8Array.of(1, 2, 3)]);
});

test("what neither JSON nor the transformer carries is refused", async () => {
  const { framed } = serveRich(tagging);
  await expect(framed({}).echo.mutate({ ...RICH, file: FILE })).rejects.toThrow("JSON cannot carry");
  const inside = { ...RICH, names: new Map([["large", FILE as never]]), file: FILE };
  await expect(framed({ transformer: bytesTransformer }).echo.mutate(inside)).rejects.toThrow("JSON");
});

test.each([
  ["POST", "application/json", '{"json":1}'],
  ["POST", FRAME_TYPE, encodeFrame({ json: 1 })],
  ["POST", FRAME_TYPE, encodeFrame(["date"])],
  ["GET", FRAME_TYPE, undefined],
])("%s of %s that the transformer cannot read is a mistake of who sent it", async (method, type, body) => {
  const { fetch, url } = serveRich(tagging);
  const path = method === "GET" ? `${url}/later?input=${encodeURIComponent('["x"]')}` : `${url}/echo`;
  const headers = { accept: type, ...(body && { "content-type": type }) };
  const response = await fetch(path, { method, headers, ...(body && { body }) });
  expect(response.status).toBe(400);
});

// Written by Python: struct.pack(">I", len(head)) + head + bytes.
const SENT = "000000197b2264617461223a7b22246279746573223a5b302c325d7d7d0102";
const ANSWERED =
  "0000002d7b22726573756c74223a7b2264617461223a7b2264617461223a7b22246279746573223a5b302c345d7d7d7d7d01020102";

test.each([
  ["none", {}],
  ["bytesTransformer", { transformer: bytesTransformer }],
])(
  "frames of a router with bytesTransformer stay what they were, with %s at the client",
  async (_, options) => {
    const { request } = serveSample();
    const hex: string[] = [];
    const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
      hex.push(Buffer.from(init?.body as Uint8Array).toString("hex"));
      const response = await request(new URL(String(input)).pathname, init);
      hex.push(Buffer.from(await response.clone().arrayBuffer()).toString("hex"));
      return response;
    };
    const link = frameLink<typeof sampleRouter>({ url: "http://sample.test/rpc", fetch, ...options });
    const client = createTRPCClient<typeof sampleRouter>({ links: [link] });
    const { data } = await client.double.mutate({ data: Uint8Array.of(1, 2) });
    expect([[...data], hex]).toEqual([
      [1, 2, 1, 2],
      [SENT, ANSWERED],
    ]);
  },
);
