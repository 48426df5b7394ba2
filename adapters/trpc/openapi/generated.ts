import { generateOpenApiDocument } from "trpc-to-openapi";
import type { AnyTRPCRouter } from "@trpc/server";
import type { Document, MediaType } from "./types.ts";

// What trpc-to-openapi 3.3 writes, and what has to be changed in it everywhere. It hands nothing on to zod-openapi
// 5.4, whose `override` could do the same while the schemas are written.

export type GenerateOptions = Parameters<typeof generateOpenApiDocument>[1];

/** The document as trpc-to-openapi writes it. */
export function generateDocument(router: AnyTRPCRouter, options: GenerateOptions): Document {
  // Its type allows references and absent parts wherever OpenAPI does; what it writes has neither in these places.
  return edit(generateOpenApiDocument(router, options), withoutSafeIntegers) as Document;
}

/** A schema whose bytes are base64 inside JSON, where a procedure takes typed bytes. */
export function inBase64({ schema }: MediaType): MediaType {
  return {
    schema: Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, edit(value, asBase64)])),
  };
}

/** The schema of an answer: open, as a later version may answer more, and every integer in it counts something. */
export function asAnswer({ schema }: MediaType): MediaType {
  // A schema stays one.
  return { schema: edit(edit(schema, withoutClosing), asCount) as MediaType["schema"] };
}

type Entry = readonly [key: string, value: unknown];

// zod 4.6 bounds every integer by Number.MAX_SAFE_INTEGER, which says nothing to a caller.
function withoutSafeIntegers(entry: Entry): Entry[] {
  const [key, value] = entry;
  const isBound = key === "minimum" || key === "maximum";
  return isBound && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? [] : [entry];
}

// zod has no schema for bytes; ours says `format: binary` (router/schemas.ts).
function asBase64(entry: Entry): Entry[] {
  const [key, value] = entry;
  return key === "format" && value === "binary" ? [["contentEncoding", "base64"]] : [entry];
}

function withoutClosing(entry: Entry): Entry[] {
  const [key, value] = entry;
  return key === "additionalProperties" && value === false ? [] : [entry];
}

function asCount(entry: Entry, schema: object): Entry[] {
  const [key, value] = entry;
  const isOpen = key === "type" && value === "integer" && !("minimum" in schema);
  return isOpen ? [entry, ["minimum", 0]] : [entry];
}

/** A copy of a JSON tree in which each entry of an object is replaced by what `change` makes of it. */
function edit(value: unknown, change: (entry: Entry, of: object) => Entry[]): unknown {
  if (Array.isArray(value)) return value.map((item) => edit(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap((entry) => change(entry, value));
  return Object.fromEntries(entries.map(([key, inner]) => [key, edit(inner, change)]));
}
