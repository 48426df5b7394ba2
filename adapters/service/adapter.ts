import { appRouter } from "../../router/app.ts";
import type { Requester, Services } from "../../router/context.ts";
import {
  asMember,
  checkAccess,
  checkMayStart,
  checkOwnPages,
  identify,
} from "../../router/policy/identify.ts";
import { requesterOf, tellRate } from "../../router/policy/count.ts";
import type { Log } from "../operations/log.ts";
import type { Adapter } from "../trpc/adapter.ts";
import { byPath } from "../trpc/endpoints.ts";
import { addIgnored } from "./tool-file.ts";
import { MAX_BATCH_CALLS } from "../../wire/rpc.ts";
import { MAX_JSON_VALUES } from "../../wire/json/json-bounds.ts";
import { LONG_TEXT } from "../../wire/json/json-files.ts";
import { withLimits, type ServedEndpoint } from "./body-limit.ts";
import { endpoints } from "./endpoints.ts";
import { explainErrors } from "./explain-error.ts";
import { bodyLimitOf, fileLimitOf, type ServiceContext } from "./request-context.ts";

export type ServiceAdapter = Adapter<ServiceContext, ServedEndpoint>;

/** A list of 10,000 checksums; passwords, keys and names are shorter. */
const MAX_FIELD_BYTES = 2 ** 20;

/** This service's router, with everything that the adapter leaves to the service. */
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
    maxFieldBytes: MAX_FIELD_BYTES,
    bodyLimit: bodyLimitOf,
    fileLimit: fileLimitOf,
    formatError: explainErrors(limits),
    problemType: (code) => `${services.basePath}/docs#${code}`,
    onFault: (error, { requestId }) => log.fault(error, requestId),
    parsers: {
      parseTexts: async (args, context) => runJob("parseTexts", args, await requester(context)),
      // Beside the data of a file no text may be long: 64 MB of one that is refused would hold the loop for a second.
      parseFiles: async ([body], context) =>
        runJob("parseFiles", [body, LONG_TEXT], await requester(context)),
      parseCalls: async (args, context) => runJob("parseCalls", args, await requester(context)),
      parseFrame: async (args, context) => runJob("parseFrame", args, await requester(context)),
    },
    checkHead,
    addWarnings: addIgnored,
  };
}

async function requester({ identify, address, request }: ServiceContext): Promise<Requester> {
  return requesterOf({ caller: await identify(), address }, request.signal);
}

// Runs the access checks of these procedures without calling them, so no call is counted.
async function checkHead(called: readonly ServedEndpoint[], context: ServiceContext): Promise<void> {
  for (const {
    meta: { access, rate },
  } of called) {
    if (access) checkOwnPages(context);
    const known = await identify(context);
    if (access) asMember(known.caller);
    if (rate) checkMayStart(known, rate);
    if (rate) await tellRate(known, rate);
    checkAccess(known.caller, access);
  }
}
