import { ApiError } from "../../../router/errors/errors.ts";

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
