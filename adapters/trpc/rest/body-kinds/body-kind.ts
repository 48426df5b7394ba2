import type { Caller, Requester } from "../../../../router/context.ts";
import type { Parameter } from "../../../../router/parameters.ts";
import { requesterOf } from "../../../../router/policy/count.ts";
import type { RequestContext } from "../../../service/request-context.ts";
import type { Endpoint } from "../../endpoints.ts";
import type { Json, MediaType, RequestBody } from "../../openapi/types.ts";
import type { RawInput } from "../raw-input.ts";

/** A call whose input is about to be read. */
export interface Call {
  readonly context: RequestContext;
  readonly endpoint: Endpoint;
  readonly caller: Caller;
}

/** For whom a body is parsed in a worker. */
export function requesterOfCall({ caller, context: { request, trpcContext } }: Call): Requester {
  return requesterOf({ caller, address: trpcContext.address }, request.signal);
}

/** Everything that follows from the kind of body that a procedure takes over REST. */
export interface BodyKind {
  readonly read: (call: Call) => Promise<RawInput> | RawInput;
  /** Media types of the body. */
  readonly types: readonly string[];
  /** Where a parameter stands that is neither a file nor in the path. */
  readonly place: "query" | "body";
  /** Whether a parameter stands in the body all the same. */
  readonly isInBody?: (parameter: Parameter) => boolean;
  /** Where else a parameter may stand, for the catalogue. */
  readonly also: (parameter: Parameter, endpoint: Endpoint) => readonly string[];
  /** Limits that only such a body meets. */
  readonly limits: readonly string[];
  /** Parameters of the OpenAPI document that are not in the path. */
  readonly documentParameters: (endpoint: Endpoint) => readonly Json[];
  /** The body in the OpenAPI document; `json` is what trpc-to-openapi wrote for it. */
  readonly documentBody: (endpoint: Endpoint, json: MediaType | undefined) => RequestBody | undefined;
  /** The same at an alias of the path, where that shows more kinds of body. */
  readonly documentAliasBody?: (json: MediaType) => RequestBody;
  /** What curl is given to send an example. */
  readonly curl: (endpoint: Endpoint) => readonly string[];
}
