import type { ServerRequest } from "srvx";
import { ApiError } from "../../router/errors/errors.ts";
import { answerError } from "../trpc/answer/write-error.ts";
import { createRequestContext, type ServerContext } from "./request-context.ts";

/** Answers a request of which nobody can say what host it means. */
export function refuseHost(request: ServerRequest, parts: ServerContext): Promise<Response> {
  const message =
    "The Host header must be a host name or address, with a port up to 65535 where it needs one";
  const error = new ApiError("invalid_parameter", message, { parameter: "Host", in: "header" });
  return refuse(request, { ...parts, url: new URL("http://localhost"), error });
}

/** Answers what h3 refuses before any route, such as a path that is not percent-encoded UTF-8. */
export function refuseUrl(request: ServerRequest, parts: ServerContext & { url: URL }): Promise<Response> {
  const error = new ApiError("not_found", "The URL of this request cannot be read");
  return refuse(request, { ...parts, error });
}

async function refuse(
  request: ServerRequest,
  { error, ...opening }: ServerContext & { url: URL; error: ApiError },
): Promise<Response> {
  const context = createRequestContext(request, opening);
  await context.body.drain();
  return answerError(error, context);
}
