import { listErrors } from "../../../router/errors/error-codes.ts";
import { ERROR_FIELDS } from "../../../router/errors/error-fields.ts";

/** The error answers of an operation by status, each with the codes that it may have. */
export function failuresOf(statuses: readonly number[]): Record<string, Record<string, unknown>> {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return Object.fromEntries(
    statuses.map((status) => [status, { description: describeStatus(status), content }]),
  );
}

function describeStatus(status: number): string {
  const rows = listErrors().filter((row) => row.status === status);
  return rows.map(({ code, description }) => `- \`${code}\`: ${description}`).join("\n");
}

/** The schema of every error. */
export const ERROR = {
  type: "object",
  description:
    "Every error. The other fields name the parameter, what is allowed, or the limit that was reached.",
  required: ["error", "code", "status", "requestId"],
  properties: {
    error: { type: "string", description: "One sentence for people" },
    code: { type: "string", enum: listErrors().map(({ code }) => code) },
    status: { type: "integer" },
    requestId: { type: "string" },
    ...ERROR_FIELDS,
  },
  additionalProperties: true,
};
