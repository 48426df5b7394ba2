import { findRequest, type RequestRecord } from "../../../db/requests.ts";
import { isBase62 } from "../../../tools/crypto/base62.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { equalBytes } from "../../../tools/crypto/equal-bytes.ts";
import type { Services } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { COLLECT_TOKEN_LENGTH, SECRET_ID_LENGTH } from "../../ids.ts";

/** The gate of a request: 32 bytes in base64url. */
export const GATE = /^[0-9A-Za-z_-]{43}$/;

/** The request whose link the caller was given. @throws ApiError not_found */
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

/** The request whose collect token the caller has kept. @throws ApiError not_found */
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

/** The request of this member; one of another member is as unknown as none. @throws ApiError not_found */
export async function findOwnRequest(
  { id, owner }: { id: string; owner: string },
  services: Services,
): Promise<RequestRecord> {
  const request = await findById(id, services);
  if (request?.owner !== owner) throw new ApiError("not_found", "You have no request with this id");
  return request;
}

async function findById(id: string, { db, now }: Services): Promise<RequestRecord | undefined> {
  return isBase62(id, SECRET_ID_LENGTH) ? findRequest(db, { id, now: now() }) : undefined;
}

/** The same for an unknown id, a wrong gate and a wrong token, so that an id alone reveals nothing. */
export function requestNotFound(): ApiError {
  return new ApiError("not_found", "No request has this id with this gate or token; nothing was changed");
}
