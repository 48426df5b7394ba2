import type { ServerRequest } from "srvx";
import { type Actor, noteCaller } from "../../router/policy/acts.ts";
import type { Caller, CallerAddress, Context, Credential, Services } from "../../router/context.ts";
import { identifyCaller } from "../../router/policy/identify.ts";
import type { Adapter, RequestContext } from "../trpc/adapter.ts";
import type { ReadOptions } from "../trpc/body/request-body.ts";
import { openRequest, type Route } from "../trpc/request.ts";
import { wantsRaw } from "../trpc/rest/routes.ts";
import { calledProcedures } from "../trpc/rpc/answers.ts";
import { bodyLimit, type ServedEndpoint } from "./body-limit.ts";
import { readAddress, toCallerAddress, type Trust } from "./address.ts";
import type { Budgets, RequestBudget } from "./call-budget.ts";

/** What every request needs of the server. */
export interface ServerContext {
  readonly adapter: Adapter;
  readonly services: Services;
  readonly budgets: Budgets;
  readonly trust: Trust;
  /** Headers of every answer. */
  readonly baseHeaders: Headers;
}

/** A request to this service, from the socket to the last byte of its answer; procedures get this object. */
export interface ServiceContext extends RequestContext, Context {
  /** The actor, as far as it is known by now, where acts are recorded. */
  readonly actor: Actor | undefined;
  /** Releases what the call holds, once its answer has left. */
  readonly release: () => void;
}

/** Opens a context. Nothing is read, looked up or limited yet, and nothing is made that only some requests need. */
export function createRequestContext(
  request: ServerRequest,
  { adapter, services, budgets, trust, baseHeaders, url }: ServerContext & { url: URL },
): ServiceContext {
  const opened = openRequest(request, { adapter, url, base: baseHeaders });
  const { body } = opened;
  let address: CallerAddress | undefined;
  let budget: RequestBudget | undefined;
  let caller: Caller | undefined;
  let identifying: Promise<Caller> | undefined;
  let isOver = false;
  const context: ServiceContext = {
    ...opened,
    services,
    credential: credentialOf(request),
    get address() {
      return (address ??= addressOf(request, trust));
    },
    get budget() {
      return openBudget();
    },
    actor: services.db.sinks.includes("audit") ? { address: addressOf(request, trust).usage } : undefined,
    identify: () => (identifying ??= identify()),
    get caller() {
      return caller;
    },
    get proof() {
      return request.headers.get("secret-proof");
    },
    declaredBytes: body.declaredBytes,
    idempotency: {
      key: request.headers.get("idempotency-key"),
      isAlone: () => calledProcedures(url, adapter).length === 1,
      isRaw: () => wantsRaw(url),
    },
    release() {
      isOver = true;
      budget?.release();
    },
    get trpcContext() {
      return context;
    },
  };
  return context;

  async function identify(): Promise<Caller> {
    const own = openBudget();
    const { actor, credential } = context;
    const who = await identifyCaller(credential, { services, address: context.address, request });
    if (actor) noteCaller(actor, who);
    caller = own.identified(who);
    return caller;
  }

  function openBudget(): RequestBudget {
    if (budget) return budget;
    budget = budgets.open({ body, address: context.address });
    // A call that still runs after its answer has left can claim nothing more.
    if (isOver) budget.release();
    return budget;
  }
}

/** How large the body of these calls may be for this caller. */
export async function bodyLimitOf(
  called: readonly ServedEndpoint[],
  { identify, services: { limits } }: ServiceContext,
  encoding: "json" | "frame",
): Promise<ReadOptions> {
  const { tier } = await identify();
  const [only] = called.length === 1 ? called : [];
  return only?.bodyLimits[encoding][tier] ?? bodyLimit(called, { tier, limits, encoding });
}

/** How large a single file may be for this caller. */
export async function fileLimitOf(
  { fileLimits }: ServedEndpoint,
  { identify }: ServiceContext,
): Promise<ReadOptions> {
  return fileLimits[(await identify()).tier];
}

/** A result stays in memory until a slow client has taken it. Node tells when that is; elsewhere the stream does. */
export function releaseWhenSent(
  context: ServiceContext,
  response: NonNullable<NonNullable<ServerRequest["runtime"]>["node"]>["res"] | undefined,
): void {
  const { answer, request } = context;
  // Calls may still run after their caller has left.
  const release = answer.ended ? () => void answer.ended?.then(context.release) : context.release;
  if (response && !response.closed) return void response.once("close", release);
  // The answer to HEAD has no body.
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

function addressOf(request: ServerRequest, trust: Trust): CallerAddress {
  // A request of a test may have no address.
  const socket = request.ip ?? "127.0.0.1";
  return toCallerAddress(
    readAddress({ socket, forwardedFor: request.headers.get("x-forwarded-for"), trust }),
  );
}

/** A route of this service. */
export interface ServiceRoute extends Route<ServiceContext> {
  /** Its name in log and metrics, instead of the path. */
  readonly label?: string;
  /** Whether pages of other origins may call it; one RPC path has many procedures. */
  readonly cors?: boolean | ((url: URL) => boolean);
  /** Whether it is a file tool, which is never logged. */
  readonly isTool?: boolean | ((url: URL) => boolean);
  /** It answers even while the server stops. */
  readonly whileDraining?: true;
}
