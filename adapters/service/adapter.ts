import { appRouter } from "../../router/app.ts";
import type { Requester, Services } from "../../router/context.ts";
import { ApiError } from "../../router/errors/errors.ts";
import { checkAccess, checkMayStart } from "../../router/policy/access.ts";
import type { Limits, Tier } from "../../router/limits.ts";
import { requesterOf } from "../../router/policy/count.ts";
import type { Log } from "../operations/log.ts";
import type { Adapter } from "../trpc/adapter.ts";
import type { ReadOptions } from "../trpc/body/request-body.ts";
import { byPath } from "../trpc/endpoints.ts";
import { addIgnored } from "./answers/tool-file.ts";
import { MAX_BATCH_CALLS } from "../../wire/rpc.ts";
import { MAX_JSON_VALUES } from "../../wire/json/json-bounds.ts";
import { bodyLimit, fileLimit } from "./body-limit.ts";
import { endpoints, type ServiceEndpoint } from "./endpoints.ts";
import { explainErrors } from "./errors/explain-error.ts";
import type { ServiceContext } from "./request-context.ts";

export type ServiceAdapter = Adapter<ServiceContext, ServedEndpoint>;

/** This service's router, and what the adapter leaves to it. */
export function createAdapter({ services, log }: { services: Services; log: Log }): ServiceAdapter {
  const { runJob, limits } = services;
  const served = endpoints.map((endpoint) => withLimits(endpoint, limits));
  return {
    router: appRouter,
    procedures: byPath(served),
    endpoints: served,
    rpcPath: "/trpc",
    maxBatchSize: MAX_BATCH_CALLS,
    maxJsonValues: MAX_JSON_VALUES,
    bodyLimit: async (called, context, encoding) => {
      const { tier } = await context.identify();
      const [only] = called.length === 1 ? called : [];
      return only?.bodyLimits[encoding][tier] ?? bodyLimit(called, { tier, limits, encoding });
    },
    fileLimit: async ({ fileLimits }, context) => fileLimits[(await context.identify()).tier],
    formatError: explainErrors(limits),
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
  readonly bodyLimits: Readonly<Record<"json" | "frame", LimitByTier>>;
  readonly fileLimits: LimitByTier;
}
type LimitByTier = Readonly<Record<Tier, ReadOptions>>;

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

async function requester({ identify, address, request }: ServiceContext): Promise<Requester> {
  return requesterOf({ caller: await identify(), address }, request.signal);
}

// None of the procedures runs, so that there is nothing to count.
async function checkHead(
  called: readonly (ServedEndpoint | undefined)[],
  context: ServiceContext,
): Promise<void> {
  const caller = await context.identify();
  for (const endpoint of called) {
    if (!endpoint) throw new ApiError("not_found", "There is nothing at this path");
    const { access, rate } = endpoint.meta;
    checkAccess(caller, access);
    if (rate) checkMayStart({ ...context, caller }, rate);
  }
}
