import {
  DAY_SECONDS,
  giveAllowanceBack,
  peekAllowance,
  takeAllowance,
  type Allowance,
  type Window,
  type Windows,
} from "../../db/allowance.ts";
import { storedBytes } from "../../db/secrets/secrets.ts";
import { claimStoredBytes, recountMany, type Transaction } from "../../db/stored-bytes.ts";
import type {
  CallerAddress,
  CallerContext,
  ImageRequester,
  MemberCaller,
  Requester,
  Services,
} from "../context.ts";
import { ANONYMOUS_SHARE, SITE_FACTOR, YOUNG_SECONDS, type RateName, type Tier } from "../limits.ts";
import { ApiError, formatCount } from "../errors/errors.ts";

/** Whom a call counts for; stored only as an HMAC. */
export interface RateSubject {
  readonly who: string;
  /** The /48 around an IPv6 address, where calls count by address. */
  readonly site?: string | undefined;
}

/** Counts one call of the caller. @throws ApiError rate_limited */
export async function countCall(ctx: CallerContext, rate: RateName): Promise<void> {
  const { services, caller } = ctx;
  const taken = await takeAllowance(services.db, ...callerWindows(ctx, rate));
  writeRate(ctx, rate, taken);
  if (!taken.allowed)
    throw rateLimited(rate, { services, tier: caller.tier, retryAfter: taken.resetSeconds });
}

/** Tells the caller what is left of a rate, without counting a call. */
export async function tellRate(ctx: CallerContext, rate: RateName): Promise<void> {
  writeRate(ctx, rate, await peekCalls(ctx, rate));
}

function writeRate(
  { services, caller, responseHeaders }: CallerContext,
  rate: RateName,
  { remaining, resetSeconds }: Allowance,
): void {
  const { windowSeconds, policy, [caller.tier]: limit } = services.limits.rates[rate];
  responseHeaders.set("RateLimit-Policy", `"${policy}";q=${limit};w=${windowSeconds}`);
  responseHeaders.set("RateLimit", `"${policy}";r=${Math.min(remaining, limit)};t=${resetSeconds}`);
}

/** What is left of a caller's rate. */
export function peekCalls(ctx: CallerContext, rate: RateName): Promise<Allowance> {
  return peekAllowance(ctx.services.db, ...callerWindows(ctx, rate));
}

/** Whom the caller's calls count for: the account from any address, or else the address. */
export function countedBy({ caller, address }: Pick<CallerContext, "caller" | "address">): RateSubject {
  if (caller.tier === "anonymous") return addressOf(address);
  return { who: caller.origin ? `young of ${caller.origin.join()}` : `member ${caller.memberId}` };
}

/** An address, or an action from there, such as trying one name. */
export function addressOf({ rate, site }: CallerAddress, doing = ""): RateSubject {
  return { who: `${doing}address ${rate}`, site: site && `${doing}site ${site}` };
}

/** For whom a lane works, and until when. */
export function requesterOf(
  of: Pick<CallerContext, "caller" | "address">,
  signal: AbortSignal | undefined,
): Requester {
  return { caller: countedBy(of).who, signal };
}

/** For whom a lane works on an image, whose memory counts for the call. */
export function imageRequesterOf(
  ctx: Pick<CallerContext, "caller" | "address" | "budget">,
  signal: AbortSignal | undefined,
): ImageRequester {
  return { ...requesterOf(ctx, signal), reserve: (bytes) => ctx.budget.claimMemory(bytes) };
}

function callerWindows(ctx: CallerContext, rate: RateName): Windows {
  const { services, caller, address } = ctx;
  const by = services.limits.rates[rate].membersBy === "account" ? countedBy(ctx) : addressOf(address);
  return windowsOf(rate, { services, by, tier: caller.tier });
}

interface WindowOptions {
  readonly services: Services;
  readonly by: RateSubject;
  readonly tier?: Tier;
}

/** The windows of one rate: its own, and that of the /48. */
export function windowsOf(rate: RateName, { services, by, tier = "anonymous" }: WindowOptions): Windows {
  const { windowSeconds, [tier]: limit } = services.limits.rates[rate];
  return widen({ bucket: rate, limit, windowSeconds, now: services.now() }, { services, by });
}

/** Adds the keys to a window, and the window of the /48 where there is one. */
export function widen(
  window: Omit<Window, "key">,
  { services: { rateKey }, by: { who, site } }: Pick<WindowOptions, "services" | "by">,
): Windows {
  const own = { ...window, key: rateKey(who) };
  if (site === undefined) return [own];
  return [own, { ...window, key: rateKey(site), limit: SITE_FACTOR * window.limit }];
}

/** Whether something that counts once, for so many seconds, is used for the first time. */
export async function isFirstUse(
  { bucket, what, seconds: windowSeconds }: { bucket: string; what: string; seconds: number },
  { db, now, rateKey }: Pick<Services, "db" | "now" | "rateKey">,
): Promise<boolean> {
  const window = { bucket, key: rateKey(what), limit: 1, windowSeconds, now: now() };
  return (await takeAllowance(db, window)).allowed;
}

