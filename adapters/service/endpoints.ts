import { appRouter } from "../../router/app.ts";
import type { Services } from "../../router/context.ts";
import { statusesOf, type ServiceHttpMeta, type Meta } from "../../router/meta.ts";
import { isOffered } from "../../router/policy/identify.ts";
import type { ByteStream } from "../../wire/byte-pieces.ts";
import type { Endpoint, RpcEndpoint, WriteResult } from "../trpc/adapter.ts";
import { answerParts } from "../trpc/answer/answer-parts.ts";
import { endpointsOf, restOf } from "../trpc/endpoints.ts";
import { proceduresOf } from "../trpc/introspect.ts";
import type { HttpMeta } from "../trpc/meta.ts";
import { writeJson } from "../trpc/rest/routes.ts";
import {
  downloadHeaders,
  ENVELOPE,
  writeToolFile,
  factsOf,
  type FactHeader,
  type FileEndpoint,
} from "./tool-file.ts";
import { BODY_KINDS } from "./body-kinds/body-kinds.ts";

/** Sends the bytes as they are made, no faster than the client takes them. */
const writeDownload: WriteResult = (result, context) => {
  // The output schema has checked the shape.
  const { size, offset, data, ...file } = result as Download;
  const headers = downloadHeaders(file, context);
  if (offset > 0) headers.set("Content-Range", `bytes ${offset}-${size - 1}/${size}`);
  return answerParts([data], { context, status: offset > 0 ? 206 : 200, headers });
};

/** A procedure of this service as REST offers it. */
export interface ServiceEndpoint extends FileEndpoint {
  readonly http: ServiceHttpMeta;
  readonly meta: Meta;
  /** The documented error statuses. */
  readonly errors: readonly number[];
}

/** The procedures by path, such as "tools.pdfRotate". */
export const procedures = proceduresOf(appRouter);

/** Bodies whose unknown fields are refused; elsewhere they are ignored with a warning. */
const STRICT_BODIES: readonly string[] = ["fields", "content", "download", "upload"];

// How this service reads text in queries and forms (the contract of its tools).
function completeHttp<Http extends HttpMeta>(http: Http): Http {
  const unknown = STRICT_BODIES.includes(http.body) ? {} : { unknown: "warn" };
  return { ...http, ...unknown, lists: "comma", integers: "digits", emptyTexts: "absent" };
}

const RESULT_KINDS = { json: writeJson, file: writeToolFile, download: writeDownload };

/** Every procedure; what does not change between calls is computed once. */
export const endpoints: readonly ServiceEndpoint[] = restOf(
  endpointsOf(appRouter, {
    bodyKinds: BODY_KINDS,
    resultKinds: RESULT_KINDS,
    isExtended: true,
    completeHttp,
  }),
).map(describe);

function describe(endpoint: Endpoint): ServiceEndpoint {
  const { procedure, input, rpc } = endpoint;
  const meta = serviceMetaOf(procedure);
  const { http } = meta;
  if (!http) throw new Error(`Procedure ${rpc} does not say how REST reads it`);
  const envelopePath = envelopePathOf({ ...endpoint, http });
  const paths = [...endpoint.paths, ...(envelopePath ? [envelopePath] : [])];
  return {
    ...endpoint,
    paths,
    http: completeHttp(http),
    meta,
    errors: statusesOf(meta, input.names),
    facts: factsOf(procedure, meta),
  };
}

/** The endpoints that an instance offers. */
export function offered(services: Pick<Services, "tools" | "embedded">): readonly ServiceEndpoint[] {
  return endpoints.filter(({ meta }) => isOffered(meta, services));
}

/** The same endpoint with what only this service adds. */
export function serviceEndpoint(endpoint: RpcEndpoint): ServiceEndpoint {
  // All of the adapter's endpoints were made above.
  return endpoint as ServiceEndpoint;
}

/** Headers in which tools report facts about their files, by name. */
export const FACT_HEADERS: ReadonlyMap<string, FactHeader> = new Map(
  endpoints.flatMap(({ facts }) => facts.map((fact) => [fact.header, fact])),
);

/** The meta that a procedure of this service was built with. */
export function serviceMetaOf({ _def }: Endpoint["procedure"]): Meta {
  // Every procedure is built by router/trpc.ts, whose builder takes no other meta.
  return (_def.meta ?? {}) as Meta;
}

/**
 * The path where a tool always answers with the envelope. With Accept it does so at its own path too, which generated
 * clients cannot have a type for.
 */
export function envelopePathOf({ openapi, http }: Pick<Endpoint, "openapi" | "http">): string | undefined {
  return http.result === "file" ? `${openapi.path}${ENVELOPE}` : undefined;
}

/** A file that a procedure returns while it is read (router/procedures/secrets/file-secrets.ts). */
interface Download {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly offset: number;
  readonly data: ByteStream;
}
