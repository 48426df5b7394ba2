import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink } from "@trpc/client";
import { initTRPC } from "@trpc/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { bytesTransformer, createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";

// Base64 of long bytes is written while it is sent, because as one text it would hold up everybody.
const LENGTH = 200_000;
const expected = new Uint8Array(LENGTH).map((_, i) => i % 251);
const base64 = Buffer.from(expected).toString("base64");

const t = initTRPC.meta<AdapterMeta>().create({ transformer: bytesTransformer });
const router = t.router({
  make: t.procedure
    .meta({ openapi: { method: "POST", path: "/make" } })
    .input(z.object({ length: z.int() }))
    .output(z.object({ name: z.string(), data: z.instanceof(Uint8Array<ArrayBuffer>) }))
    .mutation(({ input: { length } }) => ({ name: "made", data: expected.slice(0, length) })),
  listen: t.procedure.subscription(async function* () {
    yield { data: expected.slice() };
  }),
});
const server = createTrpcServer({ router, createContext: () => ({}), rpcPath: "/rpc" });
const request = (path: string, init?: RequestInit) =>
  server.fetch(new Request(`http://long.test${path}`, init));

/** How long the longest text is that JSON was written as meanwhile. */
function longestJson(): () => number {
  const write = vi.spyOn(JSON, "stringify");
  onTestFinished(() => void vi.restoreAllMocks());
  return () => Math.max(0, ...write.mock.results.map(({ value }) => String(value).length));
}

/** tRPC's own types of fetch differ from the platform's in optional members. */
const options = {
  url: "http://long.test/rpc",
  fetch: ((input: string, init?: RequestInit) =>
    request(input.replace("http://long.test", ""), init)) as never,
  transformer: bytesTransformer,
};

test.each([
  ["httpLink", httpLink<typeof router>(options)],
  ["httpBatchLink", httpBatchLink<typeof router>(options)],
  ["httpBatchStreamLink", httpBatchStreamLink<typeof router>(options)],
])("%s gets long bytes that were never one text of JSON", async (_, link) => {
  const longest = longestJson();
  const client = createTRPCClient<typeof router>({ links: [link] });
  const lengths = [LENGTH, 10, LENGTH - 1, LENGTH - 2];
  const made = await Promise.all(lengths.map((length) => client.make.mutate({ length })));
  expect(made.map(({ data }) => data)).toEqual(lengths.map((length) => expected.slice(0, length)));
  expect(longest()).toBeLessThan(LENGTH);
});

test("REST writes long bytes so too, with the length of the answer", async () => {
  const longest = longestJson();
  const body = `{"length":${LENGTH}}`;
  const headers = { "content-type": "application/json" };
  const response = await request("/make", { method: "POST", headers, body });
  const text = await response.text();
  expect(longest()).toBeLessThan(LENGTH);
  expect(text).toBe(`{"name":"made","data":"${base64}"}`);
  expect(response.headers.get("content-length")).toBe(`${text.length}`);
});

test("an event holds its bytes itself", async () => {
  const response = await request("/rpc/listen", { headers: { accept: "text/event-stream" } });
  expect(await response.text()).toContain(`{"data":{"$bytes":"${base64}"}}`);
});
