import { appRouter } from "../../router/app.ts";
import type { Services } from "../../router/context.ts";
import { isOffered } from "../../router/policy/access.ts";
import { statusesOf, type ServiceHttpMeta, type Meta } from "../../router/meta.ts";
import { endpointsOf, type Endpoint } from "../trpc/endpoints.ts";
import { proceduresOf } from "../trpc/introspect.ts";

/** A procedure of this service as REST offers it. */
export interface ServiceEndpoint extends Endpoint {
  readonly http: ServiceHttpMeta;
  readonly tool: Meta["tool"];
  readonly rate: Meta["rate"];
  readonly access: Meta["access"];
  readonly ownLogin: Meta["ownLogin"];
  /** Documented statuses of failures. */
  readonly errors: readonly number[];
}

export const ENVELOPE = "/envelope";

/** The procedures by path, such as "tools.pdfRotate". */
export const procedures = proceduresOf(appRouter);

/** Every procedure; what does not change from call to call is worked out once. */
export const endpoints: readonly ServiceEndpoint[] = endpointsOf(appRouter).map(describe);

function describe(endpoint: Endpoint): ServiceEndpoint {
  const { procedure, schema, rpc } = endpoint;
  const meta = serviceMetaOf(procedure);
  const { http, tool, rate, access, ownLogin } = meta;
  if (!http) throw new Error(`Procedure ${rpc} does not say how REST reads it`);
  const envelopePath = envelopePathOf({ ...endpoint, http });
  const paths = [...endpoint.paths, ...(envelopePath ? [envelopePath] : [])];
  return { ...endpoint, paths, http, tool, rate, access, ownLogin, errors: statusesOf(meta, schema) };
}

/** Those of them that an instance has. */
export function offered(services: Pick<Services, "tools" | "embedded">): readonly ServiceEndpoint[] {
  return endpoints.filter((endpoint) => isOffered(endpoint, services));
}

const BY_NAME = new Map(endpoints.map((endpoint) => [endpoint.rpc, endpoint]));

/** The same endpoint with what only this service knows of it. */
export function endpointOf({ rpc }: Pick<Endpoint, "rpc">): ServiceEndpoint {
  const endpoint = BY_NAME.get(rpc);
  if (!endpoint) throw new Error(`There is no procedure ${rpc}`);
  return endpoint;
}

/** The meta that a procedure of this service was built with. */
export function serviceMetaOf({ _def }: Endpoint["procedure"]): Meta {
  // Every procedure is built by router/trpc.ts, whose builder takes no other meta.
  return (_def.meta ?? {}) as Meta;
}

/**
 * Where a tool always answers with the envelope. By Accept it does so at its own path too, which no client that is
 * generated from the document can have a type for.
 */
export function envelopePathOf({ openapi, http }: Pick<Endpoint, "openapi" | "http">): string | undefined {
  return http.result === "file" ? `${openapi.path}${ENVELOPE}` : undefined;
}
