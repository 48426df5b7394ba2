import {
  answerRequest,
  cancelRequest,
  collectAnswer,
  findRequest,
  type RequestRecord,
} from "../../../db/requests.ts";
import { utf8 } from "../../../wire/bytes.ts";
import type { CallerContext, Requester, Services } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { toTimeOrNull } from "../../sql-time.ts";
import { claimStorage } from "../../policy/quotas.ts";
import { storageFull } from "../secrets/create-secret.ts";
import { requestNotFound } from "./find-request.ts";
import { describeRequest, requestClosed } from "./request-info.ts";

/** Stores the answer, for the first who gives one. @throws ApiError request_closed, storage_full, storage_quota */
export async function storeAnswer(request: RequestRecord, content: string, ctx: CallerContext) {
  const { services, caller } = ctx;
  const { db, now, hasRoom } = services;
  if (request.status !== "open") throw requestClosed(request);
  const { id, gateHash } = request;
  const sealed = utf8(content);
  if (!(await hasRoom(sealed.length, caller.tier))) throw storageFull();
  const claim = await claimStorage(ctx, sealed.length);
  const isFirst = await answerRequest(db, { id, gateHash, sealed, now: now(), claim });
  const current = await readAgain(request, services);
  if (!isFirst) throw requestClosed(current);
  return describeRequest(current);
}

/** Hands the answer out and deletes it. @throws ApiError request_open, request_closed */
export async function takeAnswer(request: RequestRecord, services: Services, { signal }: Requester) {
  const { id, collectHash, status } = request;
  if (status === "open") throw requestOpen();
  const { db, now } = services;
  const sealed = await collectAnswer(db, { id, collectHash, now: now(), signal });
  if (!sealed) throw requestClosed(await readAgain(request, services));
  return { content: new TextDecoder().decode(sealed) };
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
