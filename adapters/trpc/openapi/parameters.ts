import type { Endpoint } from "../adapter.ts";
import type { HttpMeta } from "../meta.ts";
import type { ParameterHeaders } from "../rest/raw-input.ts";
import type { Parameter } from "../schema/input.ts";
import type { ContentObject, Json, MediaType } from "./types.ts";

/** A parameter in a query, or as one field of a form. */
export function asQuery(
  { name, type, description, required, schema }: Parameter,
  { http }: Pick<Endpoint, "http">,
): Json & MediaType {
  const { description: _, ...own } = schema;
  return { name, in: "query", required, description, ...styleOf(type, http), schema: own };
}

// RFC 6570's forms, as OpenAPI 3.1 names them (4.8.12.3): a list repeats its name for each item, an object is
// `name[key]`.
function styleOf(type: Parameter["type"], { lists }: HttpMeta): Json {
  if (type === "array") return { style: "form", explode: lists !== "comma" };
  return type === "object" ? { style: "deepObject", explode: true } : {};
}

/** The same body as JSON and as either kind of form. */
export function forms(json: MediaType): ContentObject {
  return { "application/json": json, "application/x-www-form-urlencoded": json, "multipart/form-data": json };
}

/** The headers for the parameters that a procedure has. */
export function documentHeaders({ input }: Endpoint, headers: ParameterHeaders): Json[] {
  return input.parameters.flatMap(({ name }) => (headers[name] ? [documentHeader(name, headers[name])] : []));
}

function documentHeader(name: string, header: string): Json {
  const description = `The parameter ${name}, percent-encoded UTF-8`;
  return { name: header, in: "header", required: false, description, schema: { type: "string" } };
}
