import type { Adapter, RequestContext } from "../adapter.ts";
import { answerHead } from "../answer/answer-parts.ts";
import type { Handle, Route } from "../request.ts";
import { answerRpcError, calledProcedures } from "./answers.ts";
import { answerCall } from "./call.ts";
import { answerJson } from "./json.ts";
import type { AnyTRPCRouter } from "@trpc/server";

/** The typed calls: JSON as tRPC's clients send it, or one binary frame. */
export function rpcRoutes(adapter: Adapter): Route[] {
  const router = withHiddenErrors(adapter);
  const handle: Handle = (context) => {
    if (context.request.method === "HEAD")
      return answerHead(context, calledQueries(context.url, adapter), "application/json");
    return answerCall(context, router) ?? answerJson(context, router);
  };
  const writeError = (error: unknown, context: RequestContext) => answerRpcError(error, context);
  return ["GET", "POST"].map((method) => ({ method, path: `${adapter.rpcPath}/**`, handle, writeError }));
}

// GET calls queries alone.
function calledQueries(url: URL, adapter: Adapter) {
  const called = calledProcedures(url, adapter).map((path) => adapter.procedures[path]);
  return called.map((each) => (each?.procedure._def.type === "query" ? each : undefined));
}

type FormatterOptions = Parameters<AnyTRPCRouter["_def"]["_config"]["errorFormatter"]>[0];

/**
 * The router with a formatter of errors before its own, which would write the message of what nobody expected, and any
 * stack while developing.
 *
 * tRPC 11.25 makes an error anew where a promise inside a streamed result fails (http/resolveResponse.ts), so that
 * `onError` could not change what is written.
 */
function withHiddenErrors({ router, formatError }: Adapter): AnyTRPCRouter {
  const { _config: config } = router._def;
  const errorFormatter = (options: FormatterOptions) => {
    const { error, path, input, shape } = options;
    const { status, message } = formatError(error, { path, input });
    Object.assign(error, { stack: undefined }, status === 500 && { message });
    const { stack: _, ...data } = shape.data;
    return config.errorFormatter({ ...options, shape: { ...shape, message: error.message, data } });
  };
  return { ...router, _def: { ...router._def, _config: { ...config, errorFormatter } } };
}
