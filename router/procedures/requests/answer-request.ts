import { DAY_SECONDS } from "../../../db/allowance.ts";
import { findAnswer, keepFirstAnswer } from "../../../db/idempotency-keys.ts";
import type { TransactionSteps } from "../../../db/stored-bytes.ts";
import {
  deriveAnswerSeal,
  digestIdempotencyKey,
  type CallFields,
} from "../../../tools/crypto/answer-seal.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { equalBytes } from "../../../tools/crypto/equal-bytes.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { encodeBase64Url } from "../../../wire/base64.ts";
import type { Services, CallerContext } from "../../context.ts";
import { CLAIM_LENGTH, inProgress } from "../../policy/once.ts";
import { cancelRequest, closeRequest, findRequest, type RequestRecord } from "../../../db/requests.ts";
import { answerRequest, collectAnswer } from "../../../db/deliveries/answers.ts";
import { endAnswerDelivery, repeatAnswer } from "../../../db/deliveries/contents.ts";
import { utf8 } from "../../../wire/bytes.ts";
import { ApiError } from "../../errors/errors.ts";
import { toTimeOrNull } from "../../clock.ts";
import { claimStorage } from "../../policy/count.ts";
import { storageFull } from "../secrets/create-secret.ts";
import { digestTicket, isClaimedWith, notClaimed, ticketOf } from "../secrets/ticket.ts";
import { requestNotFound, describeRequest, requestClosed } from "./find-request.ts";

interface SealedAnswer {
  readonly gate: string;
  readonly content: string;
  /** The name of the procedure. */
  readonly path: string;
}

/**
 * Stores an answer, as long as the request takes any. Sending the same answer again gets the same response for a day.
 * @throws ApiError request_closed, storage_full, storage_quota
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
  const at = now();
  const keep = await same.keep(describeRequest(withOneMore(request, at)));
  const answered = await answerRequest(db, { id, gateHash, sealed, now: at, claim, keep });
  const current = await readAgain(request, services);
  if (answered === "stored") return describeRequest(current);
  // Another call was faster, perhaps a repetition of this one.
  const faster = await same.find();
  if (faster) return faster;
  if (answered === "known") return describeRequest(current);
  throw requestClosed(current);
}

function withOneMore(request: RequestRecord, answeredAt: number): RequestRecord {
  const answered = request.answered + 1;
  return answered < request.answers
    ? { ...request, answered }
    : { ...request, answered, status: "answered", answeredAt };
}

interface CollectOptions {
  readonly services: Services;
  /** With one the answer is kept for its holder; otherwise it is deleted. */
  readonly ticket: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the answer, and deletes it or keeps it for a ticket, whose holder gets the same again.
 * @throws ApiError request_open, request_closed
 */
export async function takeAnswer(request: RequestRecord, options: CollectOptions) {
  const { id, collectHash } = request;
  const { services, ticket, signal } = options;
  const now = services.now();
  const kept = ticket === undefined ? undefined : ticketOf({ id, ticket, claimedAt: now, now });
  const taken = await collectAnswer(services.db, { id, collectHash, now, ticket: kept, signal });
  if (taken) return { content: new TextDecoder().decode(taken.sealed), left: taken.left };
  const current = await readAgain(request, services);
  const again = await repeat(current, options);
  if (again) return { content: new TextDecoder().decode(again), left: leftOf(current) };
  // The request is over, or another answer may still come.
  if (ticket === undefined || !isCollectedWith(current, ticket))
    throw current.status === "open" ? requestOpen(current) : requestClosed(current);
  throw new ApiError("request_closed", "The answer of this ticket is not kept any more", {
    requestStatus: current.status,
    closed: toTimeOrNull(current.closedAt),
  });
}

function leftOf({ status, answered, collected }: RequestRecord): number {
  return status === "open" || status === "answered" ? answered - collected : 0;
}

function isCollectedWith({ id, ticketHashes }: RequestRecord, ticket: string): boolean {
  return ticketHashes.some((ticketHash) => isClaimedWith({ id, ticketHash }, ticket));
}

async function repeat(request: RequestRecord, { services, ticket }: CollectOptions) {
  const { id } = request;
  if (ticket === undefined || !isCollectedWith(request, ticket)) return undefined;
  const now = services.now();
  const kept = ticketOf({ id, ticket, claimedAt: now, now });
  return repeatAnswer(services.db, { id, ticket: kept, now });
}

/**
 * Ends the delivery of an answer; repeating that gives the same response. With another ticket nothing changes.
 * @throws ApiError request_open, request_closed, invalid_parameter
 */
export async function receiveAnswer(
  request: RequestRecord,
  { ticket, services: { db } }: { ticket: string; services: Pick<Services, "db"> },
) {
  const { id, status, answered } = request;
  if (!isCollectedWith(request, ticket)) {
    if (status === "open" && answered === 0) throw requestOpen(request);
    if (status === "open" || status === "answered") throw notClaimed("request");
    throw requestClosed(request);
  }
  await endAnswerDelivery(db, id, digestTicket({ id, ticket }));
  return { id, status: "collected" as const };
}

/** Closes a request for further answers; a closed one stays as it is. */
export async function stopAnswers(found: RequestRecord, services: Services) {
  await closeRequest(services.db, found.id, services.now());
  return describeRequest(await readAgain(found, services));
}

/**
 * Cancels a request; repeating that gives the same response.
 * @throws ApiError request_closed when it ended otherwise
 */
export async function endRequest(found: RequestRecord, services: Services) {
  await cancelRequest(services.db, found.id, services.now());
  const request = await readAgain(found, services);
  if (request.status !== "cancelled") throw requestClosed(request);
  return { id: request.id, status: request.status, closed: toTimeOrNull(request.closedAt) };
}

async function readAgain({ id }: RequestRecord, { db, now }: Services): Promise<RequestRecord> {
  const request = await findRequest(db, id, now());
  if (!request) throw requestNotFound();
  return request;
}

function requestOpen({ answered }: RequestRecord): ApiError {
  const error =
    answered === 0
      ? "Nobody has answered this request yet"
      : "All answers so far were collected; more may come";
  return new ApiError("request_open", error, { requestStatus: "open" });
}

/**
 * Recognizes a call by the content that it sends: the same content sent twice is one call, wherever it comes from. `of`
 * names its subject, and `fields` what else was sent. `find` returns the answer of the last day to the same content;
 * `keep` stores one within the transaction that stores what it is about.
 */
function sameContent<Answer extends object>(
  content: string,
  { path, of, fields }: { path: string; of: string; fields: CallFields },
  { db, now }: Pick<Services, "db" | "now">,
): { find: () => Promise<Answer | undefined>; keep: (answer: Answer) => Promise<TransactionSteps["keep"]> } {
  const key = encodeBase64Url(digestText(content));
  const keyHash = digestIdempotencyKey(key, { caller: of, procedure: path });
  const { bodyHash, seal, open } = deriveAnswerSeal(key, { caller: of, fields });
  return {
    async find() {
      const kept = await findAnswer(db, keyHash, now());
      if (!kept || !equalBytes(kept.bodyHash, bodyHash)) return undefined;
      // What was encrypted is the response to this same call.
      return (await open(kept.sealed)) as Answer;
    },
    async keep(answer) {
      const claim = { keyHash, claim: randomBase62(CLAIM_LENGTH), now: now(), sweepAt: now() + DAY_SECONDS };
      const row = { ...claim, bodyHash, sealed: await seal(answer) };
      return async (trx) => {
        if (!(await keepFirstAnswer(trx, row))) throw inProgress();
      };
    },
  };
}
