import type { ServerRequest } from "srvx";
import { ApiError } from "../../router/errors/errors.ts";
import type { Log } from "../operations/log.ts";
import { answerError } from "../rest/errors.ts";
import { createRequestContext, type ServerContext } from "./request-context.ts";

interface Parts extends ServerContext {
  readonly log: Log;
}

/** Answers a request of which nobody can say what host it means. */
export function refuseHost(request: ServerRequest, parts: Parts): Promise<Response> {
  const error = "The Host header must be a host name or address, with a port up to 65535 where it needs one";
  const refusal = new ApiError("invalid_parameter", error, { parameter: "Host", in: "header" });
  return refuse(request, { ...parts, url: new URL("http://localhost"), refusal });
}

/** Answers what h3 refuses before any route, such as a path that is not percent-encoded UTF-8. */
export function refuseUrl(request: ServerRequest, parts: Parts & { url: URL }): Promise<Response> {
  const refusal = new ApiError("not_found", "The URL of this request cannot be read");
  return refuse(request, { ...parts, refusal });
}

interface Refused extends Parts {
  readonly url: URL;
  readonly refusal: ApiError;
}

async function refuse(request: ServerRequest, { refusal, log, ...opening }: Refused): Promise<Response> {
  const context = createRequestContext(request, opening);
  await context.body.drain();
  return answerError(refusal, { context, log });
}
