import type { Parameter } from "../../../router/parameters.ts";

type Json = Record<string, unknown>;

/** A parameter as it is given in a query. */
export function asQuery({
  name,
  type,
  description,
  required,
  secret,
  ...facts
}: Parameter): Json & { schema: Json } {
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
export function fieldsOf(parameters: readonly Parameter[]): Json {
  const required = parameters.flatMap((facts) => (facts.required ? [facts.name] : []));
  const properties = Object.fromEntries(parameters.map((facts) => [facts.name, asQuery(facts).schema]));
  return { type: "object", properties, required, additionalProperties: false };
}
