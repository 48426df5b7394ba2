import type { AnyTRPCProcedure } from "@trpc/server";
import { appRouter } from "../../router/app.ts";
import type { Requester, Services } from "../../router/context.ts";
import { ApiError } from "../../router/errors/errors.ts";
import { checkAccess, checkMayStart } from "../../router/policy/access.ts";
import { requesterOf } from "../../router/policy/count.ts";
import type { Log } from "../operations/log.ts";
import type { Adapter } from "../trpc/adapter.ts";
import type { RequestContext } from "../trpc/request-context.ts";
import { writeJson } from "../trpc/rest/json-result.ts";
import { writeDownload } from "./answers/download.ts";
import { addIgnored, writeToolFile } from "./answers/tool-file.ts";
import { BODY_KINDS } from "./body-kinds/body-kinds.ts";
import { bodyLimit, fileLimit } from "./body-limit.ts";
import { endpointOf, endpoints, procedures, serviceMetaOf } from "./endpoints.ts";
import { explainError } from "./errors/explain-error.ts";
import { serviceContextOf } from "./request-context.ts";

/** This service's router, and what the adapter leaves to it. */
export function createAdapter({ services, log }: { services: Services; log: Log }): Adapter {
  const { runJob } = services;
  return {
    router: appRouter,
    procedures,
    endpoints,
    rpcPath: "/trpc",
    bodyKinds: BODY_KINDS,
    resultKinds: { json: writeJson, file: writeToolFile, download: writeDownload },
    bodyLimit: async (called, { context, encoding }) => {
      const { tier } = await callerOf(context);
      const { limits } = services;
      return bodyLimit(
        called.map((rpc) => endpointOf({ rpc })),
        { tier, limits, encoding },
      );
    },
    fileLimit: async (endpoint, context) =>
      fileLimit(endpointOf(endpoint), { ...(await callerOf(context)), limits: services.limits }),
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

async function requester(context: RequestContext): Promise<Requester> {
  const { address } = serviceContextOf(context).trpcContext;
  return requesterOf({ caller: await callerOf(context), address }, context.request.signal);
}

function callerOf(context: RequestContext) {
  return serviceContextOf(context).trpcContext.identify();
}

// None of the procedures runs, so that there is nothing to count.
async function checkHead(
  called: readonly (AnyTRPCProcedure | undefined)[],
  context: RequestContext,
): Promise<void> {
  const caller = await callerOf(context);
  for (const procedure of called) {
    if (!procedure) throw new ApiError("not_found", "There is nothing at this path");
    const { access, rate } = serviceMetaOf(procedure);
    checkAccess(caller, access);
    if (rate) checkMayStart({ ...serviceContextOf(context).trpcContext, caller }, rate);
  }
}
