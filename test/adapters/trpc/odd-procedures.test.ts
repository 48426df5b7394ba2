// Procedures, errors and contexts as some programs have them: single calls, batches and REST treat them as tRPC does.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type AnyTRPCProcedure, type AnyTRPCRouter, initTRPC, TRPCError } from "@trpc/server";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createTrpcServer, type AdapterMeta } from "../../../adapters/trpc/index.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";

type Trpc = Pick<typeof import("@trpc/server"), "initTRPC" | "TRPCError">;

const t = initTRPC.meta<AdapterMeta>().create({ isDev: true });
const at = (path: `/${string}`): AdapterMeta => ({ openapi: { method: "GET", path } });

function serve(router: AnyTRPCRouter, createContext: () => object = () => ({})) {
  const faults: unknown[] = [];
  const app = createTrpcServer({
    router,
    createContext,
    onError: (error) => faults.push(error),
    onWarning: () => {},
  });
  const ask = async (path: string, more: Record<string, string> = {}) => {
    const headers = { "content-type": "application/json", ...more };
    const response = await app.fetch(new Request(`http://odd.test${path}`, { headers }));
    return { status: response.status, text: await response.text() };
  };
  return { ask, faults };
}

/** A procedure that counts its calls, put in place of the one of a router. */
function wrapped(wrap: (procedure: AnyTRPCProcedure, note: () => void) => unknown) {
  let calls = 0;
  const router = t.router({ q: t.procedure.meta(at("/q")).query(() => "own") });
  const made = wrap(router._def.procedures.q as unknown as AnyTRPCProcedure, () => void calls++);
  Object.assign(router._def.procedures, { q: made });
  return { ...serve(router), calls: () => calls };
}

const call = (procedure: AnyTRPCProcedure, given: unknown): unknown => procedure(given as never);

describe.each(["/trpc/q", "/trpc/q?batch=1", "/q"])(
  "at %s a procedure that somebody has wrapped is called",
  (path) => {
    test.each<[string, Parameters<typeof wrapped>[0]]>([
      [
        "by a function with its properties",
        (procedure, note) => Object.assign((given: unknown) => (note(), call(procedure, given)), procedure),
      ],
      [
        "by one that shows its code",
        (procedure, note) =>
          Object.assign((given: unknown) => (note(), call(procedure, given)), procedure, {
            toString: () => String(procedure),
          }),
      ],
      [
        "by a Proxy that binds what it hands out",
        (procedure, note) =>
          new Proxy(procedure, {
            apply: (of, _, [given]) => (note(), call(of, given)),
            get: (of, key) => {
              const value: unknown = Reflect.get(of, key);
              return typeof value === "function" ? (value.bind(of) as unknown) : value;
            },
          }),
      ],
    ])("%s", async (_, wrap) => {
      const { ask, calls } = wrapped(wrap);
      expect(await ask(path)).toMatchObject({ status: 200, text: expect.stringContaining("own") });
      expect(calls()).toBe(1);
    });

    test("once, if it returns at once", async () => {
      const { ask, calls } = wrapped((procedure, note) =>
        Object.assign(() => (note(), null), { _def: procedure._def }),
      );
      expect((await ask(path)).status).toBe(200);
      expect(calls()).toBe(1);
    });

    test("and may throw at once", async () => {
      const refuse = () => {
        throw new TRPCError({ code: "FORBIDDEN" });
      };
      const { ask } = wrapped((procedure) => Object.assign(refuse, { _def: procedure._def }));
      expect((await ask(path)).status).toBe(403);
    });
  },
);

test("what is written into a procedure's definition later has the effect that it has in tRPC", async () => {
  const router = t.router({
    q: t.procedure.meta({ http: { body: "none", result: "json", status: 201 } }).query(() => ""),
    shown: t.procedure
      .meta({})
      .use(({ meta, next }) => next({ ctx: { meta } }))
      .query(({ ctx }) => ctx.meta),
  });
  const { shown } = router._def.procedures as unknown as Record<"shown", { _def: { meta: unknown } }>;
  shown._def.meta = { changed: true };
  const { ask } = serve(router);
  expect((await ask("/trpc/shown")).text).toContain("changed");
  shown._def = { ...shown._def, meta: { replaced: true } };
  expect((await serve(router).ask("/trpc/shown")).text).toContain("changed");
});

const folder = mkdtempSync(join(tmpdir(), "hushkit-trpc-"));
afterAll(() => rmSync(folder, { recursive: true }));
const required = createRequire(import.meta.url);
cpSync(dirname(required.resolve("@trpc/server/package.json")), folder, { recursive: true });

