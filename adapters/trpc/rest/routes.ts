import { callTRPCProcedure } from "@trpc/server";
import type { Adapter, Endpoint } from "../adapter.ts";
import { answerHead } from "../answer/head.ts";
import { methodsOf } from "../endpoints.ts";
import type { RequestContext } from "../request-context.ts";
import type { Route } from "../route.ts";
import { formatThrown, writeError } from "../answer/write-error.ts";
import { JSON_TYPE } from "./json-result.ts";
import { addParameter, type RawInput } from "./raw-input.ts";

/** A route for every path and method of a procedure. */
export function routesOf(endpoint: Endpoint, adapter: Adapter): Route[] {
  return endpoint.paths.flatMap((path) =>
    methodsOf(endpoint).map((method) => ({
      method,
      path: path.replace(/\{(\w+)\}/g, ":$1"),
      handle: (context, params) => callProcedure(endpoint, { adapter, context, params }),
    })),
  );
}

interface Incoming {
  readonly adapter: Adapter;
  readonly context: RequestContext;
  readonly params: Readonly<Record<string, string>>;
}

/** Answers one call: the body is read by the procedure's own input step, after whatever comes before that. */
async function callProcedure(endpoint: Endpoint, incoming: Incoming): Promise<Response> {
  const { procedure, rpc: path } = endpoint;
  const { adapter, context } = incoming;
  if (context.request.method === "HEAD")
    return answerHead(context, { adapter, called: [endpoint], type: JSON_TYPE });
  let rawInput: RawInput | undefined;
  const getRawInput = async () => {
    rawInput = await readInput(endpoint, incoming);
    return rawInput.values;
  };
  try {
    const result: unknown = await callTRPCProcedure({
      router: adapter.router,
      path,
      getRawInput,
      ctx: context.trpcContext,
      type: procedure._def.type,
      signal: context.request.signal,
      batchIndex: 0,
    });
    return endpoint.write(result, { adapter, context, endpoint });
  } catch (error) {
    const locate = (name: string) => rawInput?.locations.get(name) ?? endpoint.body.place;
    const failed = { path, input: rawInput?.values, locate };
    return writeError(formatThrown(error, { adapter, context, ...failed }), { adapter, context });
  }
}

async function readInput(endpoint: Endpoint, { adapter, context, params }: Incoming): Promise<RawInput> {
  const rawInput = await endpoint.body.read({ adapter, context, endpoint });
  for (const [name, value] of Object.entries(params)) addParameter(rawInput, { name, value, place: "path" });
  return rawInput;
}
