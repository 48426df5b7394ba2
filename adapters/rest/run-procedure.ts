// The steps of a procedure as @trpc/server 11.25.2 runs them (unstable-core-do-not-import/procedureBuilder.ts,
// callRecursive), which copies all options of the call twice at each step, key by key with Object.defineProperty
// (the bundle's _objectSpread2): 40 of the 50 microseconds that a call spends in tRPC.
import { getTRPCErrorFromUnknown, type AnyTRPCProcedure } from "@trpc/server";
import type { Context } from "../../router/context.ts";

interface Options {
  readonly path: string;
  readonly type: string;
  readonly ctx: Context;
  readonly input?: unknown;
  readonly getRawInput: () => Promise<unknown>;
  readonly signal: AbortSignal;
  readonly batchIndex: number;
}

type Changes = Partial<Pick<Options, "ctx" | "input" | "getRawInput">>;

type Outcome = { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: Error };

interface StepOptions extends Options {
  readonly meta: unknown;
  readonly next: (changes?: Changes) => Promise<Outcome>;
}

/** Runs a procedure to its result. @throws TRPCError */
export async function runProcedure({ _def }: AnyTRPCProcedure, options: Options): Promise<unknown> {
  // Every builder has this list; its type is not among the public ones.
  const steps = Reflect.get(_def, "middlewares") as readonly ((options: StepOptions) => Promise<Outcome>)[];
  const outcome = await runStep(0, options);
  if (!outcome.ok) throw outcome.error;
  return outcome.data;

  async function runStep(index: number, current: Options): Promise<Outcome> {
    const next: StepOptions["next"] = (changes = {}) =>
      runStep(index + 1, {
        ...current,
        ...changes,
        ctx: changes.ctx ? { ...current.ctx, ...changes.ctx } : current.ctx,
      });
    try {
      return await steps[index]!({ ...current, meta: _def.meta, next });
    } catch (cause) {
      return { ok: false, error: getTRPCErrorFromUnknown(cause) };
    }
  }
}
