import { callTRPCProcedure, type AnyTRPCProcedure } from "@trpc/server";
import { forEachOpenApiProcedure } from "trpc-to-openapi";
import { appRouter } from "../../router/app.ts";
import { explainError, toApiError } from "../../router/explain-error.ts";
import { inputSchemaOf } from "../../router/introspect.ts";
import type { HttpMeta, Meta } from "../../router/meta.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Log } from "../operations/log.ts";
import { addParameter, type RawInput } from "./raw-input.ts";
import { readContent } from "./body-kinds/content.ts";
import { readFiles } from "./body-kinds/files.ts";
import { readFields, readFile, readJson, readQuery, type BodyReader } from "./read.ts";
import { writeError, writeResult } from "./results.ts";

/** A documented path and the procedure behind it. */
export interface RestRoute {
  readonly method: string;
  /** In h3's words: `/api/secrets/:id`. */
  readonly path: string;
  /** The procedure's path under /trpc. */
  readonly rpc: string;
  readonly procedure: AnyTRPCProcedure;
  readonly http: HttpMeta;
  readonly isTool: boolean;
}

/** Every REST route there is, from the list that trpc-to-openapi makes of the procedures. */
export function restRoutes(): RestRoute[] {
  const routes: RestRoute[] = [];
  // The enumerator takes a looser record than a built router's own type.
  const list = appRouter._def.procedures as unknown as Parameters<typeof forEachOpenApiProcedure>[0];
  forEachOpenApiProcedure(list, ({ path: rpc, procedure, meta }) => {
    const { openapi, http, tool } = meta as Meta;
    if (!openapi || !http) throw new Error(`Procedure ${rpc} has no door`);
    const route = {
      rpc,
      procedure: procedure as unknown as AnyTRPCProcedure,
      http,
      isTool: tool !== undefined,
    };
    for (const path of [openapi.path, ...(http.aliases ?? [])]) {
      for (const method of http.alsoGet ? [openapi.method, "GET"] : [openapi.method]) {
        routes.push({ ...route, method, path: path.replace(/\{(\w+)\}/g, ":$1") });
      }
    }
  });
  return routes;
}

interface Call {
  readonly context: RequestContext;
  readonly params: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** Answers one call: the body is read by the procedure's own input step, after every limit. */
export async function answerRest(route: RestRoute, { context, params, log }: Call): Promise<Response> {
  const { procedure, http, rpc } = route;
  let rawInput: RawInput | undefined;
  const getRawInput = async () => {
    rawInput = await readInput(route, { context, params });
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
    return writeResult(result, { context, http });
  } catch (error) {
    const locate = (name: string) => rawInput?.locations.get(name) ?? defaultPlace(http);
    const apiError = explainError(error, {
      schema: inputSchemaOf(procedure),
      input: rawInput?.values,
      locate,
    });
    if (apiError.code === "internal" && !context.request.signal.aborted) log.fault(error, context.requestId);
    return writeError(apiError, context);
  }
}

function defaultPlace({ body }: HttpMeta): string {
  return body === "file" || body === "stream" || body === "none" ? "query" : "body";
}

async function readInput(
  { procedure, http }: RestRoute,
  { context, params }: Omit<Call, "log">,
): Promise<RawInput> {
  const schema = inputSchemaOf(procedure);
  if (!schema) throw new Error("A procedure of the REST http takes a zod object");
  const reading = { context, http, schema, caller: await context.trpcContext.identify() };
  const rawInput = await readBody(reading);
  for (const [name, value] of Object.entries(params)) addParameter(rawInput, { name, value, place: "path" });
  return rawInput;
}

function readBody(reading: BodyReader): Promise<RawInput> {
  switch (reading.http.body) {
    case "file":
    case "stream":
      return readFile(reading);
    case "files":
      return readFiles(reading);
    case "content":
      return readContent(reading);
    case "fields":
      return readFields(reading);
    case "json":
      return readJson(reading);
    default:
      return Promise.resolve(readQuery(reading));
  }
}

/** The answer to whatever went wrong outside a procedure. */
export function answerFault(error: unknown, { context, log }: Omit<Call, "params">): Response {
  const apiError = toApiError(error);
  if (apiError.code === "internal") log.fault(error, context.requestId);
  return writeError(apiError, context);
}
