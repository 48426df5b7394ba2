import { appRouter } from "../../router/app.ts";
import type { Requester, Services } from "../../router/context.ts";
import { ApiError } from "../../router/errors/errors.ts";
import { checkAccess, checkMayStart } from "../../router/policy/access.ts";
import type { Limits, Tier } from "../../router/limits.ts";
import { requesterOf } from "../../router/policy/count.ts";
import type { Log } from "../operations/log.ts";
import type { Adapter, RpcEndpoint } from "../trpc/adapter.ts";
import type { ReadOptions } from "../trpc/body/request-body.ts";
import type { RequestContext } from "../trpc/request-context.ts";
import { addIgnored } from "./answers/tool-file.ts";
import { bodyLimit, fileLimit } from "./body-limit.ts";
import { endpoints, serviceEndpoint, type ServiceEndpoint } from "./endpoints.ts";
import { explainError } from "./errors/explain-error.ts";
import { serviceContextOf } from "./request-context.ts";

/** This service's router, and what the adapter leaves to it. */
export function createAdapter({ services, log }: { services: Services; log: Log }): Adapter {
  const { runJob, limits } = services;
  const served = endpoints.map((endpoint) => withLimits(endpoint, limits));
  return {
    router: appRouter,
    procedures: Object.assign(
      Object.create(null),
      Object.fromEntries(served.map((each) => [each.rpc, each])),
    ),
    endpoints: served,
    rpcPath: "/trpc",
    bodyLimit: async (called, { context, encoding }) => {
      const { tier } = await callerOf(context);
      const [only] = called.length === 1 ? called.map(servedEndpoint) : [];
      return (
        only?.bodyLimits[encoding][tier] ?? bodyLimit(called.map(serviceEndpoint), { tier, limits, encoding })
      );
    },
    fileLimit: async (endpoint, context) =>
      servedEndpoint(endpoint).fileLimits[(await callerOf(context)).tier],
    formatError: explainError,
    problemType: (code) => `/docs#${code}`,
    onFault: (error, { requestId }) => log.fault(error, requestId),
    parsers: {
      parseTexts: async (args, context) => runJob("parseTexts", args, await requester(context)),
      parseFiles: async (args, context) => runJob("parseFiles", args, await requester(context)),
      parseCalls: async (args, context) => runJob("parseCalls", args, await requester(context)),
      parseFrame: async (args, context) => runJob("parseFrame", args, await requester(context)),
    },
    checkHead,
    addWarnings: addIgnored,
  };
}

/** An endpoint with the limits of this server. */
interface ServedEndpoint extends ServiceEndpoint {
  /** Of a body that is one call. */
  readonly bodyLimits: Readonly<Record<"json" | "frame", Limited>>;
  readonly fileLimits: Limited;
}
type Limited = Readonly<Record<Tier, ReadOptions>>;

function withLimits(endpoint: ServiceEndpoint, limits: Limits): ServedEndpoint {
  const byTier = (limit: (tier: Tier) => ReadOptions) => ({
    anonymous: limit("anonymous"),
    member: limit("member"),
  });
  const bodies = (encoding: "json" | "frame") =>
    byTier((tier) => bodyLimit([endpoint], { tier, limits, encoding }));
  return {
    ...endpoint,
    bodyLimits: { json: bodies("json"), frame: bodies("frame") },
    fileLimits: byTier((tier) => fileLimit(endpoint, { tier, limits })),
  };
}

function servedEndpoint(endpoint: RpcEndpoint): ServedEndpoint {
  // Every one that the adapter has is made above.
  return endpoint as ServedEndpoint;
}

async function requester(context: RequestContext): Promise<Requester> {
  const { address } = serviceContextOf(context).trpcContext;
  return requesterOf({ caller: await callerOf(context), address }, context.request.signal);
}

function callerOf(context: RequestContext) {
  return serviceContextOf(context).trpcContext.identify();
}

// None of the procedures runs, so that there is nothing to count.
async function checkHead(
  called: readonly (RpcEndpoint | undefined)[],
  context: RequestContext,
): Promise<void> {
  const caller = await callerOf(context);
  for (const endpoint of called) {
    if (!endpoint) throw new ApiError("not_found", "There is nothing at this path");
    const { access, rate } = serviceEndpoint(endpoint).meta;
    checkAccess(caller, access);
    if (rate) checkMayStart({ ...serviceContextOf(context).trpcContext, caller }, rate);
  }
}
