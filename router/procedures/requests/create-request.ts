import { insertRequest, type NewRequest } from "../../../db/requests.ts";
import { REQUEST_ROW_BYTES, type TransactionSteps } from "../../../db/stored-bytes.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import type { CallerContext } from "../../context.ts";
import { ApiError } from "../../errors/errors.ts";
import { COLLECT_TOKEN_LENGTH, SECRET_ID_LENGTH } from "../../schemas.ts";
import type { AnswerKeeper } from "../../policy/once.ts";
import { claimStorage, returnStorage } from "../../policy/count.ts";
import { toTime } from "../../clock.ts";
import { storageFull } from "../secrets/create-secret.ts";

/**
 * Stores a new request. The collect token exists only in the return value.
 * @throws ApiError storage_full, storage_quota
 */
export async function storeRequest(
  {
    gate,
    expires,
    note,
    label,
    answers,
    notify,
    keep,
  }: {
    gate: string;
    expires: number;
    note?: string | undefined;
    label?: string | undefined;
    answers?: number | undefined;
    /** Whether the owner's hooks are told of it. */
    notify: boolean;
    keep?: AnswerKeeper | undefined;
  },
  ctx: CallerContext,
) {
  const { services, caller } = ctx;
  const createdAt = services.now();
  const expiresAt = createdAt + expires;
  const id = randomBase62(SECRET_ID_LENGTH);
  const collectToken = randomBase62(COLLECT_TOKEN_LENGTH);
  const hashes = { gateHash: digestText(gate), collectHash: digestText(collectToken) };
  const owner = caller.tier === "member" ? caller.memberId : null;
  const url = `${services.publicUrl}/r/${id}`;
  const answer = { id, url, expiry: toTime(expiresAt), status: "open" as const, collectToken };
  const keepAnswer = await keep?.(answer);
  const row = {
    id,
    ...hashes,
    note: note || null,
    createdAt,
    expiresAt,
    owner,
    label,
    answers,
    isQuiet: !notify,
  };
  await insertCounted(row, ctx, keepAnswer);
  return answer;
}

// It counts until it is closed, because its row and note stay as long as it is open.
async function insertCounted(
  request: NewRequest,
  ctx: CallerContext,
  keepAnswer: TransactionSteps["keep"],
): Promise<void> {
  const { services, caller } = ctx;
  const bytes = REQUEST_ROW_BYTES + (request.note?.length ?? 0);
  if (!(await services.claimRoom(bytes, caller.tier))) throw storageFull();
  let claimed = 0;
  try {
    const claim = await claimStorage(ctx, bytes);
    claimed = bytes;
    if (await insertRequest(services.db, request, { claim, keep: keepAnswer })) return;
    // An id has 95 random bits; should one ever be taken, the caller can just try again.
    throw new ApiError("overloaded", "Nothing was kept; send it again", { retryAfter: 1 });
  } catch (error) {
    services.returnRoom(bytes);
    // If this fails too, the bytes count until the day of the limit is over.
    await returnStorage(ctx, claimed).catch(() => undefined);
    throw error;
  }
}
