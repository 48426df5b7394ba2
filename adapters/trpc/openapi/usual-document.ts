import { TITLES } from "../answer/write-error.ts";
import type { DocumentOptions } from "./document.ts";
import { asAnswer } from "./generated.ts";
import { named, pascalCase } from "./names.ts";
import { BINARY, type Responses } from "./types.ts";

/** What a document says where nobody says more: title and version, and the same failures everywhere. */
export function usualDocument({
  info: { title, version, description },
  baseUrl = "/",
}: {
  info: { title: string; version: string; description?: string };
  baseUrl?: string;
}): DocumentOptions {
  const nameOf = ({ rpc }: { rpc: string }, what: string) => pascalCase(...rpc.split("."), what);
  return {
    generate: { title, version, baseUrl, ...(description !== undefined && { description }) },
    components: { schemas: { ErrorBody: ERROR_BODY }, responses: RESPONSES, headers: {} },
    nameOf,
    security: ({ openapi }) => (openapi.protect ? [{ Authorization: [] }] : []),
    successes: (endpoint, json, schemas): Responses => {
      const { http } = endpoint;
      const content =
        http.result === "file"
          ? { "application/octet-stream": { schema: BINARY } }
          : { "application/json": named(asAnswer(json), nameOf(endpoint, "result"), schemas) };
      return { [String(http.status ?? 200)]: { description: "The result", content } };
    },
    failures: () =>
      Object.fromEntries(
        STATUSES.map((status) => [status, { $ref: `#/components/responses/${nameOfStatus(status)}` }]),
      ),
  };
}

const STATUSES = [400, 404, 405, 413, 415, 500];

function nameOfStatus(status: number): string {
  return (TITLES[status] ?? "").replaceAll(" ", "");
}

const schema = { $ref: "#/components/schemas/ErrorBody" };

const RESPONSES = Object.fromEntries(
  STATUSES.map((status) => [
    nameOfStatus(status),
    {
      description: TITLES[status] ?? "",
      content: { "application/json": { schema }, "application/problem+json": { schema } },
    },
  ]),
);

const text = { type: "string" };

const ERROR_BODY = {
  type: "object",
  description: "Every error; more fields tell more of it.",
  required: ["error", "code", "status", "requestId"],
  properties: {
    error: { ...text, description: "One sentence for people" },
    code: text,
    status: { type: "integer", minimum: 400, maximum: 599 },
    requestId: { ...text, format: "uuid" },
  },
  additionalProperties: true,
};
