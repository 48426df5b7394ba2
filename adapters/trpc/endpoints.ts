import type { AnyTRPCProcedure } from "@trpc/server";
import type { z } from "zod";
import { procedures } from "../../router/app.ts";
import { parametersOf, type Parameter } from "../../router/parameters.ts";
import { inputSchemaOf, metaOf, outputSchemaOf } from "../../router/introspect.ts";
import { statusesOf, type HttpMeta, type Meta } from "../../router/meta.ts";

/** A procedure as REST offers it. */
export interface Endpoint {
  /** The procedure's path under /trpc. */
  readonly rpc: string;
  readonly procedure: AnyTRPCProcedure;
  readonly schema: z.ZodObject;
  readonly openapi: NonNullable<Meta["openapi"]>;
  readonly http: HttpMeta;
  readonly tool: Meta["tool"];
  readonly rate: Meta["rate"];
  readonly access: Meta["access"];
  /** Documented statuses of failures. */
  readonly errors: readonly number[];
  /** In the order of the schema. */
  readonly parameters: readonly Parameter[];
  readonly resultKeys: readonly string[];
}

/** Every procedure; what does not change from call to call is worked out once. */
export const endpoints: readonly Endpoint[] = Object.entries(procedures()).map(describe);

function describe([rpc, procedure]: [string, AnyTRPCProcedure]): Endpoint {
  const meta = metaOf(procedure);
  const { openapi, http, tool, rate, access } = meta;
  const schema = inputSchemaOf(procedure);
  if (!openapi || !http || !schema) throw new Error(`Procedure ${rpc} is not documented for REST`);
  const parameters = parametersOf(schema);
  const resultKeys = Object.keys(outputSchemaOf(procedure)?.shape ?? {});
  const errors = statusesOf(meta, schema);
  return { rpc, procedure, schema, openapi, http, tool, rate, access, errors, parameters, resultKeys };
}

/** Every path that leads to a procedure, as OpenAPI writes them: `/api/secrets/{id}`. */
export function pathsOf(endpoint: Endpoint): string[] {
  const { openapi, http } = endpoint;
  const envelopePath = envelopePathOf(endpoint);
  return [openapi.path, ...(http.aliases ?? []), ...(envelopePath ? [envelopePath] : [])];
}

/**
 * Where a tool always answers with the envelope. By Accept it does so at its own path too, which no client that is
 * generated from the document can have a type for.
 */
export function envelopePathOf({ openapi, http }: Endpoint): string | undefined {
  return http.result === "file" ? `${openapi.path}/envelope` : undefined;
}

export function methodsOf({ openapi, http }: Endpoint): string[] {
  return http.alsoGet ? [openapi.method, "GET"] : [openapi.method];
}

/** True for a parameter that stands in the path. */
export function isInPath({ openapi }: Endpoint, { name }: Parameter): boolean {
  return openapi.path.includes(`{${name}}`);
}
