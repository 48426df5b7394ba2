import { callTRPCProcedure } from "@trpc/server";
import { appRouter, procedures } from "../../../router/app.ts";
import { ApiError } from "../../../router/errors/errors.ts";
import { explainError } from "../../../router/errors/explain-error.ts";
import { inputSchemaOf } from "../../../router/introspect.ts";
import type { RequestContext } from "../../service/request-context.ts";
import type { Log } from "../../operations/log.ts";
import { failure, writeFrame } from "./answers.ts";
import { calledProcedures } from "./call.ts";
import { readFrame } from "./inputs.ts";

/** Answers one call that came as a binary frame. */
export async function answerFrame(context: RequestContext, { log }: { log: Log }): Promise<Response> {
  const { url, trpcContext, requestId, request } = context;
  const [path = ""] = calledProcedures(url);
  const procedure = procedures()[path];
  let input: unknown;
  try {
    checkFrameCall(context, path);
    const result: unknown = await callTRPCProcedure({
      router: appRouter,
      path,
      getRawInput: async () => (input = await readFrame(context, path)),
      ctx: trpcContext,
      type: procedure?._def.type ?? "mutation",
      signal: request.signal,
      batchIndex: 0,
    });
    return writeFrame({ result: { data: result } }, { context });
  } catch (error) {
    const schema = procedure && inputSchemaOf(procedure);
    const apiError = explainError(error, { schema, input });
    if (apiError.code === "internal" && !request.signal.aborted) log.fault(error, requestId);
    return writeFrame(failure(apiError, { requestId }), { context, error: apiError });
  }
}

function checkFrameCall({ request, url }: RequestContext, path: string): void {
  if (request.method !== "POST") {
    throw new ApiError("method_not_allowed", "A frame is sent with POST", { allowed: ["POST"] });
  }
  if (url.searchParams.has("batch") || path.includes(",")) {
    const error = "A frame contains one call; batches are JSON";
    throw new ApiError("invalid_parameter", error, { parameter: "batch" });
  }
}
