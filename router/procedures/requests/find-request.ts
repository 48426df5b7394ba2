import { findRequest, type RequestRecord } from "../../../db/requests.ts";
import { isBase62 } from "../../../tools/crypto/base62.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { equalBytes } from "../../../tools/crypto/equal-bytes.ts";
import type { Services } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { COLLECT_TOKEN_LENGTH, SECRET_ID_LENGTH, requestStatus, time } from "../../schemas.ts";
import { z } from "zod";
import { toTime, toTimeOrNull } from "../../clock.ts";
import { describeEnd } from "../../../wire/call-error.ts";

/** The gate of a request: 32 bytes in base64url. */
export const GATE = /^[0-9A-Za-z_-]{43}$/;

/** The request whose link the caller has. @throws ApiError not_found */
export async function findByGate(
  { id, gate }: { id: string; gate: string },
  services: Services,
): Promise<RequestRecord> {
  if (!GATE.test(gate)) throw requestNotFound();
  const hash = digestText(gate);
  const request = await findById(id, services);
  if (!request || !equalBytes(request.gateHash, hash)) throw requestNotFound();
  return request;
}

/** The request whose collect token the caller has. @throws ApiError not_found */
export async function findByCollectToken(
  { id, collectToken }: { id: string; collectToken: string },
  services: Services,
): Promise<RequestRecord> {
  if (!isBase62(collectToken, COLLECT_TOKEN_LENGTH)) throw requestNotFound();
  const hash = digestText(collectToken);
  const request = await findById(id, services);
  if (!request || !equalBytes(request.collectHash, hash)) throw requestNotFound();
  return request;
}

/** The member's own request; one of another member is not found either. @throws ApiError not_found */
export async function findOwnRequest(
  { id, owner }: { id: string; owner: string },
  services: Services,
): Promise<RequestRecord> {
  const request = await findById(id, services);
  if (request?.owner !== owner) throw new ApiError("not_found", "You have no request with this id");
  return request;
}

async function findById(id: string, { db, now }: Services): Promise<RequestRecord | undefined> {
  return isBase62(id, SECRET_ID_LENGTH) ? findRequest(db, id, now()) : undefined;
}

/** The same error for an unknown id, a wrong gate and a wrong token, so that an id alone reveals nothing. */
export function requestNotFound(): ApiError {
  return new ApiError("not_found", "No request has this id with this gate or token; nothing was changed");
}

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
    closed: toTimeOrNull(closingTime(request)),
    answers,
    answered,
    collected,
  };
}

/** Only callers with the right gate or token get this error. */
export function requestClosed(request: RequestRecord): ApiError {
  const closed = toTimeOrNull(closingTime(request));
  const error = `This request is closed: ${describeEnd({ status: request.status, closed })}`;
  return new ApiError("request_closed", error, { requestStatus: request.status, closed });
}

function closingTime({ closedAt, answeredAt }: RequestRecord): number | null {
  return closedAt ?? answeredAt;
}
