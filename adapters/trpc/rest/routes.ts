import { callTRPCProcedure } from "@trpc/server";
import { appRouter } from "../../../router/app.ts";
import { explainError } from "../../../router/errors/explain-error.ts";
import { answerHead } from "../../service/answers/head.ts";
import type { RequestContext } from "../../service/request-context.ts";
import type { Route } from "../route.ts";
import type { Log } from "../../operations/log.ts";
import { BODY_KINDS } from "../../service/body-kinds/body-kinds.ts";
import { endpoints, envelopePathOf, methodsOf, pathsOf, type Endpoint } from "../endpoints.ts";
import { writeError } from "./errors.ts";
import { addParameter, type RawInput } from "./raw-input.ts";
import { JSON_TYPE, writeResult } from "./results.ts";

/** A route for every path and method of every procedure. */
export function restRoutes(log: Log): Route[] {
  return endpoints.flatMap((endpoint) =>
    pathsOf(endpoint).flatMap((path) =>
      methodsOf(endpoint).map((method) => ({
        method,
        path: path.replace(/\{(\w+)\}/g, ":$1"),
        cors: !endpoint.http.ownPagesOnly,
        isTool: path.startsWith("/api/tools"),
        handle: (context, params) =>
          callProcedure(endpoint, { context, params, log, isEnvelope: path === envelopePathOf(endpoint) }),
      })),
    ),
  );
}

interface Incoming {
  readonly context: RequestContext;
  readonly params: Readonly<Record<string, string>>;
  readonly log: Log;
  /** Whether the path is the one of envelopes. */
  readonly isEnvelope: boolean;
}

/** Answers one call: the body is read by the procedure's own input step, after every limit. */
async function callProcedure(endpoint: Endpoint, incoming: Incoming): Promise<Response> {
  const { procedure, schema, http, rpc } = endpoint;
  const { context, params, log, isEnvelope } = incoming;
  if (context.request.method === "HEAD")
    return answerHead(context, { procedures: [procedure], type: JSON_TYPE });
  let rawInput: RawInput | undefined;
  const getRawInput = async () => {
    rawInput = await readInput(endpoint, { context, params });
    return rawInput.values;
  };
  try {
    const result: unknown = await callTRPCProcedure({
      router: appRouter,
      path: rpc,
      getRawInput,
      ctx: context.trpcContext,
      type: procedure._def.type,
      signal: context.request.signal,
      batchIndex: 0,
    });
    return writeResult(result, { context, http, isEnvelope });
  } catch (error) {
    const locate = (name: string) => rawInput?.locations.get(name) ?? BODY_KINDS[http.body].place;
    const apiError = explainError(error, { schema, input: rawInput?.values, locate });
    if (apiError.code === "internal" && !context.request.signal.aborted) log.fault(error, context.requestId);
    return writeError(apiError, context);
  }
}

async function readInput(
  endpoint: Endpoint,
  { context, params }: Pick<Incoming, "context" | "params">,
): Promise<RawInput> {
  const caller = await context.trpcContext.identify();
  const rawInput = await BODY_KINDS[endpoint.http.body].read({ context, endpoint, caller });
  for (const [name, value] of Object.entries(params)) addParameter(rawInput, { name, value, place: "path" });
  return rawInput;
}
