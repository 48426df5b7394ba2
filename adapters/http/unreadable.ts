import type { H3Event } from "h3";
import { ApiError } from "../../router/errors.ts";
import { createRequestContext, type ServerContext } from "./request-context.ts";
import type { Log } from "../operations/log.ts";
import { answerFault } from "../rest/routes.ts";

interface Parts extends ServerContext {
  readonly log: Log;
}

/**
 * False where neither h3 nor the runtime could tell the path: both would answer in words of their own, one of
 * them with the source of the server, and print the URL with its query.
 */
export function hasReadableHost({ url }: Request): boolean {
  // The server makes the URL of path and Host header, on Bun of the path alone where there is no such header.
  return url.startsWith("/") || URL.canParse(url);
}

export function answerUnreadableHost(request: Request, parts: Parts): Promise<Response> {
  const error = "The Host header must be a host name or address, with a port up to 65535 where it needs one";
  const refusal = new ApiError("invalid_parameter", error, { parameter: "Host", in: "header" });
  return refuse(request, { parts, url: new URL("http://localhost"), refusal });
}

/** Answers what h3 refuses before any route, such as a path that is not percent-encoded UTF-8. */
export function answerUnreadablePath({ req, url }: H3Event, parts: Parts): Promise<Response> {
  const refusal = new ApiError("not_found", "The URL of this request cannot be read");
  return refuse(req, { parts, url, refusal });
}

interface Refused {
  readonly parts: Parts;
  readonly url: URL;
  readonly refusal: ApiError;
}

async function refuse(request: Request, { parts, url, refusal }: Refused): Promise<Response> {
  const context = createRequestContext(request, { ...parts, url });
  await context.body.drain();
  return answerFault(refusal, { context, log: parts.log });
}
