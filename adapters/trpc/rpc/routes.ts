import type { Adapter, RequestContext } from "../adapter.ts";
import { answerHead } from "../answer/head.ts";
import type { Handle, Route } from "../route.ts";
import { answerRpcError, isFrame } from "./answers.ts";
import { calledProcedures } from "./call.ts";
import { answerFrame } from "./frame.ts";
import { withHiddenErrors } from "./hidden-errors.ts";
import { answerJson } from "./json.ts";

/** The typed calls: JSON as tRPC's clients send it, or one binary frame. */
export function rpcRoutes(adapter: Adapter): Route[] {
  const router = withHiddenErrors(adapter);
  const handle: Handle = (context) => {
    if (context.request.method === "HEAD")
      return answerHead(context, calledQueries(context.url, adapter), "application/json");
    return isFrame(context) ? answerFrame(context) : answerJson(context, router);
  };
  const writeError = (error: unknown, context: RequestContext) => answerRpcError(error, context);
  return ["GET", "POST"].map((method) => ({ method, path: `${adapter.rpcPath}/**`, handle, writeError }));
}

// GET calls queries alone.
function calledQueries(url: URL, adapter: Adapter) {
  const called = calledProcedures(url, adapter.rpcPath).map((path) => adapter.procedures[path]);
  return called.map((each) => (each?.procedure._def.type === "query" ? each : undefined));
}
