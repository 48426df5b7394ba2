import { checkCharset, decodeText } from "../../body/request-body.ts";
import { parseJsonBody } from "../json.ts";
import { splitForm } from "../../body/form-pieces.ts";
import { MULTIPART, textEntry, type Part } from "../../body/multipart.ts";
import { documentHeaders, forms, needsBody } from "../../openapi/parameters.ts";
import {
  addFields,
  addHeaders,
  addTexts,
  bareHeaders,
  addValue,
  createRawInput,
  longFormEntries,
  refuseInQuery,
  type ParameterHeaders,
} from "../raw-input.ts";
import type { BodyKind, Endpoint, RequestContext, RawInput } from "../../adapter.ts";

const FORM = "application/x-www-form-urlencoded";

interface FieldsOptions {
  /** Other names that belong in a body; in the query they are refused in the same words. */
  readonly otherNames?: readonly string[];
  readonly headers?: ParameterHeaders;
  /** Looks at the names of a form in one text, which may be pieces of a value that was not encoded. */
  readonly checkForm?: (names: readonly string[], endpoint: Endpoint) => void;
}

/** A few fields as JSON or either kind of form, never in the query. */
export function fieldsKind(options: FieldsOptions = {}): BodyKind {
  const headers = bareHeaders(options.headers);
  return {
    read: async (context, endpoint) => {
      const rawInput = await readFields(context, endpoint, options);
      addHeaders(rawInput, { context, endpoint, headers });
      return rawInput;
    },
    types: ["application/json", FORM, "multipart/form-data"],
    place: "body",
    also: ({ name }) => (headers[name] ? [`header ${headers[name]}`] : []),
    documentParameters: (endpoint) => documentHeaders(endpoint, headers),
    documentBody: (endpoint, json) => {
      return json && { required: needsBody(endpoint, json), content: forms(json) };
    },
    curl: (endpoint) => usualFields(endpoint).map((name) => `-d ${name}=${name.toUpperCase()}`),
  };
}

// Where nothing is required, one of several must be given, and the first of them is the usual one.
function usualFields({ input: { parameters } }: Endpoint): string[] {
  const names = parameters.filter(({ name }) => name !== "id");
  const required = names.filter((parameter) => parameter.required);
  return (required.length > 0 ? required : names.slice(0, 1)).map(({ name }) => name);
}

async function readFields(
  context: RequestContext,
  endpoint: Endpoint,
  { otherNames = [], checkForm }: FieldsOptions,
): Promise<RawInput> {
  const rawInput = createRawInput();
  refuseInQuery(context.url, {
    allowed: endpoint.http.text?.by === "raw" ? ["raw"] : [],
    isBodyField: (name) => otherNames.includes(name) || endpoint.input.names.includes(name),
  });
  checkCharset(context.request.headers.get("content-type"));
  const bytes = await context.body.bytes(await context.adapter.bodyLimit([endpoint], context, "json"));
  if (bytes.length === 0) return rawInput;
  const call = { context, endpoint };
  if (context.mediaType === MULTIPART) addParts(rawInput, await splitForm(bytes, context), call);
  else if (context.mediaType === FORM) {
    const entries = await longFormEntries(decodeText(bytes, "body"), "body");
    const names = entries.map(([name]) => name);
    checkForm?.(names, endpoint);
    addTexts(rawInput, entries, { ...call, place: "body" });
  } else addFields(rawInput, parseJsonBody(bytes, context.adapter), call);
  return rawInput;
}

/** Adds the parts of a form that are not files; one may be JSON (OpenAPI 3.1, 4.8.14.4). */
export function addParts(
  rawInput: RawInput,
  parts: readonly Part[],
  call: { context: RequestContext; endpoint: Endpoint },
): void {
  const { endpoint, context } = call;
  for (const part of parts) {
    const value = part.type === "application/json" ? parseJsonBody(part.bytes, context.adapter) : undefined;
    // A text schema that parses JSON itself gets the text unchanged.
    const isText = typeof value !== "string" && endpoint.input.texts.has(part.name);
    if (value === undefined || isText) addTexts(rawInput, [textEntry(part)], { ...call, place: "body" });
    else addValue(rawInput, [part.name, value], call);
  }
}
