// What is refused before any procedure runs: every link of tRPC's reads it, also with a transformer.
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  type TRPCClientError,
  type TRPCLink,
} from "@trpc/client";
import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createTrpcServer } from "../../../adapters/trpc/index.ts";
import { frameLink } from "../../../client/frame-link.ts";
import { byTrpc } from "./by-trpc.ts";

const URL_ASKED = "http://refused.test/trpc";

/** A server that takes 1,000 bytes and two calls at once, and whose context fails for who sends the header `refused`. */
function serve(transformer: typeof superjson | undefined) {
  const t = initTRPC.create({
    ...(transformer && { transformer }),
    errorFormatter: ({ shape, path }) => {
      const { stack: _, ...data } = shape.data;
      return { ...shape, data: { ...data, own: `of ${path}` } };
    },
  });
  const router = t.router({
    read: t.procedure.query(() => new Date(0)),
    save: t.procedure.input(z.string()).mutation(({ input }) => input.length),
  });
  const faults: unknown[] = [];
  const createContext = ({ request }: { request: Request }) => {
    const refused = request.headers.get("refused");
    if (refused === "login") throw new TRPCError({ code: "UNAUTHORIZED", message: "Log in first" });
    if (refused === "fault") throw new Error("hunter2");
    return {};
  };
  const app = createTrpcServer({
    ...{ router, createContext, maxBodyBytes: 1_000, maxBatchSize: 2 },
    onError: (error) => faults.push(error),
  });
  return { router, faults, fetch: app.fetch, byTrpc: byTrpc(router, createContext) };
}

type Router = ReturnType<typeof serve>["router"];
type Fetch = (request: Request) => Promise<Response> | Response;

describe.each([
  ["none", undefined],
  ["superjson", superjson],
])("with the transformer %s", (_, transformer) => {
  const served = serve(transformer);

  function clientOf(link: unknown, headers: Record<string, string>, fetch: Fetch, url = URL_ASKED) {
    const own = {
      url,
      transformer,
      headers,
      fetch: (to: string, init: RequestInit) => fetch(new Request(to, init)),
    };
    // Each link has a type of options of its own, of which these are a part.
    const links = [(link as (options: object) => TRPCLink<Router>)(own)];
    return createTRPCClient<Router>({ links });
  }

  async function refusal(asked: Promise<unknown>) {
    const { message, data } = (await asked.catch((error: unknown) => error)) as TRPCClientError<Router>;
    return { message, data };
  }

  describe.each<[string, unknown]>([
    ["httpLink", httpLink],
    ["httpBatchLink", httpBatchLink],
    ["httpBatchStreamLink", httpBatchStreamLink],
  ])("%s", (name, link) => {
    test("gets what tRPC's own handler says where there is no context", async () => {
      const headers = { refused: "login" };
      const ask = (fetch: Fetch) => {
        const client = clientOf(link, headers, fetch);
        return Promise.all([refusal(client.read.query()), refusal(client.save.mutate("a"))]);
      };
      const answers = await ask(served.fetch);
      expect(answers).toEqual(await ask(served.byTrpc));
      expect(answers).toMatchObject([
        { message: "Log in first", data: { httpStatus: 401, own: "of read" } },
        { message: "Log in first", data: { httpStatus: 401, own: "of save" } },
      ]);
    });

    test("is told nothing of a fault in the context, and the program once", async () => {
      const client = clientOf(link, { refused: "fault" }, served.fetch);
      const before = served.faults.length;
      const answers = await Promise.all([refusal(client.read.query()), refusal(client.read.query())]);
      expect(answers.map(({ message }) => message)).toEqual(
        Array(2).fill("Something went wrong on the server"),
      );
      expect(JSON.stringify(answers)).not.toContain("hunter2");
      expect(served.faults.length - before).toBe(name === "httpLink" ? 2 : 1);
    });

    test("is told that a body is too large", async () => {
      const { message } = await refusal(clientOf(link, {}, served.fetch).save.mutate("x".repeat(2_000)));
      expect(message).toContain("1,000 bytes");
    });
  });

  // A single call by httpLink looks like one of REST.
  describe.each<[string, unknown]>([
    ["httpBatchLink", httpBatchLink],
    ["httpBatchStreamLink", httpBatchStreamLink],
  ])("%s", (_, link) => {
    test("is told where RPC is", async () => {
      const elsewhere = clientOf(link, {}, served.fetch, "http://refused.test/elsewhere");
      const { message } = await refusal(elsewhere.read.query());
      expect(message).toContain("RPC is at /trpc");
    });

    test("is told that a batch has too many calls", async () => {
      const client = clientOf(link, {}, served.fetch);
      const answers = await Promise.all(Array.from({ length: 3 }, () => refusal(client.read.query())));
      expect(answers.map(({ message }) => message)).toEqual(Array(3).fill("Batch call exceeds maximum size"));
    });
  });

  test("a frame's link gets the same", async () => {
    const { message, data } = await refusal(
      clientOf(frameLink, { refused: "login" }, served.fetch).save.mutate("a"),
    );
    expect([message, data?.httpStatus]).toEqual(["Log in first", 401]);
  });

  test("a listener gets the status", async () => {
    const headers = { refused: "login", accept: "text/event-stream" };
    const response = await served.fetch(new Request(`${URL_ASKED}/read`, { headers }));
    expect(response.status).toBe(401);
  });
});

test("a body that the server around this one finds too large is 413", async () => {
  const { fetch } = serve(undefined);
  const pull = (controller: ReadableStreamDefaultController) =>
    controller.error(Object.assign(new Error("Payload Too Large"), { status: 413 }));
  const body = new ReadableStream({ pull });
  const init = { method: "POST", body, duplex: "half", headers: { "content-type": "application/json" } };
  const response = await fetch(new Request(`${URL_ASKED}/save`, init));
  const code = "PAYLOAD_TOO_LARGE";
  expect([response.status, await response.json()]).toMatchObject([413, { error: { data: { code } } }]);
});
