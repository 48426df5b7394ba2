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
  const headers = headersOf(...ALL_HEADERS, ...(OWN_HEADERS[status] ?? []));
  return { description, headers, content: contentOf(rows[0] ?? { status, code: "", description: "" }) };
}

const ALL_HEADERS = ["Request-Id", "RateLimit-Policy", "RateLimit", "Tool-Warning"] as const;
const OWN_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  409: ["Retry-After"],
  413: ["Retry-After"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

function contentOf({ status, code, description: error }: Described): ContentObject {
  const requestId = "0d9c7c1e-7a43-4a0c-9a52-ceb706dcf46a";
  const body = { error, code, status, requestId };
  const problem = { type: `/docs#${code}`, title: TITLES[status] ?? "", detail: error };
  return {
    "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" }, example: body },
    "application/problem+json": {
      schema: { $ref: "#/components/schemas/ProblemDetails" },
      example: { ...body, ...problem, instance: `urn:request:${requestId}` },
    },
  };
}

interface Described {
  readonly status: number;
  readonly code: string;
  readonly description: string;
}

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
