import type { AnyTRPCProcedure } from "@trpc/server";
import { z } from "zod";
import type { Meta } from "../../router/meta.ts";
import type { Endpoint } from "../trpc/adapter.ts";
import { outputOf } from "../trpc/introspect.ts";
import type { Json } from "../trpc/openapi/types.ts";

/** What a tool tells of its file, which stands in the envelope and as a header beside the file itself. */
export interface FactHeader {
  readonly key: string;
  readonly header: `Tool-${string}`;
  readonly schema: Json;
}

/** An endpoint whose result may be a file. */
export interface FileEndpoint extends Endpoint {
  /** What is told of its file in headers. */
  readonly facts: readonly FactHeader[];
}

// A list could fill the head without end, and a text may be what the caller has sent; a list of known words is short.
const FACT_SCHEMAS: readonly { readonly isOf: (schema: unknown) => boolean; readonly schema: Json }[] = [
  { isOf: (schema) => schema instanceof z.ZodNumber, schema: { type: "integer", minimum: 0 } },
  { isOf: (schema) => schema instanceof z.ZodBoolean, schema: { type: "boolean" } },
  {
    isOf: (schema) => schema instanceof z.ZodArray && schema.element instanceof z.ZodEnum,
    schema: { type: "string" },
  },
];

/** The facts that a tool tells of its file, besides its size, which is Content-Length. */
export function factsOf(procedure: AnyTRPCProcedure, { tool, http }: Meta): FactHeader[] {
  if (!tool || http?.result !== "file") return [];
  const output = outputOf(procedure);
  const fields = output instanceof z.ZodObject ? Object.entries(output.shape) : [];
  return fields.flatMap(([key, given]) => {
    const inner = given instanceof z.ZodOptional ? given.unwrap() : given;
    const found = FACT_SCHEMAS.find(({ isOf }) => key !== "size" && isOf(inner));
    return found ? [{ key, header: headerOf(key), schema: found.schema }] : [];
  });
}

function headerOf(key: string): FactHeader["header"] {
  const words = key.replace(/[A-Z]/g, (letter) => `-${letter}`);
  return `Tool-${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
