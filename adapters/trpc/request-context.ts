import type { ServerRequest } from "srvx";
import type { ByteStream } from "../../wire/byte-stream.ts";
import type { JsonText } from "../../wire/json/json-text.ts";
import { RequestBody } from "./body/request-body.ts";

/** Something that was ignored, which the caller is told beside the result. */
export interface Warning {
  readonly code: string;
}

/** One request on its way in and its answer on the way out. */
export interface RequestContext {
  readonly request: ServerRequest;
  /** As the routes read it: two readings of one path would let a call pass under another's name. */
  readonly url: URL;
  readonly requestId: string;
  /** Of the body, without its parameters and in lower case; "" when there is none. */
  readonly mediaType: string;
  readonly body: RequestBody;
  /** Headers for the answer, whatever it will be. */
  readonly responseHeaders: Headers;
  /** Parts of the answer that are JSON already, and streams; they are inserted where a procedure has put them. */
  readonly jsonParts: (JsonText | ByteStream)[];
  readonly warnings: Warning[];
  /** The context of the procedures. */
  readonly trpcContext: object;
  readonly answer: {
    /** Settles when its last byte has left, where that takes time. */
    sent?: Promise<void>;
    /** Settles when no call runs any more, where the caller can leave while some do. */
    ended?: Promise<void>;
  };
}

/** What every answer says, whatever it holds. */
export const BASE_HEADERS: readonly [string, string][] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Referrer-Policy", "no-referrer"],
  ["Cache-Control", "no-store"],
];
const BASE = new Headers([...BASE_HEADERS]);

/**
 * Opens the context of a request, for which the procedures' own is still to be made: nothing is read yet.
 * @param base what every answer says
 */
export function openRequest(
  request: ServerRequest,
  url: URL,
  base: Headers = BASE,
): Omit<RequestContext, "trpcContext"> {
  const requestId = crypto.randomUUID();
  // Node 24 copies headers in half the time that it reads pairs.
  const responseHeaders = new Headers(base);
  responseHeaders.set("Request-Id", requestId);
  return {
    request,
    url,
    requestId,
    mediaType: mediaTypeOf(request),
    body: new RequestBody(request),
    responseHeaders,
    jsonParts: [],
    warnings: [],
    answer: {},
  };
}

/** A copy of the headers that this call has got so far. */
export function baseHeaders({ responseHeaders }: RequestContext): Headers {
  return new Headers(responseHeaders);
}

function mediaTypeOf({ headers }: Request): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  return type.trim().toLowerCase();
}
