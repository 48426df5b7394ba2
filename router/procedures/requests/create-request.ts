import { insertRequest } from "../../../db/requests.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import type { Services } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { COLLECT_TOKEN_LENGTH, SECRET_ID_LENGTH } from "../../ids.ts";
import { toTime } from "../../sql-time.ts";

interface RequestInput {
  readonly gate: string;
  readonly expires: number;
  readonly note?: string | undefined;
  /** The member who can list and cancel it. */
  readonly owner: string | null;
  readonly label?: string | undefined;
}

/** Stores a new request. The collect token exists only in what this returns. */
export async function storeRequest({ gate, expires, note, owner, label }: RequestInput, services: Services) {
  const { db, now, publicUrl } = services;
  const createdAt = now();
  const expiresAt = createdAt + expires;
  const id = randomBase62(SECRET_ID_LENGTH);
  const collectToken = randomBase62(COLLECT_TOKEN_LENGTH);
  const hashes = { gateHash: digestText(gate), collectHash: digestText(collectToken) };
  const row = { id, ...hashes, note: note || null, createdAt, expiresAt, owner, label };
  // An id has 95 random bits; should one ever be taken, the caller may just try again.
  if (!(await insertRequest(db, row)))
    throw new ApiError("overloaded", "Nothing was kept; send it again", { retryAfter: 1 });
  const url = `${publicUrl}/r/${id}`;
  return { id, url, expiry: toTime(expiresAt), status: "open" as const, collectToken };
}
