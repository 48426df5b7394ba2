import type { ContentObject, Document, Json, MediaType, OperationObject } from "../../trpc/openapi/types.ts";
import { EXAMPLES_BY_NAME } from "../../../router/procedures/examples.ts";
import type { ServiceEndpoint } from "../endpoints.ts";
import { componentName } from "./responses.ts";

/**
 * The same document with an example of every body and answer that is no file. Each follows from its schema: what is
 * required or has an example of its own, by the examples of procedures and of names, defaults and first values.
 */
export function withExamples(document: Document, endpoints: readonly ServiceEndpoint[]): Document {
  const schemas: Json = Object(document.components.schemas);
  const own = Object.fromEntries(endpoints.flatMap(ownExamples));
  const paths = mapValues(document.paths, (item) =>
    mapValues(item, (operation): OperationObject => {
      const { requestBody, operationId = "" } = operation;
      const give = (content: ContentObject) =>
        giveExamples(content, { schemas, own, name: operationId, owner: "" });
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

/** Of the meta of a procedure, by schema and field ("PdfRotateEnvelope.name") or by operation ("secrets-create-raw"). */
function ownExamples(endpoint: ServiceEndpoint): [string, unknown][] {
  const { rpc, http, meta } = endpoint;
  const { examples = {}, tool } = meta;
  const isFile = tool && http.result === "file";
  const file = isFile ? { "Envelope.tool": tool.name, "Envelope.type": tool.types?.[0] } : {};
  return Object.entries({ ...file, ...examples }).map(([key, example]) => [
    key.includes(".") ? componentName(endpoint, key) : `${rpc.replaceAll(".", "-")}-${key}`,
    example,
  ]);
}

function giveExamples(content: ContentObject, context: SampleContext): ContentObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]): [string, MediaType] => {
      const isDone = media.example !== undefined || !/json|form|^text\//.test(type);
      return [type, isDone ? media : { ...media, example: sampleOf(media.schema, context) }];
    }),
  );
}

interface SampleContext {
  readonly schemas: Json;
  readonly own: Json;
  /** Of the property; at first the operation's. */
  readonly name: string;
  /** The schema that has it. */
  readonly owner: string;
}

function sampleOf(schema: Json, context: SampleContext): unknown {
  const { schemas, name, owner } = context;
  const own = context.own[`${owner}.${name}`];
  if (own !== undefined) return own;
  if (typeof schema.$ref === "string") {
    const called = schema.$ref.split("/").at(-1) ?? "";
    return sampleOf(Object(schemas[called]), { ...context, owner: called });
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
  const { name } = context;
  const byName = EXAMPLES_BY_NAME[name];
  switch (schema.type) {
    case "object":
      return sampleObject(schema, context);
    case "array":
      if (Array.isArray(byName)) return byName;
      return [sampleOf(Object(schema.items), { ...context, name: `${name}[]` })];
    case "boolean":
      return schema.default ?? false;
    case "string":
      return context.own[name] ?? byName ?? schema.default ?? "";
    default:
      return schema.default ?? byName ?? schema.minimum ?? 1;
  }
}

function sampleObject({ properties, required }: Json, context: SampleContext): unknown {
  const wanted = [required].flat();
  const isShown = (name: string) => wanted.includes(name) || `${context.owner}.${name}` in context.own;
  const entries = Object.entries<Json>(Object(properties)).filter(([name]) => isShown(name));
  return Object.fromEntries(entries.map(([name, each]) => [name, sampleOf(each, { ...context, name })]));
}

function mapValues<Value>(of: Readonly<Record<string, Value>>, change: (value: Value) => Value) {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));
}
