import type { TRPCError } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { MAX_BATCH_CALLS } from "../../../wire/rpc.ts";
import type { Adapter } from "../adapter.ts";
import { answerParts } from "../answer/answer-parts.ts";
import { spliceParts } from "../answer/json-text.ts";
import type { RequestContext } from "../request-context.ts";
import { errorHeaders, formatThrown } from "../answer/write-error.ts";
import { answerRpcError } from "./answers.ts";
import { readInputsHere } from "./inputs.ts";
import { TrpcRequest } from "./trpc-request.ts";

/** Answers calls in JSON, one or a batch, by tRPC's own handler. */
export async function answerJson(context: RequestContext, adapter: Adapter): Promise<Response> {
  const { trpcContext, responseHeaders } = context;
  let earlyError: TRPCError | undefined;
  const response = await fetchRequestHandler({
    endpoint: adapter.rpcPath,
    router: adapter.router,
    req: new TrpcRequest(context),
    createContext: ({ info }) => {
      readInputsHere(info, { context, adapter });
      return trpcContext;
    },
    maxBatchSize: MAX_BATCH_CALLS,
    onError: ({ error, path, input, ctx }) => {
      // Refused before a context was made: what tRPC writes then lacks the request id.
      if (!ctx) return void (earlyError = error);
      const { status, message } = formatThrown(error, { adapter, context, path, input });
      // The router's own formatter would write the message of what nobody expected, and any stack while developing.
      Object.assign(error, { stack: undefined }, status === 500 && { message });
    },
    responseMeta: ({ info, errors: [error], paths }) => {
      if (!error || info?.isBatchCall) return {};
      const formatted = adapter.formatError(error, { path: paths?.[0] });
      return { status: formatted.status, headers: errorHeaders(formatted) };
    },
  });
  if (earlyError)
    return answerRpcError(earlyError, { context, adapter, code: TRPC_ERROR_CODES_BY_KEY[earlyError.code] });
  for (const [name, value] of responseHeaders) response.headers.set(name, value);
  return complete(response, context);
}

// The calls of a streamed batch read the body while the answer is already on its way, behind the drain; so the
// answer waits for all of them. Lines of JSON are known by this header, their type is that of JSON.
async function complete(response: Response, context: RequestContext): Promise<Response> {
  const { status, headers } = response;
  // A subscription has no end to wait for.
  if (headers.get("content-type")?.startsWith("text/event-stream")) return response;
  headers.delete("transfer-encoding");
  const bytes = new Uint8Array(await response.arrayBuffer());
  // Only now every call has run.
  const { jsonParts } = context;
  const parts = jsonParts.length > 0 ? spliceParts(new TextDecoder().decode(bytes), jsonParts) : [bytes];
  return answerParts(parts, { context, status, headers });
}
