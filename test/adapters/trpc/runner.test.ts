// A procedure is called without its own code, with the same outcome: what it returns or throws, and what each of its
// middlewares is given.
import { type AnyTRPCProcedure, initTRPC, TRPCError } from "@trpc/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type ProcedureCall, runnerOf } from "../../../adapters/trpc/runner.ts";
import { fc, runs } from "../../support/properties.ts";

interface Context {
  readonly name: string;
  readonly added?: readonly number[];
}

const t = initTRPC.context<Context>().meta<{ note: string }>().create();
type Builder = typeof t.procedure;

/** Notes what a middleware or the resolver was given. */
type Note = (step: string, call: object) => void;

/** Ways to build a procedure on, each with its number. */
const STEPS: Readonly<Record<string, (on: Builder, note: Note, n: number) => Builder>> = {
  pass: (on, note, n) =>
    on.use((call) => {
      note(`pass ${n}`, call);
      return call.next();
    }),
  "another context": (on, note, n) =>
    on.use((call) => {
      note(`context ${n}`, call);
      return call.next({ ctx: { added: [...(call.ctx.added ?? []), n] } });
    }),
  "another input": (on, _, n) =>
    on.use(({ next, input }) => next({ input: { ...Object(input), n } } as never)),
  "no input": (on) => on.use(({ next }) => next({ input: undefined } as never)),
  "another raw input": (on, _, n) =>
    on.use(({ next }) => next({ getRawInput: async () => ({ a: n }) } as never)),
  "the raw input": (on, note, n) =>
    on.use(async (call) => {
      note(`raw ${n}`, { raw: await call.getRawInput() });
      return call.next();
    }),
  "an input": (on) => on.input(z.object({ a: z.number().optional() })) as unknown as Builder,
  "a looser input": (on, _, n) =>
    on.input(z.looseObject({ [`b${n}`]: z.literal(n).default(n) })) as unknown as Builder,
  "a demanding input": (on) => on.input(z.object({ required: z.string() })) as unknown as Builder,
  "an output": (on) => on.output(z.looseObject({ name: z.string() })) as unknown as Builder,
  "an output that is not met": (on) => on.output(z.object({ other: z.string() })) as unknown as Builder,
  "a changed result": (on, _, n) =>
    on.use(async ({ next }) => {
      const result = await next();
      return result.ok ? { ...result, data: { name: `changed by ${n}` } } : result;
    }),
  "an error seen": (on, note, n) =>
    on.use(async ({ next }) => {
      const result = await next();
      note(`result ${n}`, { result: result.ok ? "ok" : plain(result.error), marker: result.marker });
      return result;
    }),
  "next twice": (on) =>
    on.use(async ({ next }) => {
      await next();
      return next();
    }),
  "nothing returned": (on) => on.use((async () => undefined) as never),
  refuse: (on, _, n) =>
    on.use(() => {
      throw new TRPCError({ code: "FORBIDDEN", message: `refused by ${n}` });
    }),
  fail: (on, _, n) =>
    on.use(async () => {
      throw new RangeError(`failed in ${n}`);
    }),
  "throw a text": (on) =>
    on.use(() => {
      throw "a text";
    }),
  "formatted errors": (on, _, n) =>
    on.errors(({ shape, ctx }) => ({ ...shape, by: n, name: ctx?.name })) as unknown as Builder,
  meta: (on, _, n) => on.meta({ note: String(n) }),
};

function build(names: readonly string[], note: Note): AnyTRPCProcedure {
  const built = names.reduce((on, name, n) => STEPS[name]!(on, note, n), t.procedure);
  return built.query((call) => {
    note("resolver", call);
    return { name: call.ctx.name, input: (call as { input?: unknown }).input };
  });
}

function plain(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, cause } = error;
  const code = error instanceof TRPCError ? error.code : undefined;
  return { ...error, is: error.constructor.name, name, code, message, cause: cause && plain(cause) };
}

/** What comes of a call, and what its middlewares were given. */
async function outcome(
  names: readonly string[],
  runOf: (procedure: AnyTRPCProcedure) => (call: ProcedureCall) => Promise<unknown>,
) {
  const given: object[] = [];
  const signal = AbortSignal.timeout(60_000);
  const note: Note = (step, call) => {
    const { next: _, getRawInput: __, ...others } = call as Record<string, unknown>;
    given.push({ step, keys: Object.keys(call).toSorted(), ...others, signal: others["signal"] === signal });
  };
  const run = runOf(build(names, note));
  const call = { path: "notes.add", type: "query", signal, batchIndex: 3 } as const;
  const getRawInput = async () => ({ a: 1, b1: 1, more: true });
  const result = await run({ ...call, ctx: { name: "a" }, getRawInput }).then(
    (data) => ({ data }),
    (error: unknown) => ({ error: plain(error) }),
  );
  return { result, given };
}

describe("a procedure's runner", () => {
  test("does not call the procedure itself", () => {
    const procedure = build(["pass"], () => {});
    expect(runnerOf(procedure)).not.toBe(procedure);
  });

  test.for(Object.keys(STEPS))("does as the procedure with: %s", async (name) => {
    expect(await outcome([name], runnerOf)).toEqual(await outcome([name], (procedure) => procedure));
  });

  test("does as the procedure with any middlewares", async () => {
    // tRPC takes one output.
    const names = fc
      .array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 6 })
      .filter((drawn) => drawn.filter((name) => name.startsWith("an output")).length < 2);
    await fc.assert(
      fc.asyncProperty(names, async (drawn) => {
        expect(await outcome(drawn, runnerOf)).toEqual(await outcome(drawn, (procedure) => procedure));
      }),
      runs(500),
    );
  });
});
