import { DAY_SECONDS, takeAllowance } from "../../db/allowance.ts";
import { claimRoom, type Transaction } from "../../db/stored-bytes.ts";
import type { CallerContext, MemberCaller } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { LIMITS, YOUNG_SECONDS } from "../limits.ts";
import { countedBy, widen } from "./count.ts";

/** Part of the transaction that stores what was claimed. */
export type ClaimStep = (trx: Transaction) => Promise<void>;

/**
 * Claims room for bytes that the caller stores. An address has so much a day: a counter, which nothing links to
 * what is stored, and no part of the transaction. An account has so much at a time, which is claimed where it is
 * stored.
 * @throws ApiError storage_quota
 */
export async function claimStorage(ctx: CallerContext, bytes: number): Promise<ClaimStep | undefined> {
  const { caller } = ctx;
  if (caller.tier === "member") return (trx) => claimOfAccount(trx, { ctx, caller, bytes });
  await countOfAddress(ctx, bytes);
  return undefined;
}

async function countOfAddress(ctx: CallerContext, amount: number): Promise<void> {
  const { services } = ctx;
  const limit = LIMITS.anonymous.storedBytes;
  const window = { bucket: "storedBytes", limit, windowSeconds: DAY_SECONDS, now: services.now(), amount };
  const taken = await takeAllowance(services.db, ...widen(window, { services, by: countedBy(ctx) }));
  if (taken.allowed) return;
  const hint = `with an API token the limit is ${formatCount(LIMITS.member.storedBytes)} bytes at a time`;
  throw new ApiError(
    "storage_quota",
    `One address can store at most ${formatCount(limit)} bytes of secrets in a day; ${hint}; nothing was kept`,
    {
      ...{ limit: "storedBytes", value: limit, unit: "bytes", actual: amount },
      ...{ tier: "anonymous", tokenValue: LIMITS.member.storedBytes },
      ...{ window: DAY_SECONDS, remaining: taken.remaining, retryAfter: taken.resetSeconds },
    },
  );
}

interface AccountClaim {
  readonly ctx: CallerContext;
  readonly caller: MemberCaller;
  readonly bytes: number;
}

async function claimOfAccount(trx: Transaction, { ctx, caller, bytes }: AccountClaim): Promise<void> {
  const { rateKey, now: readClock } = ctx.services;
  const limit = LIMITS.member.storedBytes;
  const [key, now] = [rateKey(countedBy(ctx).who), readClock()];
  const young = caller.origin && { createdFrom: caller.origin, after: now - YOUNG_SECONDS };
  if (await claimRoom(trx, { key, owner: caller.memberId, young, bytes, limit, now })) return;
  throw new ApiError(
    "storage_quota",
    `The unread secrets of one account can have at most ${formatCount(limit)} bytes together; revoke some first; ` +
      "nothing was kept",
    { limit: "storedBytes", value: limit, unit: "bytes", actual: bytes, tier: "member" },
  );
}

function formatCount(value: number): string {
  return value.toLocaleString("en-US");
}
