import { decodeText } from "../../body/request-body.ts";
import { isInPath } from "../../endpoints.ts";
import { asObject, parseJsonBody } from "../json.ts";
import { MULTIPART, splitForm, textEntry } from "../../body/multipart.ts";
import { describeFields, forms } from "../../openapi/parameters.ts";
import {
  addParameter,
  coerce,
  createRawInput,
  formEntries,
  refuseInQuery,
  type RawInput,
} from "../raw-input.ts";
import type { BodyKind, Endpoint, RequestContext } from "../../adapter.ts";

/**
 * A few fields as JSON or either kind of form, never in the query. Other names that belong in a body are refused there
 * in the same words.
 */
export function fieldsKind(otherNames: readonly string[] = []): BodyKind {
  return {
    read: (context, endpoint) => readFields(context, endpoint, otherNames),
    types: ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"],
    place: "body",
    also: () => [],
    documentParameters: () => [],
    // DELETE may have a body, which trpc-to-openapi 3.3 takes for a query.
    documentBody: (endpoint, json) => {
      const fields = endpoint.parameters.filter((each) => !isInPath(endpoint, each));
      return {
        required: fields.some(({ required }) => required),
        content: forms(json ?? { schema: describeFields(fields) }),
      };
    },
    curl: (endpoint) => usualFields(endpoint).map((name) => `-d ${name}=${name.toUpperCase()}`),
  };
}

// Where nothing is required one of several must be given, and the first of them is the usual one.
function usualFields({ parameters }: Endpoint): string[] {
  const names = parameters.filter(({ name }) => name !== "id");
  const required = names.filter((parameter) => parameter.required);
  return (required.length > 0 ? required : names.slice(0, 1)).map(({ name }) => name);
}

async function readFields(
  context: RequestContext,
  endpoint: Endpoint,
  otherNames: readonly string[],
): Promise<RawInput> {
  const rawInput = createRawInput();
  refuseInQuery(context.url, {
    allowed: endpoint.http.text?.by === "raw" ? ["raw"] : [],
    isBodyField: (name) =>
      otherNames.includes(name) || endpoint.parameters.some((parameter) => parameter.name === name),
  });
  context.body.checkCharset();
  const bytes = await context.body.bytes(await context.adapter.bodyLimit([endpoint], context, "json"));
  if (bytes.length === 0) return rawInput;
  for (const [name, value] of fieldEntries(bytes, context, endpoint)) {
    addParameter(rawInput, { name, value, place: "body" });
  }
  return rawInput;
}

function fieldEntries(bytes: Uint8Array, context: RequestContext, endpoint: Endpoint): [string, unknown][] {
  if (context.mediaType === MULTIPART) return typed(splitForm(bytes, context).map(textEntry), endpoint);
  if (context.mediaType === "application/x-www-form-urlencoded") {
    return typed(formEntries(decodeText(bytes, "body"), "body"), endpoint);
  }
  return Object.entries(asObject(parseJsonBody(bytes)));
}

// A form has only text.
function typed(entries: readonly [string, string][], { parameters }: Endpoint): [string, unknown][] {
  return entries.map(([name, text]) => {
    const parameter = parameters.find((each) => each.name === name);
    return [name, parameter ? coerce(text, parameter) : text];
  });
}
