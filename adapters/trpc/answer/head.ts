import { FastResponse } from "srvx";
import type { RequestContext, RpcEndpoint } from "../adapter.ts";
import { baseHeaders } from "../request-context.ts";
import { hasNoBody } from "./answer-parts.ts";

/**
 * Answers HEAD for procedures that GET calls: who may call them, and nothing that they would have found. None of
 * them runs.
 */
export async function answerHead(
  context: RequestContext,
  called: readonly (RpcEndpoint | undefined)[],
  type: string,
): Promise<Response> {
  await context.prepare?.();
  await context.adapter.checkHead(called, context);
  const headers = baseHeaders(context);
  headers.set("Content-Type", type);
  if (called.some((each) => each?.http.compressed)) headers.append("Vary", "Accept-Encoding");
  return new FastResponse(null, { headers });
}

/**
 * An answer to HEAD with the length that GET's has (RFC 9110, 8.6), which runtimes tell for a body alone. What is still
 * made while it is sent has none.
 */
export async function withLength(response: Response, { request, answer }: RequestContext): Promise<Response> {
  const { status, headers } = response;
  const isKnown = headers.has("Content-Length") || answer.sent !== undefined || hasNoBody(status);
  if (request.method !== "HEAD" || isKnown || response.body === null) return response;
  headers.set("Content-Length", String((await response.arrayBuffer()).byteLength));
  return new FastResponse(null, { status, headers });
}
