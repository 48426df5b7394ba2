import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import type { AdapterMeta } from "./meta.ts";

// With runner.ts the only file that reads what tRPC does not type. Checked with @trpc/server 11.25.2:
// - A router's `_def.procedures` is a flat record by path ("notes.add"), typed as the nested one. Those of a lazy router
//   come into it when `_def.lazy` has loaded it, which then may have lazy routers of its own
//   (unstable-core-do-not-import/router.ts).
// - A procedure's `_def.inputs` and `_def.output` are the parsers given to `.input()` and `.output()`
//   (unstable-core-do-not-import/procedureBuilder.ts). trpc-to-openapi 3.3 reads them in the same way. `_def.resolver` is
//   the function given to `.query()`.
// - `_def.meta` is public, but typed as unknown.

/** The procedures of a router by path, as far as they are loaded. */
export function proceduresOf(router: { _def: { procedures: object } }): Record<string, AnyTRPCProcedure> {
  const entries = Object.entries(router._def.procedures).filter((entry) => isProcedure(entry[1]));
  // Without a prototype, so that nobody can call "constructor".
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

function isProcedure(value: unknown): value is AnyTRPCProcedure {
  return typeof value === "function" && "_def" in value;
}

/** Whether a part of a router is not loaded yet. */
export function isLazy({ _def }: AnyTRPCRouter): boolean {
  return Object.keys(_def.lazy).length > 0;
}

/** Loads every lazy part of a router, and returns those that fail. */
export async function loadAll({ _def }: AnyTRPCRouter): Promise<{ path: string; error: unknown }[]> {
  const failed = new Map<string, unknown>();
  for (;;) {
    const [next] = Object.entries(_def.lazy).filter(([path]) => !failed.has(path));
    if (!next) return [...failed].map(([path, error]) => ({ path, error }));
    const [path, { load }] = next;
    await load().catch((error: unknown) => failed.set(path, error));
  }
}

/** The parsers of a procedure's inputs, each of which gets all that was sent. */
export function parsersOf({ _def }: AnyTRPCProcedure): readonly unknown[] {
  const inputs: unknown = Reflect.get(_def, "inputs");
  return Array.isArray(inputs) ? inputs : [];
}

/** The parser of a procedure's output; undefined where there is none. */
export function outputOf({ _def }: AnyTRPCProcedure): unknown {
  return Reflect.get(_def, "output");
}

/** Whether a procedure is known to yield its results one by one; a function that returns a generator is not. */
export function isGenerator({ _def }: AnyTRPCProcedure): boolean {
  return Object.prototype.toString.call(Reflect.get(_def, "resolver")) === "[object AsyncGeneratorFunction]";
}

/** The meta that a procedure was built with. */
export function metaOf({ _def }: AnyTRPCProcedure): AdapterMeta {
  // A router whose meta has another type has no `openapi` in it.
  return (_def.meta ?? {}) as AdapterMeta;
}
