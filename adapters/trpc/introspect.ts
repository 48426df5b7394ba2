import type { AnyTRPCProcedure } from "@trpc/server";
import { z } from "zod";
import type { AdapterMeta } from "./meta.ts";

// The only file that reads what tRPC does not type. Checked with @trpc/server 11.25.2:
// - A router's `_def.procedures` is a flat record by path ("notes.add"); lazy routers, which would be
//   missing from it, are not used here. Its type is that of the nested record.
// - A procedure's `_def.inputs` and `_def.output` are the parsers given to `.input()` and `.output()`
//   (unstable-core-do-not-import/procedureBuilder.ts). trpc-to-openapi 3.3 reads them in the same way.
// - `_def.meta` is public, but typed as unknown.

/** The procedures of a router by path. */
export function proceduresOf(router: { _def: { procedures: object } }): Record<string, AnyTRPCProcedure> {
  const entries = Object.entries(router._def.procedures).filter((entry) => isProcedure(entry[1]));
  // Without a prototype, so that nobody can call "constructor".
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

function isProcedure(value: unknown): value is AnyTRPCProcedure {
  return typeof value === "function" && "_def" in value;
}

const NOTHING = z.object({});

/** The zod object that a procedure takes; an empty one where it takes nothing, or what is no object. */
export function inputSchemaOf(procedure: AnyTRPCProcedure): z.ZodObject {
  const schema = inputOf(procedure);
  return schema instanceof z.ZodObject ? schema : NOTHING;
}

/** Whether it reads an input, and whether that is an object of parameters or something such as a FormData or a stream. */
export function takenBy(procedure: AnyTRPCProcedure): "nothing" | "object" | "something else" {
  const schema = inputOf(procedure);
  if (schema === undefined) return "nothing";
  return schema instanceof z.ZodObject ? "object" : "something else";
}

function inputOf({ _def }: AnyTRPCProcedure): unknown {
  const inputs: unknown = Reflect.get(_def, "inputs");
  const input: unknown = Array.isArray(inputs) ? inputs[0] : undefined;
  // An input that may be left out.
  return input instanceof z.ZodPrefault ? input.unwrap() : input;
}

/** The zod object that a procedure answers, if it answers one. */
export function outputSchemaOf({ _def }: AnyTRPCProcedure): z.ZodObject | undefined {
  const schema: unknown = Reflect.get(_def, "output");
  return schema instanceof z.ZodObject ? schema : undefined;
}

/** The meta that a procedure was built with. */
export function metaOf({ _def }: AnyTRPCProcedure): AdapterMeta {
  // A router whose meta is another type has no `openapi` in it.
  return (_def.meta ?? {}) as AdapterMeta;
}
