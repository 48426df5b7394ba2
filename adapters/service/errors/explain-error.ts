import { TRPCError } from "@trpc/server";
import { z } from "zod";
import type { Limits } from "../../../router/limits.ts";
import type { ApiError } from "../../../router/errors/errors.ts";
import { toApiError } from "../../../router/errors/to-api-error.ts";
import type { FailedCall } from "../../trpc/adapter.ts";
import { inputOf } from "../../trpc/schema/input.ts";
import { procedures } from "../endpoints.ts";
import { holdingParameter } from "../openapi/limits.ts";
import { explainInput } from "./invalid-input.ts";

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
