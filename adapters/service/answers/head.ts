import type { AnyTRPCProcedure } from "@trpc/server";
import { FastResponse } from "srvx";
import { ApiError } from "../../../router/errors/errors.ts";
import { metaOf } from "../../../router/introspect.ts";
import { checkAccess, checkMayStart } from "../../../router/policy/access.ts";
import { baseHeaders, type RequestContext } from "../request-context.ts";

interface Answered {
  readonly procedures: readonly (AnyTRPCProcedure | undefined)[];
  /** Content-Type of what GET answers. */
  readonly type: string;
}

/**
 * Answers HEAD for procedures that GET calls: who may call them, and nothing that they would have found. None of
 * them runs, so that there is nothing to count.
 */
export async function answerHead(context: RequestContext, { procedures, type }: Answered): Promise<Response> {
  const caller = await context.trpcContext.identify();
  for (const procedure of procedures) {
    if (!procedure) throw new ApiError("not_found", "There is nothing at this path");
    const { access, rate } = metaOf(procedure);
    checkAccess(caller, access);
    if (rate) checkMayStart({ ...context.trpcContext, caller }, rate);
  }
  const headers = baseHeaders(context);
  headers.set("Content-Type", type);
  return new FastResponse(null, { headers });
}