/** A rate was exceeded: which one, and when to try again. */
export function rateLimited(
  rate: RateName,
  of: { services: Services; tier: Tier; retryAfter: number; what?: string },
): ApiError {
  const { services, tier, retryAfter, what = "calls" } = of;
  const { windowSeconds: window, [tier]: value } = services.limits.rates[rate];
  const error = `At most ${value} ${what} in ${window} seconds; try again in ${retryAfter} seconds`;
  const limit = rate === "tools" ? "calls" : rate;
  return new ApiError("rate_limited", error, {
    limit,
    value,
    unit: "calls",
    window,
    remaining: 0,
    retryAfter,
    tier,
  });
}

/**
 * Claims room for bytes that the caller stores. An address has a daily amount: a counter that nothing links to what is
 * stored, outside of the transaction. An account has a total amount, which the returned function claims within the
 * transaction. For uploads in parts, `before` was claimed already.
 * @throws ApiError storage_quota
 */
export async function claimStorage(
  ctx: CallerContext,
  bytes: number,
  { before = 0 }: { before?: number } = {},
): Promise<((trx: Transaction) => Promise<void>) | undefined> {
  const { caller } = ctx;
  const actual = before + bytes;
  if (caller.tier === "member") return claimOfAccount(ctx, caller, { bytes, actual });
  await countOfAddress(ctx, { bytes, actual });
  return undefined;
}

/** Gives back what was claimed but not stored. An account's true sum is computed when it matters. */
export async function returnStorage(ctx: CallerContext, bytes: number): Promise<void> {
  if (ctx.caller.tier === "member" || bytes === 0) return;
  for (const window of quotaWindows(ctx, bytes)) await giveAllowanceBack(ctx.services.db, window);
}

/** The bucket that counts the stored bytes of an address. */
export const STORED_BYTES = "storedBytes";

/** The windows that count the bytes of an address. */
export function quotaWindows(ctx: CallerContext, amount: number): Windows {
  const { services } = ctx;
  const limit = services.limits.anonymous.storedBytes;
  const window = { bucket: STORED_BYTES, limit, windowSeconds: DAY_SECONDS, now: services.now(), amount };
  return widen(window, { services, by: countedBy(ctx) });
}

async function countOfAddress(ctx: CallerContext, { bytes, actual }: ByteClaim): Promise<void> {
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

interface ByteClaim {
  readonly bytes: number;
  /** How much belongs to it in all. */
  readonly actual: number;
}

async function claimOfAccount(
  ctx: CallerContext,
  caller: MemberCaller,
  { bytes, actual }: ByteClaim,
): Promise<(trx: Transaction) => Promise<void>> {
  const { rateKey, now: readClock, limits, db } = ctx.services;
  const limit = limits.member.storedBytes;
  const [key, now] = [rateKey(countedBy(ctx).who), readClock()];
  const young = caller.origin && { createdFrom: caller.origin, after: now - YOUNG_SECONDS };
  const claim = { key, owner: caller.memberId, young, bytes, limit, now };
  const isCounted = await recountMany(db, claim);
  return async (trx) => {
    if (await claimStoredBytes(trx, { ...claim, isCounted })) return;
    throw new ApiError(
      "storage_quota",
      `The unread secrets and open requests of one account can have at most ${formatCount(limit)} bytes together; ` +
        "end some first; nothing was kept",
      { limit: "storedBytes", value: limit, unit: "bytes", actual, tier: "member" },
    );
  };
}

const STORED_FRESH_SECONDS = 5;
/** Recent enough to show: summing up may take long. */
const STORED_KNOWN_SECONDS = 30;

/** The part of the services that manages the room for all contents together. */
export type Room = Pick<Services, "claimRoom" | "returnRoom" | "storedBytes">;

// Summing up all contents for every create would cost more than the create itself. The sum, and the free space of the
// disk, are read every few seconds; bytes that this process stores in between are added. Callers who come when they are
// too old wait for the same reading: with several, later ones would forget what earlier callers have stored.
export function createRoom({ db, now }: Pick<Services, "db" | "now">, limit: number): Room {
  let [stored, left, readAt] = [0, Infinity, -Infinity];
  let reading: Promise<void> | undefined;
  // Half of the smaller room: what arrives before the next reading is far less than the other half.
  const enough = (limit * ANONYMOUS_SHARE) / 2;
  const read = async () => {
    const start = now();
    const { disk } = await db.numbers();
    [stored, left, readAt] = [await storedBytes(db, { enough }), disk?.roomBytes ?? Infinity, start];
  };
  // Also true when the clock was set back.
  const readWhenOld = async (seconds: number) => {
    if (Math.abs(now() - readAt) >= seconds) await (reading ??= read().finally(() => (reading = undefined)));
  };
  return {
    async claimRoom(bytes, tier) {
      await readWhenOld(STORED_FRESH_SECONDS);
      const most = tier === "member" ? limit : limit * ANONYMOUS_SHARE;
      // Until the database's log is written back, what it stores stands there too.
      const taken = 2 * bytes;
      if (stored + bytes > most || taken > left) return false;
      stored += bytes;
      left -= taken;
      return true;
    },
    async storedBytes() {
      await readWhenOld(STORED_KNOWN_SECONDS);
      return stored;
    },
    // What was stored and is deleted has its place on the disk until it is read again.
    returnRoom: (bytes) => void (stored = Math.max(stored - bytes, 0)),
  };
}
