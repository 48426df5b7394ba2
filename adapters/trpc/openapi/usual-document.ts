import { TITLES } from "../answer/write-error.ts";
import type { DocumentOptions } from "./document.ts";
import { asAnswer } from "./generated.ts";
import { named, pascalCase } from "./names.ts";
import { hasNoBody } from "../answer/answer-parts.ts";
import type { OpenApiOperation } from "../meta.ts";
import { jsonSchemaOf } from "../schema/json-schema.ts";
import { BINARY, EVENTS_TYPE, TEXT, type Json, type Responses } from "./types.ts";

/** The default document: title and version, and the same errors everywhere. */
export function usualDocument({
  info: { title, version, description },
  baseUrl = "/",
}: {
  info: { title: string; version: string; description?: string };
  baseUrl?: string;
}): Omit<DocumentOptions, "generate"> {
  const nameOf = ({ rpc }: { rpc: string }, what: string) => pascalCase(...rpc.split("."), what);
  return {
    options: { title, version, baseUrl, ...(description !== undefined && { description }) },
    components: { schemas: { ErrorBody: ERROR_BODY }, responses: RESPONSES, headers: {} },
    nameOf,
    security: ({ openapi }) => (openapi.protect ? [{ Authorization: [] }] : []),
    successes: (endpoint, json, schemas): Responses => {
      const { http, openapi } = endpoint;
      const status = http.status ?? 200;
      const media = () => named(asAnswer(json), nameOf(endpoint, "result"), schemas);
      const content =
        http.result === "file"
          ? { [http.type ?? "application/octet-stream"]: { schema: BINARY } }
          : { [endpoint.yields ? EVENTS_TYPE : "application/json"]: media() };
      const description = openapi.successDescription ?? "The result";
      const headers = describeHeaders(openapi.responseHeaders);
      return { [String(status)]: { description, ...headers, ...(!hasNoBody(status) && { content }) } };
    },
    failures: ({ openapi: { errorResponses = [] } }) => {
      const own = Array.isArray(errorResponses)
        ? errorResponses.map((status) => [status, TITLES[status] ?? "Error"] as const)
        : Object.entries(errorResponses).map(([status, about]) => [Number(status), about] as const);
      return Object.fromEntries([
        ...STATUSES.map((status) => [status, { $ref: `#/components/responses/${nameOfStatus(status)}` }]),
        ...own.map(([status, description]) => [status, { description, content: ERROR_CONTENT }]),
      ]);
    },
  };
}

function describeHeaders(headers: OpenApiOperation["responseHeaders"]): { headers?: Json } {
  const schema = headers && jsonSchemaOf(headers, "output");
  if (!schema) return {};
  const entries = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    { schema: field, required: schema.required?.includes(name) ?? false },
  ]);
  return { headers: Object.fromEntries(entries) };
}

const STATUSES = [400, 404, 405, 413, 415, 500];

/** The name of the answer with a status. */
export function nameOfStatus(status: number): string {
  return (TITLES[status] ?? "").replaceAll(" ", "");
}

const schema = { $ref: "#/components/schemas/ErrorBody" };

const ERROR_CONTENT = { "application/json": { schema }, "application/problem+json": { schema } };

const RESPONSES = Object.fromEntries(
  STATUSES.map((status) => [
    nameOfStatus(status),
    { description: TITLES[status] ?? "", content: ERROR_CONTENT },
  ]),
);

const ERROR_BODY = {
  type: "object",
  description: "Every error; more fields tell more of it.",
  required: ["error", "code", "status", "requestId"],
  properties: {
    error: { ...TEXT, description: "One sentence for people" },
    code: TEXT,
    status: { type: "integer", minimum: 400, maximum: 599 },
    requestId: { ...TEXT, format: "uuid" },
  },
  additionalProperties: true,
};
