import { callTRPCProcedure } from "@trpc/server";
import type { Endpoint, RequestContext } from "../adapter.ts";
import { answerHead } from "../answer/head.ts";
import { methodsOf } from "../endpoints.ts";
import type { Route } from "../route.ts";
import { formatThrown, writeError } from "../answer/write-error.ts";
import { JSON_TYPE } from "./json-result.ts";
import { addParameter, type RawInput } from "./raw-input.ts";

type PathParameters = Readonly<Record<string, string>>;

/** A route for every path and method of a procedure. */
export function routesOf(endpoint: Endpoint): Route[] {
  return endpoint.paths.flatMap((path) =>
    methodsOf(endpoint).map((method) => ({
      method,
      path: path.replace(/\{(\w+)\}/g, ":$1"),
      handle: (context, params) => callProcedure(endpoint, context, params),
    })),
  );
}

/** Answers one call: the body is read by the procedure's own input step, after whatever comes before that. */
async function callProcedure(
  endpoint: Endpoint,
  context: RequestContext,
  params: PathParameters,
): Promise<Response> {
  const { procedure, rpc: path } = endpoint;
  if (context.request.method === "HEAD") return answerHead(context, [endpoint], JSON_TYPE);
  let rawInput: RawInput | undefined;
  const getRawInput = async () => {
    rawInput = await readInput(endpoint, context, params);
    return rawInput.values;
  };
  try {
    const result: unknown = await callTRPCProcedure({
      router: context.adapter.router,
      path,
      getRawInput,
      ctx: context.trpcContext,
      type: procedure._def.type,
      signal: context.request.signal,
      batchIndex: 0,
    });
    return endpoint.write(result, context, endpoint);
  } catch (error) {
    const locate = (name: string) => rawInput?.locations.get(name) ?? endpoint.body.place;
    return writeError(formatThrown(error, context, { path, input: rawInput?.values, locate }), context);
  }
}

async function readInput(
  endpoint: Endpoint,
  context: RequestContext,
  params: PathParameters,
): Promise<RawInput> {
  const rawInput = await endpoint.body.read(context, endpoint);
  for (const [name, value] of Object.entries(params)) addParameter(rawInput, { name, value, place: "path" });
  return rawInput;
}
