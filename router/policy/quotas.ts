import { DAY_SECONDS, giveAllowanceBack, takeAllowance, type Windows } from "../../db/allowance.ts";
import { claimStoredBytes, type Transaction } from "../../db/stored-bytes.ts";
import type { CallerContext, MemberCaller } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { YOUNG_SECONDS } from "../limits.ts";
import { countedBy, widen } from "./count.ts";

/**
 * Claims room for bytes that the caller stores. An address has so much a day: a counter, which nothing links to
 * what is stored, and no part of the transaction. An account has so much at a time, which is claimed where it is
 * stored, by what this answers. What arrives in parts has claimed so much `before`.
 * @throws ApiError storage_quota
 */
export async function claimStorage(
  ctx: CallerContext,
  bytes: number,
  { before = 0 }: { before?: number } = {},
): Promise<((trx: Transaction) => Promise<void>) | undefined> {
  const { caller } = ctx;
  const actual = before + bytes;
  if (caller.tier === "member") return (trx) => claimOfAccount(trx, { ctx, caller, bytes, actual });
  await countOfAddress(ctx, { bytes, actual });
  return undefined;
}

/** Gives back what was claimed and is not stored after all. An account's true sum is found when it matters. */
export async function returnStorage(ctx: CallerContext, bytes: number): Promise<void> {
  if (ctx.caller.tier === "member" || bytes === 0) return;
  for (const window of quotaWindows(ctx, bytes)) await giveAllowanceBack(ctx.services.db, window);
}

/** The bucket in which the bytes of an address are counted. */
export const STORED_BYTES = "storedBytes";

/** The windows in which an address counts its bytes. */
export function quotaWindows(ctx: CallerContext, amount: number): Windows {
  const { services } = ctx;
  const limit = services.limits.anonymous.storedBytes;
  const window = { bucket: STORED_BYTES, limit, windowSeconds: DAY_SECONDS, now: services.now(), amount };
  return widen(window, { services, by: countedBy(ctx) });
}

async function countOfAddress(ctx: CallerContext, { bytes, actual }: Claimed): Promise<void> {
  const { anonymous, member } = ctx.services.limits;
  const limit = anonymous.storedBytes;
  const taken = await takeAllowance(ctx.services.db, ...quotaWindows(ctx, bytes));
  if (taken.allowed) return;
  const hint = `with an API token the limit is ${formatCount(member.storedBytes)} bytes at a time`;
  throw new ApiError(
    "storage_quota",
    `One address can store at most ${formatCount(limit)} bytes of secrets in a day; ${hint}; nothing was kept`,
    {
      limit: "storedBytes",
      value: limit,
      unit: "bytes",
      actual,
      tier: "anonymous",
      tokenValue: member.storedBytes,
      window: DAY_SECONDS,
      remaining: taken.remaining,
      retryAfter: taken.resetSeconds,
    },
  );
}

interface Claimed {
  readonly bytes: number;
  /** Of all that belongs to it. */
  readonly actual: number;
}

async function claimOfAccount(
  trx: Transaction,
  { ctx, caller, bytes, actual }: Claimed & { ctx: CallerContext; caller: MemberCaller },
): Promise<void> {
  const { rateKey, now: readClock, limits } = ctx.services;
  const limit = limits.member.storedBytes;
  const [key, now] = [rateKey(countedBy(ctx).who), readClock()];
  const young = caller.origin && { createdFrom: caller.origin, after: now - YOUNG_SECONDS };
  if (await claimStoredBytes(trx, { key, owner: caller.memberId, young, bytes, limit, now })) return;
  throw new ApiError(
    "storage_quota",
    `The unread secrets and open requests of one account can have at most ${formatCount(limit)} bytes together; ` +
      "end some first; nothing was kept",
    { limit: "storedBytes", value: limit, unit: "bytes", actual, tier: "member" },
  );
}

function formatCount(value: number): string {
  return value.toLocaleString("en-US");
}
