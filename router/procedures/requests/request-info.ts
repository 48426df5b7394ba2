import { z } from "zod";
import type { RequestRecord } from "../../../db/requests.ts";
import { ApiError } from "../../errors/errors.ts";
import { requestStatus, time } from "../../schemas.ts";
import { toTime, toTimeOrNull } from "../../clock.ts";

/** What a caller may know about a request. */
export const requestInfo = z.object({
  id: z.string(),
  status: requestStatus,
  expiry: time,
  closed: time.nullable().describe("Since when it stands so; null while it is open"),
  answers: z.int().describe("How many answers it takes"),
  answered: z.int().describe("How many there were"),
  collected: z.int().describe("How many of those were collected"),
});

export const cancelledRequest = requestInfo.pick({ id: true, status: true, closed: true });

export function describeRequest(request: RequestRecord): z.infer<typeof requestInfo> {
  const { id, status, expiresAt, answers, answered, collected } = request;
  return {
    id,
    status,
    expiry: toTime(expiresAt),
    closed: toTimeOrNull(closedAt(request)),
    answers,
    answered,
    collected,
  };
}

/** Only the right gate or token gets this answer. */
export function requestClosed(request: RequestRecord): ApiError {
  const closed = toTimeOrNull(closedAt(request));
  const at = closed === null ? "" : ` at ${closed}`;
  const error = `This request is closed: it was ${request.status}${at}`;
  return new ApiError("request_closed", error, { requestStatus: request.status, closed });
}

// Since when it takes no answer.
function closedAt({ closedAt: ended, answeredAt }: RequestRecord): number | null {
  return ended ?? answeredAt;
}
