import { isObject } from "../../../wire/json/json-files.ts";
import type { Json, MediaType, SchemaObject } from "./types.ts";

/** Schemas by name. A name belongs to one schema. */
export type Schemas = Record<string, Json>;

/**
 * Names a body's schema and every object inside it, and replaces them by references: a named schema has a type of its
 * own in generated clients. A schema can bring its name as `title`, and shares it with equal schemas.
 */
export function named({ schema }: MediaType, name: string, schemas: Schemas): MediaType {
  return { schema: refer(schema, name, schemas) };
}

/** The name of an operation whose procedure says no other, as trpc-to-openapi makes it. */
export function usualOperationId(rpc: string): string {
  return rpc.replaceAll(".", "-");
}

/** "notes", "addFile" and "result" as NotesAddFileResult. */
export function pascalCase(...words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function refer(schema: Json, name: string, schemas: Schemas): SchemaObject {
  const { title, description, ...rest } = schema;
  // Words for people are no name of a component (OpenAPI 3.1, 4.8.7).
  const own = typeof title === "string" && /^[\w.-]+$/.test(title) ? title : undefined;
  const kept = title === undefined || own !== undefined ? rest : { title, ...rest };
  const inner = referInside(kept, own ?? name, schemas);
  const site = description === undefined ? {} : { description };
  if (own === undefined && !isObject(rest.properties)) return { ...inner, ...site };
  const free = freeName((own ?? name).replace(/[^\w.-]+/g, "_"), inner, schemas);
  schemas[free] = inner;
  return { $ref: `#/components/schemas/${free}`, ...site };
}

// Different schemas with the same name are told apart by a number.
function freeName(name: string, schema: Json, schemas: Schemas, count = 1): string {
  const free = count === 1 ? name : `${name}${count}`;
  const known = schemas[free];
  return !known || JSON.stringify(known) === JSON.stringify(schema)
    ? free
    : freeName(name, schema, schemas, count + 1);
}

const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;

function referInside(schema: Json, name: string, schemas: Schemas): Json {
  const { properties, items, additionalProperties } = schema;
  const lists = LISTS.flatMap((word) => (Array.isArray(schema[word]) ? [[word, schema[word]] as const] : []));
  return {
    ...schema,
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [
          key,
          referOne(value, pascalCase(name, key), schemas),
        ]),
      ),
    }),
    ...(isObject(additionalProperties) && {
      additionalProperties: referOne(additionalProperties, singular(name), schemas),
    }),
    ...(isObject(items) && { items: referOne(items, singular(name), schemas) }),
    ...Object.fromEntries(
      lists.map(([word, all]) => [word, all.map((each) => referOne(each, name, schemas))]),
    ),
  };
}

function referOne(schema: unknown, name: string, schemas: Schemas): unknown {
  return isObject(schema) ? refer(schema, name, schemas) : schema;
}

function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/s$/, "");
}
