import type { Bytes } from "../../../../wire/bytes.ts";
import { CallError } from "../../../../wire/call-error.ts";
import { besidePath } from "../../endpoints.ts";
import { asObject, LARGE_JSON_BYTES, parseJsonBody, restoreText, unreadableJson } from "../json.ts";
import { addFields, readQuery } from "../raw-input.ts";
import { warnUnknownParameter } from "../unknown-parameter.ts";
import type { BodyKind, Endpoint, RequestContext, RawInput } from "../../adapter.ts";
import type { Parameter } from "../../schema/input.ts";
import { needsBody } from "../../openapi/parameters.ts";

/** A JSON object, whatever the Content-Type says, and a query. */
export const json: BodyKind = {
  read: readJson,
  types: ["application/json"],
  place: "body",
  also: (_, { http }) => (http.alsoGet ? ["query"] : []),
  documentParameters: () => [],
  documentBody: (endpoint, body) =>
    body && { required: needsBody(endpoint, body), content: { "application/json": body } },
  curl: (endpoint) => {
    const required = besidePath(endpoint).filter((each) => each.required);
    if (required.length === 0 && endpoint.http.alsoGet) return [];
    const values = required.map(({ name, type }) => [name, type === "object" ? {} : name.toUpperCase()]);
    return [`--json '${JSON.stringify(Object.fromEntries(values))}'`];
  },
};

async function readJson(context: RequestContext, endpoint: Endpoint): Promise<RawInput> {
  const rawInput = readQuery(context, endpoint);
  if (["GET", "HEAD"].includes(context.request.method)) return rawInput;
  const bytes = await context.body.bytes(await context.adapter.bodyLimit([endpoint], context, "json"));
  if (bytes.length === 0) {
    const isLacking = ({ name, required }: Parameter) => required && !rawInput.locations.has(name);
    if (!endpoint.input.mayBeAbsent && besidePath(endpoint).some(isLacking)) throw missingJson(endpoint);
    return rawInput;
  }
  addFields(rawInput, await parseBody(bytes, context, endpoint), { context, endpoint });
  return rawInput;
}

async function parseBody(bytes: Bytes, context: RequestContext, endpoint: Endpoint): Promise<unknown> {
  const { parsers } = context.adapter;
  if (!parsers.parseTexts || bytes.length < LARGE_JSON_BYTES) return parseJsonBody(bytes, context.adapter);
  const { input, http } = endpoint;
  const parsed = await parsers.parseTexts([bytes, [...input.names]], context);
  if ("fault" in parsed) throw unreadableJson(parsed);
  for (const name of parsed.unknown) warnUnknownParameter(context.warnings, name, input.parameters);
  const texts = Object.entries(parsed.texts).map(([name, text]) => [name, restoreText(text, { name, http })]);
  return { ...asObject(parsed.value), ...Object.fromEntries(texts) };
}

function missingJson(endpoint: Endpoint): CallError {
  const names = besidePath(endpoint)
    .map(({ name }) => name)
    .join(", ");
  return new CallError("missing_body", `The body is empty; send a JSON object with ${names}`, { in: "body" });
}
