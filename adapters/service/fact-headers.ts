import { z } from "zod";
import { outputSchemaOf } from "../trpc/introspect.ts";
import type { Json } from "../trpc/openapi/types.ts";
import { endpoints } from "./endpoints.ts";

/** What a tool tells of its file, which stands in the envelope and as a header beside the file itself. */
export interface FactHeader {
  readonly key: string;
  readonly header: `Tool-${string}`;
  readonly schema: Json;
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

const BY_TOOL = new Map(
  endpoints.flatMap(({ tool, procedure, http }) => {
    const shape = tool && http.result === "file" ? outputSchemaOf(procedure)?.shape : undefined;
    return tool && shape ? [[tool.name, factsOf(shape)] as const] : [];
  }),
);

/** The facts that a tool tells of its file. */
export function factHeadersOf(tool: string): readonly FactHeader[] {
  return BY_TOOL.get(tool) ?? [];
}

/** Those of all tools, by the name of their header. */
export const FACT_HEADERS: ReadonlyMap<string, FactHeader> = new Map(
  [...BY_TOOL.values()].flat().map((fact) => [fact.header, fact]),
);

// The size is Content-Length.
function factsOf(shape: Readonly<Record<string, unknown>>): FactHeader[] {
  return Object.entries(shape).flatMap(([key, given]) => {
    const inner = given instanceof z.ZodOptional ? given.unwrap() : given;
    const found = FACT_SCHEMAS.find(({ isOf }) => key !== "size" && isOf(inner));
    return found ? [{ key, header: headerOf(key), schema: found.schema }] : [];
  });
}

function headerOf(key: string): FactHeader["header"] {
  const words = key.replace(/[A-Z]/g, (letter) => `-${letter}`);
  return `Tool-${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
