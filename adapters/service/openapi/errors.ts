import { listErrors } from "../../../router/errors/error-codes.ts";
import { ERROR_FIELDS } from "../../../router/errors/error-fields.ts";
import { TITLES } from "../../trpc/answer/write-error.ts";
import { headersOf, type HeaderName } from "./headers.ts";
import type { ContentObject, Json, Responses } from "../../trpc/openapi/types.ts";

/** What any operation may answer before it is known which one it is. */
const ALWAYS = [405, 408, 414];

/** The error answers of an operation by status. */
export function failuresOf(statuses: readonly number[]): Responses {
  return Object.fromEntries(
    [...statuses, ...ALWAYS].map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
}

/** The error answer of each status, with the codes that it may have. */
export function failures(): Record<string, Json> {
  const statuses = [...new Set(listErrors().map(({ status }) => status))];
  return Object.fromEntries(statuses.map((status) => [nameOf(status), describe(status)]));
}

function nameOf(status: number): string {
  return (TITLES[status] ?? "").replaceAll(/[ -]/g, "");
}

function describe(status: number): Json {
  const rows = listErrors().filter((row) => row.status === status);
  const description = rows.map(({ code, description: what }) => `- \`${code}\`: ${what}`).join("\n");
  const headers = headersOf("Request-Id", "RateLimit-Policy", "RateLimit", ...(OWN_HEADERS[status] ?? []));
  return { description, headers, content: CONTENT };
}

const OWN_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

const CONTENT: ContentObject = {
  "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } },
  "application/problem+json": { schema: { $ref: "#/components/schemas/ProblemDetails" } },
};

const text = { type: "string" };

/** The schemas of every error. */
export const ERROR_SCHEMAS = {
  ErrorBody: {
    type: "object",
    description:
      "Every error. The other fields name the parameter, what is allowed, or the limit that was reached.",
    required: ["error", "code", "status", "requestId"],
    properties: {
      error: { ...text, description: "One sentence for people" },
      code: { ...text, enum: listErrors().map(({ code }) => code) },
      status: { type: "integer", minimum: 400, maximum: 599 },
      requestId: { ...text, format: "uuid" },
      ...ERROR_FIELDS,
    },
    additionalProperties: true,
  },
  ProblemDetails: {
    description: "The same with the members of RFC 9457, for Accept: application/problem+json.",
    allOf: [
      { $ref: "#/components/schemas/ErrorBody" },
      {
        type: "object",
        required: ["type", "title", "detail", "instance"],
        properties: {
          type: { ...text, format: "uri-reference" },
          title: text,
          detail: text,
          instance: { ...text, format: "uri" },
        },
      },
    ],
  },
};
