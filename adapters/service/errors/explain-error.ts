import { TRPCError } from "@trpc/server";
import { z } from "zod";
import type { Limits } from "../../../router/limits.ts";
import { toApiError } from "../../../router/errors/to-api-error.ts";
import type { FailedCall } from "../../trpc/adapter.ts";
import { inputOf } from "../../trpc/schema/input.ts";
import { procedures } from "../endpoints.ts";
import { holdingParameter } from "../openapi/limits.ts";
import { explainInput } from "./invalid-input.ts";
import { ApiError } from "../../../router/errors/errors.ts";

/**
 * Makes what finds the ApiError behind what a procedure call threw. Input errors are explained with the input's schema,
 * in which these limits hold.
 */
export function explainErrors(limits: Limits) {
  return (error: unknown, { path = "", input, locate }: FailedCall): ApiError => {
    // An output that its schema refuses, and what is parsed inside of a procedure, are faults of the server.
    const cause = error instanceof TRPCError && error.code === "BAD_REQUEST" ? error.cause : undefined;
    const procedure = procedures[path];
    if (!(cause instanceof z.ZodError) || !procedure) return toApiError(error);
    const of = inputOf(procedure);
    const parameters = of.parameters.map((parameter) => holdingParameter(parameter, limits));
    return explainInput(cause, { of: { ...of, parameters }, input, locate });
  };
}

/** Characters of a path with its query. */
export const MAX_URI_LENGTH = 8192;

const DRAIN_RETRY_SECONDS = 5;

export function uriTooLong(): ApiError {
  const error = `The path and query exceed ${MAX_URI_LENGTH} bytes; send long values in the body`;
  return new ApiError("uri_too_long", error, { limit: "uri", value: MAX_URI_LENGTH, unit: "bytes" });
}

export function draining(): ApiError {
  return new ApiError("draining", "The server is shutting down; send the request again", {
    retryAfter: DRAIN_RETRY_SECONDS,
  });
}

export function notFound(): ApiError {
  return new ApiError("not_found", "There is nothing at this path");
}
