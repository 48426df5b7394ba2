import { callTRPCProcedure, type AnyTRPCProcedure } from "@trpc/server";
import { forEachOpenApiProcedure } from "trpc-to-openapi";
import { appRouter } from "../../router/app.ts";
import { problemOf } from "../../router/errors.ts";
import { explain, inputSchemaOf, type DoorMeta, type Meta } from "../../router/trpc.ts";
import type { Exchange } from "../http/request-context.ts";
import type { Log } from "../operations/log.ts";
import { put, type Gathered } from "./raw-input.ts";
import { readContent } from "./body-kinds/content.ts";
import { readFiles } from "./body-kinds/files.ts";
import { readFields, readFile, readJson, readQuery, type Reading } from "./read.ts";
import { writeProblem, writeResult } from "./results.ts";

/** A documented path and the procedure behind it. */
export interface RestRoute {
  readonly method: string;
  /** In h3's words: `/api/secrets/:id`. */
  readonly path: string;
  /** The procedure's path under /trpc. */
  readonly rpc: string;
  readonly procedure: AnyTRPCProcedure;
  readonly door: DoorMeta;
  readonly isTool: boolean;
}

/** Every REST route there is, from the list that trpc-to-openapi makes of the procedures. */
export function restRoutes(): RestRoute[] {
  const routes: RestRoute[] = [];
  // The enumerator takes a looser record than a built router's own type.
  const list = appRouter._def.procedures as unknown as Parameters<typeof forEachOpenApiProcedure>[0];
  forEachOpenApiProcedure(list, ({ path: rpc, procedure, meta }) => {
    const { openapi, door, tool } = meta as Meta;
    if (!openapi || !door) throw new Error(`Procedure ${rpc} has no door`);
    const route = {
      rpc,
      procedure: procedure as unknown as AnyTRPCProcedure,
      door,
      isTool: tool !== undefined,
    };
    for (const path of [openapi.path, ...(door.aliases ?? [])]) {
      for (const method of door.alsoGet ? [openapi.method, "GET"] : [openapi.method]) {
        routes.push({ ...route, method, path: path.replace(/\{(\w+)\}/g, ":$1") });
      }
    }
  });
  return routes;
}

interface Call {
  readonly exchange: Exchange;
  readonly params: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** Answers one call: the body is read by the procedure's own input step, after every limit. */
export async function answerRest(route: RestRoute, { exchange, params, log }: Call): Promise<Response> {
  const { procedure, door, rpc } = route;
  let gathered: Gathered | undefined;
  const getRawInput = async () => {
    gathered = await readInput(route, { exchange, params });
    return gathered.values;
  };
  try {
    const result: unknown = await callTRPCProcedure({
      router: appRouter,
      path: rpc,
      getRawInput,
      ctx: exchange.context,
      type: procedure._def.type,
      signal: exchange.request.signal,
      batchIndex: 0,
    });
    return writeResult(result, { exchange, door });
  } catch (error) {
    const locate = (name: string) => gathered?.places.get(name) ?? defaultPlace(door);
    const problem = explain(error, { procedure, input: gathered?.values, locate });
    if (problem.code === "internal" && !exchange.request.signal.aborted) log.fault(error, exchange.requestId);
    return writeProblem(problem, exchange);
  }
}

function defaultPlace({ body }: DoorMeta): string {
  return body === "file" || body === "stream" || body === "none" ? "query" : "body";
}

async function readInput(
  { procedure, door }: RestRoute,
  { exchange, params }: Omit<Call, "log">,
): Promise<Gathered> {
  const schema = inputSchemaOf(procedure);
  if (!schema) throw new Error("A procedure of the REST door takes a zod object");
  const reading = { exchange, door, schema, caller: await exchange.context.identify() };
  const gathered = await readBody(reading);
  for (const [name, value] of Object.entries(params)) put(gathered, { name, value, place: "path" });
  return gathered;
}

function readBody(reading: Reading): Promise<Gathered> {
  switch (reading.door.body) {
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
export function answerFault(error: unknown, { exchange, log }: Omit<Call, "params">): Response {
  const problem = problemOf(error);
  if (problem.code === "internal") log.fault(error, exchange.requestId);
  return writeProblem(problem, exchange);
}
