import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import type { BodyKind, Endpoint, RpcEndpoint, WriteResult } from "./adapter.ts";
import { inputSchemaOf, metaOf, outputSchemaOf, proceduresOf, takenBy } from "./introspect.ts";
import type { HttpMeta } from "./meta.ts";
import { parametersOf, type Parameter } from "./parameters.ts";

/** How bodies are read and results are written. */
interface Kinds {
  /** By `meta.http.body`. */
  readonly bodyKinds: Readonly<Record<string, BodyKind>>;
  /** By `meta.http.result`. */
  readonly resultKinds: Readonly<Record<string, WriteResult>>;
}

/** Every procedure of a router by its path. */
export function endpointsOf(router: AnyTRPCRouter, kinds: Kinds): Record<string, RpcEndpoint> {
  const procedures = Object.entries(proceduresOf(router));
  return byPath(procedures.map(([rpc, procedure]) => describe(procedure, { rpc, kinds })));
}

/** Endpoints by the paths of their procedures. */
export function byPath<Described extends RpcEndpoint>(
  endpoints: readonly Described[],
): Record<string, Described> {
  // Without a prototype, so that nobody can call "constructor".
  return Object.assign(Object.create(null), Object.fromEntries(endpoints.map((each) => [each.rpc, each])));
}

/** Those with `meta.openapi`. */
export function restOf(endpoints: Readonly<Record<string, RpcEndpoint>>): Endpoint[] {
  return Object.values(endpoints).filter(isRest);
}

/** Whether REST offers a procedure. */
export function isRest(endpoint: RpcEndpoint): endpoint is Endpoint {
  return "openapi" in endpoint;
}

function describe(
  procedure: AnyTRPCProcedure,
  { rpc, kinds }: { rpc: string; kinds: Kinds },
): RpcEndpoint | Endpoint {
  const { openapi, http = usualHttp(openapi?.method) } = metaOf(procedure);
  const schema = inputSchemaOf(procedure);
  const takes = takenBy(procedure);
  const called: RpcEndpoint = { rpc, procedure, schema, names: Object.keys(schema.shape), takes, http };
  if (!openapi) return called;
  const body = kinds.bodyKinds[http.body];
  const write = kinds.resultKinds[http.result];
  if (!body) throw new Error(`Nobody reads the body "${http.body}" of ${rpc}`);
  if (!write) throw new Error(`Nobody writes the result "${http.result}" of ${rpc}`);
  const text = textPathOf({ openapi, http });
  const paths = [openapi.path, ...(http.aliases ?? []), ...(text ? [text] : [])];
  const resultKeys = Object.keys(outputSchemaOf(procedure)?.shape ?? {});
  return { ...called, openapi, parameters: parametersOf(schema), paths, resultKeys, body, write };
}

/** Behind the path of a procedure: there it answers its bare text. */
export const TEXT_PATH = "/raw";

/**
 * Where a procedure always answers its bare text. By query or Accept it does so at its other paths too, which no client
 * that is generated from the document can have a type for.
 */
export function textPathOf({ openapi, http }: Pick<Endpoint, "openapi" | "http">): string | undefined {
  return http.text ? openapi.path + TEXT_PATH : undefined;
}

function usualHttp(method?: string): HttpMeta {
  return { body: method === "GET" || method === "DELETE" ? "none" : "json", result: "json" };
}

export function methodsOf({ openapi, http }: Endpoint): string[] {
  return http.alsoGet ? [openapi.method, "GET"] : [openapi.method];
}

/** True for a parameter that stands in the path. */
export function isInPath({ openapi }: Endpoint, { name }: Parameter): boolean {
  return openapi.path.includes(`{${name}}`);
}
