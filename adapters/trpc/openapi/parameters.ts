import type { Endpoint } from "../adapter.ts";
import type { HttpMeta } from "../meta.ts";
import type { ParameterHeaders } from "../rest/raw-input.ts";
import { resolved, type Parameter } from "../schema/input.ts";
import type { JsonSchema } from "../schema/definitions.ts";
import { TEXT, type ContentObject, type Json, type MediaType } from "./types.ts";

/** Parameters in a query. What may have any other name is one more: each of its keys is a name (OpenAPI 3.1, 4.8.12.3). */
export function asQuery(parameters: readonly Parameter[], endpoint: EndpointInput): Json[] {
  const { schema: { additionalProperties: others, ...schema } = {}, names } = endpoint.input;
  // Nothing at all may be sent, and without a place in the path all may be left out.
  const optional = endpoint.input.mayBeAbsent && parameters.length === names.length && { required: false };
  const known = parameters.map((parameter) => queryParameter({ ...parameter, ...optional }, endpoint));
  if (typeof others !== "object") return known;
  const name = ["others", "otherNames"].find((each) => !names.includes(each)) ?? "others_";
  const { propertyNames } = schema;
  const open = { type: "object", ...(propertyNames && { propertyNames }), additionalProperties: others };
  const description = "Any other parameters by their names";
  return [
    ...known,
    { name, in: "query", required: false, description, style: "form", explode: true, schema: open },
  ];
}

type EndpointInput = Pick<Endpoint, "http" | "input">;

function queryParameter({ name, type, description, required, schema }: Parameter, of: EndpointInput): Json {
  const { description: _, ...own } = schema;
  const site = { name, in: "query", required, description };
  // No style is defined for them (4.8.12.3). Generators know no `content` here, and orval 7.13 ends with it.
  if (of.input.nestedLists.has(name)) return { ...site, schema: asJsonText(own) };
  const isObject = mayBeObject(schema, of.input.schema ?? {});
  return { ...site, ...styleOf(isObject ? "object" : type, of.http), schema: own };
}

// JSON Schema 2020-12, Validation 8.
function asJsonText(contentSchema: JsonSchema): Json {
  return { type: "string", contentMediaType: "application/json", contentSchema };
}

function mayBeObject(of: JsonSchema, root: JsonSchema, seen: readonly unknown[] = []): boolean {
  if (of.$ref !== undefined && seen.includes(of.$ref)) return false;
  const { type, properties, anyOf = [], oneOf = [], allOf = [] } = resolved(of, root);
  if (type === "object" || properties) return true;
  return [...anyOf, ...oneOf, ...allOf].some((each) => mayBeObject(each, root, [...seen, of.$ref]));
}

// RFC 6570's forms, as OpenAPI 3.1 names them (4.8.12.3): a list repeats its name for each item, an object is
// `name[key]`.
function styleOf(type: Parameter["type"], { lists }: HttpMeta): Json {
  if (type === "array") return { style: "form", explode: lists !== "comma" };
  return type === "object" ? { style: "deepObject", explode: true } : {};
}

/** Whether a call without a body is refused. */
export function needsBody({ input }: Endpoint, { schema }: MediaType): boolean {
  // Was written as a JSON Schema.
  return !input.mayBeAbsent && needsKeys(schema as JsonSchema, input.schema ?? {});
}

function needsKeys(of: JsonSchema, root: JsonSchema): boolean {
  const { type = "object", required = [], allOf = [], anyOf, oneOf } = resolved(of, root);
  const arms = anyOf ?? oneOf ?? [];
  const needs = (each: JsonSchema) => needsKeys(each, root);
  return (
    type !== "object" || required.length > 0 || allOf.some(needs) || (arms.length > 0 && arms.every(needs))
  );
}

/** The same body as JSON and as either kind of form. */
export function forms(json: MediaType): ContentObject {
  return { "application/json": json, "application/x-www-form-urlencoded": json, "multipart/form-data": json };
}

/** The headers for the parameters that a procedure has. */
export function documentHeaders({ input }: Endpoint, headers: ParameterHeaders): Json[] {
  return input.parameters.flatMap(({ name }) => {
    const description = `The parameter ${name}, percent-encoded UTF-8`;
    const header = { name: headers[name], in: "header", required: false, description, schema: TEXT };
    return headers[name] ? [header] : [];
  });
}
