import { TRPCError } from "@trpc/server";
import { z } from "zod";
import type { ApiError } from "../../../router/errors/errors.ts";
import { toApiError } from "../../../router/errors/to-api-error.ts";
import type { FailedCall } from "../../trpc/adapter.ts";
import { inputOf } from "../../trpc/schema/input.ts";
import { procedures } from "../endpoints.ts";
import { explainInput } from "./invalid-input.ts";

/** The ApiError behind what a procedure call threw. Input errors are explained with the input's schema. */
export function explainError(error: unknown, { path = "", input, locate }: FailedCall): ApiError {
  // An output that its schema refuses, and what is parsed inside of a procedure, are faults of the server.
  const cause = error instanceof TRPCError && error.code === "BAD_REQUEST" ? error.cause : undefined;
  const procedure = procedures[path];
  if (!(cause instanceof z.ZodError) || !procedure) return toApiError(error);
  return explainInput(cause, { of: inputOf(procedure), input, locate });
}
