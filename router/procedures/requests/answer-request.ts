import {
  answerRequest,
  cancelRequest,
  collectAnswer,
  findRequest,
  type RequestRecord,
} from "../../../db/requests.ts";
import { endAnswerDelivery, repeatAnswer } from "../../../db/deliveries/contents.ts";
import { utf8 } from "../../../wire/bytes.ts";
import type { CallerContext, Services } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { toTimeOrNull } from "../../sql-time.ts";
import { claimStorage } from "../../policy/quotas.ts";
import { sameContent } from "../../policy/same-content.ts";
import { storageFull } from "../secrets/create-secret.ts";
import { isClaimedWith, notClaimed, ticketOf } from "../secrets/ticket.ts";
import { requestNotFound } from "./find-request.ts";
import { describeRequest, requestClosed } from "./request-info.ts";

interface SealedAnswer {
  readonly gate: string;
  readonly content: string;
  /** The name of the procedure. */
  readonly path: string;
}

/**
 * Stores the answer, for the first who gives one. Whoever sends the same again has given that one, and gets the same
 * answer for a day. @throws ApiError request_closed, storage_full, storage_quota
 */
export async function storeAnswer(
  request: RequestRecord,
  { gate, content, path }: SealedAnswer,
  ctx: CallerContext,
) {
  const { services, caller } = ctx;
  const { db, now, claimRoom } = services;
  const { id, gateHash } = request;
  const call = { path, of: `request ${id}`, fields: { gate } };
  const same = sameContent<ReturnType<typeof describeRequest>>(content, call, services);
  const given = await same.find();
  if (given) return given;
  if (request.status !== "open") throw requestClosed(request);
  const sealed = utf8(content);
  if (!(await claimRoom(sealed.length, caller.tier))) throw storageFull();
  const claim = await claimStorage(ctx, sealed.length);
  const answeredAt = now();
  const answer = describeRequest({ ...request, status: "answered", answeredAt });
  const keep = await same.keep(answer);
  if (await answerRequest(db, { id, gateHash, sealed, now: answeredAt, claim, keep })) return answer;
  // Somebody was faster, which may have been the same call.
  const faster = await same.find();
  if (faster) return faster;
  throw requestClosed(await readAgain(request, services));
}

interface CollectOptions {
  readonly services: Services;
  /** With one the answer is kept for whoever has it; else it is deleted. */
  readonly ticket: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Hands the answer out, and deletes it or keeps it for a ticket; whoever has that gets the same again.
 * @throws ApiError request_open, request_closed
 */
export async function takeAnswer(request: RequestRecord, options: CollectOptions) {
  const { id, collectHash, status } = request;
  if (status === "open") throw requestOpen();
  const { services, ticket, signal } = options;
  const now = services.now();
  const kept = ticket === undefined ? undefined : ticketOf({ id, ticket, claimedAt: now, now });
  const sealed = await collectAnswer(services.db, { id, collectHash, now, ticket: kept, signal });
  if (sealed) return { content: new TextDecoder().decode(sealed) };
  const closed = await readAgain(request, services);
  const again = await repeat(closed, options);
  if (!again) throw requestClosed(closed);
  return { content: new TextDecoder().decode(again) };
}

async function repeat(request: RequestRecord, { services, ticket }: CollectOptions) {
  const { id, closedAt } = request;
  if (ticket === undefined || closedAt === null || !isClaimedWith(request, ticket)) return undefined;
  const now = services.now();
  const kept = ticketOf({ id, ticket, claimedAt: closedAt, now });
  return repeatAnswer(services.db, { id, ticket: kept, now });
}

/**
 * Ends the delivery of an answer; saying so again gives the same answer. With another ticket nothing changes.
 * @throws ApiError request_open, request_closed, invalid_parameter
 */
export async function receiveAnswer(
  request: RequestRecord,
  { ticket, services: { db } }: { ticket: string; services: Pick<Services, "db"> },
) {
  const { id, status } = request;
  if (status === "open") throw requestOpen();
  if (status === "answered") throw notClaimed("request");
  if (!isClaimedWith(request, ticket)) throw requestClosed(request);
  await endAnswerDelivery(db, { id });
  return { id, status: "collected" as const };
}

/** Cancels a request; cancelling again gives the same answer. @throws ApiError request_closed when it ended otherwise */
export async function endRequest(found: RequestRecord, services: Services) {
  await cancelRequest(services.db, { id: found.id, now: services.now() });
  const request = await readAgain(found, services);
  if (request.status !== "cancelled") throw requestClosed(request);
  return { id: request.id, status: request.status, closed: toTimeOrNull(request.closedAt) };
}

async function readAgain({ id }: RequestRecord, { db, now }: Services): Promise<RequestRecord> {
  const request = await findRequest(db, { id, now: now() });
  if (!request) throw requestNotFound();
  return request;
}

function requestOpen(): ApiError {
  return new ApiError("request_open", "Nobody has answered this request yet", { requestStatus: "open" });
}
