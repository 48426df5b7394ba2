import type { ServerRequest } from "srvx";
import type { Caller, Context, Credential, Services } from "../../router/context.ts";
import { identifyCaller } from "../../router/policy/identify.ts";
import type { ToolWarning } from "../../wire/tool-warning.ts";
import type { Budgets } from "./call-budget.ts";
import { readAddress, toCallerAddress, type Trust } from "./address.ts";
import { RequestBody } from "../trpc/body/request-body.ts";

/** What every request needs of the server. */
export interface ServerContext {
  readonly services: Services;
  readonly budgets: Budgets;
  readonly trust: Trust;
}

/** One request on its way in and its answer on the way out. */
export interface RequestContext {
  readonly request: ServerRequest;
  readonly url: URL;
  readonly requestId: string;
  /** Of the body, without its parameters and in lower case; "" when there is none. */
  readonly mediaType: string;
  readonly body: RequestBody;
  readonly trpcContext: Context;
  /** What the caller reads beside the result: parameters that were ignored. */
  readonly warnings: ToolWarning[];
  readonly answer: {
    /** Settles when its last byte has left, where that takes time. */
    sent?: Promise<void>;
  };
  /** Gives back what the call holds, once its answer has left. */
  readonly release: () => void;
}

interface Opening extends ServerContext {
  /** As the routes read it: two readings of one path would let a call pass under another's name. */
  readonly url: URL;
}

/** Opens a context: nothing is read, looked up or limited yet. */
export function createRequestContext(
  request: ServerRequest,
  { services, budgets, trust, url }: Opening,
): RequestContext {
  const requestId = crypto.randomUUID();
  const body = new RequestBody(request);
  const address = addressOf(request, trust);
  const credential = credentialOf(request);
  let caller: Promise<Caller> | undefined;
  const budget = budgets.open({ body, address });
  const trpcContext: Context = {
    services,
    requestId,
    credential,
    identify: () =>
      (caller ??= identifyCaller(credential, { services, address }).then((who) => budget.identified(who))),
    address,
    declaredBytes: body.declaredBytes,
    responseHeaders: new Headers([...BASE_HEADERS, ["Request-Id", requestId]]),
    jsonParts: [],
    budget,
  };
  const release = () => budget.release();
  const mediaType = mediaTypeOf(request);
  return { request, url, requestId, mediaType, body, trpcContext, warnings: [], answer: {}, release };
}

type NodeResponse = NonNullable<NonNullable<ServerRequest["runtime"]>["node"]>["res"];

/** A result stays in memory until a slow client has taken it. Node says when that is; elsewhere the stream does. */
export function releaseWhenSent(context: RequestContext, response: NodeResponse | undefined): void {
  const { release, answer, request } = context;
  if (response && !response.closed) return void response.once("close", release);
  // Nobody takes the body of an answer to HEAD.
  if (response || !answer.sent || request.method === "HEAD") return release();
  void answer.sent.then(release);
}

/** What every answer says, whatever it holds. */
export const BASE_HEADERS: readonly [string, string][] = [
  ["X-Content-Type-Options", "nosniff"],
  ["Referrer-Policy", "no-referrer"],
  ["Cache-Control", "no-store"],
];

/** The headers that every answer has, with those that this call has got so far. */
export function baseHeaders({ trpcContext }: RequestContext): Headers {
  return new Headers(trpcContext.responseHeaders);
}

function mediaTypeOf({ headers }: Request): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";", 1);
  return type.trim().toLowerCase();
}

function credentialOf({ headers }: Request): Credential {
  return {
    authorization: headers.get("authorization"),
    cookie: headers.get("cookie"),
    fetchSite: headers.get("sec-fetch-site"),
    origin: headers.get("origin"),
  };
}

function addressOf(request: ServerRequest, trust: Trust): Context["address"] {
  // A request made in a test may have no address.
  const socket = request.ip ?? "127.0.0.1";
  return toCallerAddress(
    readAddress({ socket, forwardedFor: request.headers.get("x-forwarded-for"), trust }),
  );
}
