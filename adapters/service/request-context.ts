import type { ServerRequest } from "srvx";
import type { Actor } from "../../router/policy/acts.ts";
import type { Caller, Context, Credential, Services } from "../../router/context.ts";
import { noteCaller } from "../../router/policy/acts.ts";
import { identifyCaller } from "../../router/policy/identify.ts";
import { openRequest, type RequestContext } from "../trpc/request-context.ts";
import { wantsRaw } from "../trpc/rest/json-result.ts";
import { calledProcedures } from "../trpc/rpc/call.ts";
import { readAddress, toCallerAddress, type Trust } from "./address.ts";
import type { Budgets } from "./call-budget.ts";

/** What every request needs of the server. */
export interface ServerContext {
  readonly services: Services;
  readonly budgets: Budgets;
  readonly trust: Trust;
  /** What every answer says. */
  readonly baseHeaders: Headers;
}

/** A request to this service. */
export interface ServiceContext extends RequestContext {
  readonly trpcContext: Context;
  /** Who acts, as far as that is known by now. */
  readonly actor: Actor;
  /** Gives back what the call holds, once its answer has left. */
  readonly release: () => void;
}

/** The same context with what only this service knows of it. */
export function serviceContextOf(context: RequestContext): ServiceContext {
  // Every context is made below.
  return context as ServiceContext;
}

/** Opens a context: nothing is read, looked up or limited yet. */
export function createRequestContext(
  request: ServerRequest,
  { services, budgets, trust, baseHeaders, url }: ServerContext & { url: URL },
): ServiceContext {
  const opened = openRequest(request, url, baseHeaders);
  const { body, requestId, responseHeaders, jsonParts } = opened;
  const address = addressOf(request, trust);
  const credential = credentialOf(request);
  const actor: Actor = { address: address.usage };
  let caller: Promise<Caller> | undefined;
  const budget = budgets.open({ body, address });
  const trpcContext: Context = {
    services,
    requestId,
    credential,
    identify: () =>
      (caller ??= identifyCaller(credential, { services, address, request }).then((who) =>
        budget.identified(noteCaller(actor, who)),
      )),
    address,
    idempotency: () => ({
      key: request.headers.get("idempotency-key"),
      isAlone: calledProcedures(url, "/trpc").length === 1,
      isRaw: wantsRaw(url),
    }),
    declaredBytes: body.declaredBytes,
    responseHeaders,
    jsonParts,
    budget,
  };
  return { ...opened, trpcContext, actor, release: () => budget.release() };
}

type NodeResponse = NonNullable<NonNullable<ServerRequest["runtime"]>["node"]>["res"];

/** A result stays in memory until a slow client has taken it. Node says when that is; elsewhere the stream does. */
export function releaseWhenSent(context: ServiceContext, response: NodeResponse | undefined): void {
  const { answer, request } = context;
  // Of a caller who has left, calls may still run.
  const release = answer.ended ? () => void answer.ended?.then(context.release) : context.release;
  if (response && !response.closed) return void response.once("close", release);
  // Nobody takes the body of an answer to HEAD.
  if (response || !answer.sent || request.method === "HEAD") return release();
  void answer.sent.then(release);
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
