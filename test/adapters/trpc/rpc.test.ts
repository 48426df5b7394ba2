import { createTRPCClient, httpBatchLink, httpBatchStreamLink, httpLink, type TRPCLink } from "@trpc/client";
import { TRPCError } from "@trpc/server";
import { expect, test } from "vitest";
import { frameLink } from "../../../client/frame-link.ts";
import { bytesTransformer } from "../../../wire/byte-tree.ts";
import { type sampleRouter, serveSample } from "./sample-router.ts";

type Router = typeof sampleRouter;

const { request, errors } = serveSample();
const seen: string[] = [];
const url = "http://sample.test/rpc";
const fetch = async (input: RequestInfo | URL | string, init?: RequestInit) => {
  const { pathname, search } = new URL(String(input));
  seen.push(`${init?.method ?? "GET"} ${pathname}`);
  return request(pathname + search, init);
};

/** tRPC's own types of fetch differ from the platform's in optional members. */
const stockBy = (send: typeof fetch) => ({ url, fetch: send as never, transformer: bytesTransformer });
const stock = stockBy(fetch);
const linksBy = (send: typeof fetch): [string, TRPCLink<Router>][] => [
  ["httpLink", httpLink(stockBy(send))],
  ["httpBatchLink", httpBatchLink(stockBy(send))],
  ["httpBatchStreamLink", httpBatchStreamLink(stockBy(send))],
  ["frameLink", frameLink<Router>({ url, fetch: send as typeof globalThis.fetch })],
];
const LINKS = linksBy(fetch);
const clientOf = (link: TRPCLink<Router>) => createTRPCClient<Router>({ links: [link] });

test.each(LINKS)("%s calls queries and mutations, with an input or none", async (_, link) => {
  const client = clientOf(link);
  expect(await client.nothing.query()).toBe("nothing was sent");
  expect([await client.maybe.query(), await client.maybe.query("x")]).toEqual(["undefined", "x"]);
  expect([await client.maybeWrite.mutate(undefined), await client.maybeWrite.mutate(2)]).toEqual([
    undefined,
    2,
  ]);
  expect(await client.save.mutate({ id: "x", about: { name: "n" } })).toEqual({ id: "x", name: "n" });
});

test.each(LINKS)(
  "%s gets what a procedure refuses, and not a word of what nobody expected",
  async (_, link) => {
    const client = clientOf(link);
    await expect(client.refuse.query()).rejects.toMatchObject({
      message: "It is there already",
      data: { httpStatus: 409 },
    });
    const failed: unknown = await client.fail.query().catch((error: unknown) => error);
    expect(failed).toMatchObject({
      message: "Something went wrong on the server",
      data: { httpStatus: 500 },
    });
    expect(JSON.stringify(failed)).not.toContain("hunter2");
    expect(String(errors.at(-1))).toContain("hunter2");
  },
);

test("a batch of calls is answered together", async () => {
  const client = clientOf(httpBatchLink(stock));
  seen.length = 0;
  const all = Promise.all([client.maybe.query("a"), client.maybe.query("b"), client.nothing.query()]);
  expect([await all, seen]).toEqual([["a", "b", "nothing was sent"], ["GET /rpc/maybe,maybe,nothing"]]);
});

test("frameLink carries bytes both ways, and sends queries with GET", async () => {
  const client = clientOf(LINKS[3]![1]);
  const { data } = await client.double.mutate({ data: new Uint8Array([1, 2]) });
  expect([...data]).toEqual([1, 2, 1, 2]);
  seen.length = 0;
  await client.maybe.query("x");
  await client.maybeWrite.mutate(1);
  expect(seen).toEqual(["GET /rpc/maybe", "POST /rpc/maybeWrite"]);
});

test("frameLink hands out a stream while it arrives, where it is told of one", async () => {
  const link = frameLink<Router>({ url, fetch: fetch as typeof globalThis.fetch, streamed: ["streamed"] });
  const { data } = await clientOf(link).streamed.query({ pieces: 3 });
  expect((await data.bytes()).length).toBe(3000);
});

test("bytes travel in JSON too, by the transformer", async () => {
  const { data } = await clientOf(httpLink(stock)).double.mutate({ data: new Uint8Array([7]) });
  expect([...data]).toEqual([7, 7]);
});

test("httpLink sends a form and bytes as tRPC does", async () => {
  const client = clientOf(httpLink(stock));
  const form = new FormData();
  form.append("name", "a");
  form.append("file", new Blob(["12345"]), "a.txt");
  expect(await client.form.mutate(form)).toEqual({ name: "a", size: 5 });
  const octets: unknown = new Blob(["123456"]);
  expect(await client.octets.mutate(octets as never)).toBe(6);
});

test("answers HEAD of a query, and 405 or 404 where there is none", async () => {
  const statuses = ["nothing", "save", "unknown"].map(
    async (path) => (await request(`/rpc/${path}`, { method: "HEAD" })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 405, 404]);
  expect((await request("/rpc/nothing", { method: "PUT" })).status).toBe(405);
});

test.each(LINKS.map(([name]) => name))("%s is told what a context refuses", async (name) => {
  const { request, errors } = serveSample({
    createContext: () => {
      throw new TRPCError({ code: "UNAUTHORIZED", message: "Who are you?" });
    },
  });
  const fetch = async (input: RequestInfo | URL | string, init?: RequestInit) => {
    const { pathname, search } = new URL(String(input));
    return request(pathname + search, init);
  };
  const link = linksBy(fetch).find(([each]) => each === name)![1];
  await expect(clientOf(link).nothing.query()).rejects.toMatchObject({
    message: "Who are you?",
    data: { httpStatus: 401 },
  });
  expect(errors).toEqual([]);
  const preflight = await request("/rpc/nothing", { method: "OPTIONS" });
  const rest = await request("/numbers?of=a");
  expect([preflight.status, rest.status, rest.headers.get("access-control-allow-origin")]).toEqual([
    ...[204, 401, "*"],
  ]);
});
