import { z } from "zod";
import { listRequests } from "../../../db/requests.ts";
import { accountMeta, secretMeta } from "../../meta.ts";
import { nextPage, ownLabel, paging, requestId, requestStatus, time } from "../../schemas.ts";
import { toTime } from "../../clock.ts";
import { memberProcedure } from "../../trpc.ts";
import { endRequest, stopAnswers } from "./answer-request.ts";
import { findOwnRequest, cancelledRequest, describeRequest, requestInfo } from "./find-request.ts";
import { EXAMPLE } from "../examples.ts";

const list = memberProcedure
  .meta(
    accountMeta("GET", "/api/users/me/requests", {
      summary: "List your requests",
      description: "The secrets you asked for, newest first, without notes, links or answers.",
    }),
  )
  .input(
    z
      .strictObject({
        status: requestStatus.optional().describe("Only requests with this status"),
        ...paging,
      })
      .prefault({}),
  )
  .output(
    z.object({
      requests: z.array(requestInfo.extend({ created: time, label: ownLabel })),
      next: nextPage,
    }),
  )
  .query(async ({ input, ctx: { services, caller } }) => {
    const page = { ...input, owner: caller.memberId, now: services.now() };
    const { requests, next } = await listRequests(services.db, page);
    return {
      requests: requests.map((request) => ({
        ...describeRequest(request),
        created: toTime(request.createdAt),
        label: request.label ?? undefined,
      })),
      next,
    };
  });

const cancelOwn = memberProcedure
  .meta(
    secretMeta("DELETE", "/api/requests/{id}", {
      retry: "idempotent",
      summary: "Cancel or close one of your requests",
      description:
        "Deletes answers that nobody has collected; with `answers=keep` the request only takes no more. Repeating the call gives the same answer.",
      errors: [404, 410],
      examples: { "Result.status": "cancelled", "Result.closed": EXAMPLE.time },
    }),
  )
  .input(
    z.strictObject({
      id: requestId,
      answers: z
        .enum(["delete", "keep"])
        .default("delete")
        .describe("keep: those that are there can still be collected; one without any is cancelled"),
    }),
  )
  .output(cancelledRequest)
  .mutation(async ({ input, ctx: { services, caller } }) => {
    const found = await findOwnRequest({ id: input.id, owner: caller.memberId }, services);
    return input.answers === "keep" ? stopAnswers(found, services) : endRequest(found, services);
  });

/** What members can do with their own requests. */
export const ownRequests = { list, cancelOwn };
