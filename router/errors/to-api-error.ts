import { TRPCError } from "@trpc/server";
import { LastWayIn } from "../../db/accounts/act-on-member.ts";
import { ActorGone } from "../../db/accounts/lock-member.ts";
import { DatabaseUnavailable } from "../../db/connection/unavailable.ts";
import { CallError } from "../../wire/call-error.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { ApiError } from "./errors.ts";
import { MAX_BATCH_CALLS } from "../../wire/rpc.ts";

/**
 * The ApiError behind anything that was thrown. tRPC wraps what a procedure throws, so the cause is examined too.
 * Unexpected errors become a bare `internal`.
 */
export function toApiError(error: unknown): ApiError {
  for (const thrown of [error, error instanceof Error ? error.cause : undefined]) {
    if (thrown instanceof ApiError) return thrown;
    // A tool's fields are untyped; test/support/harness.ts compares the fields of every error with the table.
    if (thrown instanceof ToolFailure)
      return new ApiError(thrown.code, thrown.message, thrown.fields as object);
    if (thrown instanceof CallError)
      return new ApiError(thrown.code, thrown.message, thrown.details as object);
    // When a connection breaks while a write is acknowledged, it is unknown whether the write took effect.
    if (thrown instanceof DatabaseUnavailable)
      return new ApiError(
        "database_unavailable",
        "The database cannot be reached, and it is not known whether this request had an effect; try again later",
        { retryAfter: 5 },
      );
    if (thrown instanceof ActorGone)
      return new ApiError(
        "login_required",
        "Your session has ended meanwhile, or your account may no longer do this; nothing was changed",
      );
    if (thrown instanceof LastWayIn)
      return new ApiError(
        "last_way_in",
        "Nothing else opens this account; set a password or add a passkey first",
      );
  }
  return error instanceof TRPCError ? fromTrpc(error) : internal();
}

function internal(): ApiError {
  return new ApiError("internal", "Something went wrong on the server; its log has the request id");
}

// What tRPC itself refuses before a procedure runs. Its messages quote the path and parts of the body.
function fromTrpc({ code, message }: TRPCError): ApiError {
  switch (code) {
    case "NOT_FOUND":
      return new ApiError("not_found", "There is no procedure with this name");
    case "METHOD_NOT_SUPPORTED":
      return new ApiError("method_not_allowed", "Queries are sent with GET, mutations with POST");
    case "UNSUPPORTED_MEDIA_TYPE":
      return new ApiError("invalid_json", "An RPC call is application/json or a binary frame");
    case "BAD_REQUEST":
    case "PARSE_ERROR":
      if (!message.includes("maximum size"))
        return new ApiError("invalid_json", "The body of the call is not the JSON that this procedure takes");
      return new ApiError("invalid_parameter", `A batch holds at most ${MAX_BATCH_CALLS} calls`, {
        parameter: "batch",
        maximum: MAX_BATCH_CALLS,
      });
    default:
      return internal();
  }
}
