import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import type { Adapter, RequestContext, RpcEndpoint } from "../adapter.ts";
import { answerHead } from "../answer/answer-parts.ts";
import type { Handle, Route } from "../request.ts";
import { withHiddenErrors } from "../format-error.ts";
import { ignoreRejections } from "../rest/json.ts";
import { answerRpcError, calledProcedures, RPC_TYPE } from "./answers.ts";
import { answerCall } from "./call.ts";
import { SSE_HEADERS } from "./events.ts";
import { answerJson } from "./json.ts";

/** The typed calls: JSON as tRPC's clients send it, or one binary frame. */
export function rpcRoutes(adapter: Adapter): Route[] {
  const router = withHandledRejections(withHiddenErrors(adapter));
  const handle: Handle = (context) => {
    const waiting = context.request.method === "HEAD" ? notRunForHead(context.url, adapter) : [];
    if (waiting.length > 0) return answerRpcHead(context, waiting);
    return answerCall(context, router) ?? answerJson(context, router);
  };
  const writeError = (error: unknown, context: RequestContext) => answerRpcError(error, context);
  return ["GET", "POST"].map((method) => ({ method, path: `${adapter.rpcPath}/**`, handle, writeError }));
}

/**
 * The router with procedures whose results may hold promises that are rejected. tRPC 11.25 refuses them in answers that
 * are no lines (http/resolveResponse.ts), and handles no rejection there: a caller could end the program.
 */
function withHandledRejections(router: AnyTRPCRouter): AnyTRPCRouter {
  const handled = (procedure: AnyTRPCProcedure) =>
    new Proxy(procedure, {
      apply: async (target, _, [call]: Parameters<AnyTRPCProcedure>): Promise<unknown> => {
        const result: unknown = await target(call);
        ignoreRejections(result);
        return result;
      },
    });
  // Lazy routers add theirs later.
  const procedures = new Proxy(router._def.procedures, {
    get: (all, path): unknown => {
      const procedure: AnyTRPCProcedure | undefined = Reflect.get(all, path);
      return procedure && handled(procedure);
    },
  });
  return { ...router, _def: { ...router._def, procedures } };
}

/**
 * The procedures that GET would call and HEAD must not run, except those with a public answer. Everything else may be
 * answered as for GET, which calls no mutation, and refuses unknown paths and too large batches before any procedure
 * runs.
 */
function notRunForHead(url: URL, { procedures, maxBatchSize = Infinity, ...called }: Adapter): RpcEndpoint[] {
  const paths = calledProcedures(url, called);
  const endpoints = paths.length > maxBatchSize ? [] : paths.flatMap((path) => procedures[path] ?? []);
  const runs = endpoints.filter(({ procedure }) => procedure._def.type !== "mutation");
  return runs.every(({ http }) => http.compressed) ? [] : runs;
}

function answerRpcHead(context: RequestContext, called: readonly RpcEndpoint[]): Promise<Response> {
  // tRPC 11.25 says so in every answer (unstable-core-do-not-import/http/resolveResponse.ts).
  context.responseHeaders.append("Vary", "trpc-accept, accept");
  const isListening = called.some(({ isSubscription }) => isSubscription);
  return answerHead(context, called, {
    headers: isListening ? SSE_HEADERS : [["Content-Type", RPC_TYPE]],
  });
}
