import { z } from "zod";
import { findRequest, type RequestRecord } from "../../../db/requests.ts";
import type { Services } from "../../context.ts";
import { wrongParameter } from "../../errors/errors.ts";
import { followEvents, missingProof, proofHeader } from "../../events/follow.ts";
import { secretMeta } from "../../meta.ts";
import { requestId as id, secretText } from "../../schemas.ts";
import { limitedProcedure } from "../../trpc.ts";
import { EXAMPLE } from "../examples.ts";
import { findByCollectToken, findByGate, GATE, describeRequest, requestInfo } from "./find-request.ts";

export const gate = secretText("Derived from the public key in the link (docs/formats.md)");
export const collectToken = secretText("The token that the asker got on creation");

const readStatus = limitedProcedure("secretReads")
  .meta(
    secretMeta("POST", "/api/requests/{id}/status", {
      retry: "idempotent",
      summary: "Read the status of a request",
      description: "For anyone with the link, and for the asker. Changes nothing.",
      body: "fields",
      errors: [404],
      examples: { "Input.gate": EXAMPLE.gate },
    }),
  )
  .input(z.strictObject({ id, gate: gate.optional(), collectToken: collectToken.optional() }))
  .output(requestInfo.extend({ note: z.string().nullable().describe("As it was sent; null after the end") }))
  .mutation(async ({ input, ctx: { services } }) => {
    const request = await findProved(input, services);
    if (request) return describeStatus(request);
    throw wrongParameter("missing_parameter", "gate", 'is missing; send "gate" or "collectToken"');
  });

const events = limitedProcedure("secretReads")
  .meta(
    secretMeta("GET", "/api/requests/{id}/events", {
      summary: "Follow a request",
      description:
        "Server-sent events: its status now and at each change, as /status answers it, until its end, for an hour at " +
        "most. For anyone with the link, and for the asker. Changes nothing.",
      proof: proofHeader("The gate, or the collect token"),
      errors: [404],
      examples: { events: EXAMPLE.requestEvents },
    }),
  )
  .input(z.strictObject({ id }))
  .subscription(async ({ input, ctx, signal }) => {
    const { proof, services } = ctx;
    const given = proof !== null && GATE.test(proof) ? { gate: proof } : { collectToken: proof ?? "" };
    const request = await findProved({ ...input, ...given }, services);
    if (!request) throw missingProof("the gate or the collect token");
    const read = () => findRequest(services.db, input.id, services.now());
    return followEvents(request, { ctx, signal, kind: "request", read, describe: describeStatus });
  });

/** The request; undefined without a proof. @throws ApiError not_found */
async function findProved(
  of: { id: string; gate?: string | undefined; collectToken?: string | undefined },
  services: Services,
): Promise<RequestRecord | undefined> {
  const { id: requestId, gate: givenGate, collectToken: token } = of;
  if (givenGate) return findByGate({ id: requestId, gate: givenGate }, services);
  return token ? findByCollectToken({ id: requestId, collectToken: token }, services) : undefined;
}

function describeStatus(request: RequestRecord) {
  return { ...describeRequest(request), note: request.note };
}

/** The current state of a request, and its changes. */
export const statusOfRequests = { status: readStatus, events };
