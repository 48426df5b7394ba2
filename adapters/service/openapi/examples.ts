import type { ContentObject, Document, Json, MediaType, OperationObject } from "../../trpc/openapi/types.ts";
import { OPTIONAL, SAMPLES } from "./samples.ts";

/**
 * The same document with an example of every body and answer that is no file. Each follows from its schema: what is
 * required, by the samples of names, defaults and first values.
 */
export function withExamples(document: Document): Document {
  const schemas: Json = Object(document.components.schemas);
  const paths = mapValues(document.paths, (item) =>
    mapValues(item, (operation): OperationObject => {
      const { requestBody, operationId = "" } = operation;
      const give = (content: ContentObject) =>
        giveExamples(content, { schemas, name: operationId, owner: "" });
      return {
        ...operation,
        ...(requestBody && { requestBody: { ...requestBody, content: give(requestBody.content) } }),
        responses: mapValues(operation.responses, (each) =>
          each.content ? { ...each, content: give(each.content) } : each,
        ),
      };
    }),
  );
  return { ...document, paths };
}

function giveExamples(content: ContentObject, context: SampleContext): ContentObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]): [string, MediaType] => {
      const isFile = !/json|form|^text\//.test(type);
      return [type, isFile ? media : { ...media, example: sampleOf(media.schema, context) }];
    }),
  );
}

interface SampleContext {
  readonly schemas: Json;
  /** Of the property; at first the operation's. */
  readonly name: string;
  /** The schema that has it. */
  readonly owner: string;
}

function sampleOf(schema: Json, context: SampleContext): unknown {
  const { schemas, name, owner } = context;
  const own = SAMPLES[`${owner}.${name}`];
  if (own !== undefined) return own;
  if (typeof schema.$ref === "string") {
    const called = schema.$ref.split("/").at(-1) ?? "";
    return sampleOf(Object(schemas[called]), { schemas, name, owner: called });
  }
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const types = Array.isArray(schema.anyOf)
    ? schema.anyOf.map(({ type }: Json) => type)
    : [schema.type].flat();
  if (types.includes("null")) return null;
  return sampleOfType(schema, context);
}

function sampleOfType(schema: Json, context: SampleContext): unknown {
  const { schemas, name, owner } = context;
  switch (schema.type) {
    case "object":
      return sampleObject(schema, context);
    case "array":
      if (Array.isArray(SAMPLES[name])) return SAMPLES[name];
      return [sampleOf(Object(schema.items), { schemas, name: `${name}[]`, owner })];
    case "boolean":
      return schema.default ?? false;
    case "string":
      return SAMPLES[name] ?? schema.default ?? "";
    default:
      return schema.default ?? SAMPLES[name] ?? schema.minimum ?? 1;
  }
}

function sampleObject({ properties, required }: Json, { schemas, owner }: SampleContext): unknown {
  const wanted = [required, OPTIONAL[owner]].flat();
  const entries = Object.entries<Json>(Object(properties)).filter(([name]) => wanted.includes(name));
  return Object.fromEntries(entries.map(([name, each]) => [name, sampleOf(each, { schemas, name, owner })]));
}

function mapValues<Value>(of: Readonly<Record<string, Value>>, change: (value: Value) => Value) {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));
}
