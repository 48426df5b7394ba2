import type { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { appRouter } from "../../../router/app.ts";
import { explainError } from "../../../router/errors/explain-error.ts";
import { MAX_BATCH_CALLS } from "../../../wire/rpc.ts";
import { answerParts } from "../answer/answer-parts.ts";
import { spliceParts } from "../answer/json-text.ts";
import type { RequestContext } from "../../service/request-context.ts";
import type { Log } from "../../operations/log.ts";
import { errorHeaders } from "../rest/errors.ts";
import { answerRpcError } from "./answers.ts";
import { readInputsHere } from "./inputs.ts";
import { TrpcRequest } from "./trpc-request.ts";

/** Answers calls in JSON, one or a batch, by tRPC's own handler. */
export async function answerJson(context: RequestContext, { log }: { log: Log }): Promise<Response> {
  const { request, requestId, trpcContext } = context;
  const schemaAt = (path = "") => trpcContext.services.inputSchemaAt(path);
  let earlyError: TRPCError | undefined;
  const response = await fetchRequestHandler({
    endpoint: "/trpc",
    router: appRouter,
    req: new TrpcRequest(context),
    createContext: ({ info }) => {
      readInputsHere(info, context);
      return trpcContext;
    },
    maxBatchSize: MAX_BATCH_CALLS,
    onError: ({ error, path, input, ctx }) => {
      // Refused before a context was made: what tRPC writes then lacks the request id.
      if (!ctx) return void (earlyError = error);
      const { code } = explainError(error, { schema: schemaAt(path), input });
      if (code === "internal" && !request.signal.aborted) log.fault(error, requestId);
    },
    responseMeta: ({ info, errors: [error], paths }) => {
      if (!error || info?.isBatchCall) return {};
      const apiError = explainError(error, { schema: schemaAt(paths?.[0]), input: undefined });
      return { status: apiError.status, headers: errorHeaders(apiError) };
    },
  });
  if (earlyError)
    return answerRpcError(earlyError, { context, log, code: TRPC_ERROR_CODES_BY_KEY[earlyError.code] });
  for (const [name, value] of trpcContext.responseHeaders) response.headers.set(name, value);
  return complete(response, context);
}

// The calls of a streamed batch read the body while the answer is already on its way, behind the drain; so the
// answer waits for all of them. Lines of JSON are known by this header, their type is that of JSON.
async function complete(response: Response, context: RequestContext): Promise<Response> {
  const { status, headers } = response;
  headers.delete("transfer-encoding");
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Only now every call has run.
  const { jsonParts } = context.trpcContext;
  const parts = jsonParts.length > 0 ? spliceParts(new TextDecoder().decode(bytes), jsonParts) : [bytes];
  return answerParts(parts, { context, status, headers });
}
