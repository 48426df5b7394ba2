import { STATUS } from "../../../router/errors.ts";

/** The answers of an operation that fails, by status, each with the codes it may have. */
export function failuresOf(statuses: readonly number[]): Record<string, Record<string, unknown>> {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  const codes = (status: number) =>
    Object.entries(STATUS).flatMap(([code, of]) => (of === status ? [code] : []));
  // Every operation asks the database, if only for a limit, so every one can find it gone.
  const all = new Set([...statuses, 500, 503]);
  return Object.fromEntries(
    [...all].map((status) => [status, { description: codes(status).join(", "), content }]),
  );
}

/** The schema of every failure. */
export const ERROR = {
  type: "object",
  description: "Every failure. More keys name the parameter, what is legal, or the limit that was met.",
  required: ["error", "code", "status", "requestId"],
  properties: {
    error: { type: "string", description: "One sentence for a person" },
    code: { type: "string", enum: Object.keys(STATUS) },
    status: { type: "integer" },
    requestId: { type: "string" },
    parameter: { type: "string" },
    in: { type: "string" },
    allowed: { type: "array", items: {} },
    minimum: { type: "number" },
    maximum: { type: "number" },
    received: {},
    limit: { type: "string" },
    value: { type: "number" },
    unit: { type: "string" },
    window: { type: "number", description: "Seconds" },
    remaining: { type: "number" },
    retryAfter: { type: "number", description: "Seconds" },
    tier: { type: "string", enum: ["anonymous", "member"] },
  },
  additionalProperties: true,
};