describe.each<[string, () => Promise<Trpc>]>([
  ["CommonJS", async () => required("@trpc/server") as Trpc],
  ["another folder", async () => (await import(pathToFileURL(join(folder, "dist/index.mjs")).href)) as Trpc],
])("a router of the copy of tRPC in %s", (_, load) => {
  test.each(["/trpc/", "/trpc/?batch=1", "/"])(
    "at %s has its own errors, and is told as it says",
    async (place) => {
      const other = await load();
      const o = other.initTRPC.meta<AdapterMeta>().create();
      const router = o.router({
        lost: o.procedure.meta(at("/lost")).query(() => {
          throw new other.TRPCError({ code: "NOT_FOUND", message: "it is gone" });
        }),
        seen: o.procedure
          .meta(at("/seen"))
          .use(async ({ next }) => {
            const result = await next();
            const isOwn = !result.ok && result.error instanceof other.TRPCError;
            return { ...result, ok: true, data: { isOwn } } as unknown as typeof result;
          })
          .query(() => {
            throw new Error("unexpected");
          }),
      });
      const { ask, faults } = serve(router as unknown as AnyTRPCRouter);
      const [path = "", query = ""] = place.split(/(?=\?)/);
      expect(await ask(`${path}lost${query}`)).toMatchObject({
        status: 404,
        text: expect.stringContaining("it is gone"),
      });
      expect((await ask(`${path}seen${query}`)).text).toContain('"isOwn":true');
      expect(faults).toEqual([]);
    },
  );
});

describe.each(["/trpc/", "/trpc/?batch=1", "/"])("an error at %s", (place) => {
  const [path = "", query = ""] = place.split(/(?=\?)/);

  test("that nobody expected stays hidden where the procedure formats its errors, and has what that adds", async () => {
    const formatted = t.procedure.errors(({ shape }) => ({ ...shape, data: { ...shape.data, own: 1 } }));
    const router = t.router({
      fail: formatted.meta(at("/fail")).query(() => {
        throw new Error("hunter2");
      }),
    });
    const { ask } = serve(router);
    expect((await ask(`${path}fail${query}`)).status).toBe(500);
    for (const headers of [{}, { accept: FRAME_TYPE }, { "trpc-accept": "application/jsonl" }]) {
      const { text } = await ask(`${path}fail${query}`, headers);
      expect(text).not.toMatch(/hunter2|stack|\.ts/);
      // A batch is refused in a frame, and a call by itself in lines.
      if (!/batch/.test(text)) expect(text).toContain('"own":1');
    }
  });

  test("can be frozen, and be thrown again as it was", async () => {
    const known = Object.freeze(new TRPCError({ code: "NOT_FOUND", message: "no such thing" }));
    const unknown = new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: "hunter2" });
    const { stack } = unknown;
    const thrower = (error: Error) => () => {
      throw error;
    };
    const router = t.router({
      lost: t.procedure.meta(at("/lost")).query(thrower(known)),
      fail: t.procedure.meta(at("/fail")).query(thrower(unknown)),
    });
    const { ask, faults } = serve(router);
    for (let i = 0; i < 2; i++) {
      expect(await ask(`${path}lost${query}`)).toMatchObject({
        status: 404,
        text: expect.stringContaining("no such thing"),
      });
      expect((await ask(`${path}fail${query}`)).status).toBe(500);
    }
    expect([unknown.message, unknown.stack]).toEqual(["hunter2", stack]);
    expect(faults).toEqual([unknown, unknown]);
  });

  test("has what the router's formatter adds, whatever the context is", async () => {
    const own = initTRPC.meta<AdapterMeta>().create({
      errorFormatter: ({ shape }) => ({ ...shape, data: { ...shape.data, mine: 1 } }),
    });
    const router = own.router({
      lost: own.procedure.meta(at("/lost")).query(() => {
        throw new TRPCError({ code: "NOT_FOUND" });
      }),
    });
    for (const context of [undefined, null, {}]) {
      const { text } = await serve(router, () => context as unknown as object).ask(`${path}lost${query}`);
      expect(text).toContain('"mine":1');
    }
  });
});

test.each(["/trpc/odd", "/trpc/odd?batch=1"])("%s has the status that a formatter says", async (path) => {
  const router = t.router({
    odd: t.procedure
      .errors(({ shape }) => ({ ...shape, data: { ...shape.data, httpStatus: 422 } }))
      .query(() => {
        throw new TRPCError({ code: "CONFLICT" });
      }),
  });
  expect((await serve(router).ask(path)).status).toBe(422);
});

test("a promise of a result that is rejected ends no program, however the procedure is called", async () => {
  const fail = async (): Promise<never> => {
    throw new Error("later");
  };
  const router = t.router({
    later: t.procedure.query(() => ({ now: 1, later: fail() })),
    sent: t.procedure.input(z.instanceof(FormData)).mutation(() => ({ later: fail() })),
  });
  const { fetch } = createTrpcServer({ router, createContext: () => ({}) });
  const rejected: unknown[] = [];
  const note = (reason: unknown) => void rejected.push(reason);
  process.on("unhandledRejection", note);
  const calls: readonly [string, RequestInit?][] = [
    ["/trpc/later"],
    ["/trpc/later?batch=1"],
    ["/trpc/later?batch=true"],
    ["/trpc/later?batch=1&connectionParams=null"],
    ["/trpc/later", { headers: { "trpc-accept": "text/jsonl" } }],
    ["/trpc/later", { headers: { accept: FRAME_TYPE } }],
    ["/trpc/sent", { method: "POST", body: new FormData() }],
  ];
  const statuses = calls.map(async ([path, init]) => {
    const response = await fetch(new Request(`http://odd.test${path}`, init));
    await response.arrayBuffer();
    return response.status;
  });
  expect(await Promise.all(statuses)).toEqual(calls.map(() => 415));
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("unhandledRejection", note);
  expect(rejected).toEqual([]);
});
