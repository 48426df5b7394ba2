// The definitions inside a JSON Schema, and what they are called.
import type { z } from "zod";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/**
 * A schema whose definitions have names that no other has: zod and Valibot count the recursive ones of each schema from
 * 0, zod calls the outermost one `#`, which in a document is the document itself, and two may be given one id.
 */
export function withOwnNames(schema: JsonSchema): JsonSchema {
  const { $defs: defined, ...root } = schema;
  const isRecursive = JSON.stringify(schema).includes('"$ref":"#"');
  const all = Object.entries({ ...defined, ...(isRecursive && { "": root }) });
  const definitions = Object.fromEntries(all.map(([name, each]) => [name, withoutCycle(each, name)]));
  const textOf = textsOf(definitions);
  const names = new Map(Object.keys(definitions).map((name) => [name, ownName(name, textOf(name))]));
  if (names.size === 0) return schema;
  const refer = (key: string, value: unknown): unknown => {
    const known = key === "$ref" ? names.get(referredIn(value) ?? "#") : undefined;
    return known === undefined ? value : `#/$defs/${known}`;
  };
  // The renamed copy is a schema, too.
  const { $defs = {}, ...rest } = JSON.parse(
    JSON.stringify({ ...root, $defs: definitions }),
    refer,
  ) as JsonSchema;
  const renamed = Object.entries($defs).map(([name, each]) => [names.get(name) ?? name, each]);
  return { ...rest, $defs: Object.fromEntries(renamed) };
}

// z.json(), and what is written like it, is any value: generators of types end with one that is nothing but itself.
function withoutCycle({ anyOf = [], ...rest }: JsonSchema, name: string): JsonSchema {
  const isSelf = (of: unknown) => of === undefined || referredIn(Reflect.get(Object(of), "$ref")) === name;
  const types = anyOf.flatMap(
    ({ type = [], items, additionalProperties: others, propertyNames, ...bounds }) => {
      const isOpen = isSelf(items) && isSelf(others) && Object.keys(bounds).length === 0;
      return isOpen && Object.keys(Object(propertyNames)).every((word) => word === "type") ? type : [];
    },
  );
  const isAny = JSON_TYPES.every((type) => types.includes(type));
  return isAny || anyOf.length === 0 ? rest : { anyOf, ...rest };
}

const JSON_TYPES = ["string", "number", "boolean", "null", "array", "object"] as const;

/** The definition that a reference means; the schema itself has an empty name. */
function referredIn(reference: unknown): string | undefined {
  const [, name = reference === "#" ? "" : undefined] = /^#\/\$defs\/(.+)$/.exec(String(reference)) ?? [];
  return name?.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The name of a definition before it was told from those of other schemas. */
export function baseName(own: string): string {
  return own.replace(/\.[0-9a-z]{14}$/, "");
}

// Equal definitions share a name, without a table that would grow with schemas that are made for each request.
function ownName(name: string, text: string): string {
  const words = name.replace(/[^\w.-]+/g, "_");
  const base = /^(?:__schema\d+|\d*)$/.test(words) ? "Schema" : words;
  return `${base}.${digestOf(`${name} ${text}`)}`;
}

/** 64 bits that two different texts have in common by accident alone; not for texts that somebody chooses to collide. */
function digestOf(text: string): string {
  let [high, low] = [0x811c9dc5, 0xdeadbeef];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x9e3779b1) + (low >>> 15);
  }
  return [high, low].map((part) => (part >>> 0).toString(36).padStart(7, "0")).join("");
}

// Hundreds of definitions may all refer to each other: what they have in common is written once.
function textsOf(definitions: Record<string, JsonSchema>): (name: string) => string {
  const named = Object.entries(definitions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const references = new Map(named.map(([name, each]) => [name, referencesIn(each)]));
  const texts = new Map<string, string>();
  return (name) => {
    const reached = new Set([name]);
    for (const each of reached)
      for (const next of references.get(each) ?? []) if (references.has(next)) reached.add(next);
    const all = named.filter(([each]) => reached.has(each));
    const key = JSON.stringify(all.map(([each]) => each));
    const text = texts.get(key) ?? JSON.stringify(all);
    texts.set(key, text);
    return text;
  };
}

function referencesIn(definition: JsonSchema): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.stringify(definition, (key, value: unknown) => {
    if (key === "$ref") found.add(referredIn(value) ?? "#");
    return value;
  });
  return found;
}
