import { type AnyTRPCProcedure, getTRPCErrorFromUnknown, initTRPC, TRPCError } from "@trpc/server";

/** What a procedure is called with. */
export type ProcedureCall = Omit<Parameters<AnyTRPCProcedure>[0], "input">;

/** Calls a procedure. Rejects with what it threw, as a TRPCError. */
export type RunProcedure = (call: ProcedureCall) => Promise<unknown>;

/** What a middleware may change for those after it. */
type Changes = { ctx?: object; input?: unknown; getRawInput?: ProcedureCall["getRawInput"] } | undefined;
type Next = (changes?: Changes) => Promise<MiddlewareResult>;
type MiddlewareResult = { ok: true; data: unknown } | { ok: false; error: unknown } | undefined;
type Middleware = (
  call: ProcedureCall & { meta: unknown; input: unknown; next: Next },
) => Promise<MiddlewareResult>;

/** The part of a procedure's `_def` that a call reads. */
interface Definition {
  /** What runs in a call, in this order: inputs, `.use()`, outputs and the resolver. */
  readonly middlewares: readonly Middleware[];
  readonly meta: unknown;
}

/**
 * Calls a procedure as it calls itself, in a quarter of the time: for each middleware tRPC 11.25 copies the call twice,
 * with a helper for old runtimes (unstable-core-do-not-import/procedureBuilder.ts). A procedure that somebody has
 * wrapped or changed, or that another copy of tRPC has made, is called as it is.
 */
export function runnerOf(procedure: AnyTRPCProcedure): RunProcedure {
  const definition = definitionOf(procedure);
  // What a wrapper throws or returns at once comes in the same way.
  if (!definition) return async (call): Promise<unknown> => procedure(call);
  return async (call) => {
    const passed = await pass(call, { definition, index: 0, input: undefined });
    if (!passed) throw new TRPCError({ code: "INTERNAL_SERVER_ERROR", message: NO_RESULT });
    if (!passed.ok) throw passed.error;
    return passed.data;
  };
}

function definitionOf(procedure: AnyTRPCProcedure): Definition | undefined {
  const { _def: definition } = procedure;
  const isUsual = usual && codeOf(procedure) === usual.code && placeOf(procedure) === usual.place;
  // tRPC goes on with the definition that it has made.
  const isChanged = Reflect.get(procedure, "meta") !== definition.meta;
  return isUsual && !isChanged && hasMiddlewares(definition) ? definition : undefined;
}

function hasMiddlewares(definition: { readonly meta: unknown }): definition is Definition {
  return Array.isArray(Reflect.get(definition, "middlewares"));
}

const NO_RESULT = "No result from middlewares - did you forget to `return next()`?";

async function pass(
  call: ProcedureCall,
  { definition, index, input }: { definition: Definition; index: number; input: unknown },
): Promise<MiddlewareResult> {
  const { path, type, signal, batchIndex, ctx, getRawInput } = call;
  const next: Next = (changes) => {
    const changed = {
      path,
      type,
      signal,
      batchIndex,
      ctx: changes?.ctx ? { ...Object(ctx), ...changes.ctx } : ctx,
      getRawInput: changes?.getRawInput ?? getRawInput,
    };
    const changedInput = changes && "input" in changes ? changes.input : input;
    return pass(changed, { definition, index: index + 1, input: changedInput });
  };
  try {
    const { middlewares, meta } = definition;
    const middleware = middlewares[index]!;
    return await middleware({ path, type, signal, batchIndex, ctx, getRawInput, meta, input, next });
  } catch (cause) {
    const failed = { ok: false, error: getTRPCErrorFromUnknown(cause), marker: "middlewareMarker" } as const;
    return failed;
  }
}

const GIVEN = ["batchIndex", "ctx", "getRawInput", "input", "meta", "next", "path", "signal", "type"];
const CHANGED = ["ctx", "getRawInput", "input"];

/**
 * What every procedure of the tRPC that is installed has in common. Undefined if its middlewares are given more than
 * here, or may change more.
 */
const usual = findUsual();

function findUsual(): { code: string; place: string | undefined } | undefined {
  let given: readonly string[] = [];
  const changed = new Set<PropertyKey>();
  const note = (_: object, key: PropertyKey) => !changed.add(key);
  const changes = new Proxy({}, { get: (of, key) => void note(of, key), has: note });
  const { procedure } = initTRPC.create({ allowOutsideOfServer: true });
  const noted = procedure
    .use((call) => {
      given = Object.keys(call);
      return call.next(changes);
    })
    .query(() => null);
  const call = { path: "", ctx: {}, getRawInput: async () => null, type: "query", batchIndex: 0 } as const;
  // Its first middleware runs before this returns.
  void noted({ ...call, signal: undefined }).catch(() => undefined);
  const isKnown = isSame(given, GIVEN) && isSame([...changed], CHANGED);
  return isKnown ? { code: codeOf(noted), place: placeOf(noted) } : undefined;
}

function isSame(keys: readonly PropertyKey[], known: readonly string[]): boolean {
  return keys.length === known.length && known.every((key) => keys.includes(key));
}

/** The code of a function. Of a Proxy it is that of a native one, whatever that says of itself. */
function codeOf(procedure: AnyTRPCProcedure): string {
  return Function.prototype.toString.call(procedure);
}

/**
 * Where a procedure's code stands, which differs between two copies of tRPC. It looks for `getRawInput` first, and
 * refuses a call without one.
 */
function placeOf(procedure: AnyTRPCProcedure): string | undefined {
  let place: string | undefined;
  const has = () => {
    // Four lines: the message, this function, the procedure and its caller.
    place = new Error().stack?.split("\n").slice(0, 4).join();
    return false;
  };
  const call = new Proxy({}, { has }) as ProcedureCall;
  void procedure(call).catch(() => undefined);
  return place;
}
