import type { Parameter } from "../parameters.ts";
import type { ContentObject, Json, MediaType, SchemaObject } from "./types.ts";

/** A parameter as it is given in a query. */
export function asQuery({
  name,
  type,
  description,
  required,
  secret,
  ...facts
}: Parameter): Json & MediaType {
  const { enum: allowed, minimum, maximum, default: fallback } = facts;
  const isText = type === "string";
  const single = {
    type: type === "array" ? "string" : type,
    ...(allowed ? { enum: allowed } : {}),
    ...(minimum === undefined ? {} : { [isText ? "minLength" : "minimum"]: minimum }),
    ...(maximum === undefined ? {} : { [isText ? "maxLength" : "maximum"]: maximum }),
    ...(secret ? { format: "password" } : {}),
  };
  const asList = type === "array";
  const schema = asList
    ? { type: "array", items: { type: "string", ...(allowed ? { enum: allowed } : {}) } }
    : single;
  const style = asList ? { style: "form", explode: false } : {};
  return {
    name,
    in: "query",
    required,
    description,
    ...style,
    schema: { ...schema, ...(fallback === undefined ? {} : { default: fallback }) },
  };
}

/** Parameters as the fields of one body. */
export function describeFields(parameters: readonly Parameter[]): SchemaObject {
  const required = parameters.flatMap((parameter) => (parameter.required ? [parameter.name] : []));
  const properties = Object.fromEntries(
    parameters.map((parameter) => [parameter.name, asQuery(parameter).schema]),
  );
  return { type: "object", properties, required, additionalProperties: false };
}

/** One body as JSON and as either kind of form. */
export function forms(json: MediaType): ContentObject {
  return { "application/json": json, "application/x-www-form-urlencoded": json, "multipart/form-data": json };
}
