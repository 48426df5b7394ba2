import { procedures } from "../../../router/app.ts";
import { answerHead } from "../../service/answers/head.ts";
import type { Handle, Route } from "../route.ts";
import type { Log } from "../../operations/log.ts";
import { endpoints } from "../endpoints.ts";
import { answerRpcError, isFrame } from "./answers.ts";
import { calledProcedures } from "./call.ts";
import { answerFrame } from "./frame.ts";
import { answerJson } from "./json.ts";

const OWN_PAGES_ONLY = new Set(endpoints.filter(({ http }) => http.ownPagesOnly).map(({ rpc }) => rpc));

/** The typed calls: JSON as tRPC's clients send it, or one binary frame. */
export function rpcRoutes(log: Log): Route[] {
  const handle: Handle = (context) => {
    if (context.request.method === "HEAD") return answerHead(context, calledQueries(context.url));
    return (isFrame(context) ? answerFrame : answerJson)(context, { log });
  };
  return ["GET", "POST"].map((method) => ({
    method,
    path: "/trpc/**",
    handle,
    writeError: answerRpcError,
    isTool: (url) => calledProcedures(url).some((path) => path.startsWith("tools.")),
    cors: (url) => !calledProcedures(url).some((path) => OWN_PAGES_ONLY.has(path)),
  }));
}

// GET calls queries alone.
function calledQueries(url: URL) {
  const called = calledProcedures(url).map((path) => procedures()[path]);
  const queries = called.map((procedure) => (procedure?._def.type === "query" ? procedure : undefined));
  return { procedures: queries, type: "application/json" };
}
