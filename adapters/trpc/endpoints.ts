import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import { z } from "zod";
import { inputSchemaOf, metaOf, outputSchemaOf, proceduresOf } from "./introspect.ts";
import type { AdapterMeta, HttpMeta } from "./meta.ts";
import { parametersOf, type Parameter } from "./parameters.ts";

/** A procedure as REST offers it. */
export interface Endpoint {
  /** The procedure's path under RPC. */
  readonly rpc: string;
  readonly procedure: AnyTRPCProcedure;
  readonly schema: z.ZodObject;
  readonly openapi: NonNullable<AdapterMeta["openapi"]>;
  readonly http: HttpMeta;
  /** Every path that leads to it, as OpenAPI writes them: `/notes/{id}`. */
  readonly paths: readonly string[];
  /** In the order of the schema. */
  readonly parameters: readonly Parameter[];
  readonly resultKeys: readonly string[];
}

/** Every procedure with `meta.openapi`; what does not change from call to call is worked out once. */
export function endpointsOf(router: AnyTRPCRouter): Endpoint[] {
  return Object.entries(proceduresOf(router)).flatMap(([rpc, procedure]) => {
    const { openapi, http } = metaOf(procedure);
    if (!openapi) return [];
    return [describe(procedure, { rpc, openapi, http: http ?? usualHttp(openapi.method) })];
  });
}

function describe(procedure: AnyTRPCProcedure, about: Pick<Endpoint, "rpc" | "openapi" | "http">): Endpoint {
  const schema = inputSchemaOf(procedure);
  const text = textPathOf(about);
  const paths = [about.openapi.path, ...(about.http.aliases ?? []), ...(text ? [text] : [])];
  const resultKeys = Object.keys(outputSchemaOf(procedure)?.shape ?? {});
  return { ...about, procedure, schema, paths, parameters: parametersOf(schema), resultKeys };
}

const TEXT_PATH = "/raw";

/**
 * Where a procedure always answers its bare text. By query or Accept it does so at its other paths too, which no client
 * that is generated from the document can have a type for.
 */
export function textPathOf({ openapi, http }: Pick<Endpoint, "openapi" | "http">): string | undefined {
  return http.text ? openapi.path + TEXT_PATH : undefined;
}

/** Whether a URL is such a path. */
export function isTextPath({ pathname }: URL): boolean {
  return pathname.endsWith(TEXT_PATH);
}

function usualHttp(method: string): HttpMeta {
  return { body: method === "GET" || method === "DELETE" ? "none" : "json", result: "json" };
}

export function methodsOf({ openapi, http }: Endpoint): string[] {
  return http.alsoGet ? [openapi.method, "GET"] : [openapi.method];
}

/** True for a parameter that stands in the path. */
export function isInPath({ openapi }: Endpoint, { name }: Parameter): boolean {
  return openapi.path.includes(`{${name}}`);
}
