import { FastResponse } from "srvx";
import type { RequestContext, RpcEndpoint } from "../adapter.ts";

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
  const headers = new Headers(context.responseHeaders);
  headers.set("Content-Type", type);
  return new FastResponse(null, { headers });
}
